//! The part of the chapter that answers the questions of a plan, each by a table and sentences.

use std::fmt::Write;

use super::chapter::{elo_or_end, elo_text, grouped, table};
use super::findings::{EntryFindings, Findings};
use super::plan::{GroupPlan, Labels};

/// The section of a question.
pub(super) fn answer(text: &mut String, findings: &Findings, group: &GroupPlan) {
    let _ = writeln!(text, "### {}\n\n{}\n", group.name, group.question.trim());
    let members: Vec<&EntryFindings> = group
        .entries
        .iter()
        .filter_map(|name| findings.entries.iter().find(|entry| entry.plan.name == *name))
        .collect();
    let baseline = &findings.plan.matches.baseline;
    let names = [
        "network",
        "quantised loss",
        "ranked right %",
        "Elo, equal nodes",
        "Elo, equal time",
        "evaluation, ns",
        "nodes a second",
    ];
    table(
        text,
        &names,
        members.iter().map(|entry| {
            vec![
                entry.plan.name.clone(),
                format!("{:.5}", entry.training.quantised_loss),
                format!("{:.1}", 100.0 * entry.measurement.ranked_right),
                elo_or_end(entry, baseline),
                findings.equal_time(entry).map_or_else(|| "–".to_owned(), elo_text),
                format!("{:.0}", entry.speed.nanoseconds()),
                grouped(entry.speed.nodes_per_second as u64),
            ]
        }),
    );
    let sentences: Vec<String> = [loss_sentence(&members), elo_sentence(&members, baseline), cost_sentence(&members)]
        .into_iter()
        .flatten()
        .collect();
    if !sentences.is_empty() {
        let _ = writeln!(text, "{}\n", sentences.join(" "));
    }
}

fn loss_sentence(members: &[&EntryFindings]) -> Option<String> {
    // Values that were learned from triplets have no unit.
    let members: Vec<&EntryFindings> =
        members.iter().copied().filter(|entry| entry.plan.labels == Labels::Eval).collect();
    let by_loss = |left: &&&EntryFindings, right: &&&EntryFindings| {
        left.training.quantised_loss.total_cmp(&right.training.quantised_loss)
    };
    let (best, worst) = (members.iter().min_by(by_loss)?, members.iter().max_by(by_loss)?);
    let (low, high) = (best.training.quantised_loss, worst.training.quantised_loss);
    (members.len() > 1 && low > 0.0).then(|| {
        let more = 100.0 * (high / low - 1.0);
        format!("{} has the lowest loss; that of {} is {more:.1} % higher.", best.plan.name, worst.plan.name)
    })
}

fn elo_sentence(members: &[&EntryFindings], baseline: &str) -> Option<String> {
    let mut rated: Vec<(&EntryFindings, [f64; 3])> =
        members.iter().filter_map(|entry| Some((*entry, entry.elo(baseline)?))).collect();
    rated.sort_by(|left, right| right.1[0].total_cmp(&left.1[0]));
    let [(best, top), rest @ ..] = rated.as_slice() else { return None };
    let clear: Vec<&str> =
        rest.iter().filter(|(_, other)| other[2] < top[1]).map(|(entry, _)| entry.plan.name.as_str()).collect();
    let open: Vec<&str> =
        rest.iter().filter(|(_, other)| other[2] >= top[1]).map(|(entry, _)| entry.plan.name.as_str()).collect();
    if rest.is_empty() {
        return None;
    }
    let mut text = match best.plan.name == baseline {
        true => format!("At equal nodes none scores more than the baseline, {baseline}"),
        false => format!("At equal nodes {} scores most, {}", best.plan.name, elo_text(*top)),
    };
    match (clear.is_empty(), open.is_empty()) {
        (false, true) => text.push_str(", beyond the error bars of all others."),
        (true, _) => {
            let _ = write!(
                text,
                "; the error bars of {} reach into its own, so these games do not decide.",
                open.join(", ")
            );
        }
        (false, false) => {
            let _ = write!(text, ", beyond the error bars of {}, not of {}.", clear.join(", "), open.join(", "));
        }
    }
    Some(text)
}

fn cost_sentence(members: &[&EntryFindings]) -> Option<String> {
    let by_cost = |left: &&&EntryFindings, right: &&&EntryFindings| {
        left.speed.nanoseconds().total_cmp(&right.speed.nanoseconds())
    };
    let (cheap, dear) = (members.iter().min_by(by_cost)?, members.iter().max_by(by_cost)?);
    (members.len() > 1).then(|| {
        let times = dear.speed.nanoseconds() / cheap.speed.nanoseconds().max(1e-9);
        format!("An evaluation of {} takes {times:.1} times that of {}.", dear.plan.name, cheap.plan.name)
    })
}
