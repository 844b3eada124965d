//! `kiebitz tunables`: what a tuner may turn, in the notation in which the source declares it.

use std::io::Write;

use anyhow::Result;
use kiebitz_search::Tunable;

/// How to list.
#[derive(clap::Args)]
#[command(after_help = "\
Numbers are listed as 'name = default in low..=high step size;', switches as 'name: on;'. kiebitz-lab spsa asks for this
list.

Examples:
  kiebitz tunables
  kiebitz tunables --json")]
pub(crate) struct Arguments {
    /// One JSON list; a step of 0 marks a switch.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let tunables = kiebitz_engine::tunables();
    let lines: Vec<String> = tunables.iter().map(if arguments.json { object } else { declaration }).collect();
    if arguments.json {
        writeln!(output, "[\n{}\n]", lines.join(",\n"))?;
    } else {
        writeln!(output, "{}", lines.join("\n"))?;
    }
    Ok(())
}

fn declaration(tunable: &Tunable) -> String {
    let Tunable { name, default, range, step, .. } = tunable;
    if tunable.is_switch() {
        format!("{name}: on;")
    } else {
        format!("{name} = {default} in {}..={} step {step};", range.start(), range.end())
    }
}

/// Names are words of the source, so nothing has to be escaped.
fn object(tunable: &Tunable) -> String {
    let Tunable { name, default, range, step, .. } = tunable;
    format!(
        "{{\"name\":\"{name}\",\"default\":{default},\"low\":{},\"high\":{},\"step\":{step}}}",
        range.start(),
        range.end()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_listed_in_both_forms() {
        let listed = |json| {
            let mut output = Vec::new();
            run(&Arguments { json }, &mut output).expect("a list");
            String::from_utf8(output).expect("text")
        };
        let (lines, json) = (listed(false), listed(true));
        assert_eq!(lines.lines().count(), kiebitz_engine::tunables().len());
        for tunable in kiebitz_engine::tunables() {
            let (name, default) = (tunable.name, tunable.default);
            let line = if tunable.is_switch() { format!("{name}: on;") } else { format!("{name} = {default} in ") };
            assert!(lines.contains(&line), "{line}");
            assert!(json.contains(&format!("{{\"name\":\"{name}\",\"default\":{default},\"low\":")), "{name}");
        }
    }
}
