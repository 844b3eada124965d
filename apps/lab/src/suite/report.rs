//! What came of a suite, for people and for programs.

use std::io::{self, Write};
use std::time::Duration;

use kiebitz_chess::Move;
use kiebitz_tournament::suite::{Effort, LineFault, Task, Tasks, Totals, Trial};
use serde_json::{Value, json};

/// Everything there is to tell.
pub(super) struct Report<'a> {
    pub(super) engine: String,
    pub(super) effort: Effort,
    pub(super) tasks: &'a Tasks,
    /// One for each usable task, in the same order.
    pub(super) trials: &'a [Trial],
    pub(super) totals: Totals,
    /// From the first start to the last answer.
    pub(super) wall: Duration,
}

impl Report<'_> {
    fn pairs(&self) -> impl Iterator<Item = (&Task, &Trial)> {
        self.tasks.usable.iter().zip(self.trials)
    }

    /// The lines that cannot be used, the tasks (all, or those with something wrong) and the table.
    pub(super) fn write_text(&self, all: bool, output: &mut impl Write) -> io::Result<()> {
        for line in &self.tasks.unusable {
            writeln!(output, "unusable  {}:{}  {}", line.file, line.line, line.reason)?;
        }
        for (task, trial) in self.pairs() {
            if all || !trial.is_success(task) || !trial.faults.is_empty() {
                write_trial(task, trial, output)?;
            }
        }
        let totals = &self.totals;
        writeln!(output, "\n{}, {}", self.engine, effort(self.effort))?;
        let mut row = |number: usize, text: &str| writeln!(output, "{number:>9}  {text}");
        row(totals.positions, "positions")?;
        if !self.tasks.unusable.is_empty() {
            row(self.tasks.unusable.len(), "unusable lines")?;
        }
        if totals.with_moves > 0 {
            row(totals.solved, &format!("solved of {}{}", totals.with_moves, share(totals.solved, totals.with_moves)))?;
        }
        if totals.with_mate > 0 {
            let of = |number| share(number, totals.with_mate);
            row(totals.mates_found, &format!("mates found of {}{}", totals.with_mate, of(totals.mates_found)))?;
            row(totals.best_mates, &format!("best mates{}", of(totals.best_mates)))?;
        }
        row(totals.illegal_lines, "illegal variations")?;
        row(totals.wrong_mate_lines, "mate variations without the mate they claim")?;
        row(totals.short_mate_lines, "mate variations cut short")?;
        if totals.errors > 0 {
            row(totals.errors, "positions without an answer")?;
        }
        let (search, wall) = (totals.search_time.as_secs_f64(), self.wall.as_secs_f64());
        writeln!(output, "{} nodes, {search:.2} s of search, {wall:.2} s in all", totals.nodes)
    }

    /// One object.
    pub(super) fn write_json(&self, output: &mut impl Write) -> io::Result<()> {
        let totals = &self.totals;
        let unusable: Vec<Value> = (self.tasks.unusable.iter())
            .map(|line| json!({"file": line.file, "line": line.line, "text": line.text, "reason": line.reason}))
            .collect();
        let value = json!({
            "engine": self.engine,
            "effort": effort(self.effort),
            "positions": totals.positions,
            "with_moves": totals.with_moves,
            "solved": totals.solved,
            "with_mate": totals.with_mate,
            "mates_found": totals.mates_found,
            "best_mates": totals.best_mates,
            "illegal_lines": totals.illegal_lines,
            "wrong_mate_lines": totals.wrong_mate_lines,
            "short_mate_lines": totals.short_mate_lines,
            "errors": totals.errors,
            "nodes": totals.nodes,
            "search_seconds": totals.search_time.as_secs_f64(),
            "seconds": self.wall.as_secs_f64(),
            "unusable": unusable,
            "tasks": self.pairs().map(|(task, trial)| trial_json(task, trial)).collect::<Vec<_>>(),
        });
        serde_json::to_writer_pretty(&mut *output, &value).map_err(io::Error::from)?;
        writeln!(output)
    }
}

fn effort(effort: Effort) -> String {
    match effort {
        Effort::Nodes(nodes) => format!("{nodes} nodes"),
        Effort::MoveTime(time) => format!("{} ms", time.as_millis()),
        Effort::Depth(depth) => format!("depth {depth}"),
    }
}

fn share(number: usize, of: usize) -> String {
    format!(" ({:.1} %)", 100.0 * number as f64 / of as f64)
}

fn names(task: &Task, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| task.position.san(mv).to_string()).collect()
}

/// What was to be found, in the words of the file.
fn goal(task: &Task) -> String {
    let mut parts = Vec::new();
    for (word, moves) in [("bm", &task.best), ("am", &task.avoid)] {
        if !moves.is_empty() {
            parts.push(format!("{word} {}", names(task, moves).join(" ")));
        }
    }
    parts.extend(task.mate.map(|moves| format!("mate {moves}")));
    parts.join(", ")
}

fn fault_text(fault: &LineFault) -> &str {
    match fault {
        LineFault::Illegal(text) | LineFault::Mate(text) | LineFault::Short(text) => text,
    }
}

fn write_trial(task: &Task, trial: &Trial, output: &mut impl Write) -> io::Result<()> {
    let verdict = if trial.is_success(task) { "solved  " } else { "missed  " };
    let place = format!("{}:{}", task.file, task.line);
    let played = trial.best.map_or_else(|| "no move".to_owned(), |mv| task.position.san(mv).to_string());
    let mate = trial.mate.map(|mate| format!(", mate {}", mate.moves)).unwrap_or_default();
    let id = if task.id.is_empty() { String::new() } else { format!("  {}", task.id) };
    writeln!(output, "{verdict}  {place}{id}  {}: {played}{mate}", goal(task))?;
    for fault in &trial.faults {
        writeln!(output, "            {}", fault_text(fault))?;
    }
    trial.error.iter().try_for_each(|error| writeln!(output, "            {error}"))
}

fn trial_json(task: &Task, trial: &Trial) -> Value {
    let faults: Vec<Value> = (trial.faults.iter())
        .map(|fault| {
            let kind = match fault {
                LineFault::Illegal(_) => "illegal",
                LineFault::Mate(_) => "wrong_mate",
                LineFault::Short(_) => "short_mate",
            };
            json!({"kind": kind, "text": fault_text(fault)})
        })
        .collect();
    json!({
        "file": task.file,
        "line": task.line,
        "id": task.id,
        "fen": task.position.to_string(),
        "best_moves": names(task, &task.best),
        "avoid_moves": names(task, &task.avoid),
        "known_mate": task.mate,
        "played": trial.best.map(|mv| task.position.san(mv).to_string()),
        "solved": trial.solved,
        "mate": trial.mate.map(|mate| mate.moves),
        "best_mate": trial.mate.map(|mate| mate.best),
        "success": trial.is_success(task),
        "faults": faults,
        "depth": trial.depth,
        "nodes": trial.nodes,
        "seconds": trial.elapsed.as_secs_f64(),
        "error": trial.error,
    })
}
