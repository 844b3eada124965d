//! `info`: what an engine tells of its search.

use std::fmt;

use kiebitz_chess::{Score, Wdl};

use crate::MoveText;
use crate::complaint::Complaint;
use crate::word::{OneLine, Words, write_field, write_moves};

/// One report. Every part may be missing; numbers are kept as the engine gave them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// How deep the search is, in plies.
    pub depth: Option<u32>,
    /// How deep its deepest line is, in plies.
    pub selective_depth: Option<u32>,
    /// Which of several lines this is about, from 1.
    pub multi_pv: Option<u32>,
    /// What the position is worth for the side to move.
    pub score: Option<ScoreReport>,
    /// Chances to win, draw and lose for the side to move.
    pub wdl: Option<Wdl>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions visited per second.
    pub nodes_per_second: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hash_full_permille: Option<u32>,
    /// Positions found in endgame tablebases.
    pub tablebase_hits: Option<u64>,
    /// Positions found in Shredder's endgame databases.
    pub shredder_base_hits: Option<u64>,
    /// How long the search has taken, in milliseconds.
    pub time_ms: Option<u64>,
    /// How busy the engine keeps the processor, in thousandths.
    pub cpu_load_permille: Option<u32>,
    /// The move that is being searched.
    pub current_move: Option<MoveText>,
    /// Its number, from 1.
    pub current_move_number: Option<u32>,
    /// A move followed by the line that refutes it; empty if not given.
    pub refutation: Vec<MoveText>,
    /// The line that is being looked at.
    pub current_line: Option<CurrentLine>,
    /// The line the engine expects; empty if not given.
    pub pv: Vec<MoveText>,
    /// Anything, for people to read.
    pub string: Option<String>,
}

/// What one processor is looking at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CurrentLine {
    /// Which processor, from 1; engines with one leave it out.
    pub cpu: Option<u32>,
    /// The moves.
    pub moves: Vec<MoveText>,
}

/// A score and how exact it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScoreReport {
    /// The number.
    pub value: ScoreValue,
    /// Whether the truth may lie beyond it.
    pub bound: Option<Bound>,
}

/// A score as the protocol writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves, not plies, until mate; negative or zero if the side to move is mated.
    Mate(i32),
}

/// On which side of a score the truth lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// At least this much.
    Lower,
    /// At most this much.
    Upper,
}

impl ScoreValue {
    /// The same in the project's own measure; very large numbers are held at its limits.
    #[must_use]
    pub fn score(self) -> Score {
        match self {
            Self::Centipawns(value) => Score::centipawns(value),
            Self::Mate(moves) if moves > 0 => Score::mate_in(moves.unsigned_abs().saturating_mul(2) - 1),
            Self::Mate(moves) => Score::mated_in(moves.unsigned_abs().saturating_mul(2)),
        }
    }
}

impl From<Score> for ScoreValue {
    fn from(score: Score) -> Self {
        score.mate_moves().map_or(Self::Centipawns(score.value()), Self::Mate)
    }
}

const KEYWORDS: [&str; 22] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "time",
    "cpuload",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
];

/// What may follow `score`.
const SCORE_PARTS: [&str; 4] = ["cp", "mate", "lowerbound", "upperbound"];

/// The whole of anything that is told in thousandths.
const WHOLE: u32 = 1000;

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl Info {
    /// Whether this is the engine's first choice, with a score.
    #[must_use]
    pub fn is_main_line(&self) -> bool {
        self.score.is_some() && self.multi_pv.is_none_or(|number| number <= 1)
    }

    pub(super) fn read(words: &mut Words<'_>) -> Self {
        let mut info = Self::default();
        let (mut score, mut bound) = (None, None);
        let (mut pv, mut refutation) = (None, None);
        while let Some(word) = words.next() {
            macro_rules! number {
                ($slot:ident, $field:literal) => {{
                    let value = words.count($field);
                    words.set(&mut info.$slot, $field, value);
                }};
            }
            macro_rules! permille {
                ($slot:ident, $field:literal) => {{
                    let value = words.limited_count($field, WHOLE);
                    words.set(&mut info.$slot, $field, value);
                }};
            }
            match word {
                "depth" => number!(depth, "depth"),
                "seldepth" => number!(selective_depth, "seldepth"),
                "multipv" => number!(multi_pv, "multipv"),
                "score" => {
                    if !words.peek().is_some_and(|next| SCORE_PARTS.contains(&next)) {
                        words.complain(Complaint::Missing { field: "score" });
                    }
                }
                "cp" => {
                    let value = words.integer("cp").map(ScoreValue::Centipawns);
                    words.set(&mut score, "score", value);
                }
                "mate" => {
                    let value = words.integer("mate").map(ScoreValue::Mate);
                    words.set(&mut score, "score", value);
                }
                // Stockfish writes the bound behind the chances, others before the number.
                "lowerbound" => words.set(&mut bound, "lowerbound", Some(Bound::Lower)),
                "upperbound" => words.set(&mut bound, "upperbound", Some(Bound::Upper)),
                "wdl" => {
                    let wdl = read_wdl(words);
                    words.set(&mut info.wdl, "wdl", wdl);
                }
                "nodes" => number!(nodes, "nodes"),
                "nps" => number!(nodes_per_second, "nps"),
                "hashfull" => permille!(hash_full_permille, "hashfull"),
                "tbhits" => number!(tablebase_hits, "tbhits"),
                "sbhits" => number!(shredder_base_hits, "sbhits"),
                "time" => number!(time_ms, "time"),
                "cpuload" => permille!(cpu_load_permille, "cpuload"),
                "currmove" => {
                    let mv = words.one_move("currmove", is_keyword);
                    words.set(&mut info.current_move, "currmove", mv);
                }
                "currmovenumber" => number!(current_move_number, "currmovenumber"),
                "refutation" => {
                    let moves = words.moves("refutation", is_keyword);
                    words.set(&mut refutation, "refutation", Some(moves));
                }
                "currline" => {
                    let line = CurrentLine::read(words);
                    words.set(&mut info.current_line, "currline", Some(line));
                }
                "pv" => {
                    let moves = words.moves("pv", is_keyword);
                    words.set(&mut pv, "pv", Some(moves));
                }
                "string" => info.string = Some(words.rest()),
                unknown => words.skip_unknown(unknown, is_keyword),
            }
        }
        info.score = score.map(|value| ScoreReport { value, bound });
        if info.score.is_none() && bound.is_some() {
            words.complain(Complaint::Misplaced { token: "lowerbound or upperbound".into() });
        }
        info.pv = pv.unwrap_or_default();
        info.refutation = refutation.unwrap_or_default();
        info
    }
}

fn read_wdl(words: &mut Words<'_>) -> Option<Wdl> {
    let [win, draw, loss]: [Option<u16>; 3] = std::array::from_fn(|_| words.count("wdl"));
    let (win, draw, loss) = (win?, draw?, loss?);
    let wdl = Wdl::new(win, loss).filter(|wdl| wdl.draw() == draw);
    if wdl.is_none() {
        words.complain(Complaint::WdlSum { win, draw, loss });
    }
    wdl
}

impl CurrentLine {
    fn read(words: &mut Words<'_>) -> Self {
        let is_number = |word: &str| word != "0000" && word.bytes().all(|digit| digit.is_ascii_digit());
        let cpu = if words.peek().is_some_and(is_number) { words.count("currline") } else { None };
        Self { cpu, moves: words.moves("currline", is_keyword) }
    }
}

impl fmt::Display for ScoreReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::Centipawns(value) => write!(formatter, "cp {value}")?,
            ScoreValue::Mate(moves) => write!(formatter, "mate {moves}")?,
        }
        formatter.write_str(match self.bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        })
    }
}

impl fmt::Display for Info {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("info")?;
        write_field(formatter, "depth", self.depth)?;
        write_field(formatter, "seldepth", self.selective_depth)?;
        write_field(formatter, "multipv", self.multi_pv)?;
        write_field(formatter, "score", self.score)?;
        write_field(formatter, "wdl", self.wdl)?;
        write_field(formatter, "nodes", self.nodes)?;
        write_field(formatter, "nps", self.nodes_per_second)?;
        write_field(formatter, "hashfull", self.hash_full_permille)?;
        write_field(formatter, "tbhits", self.tablebase_hits)?;
        write_field(formatter, "sbhits", self.shredder_base_hits)?;
        write_field(formatter, "time", self.time_ms)?;
        write_field(formatter, "cpuload", self.cpu_load_permille)?;
        write_field(formatter, "currmove", self.current_move.as_ref())?;
        write_field(formatter, "currmovenumber", self.current_move_number)?;
        write_moves(formatter, "refutation", &self.refutation)?;
        if let Some(line) = &self.current_line {
            formatter.write_str(" currline")?;
            line.cpu.map_or(Ok(()), |cpu| write!(formatter, " {cpu}"))?;
            line.moves.iter().try_for_each(|mv| write!(formatter, " {mv}"))?;
        }
        write_moves(formatter, "pv", &self.pv)?;
        write_field(formatter, "string", self.string.as_deref().map(OneLine))
    }
}
