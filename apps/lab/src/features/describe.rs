//! `kiebitz-lab features describe`: what is this feature set?

use std::io::{self, Write};

use anyhow::{Result, ensure};
use clap::Args;
use kiebitz_features::{FeatureSet, NAMED_SETS};
use serde::Serialize;

/// Which set, and which of its features.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An expression or the name of a set.
    #[arg(value_name = "EXPR")]
    expression: Option<String>,
    /// Say what the feature with this number means; may be given several times.
    #[arg(long, value_name = "N")]
    index: Vec<u32>,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Exit code: 0, or 1 if the expression cannot be read.

Examples:
  kiebitz-lab features describe
  kiebitz-lab features describe halfkp --index 2833
  kiebitz-lab features describe \"half(king.bucket[0 1 2 3 / 4] * any_square, king_on_abcd)\" --json";

#[derive(Serialize)]
struct Report {
    name: Option<&'static str>,
    expression: String,
    features: u32,
    virtual_features: u32,
    max_active: u32,
    dead: usize,
    contexts: usize,
    depends_on_several_pieces: bool,
    table_bytes: usize,
    named: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    index: u32,
    name: String,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    features: u32,
    max_active: u32,
    about: &'static str,
}

/// Describes one set, or lists all that have a name.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let Some(text) = &arguments.expression else {
        ensure!(arguments.index.is_empty(), "--index needs an expression");
        return list(arguments.json, output);
    };
    let report = describe(&super::parse(text)?, &arguments.index)?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(());
    }
    if let Some(name) = report.name {
        writeln!(output, "{name}")?;
    }
    // A table of thousands of entries would hide the rest.
    let shown: String = report.expression.chars().take(400).collect();
    let more = if shown.len() < report.expression.len() { " …" } else { "" };
    writeln!(output, "{shown}{more}\n")?;
    writeln!(output, "{:>12} features", report.features)?;
    if report.virtual_features > 0 {
        writeln!(output, "{:>12} virtual features for training", report.virtual_features)?;
    }
    writeln!(output, "{:>12} dead features", report.dead)?;
    writeln!(output, "{:>12} active at most in one view", report.max_active)?;
    writeln!(output, "{:>12} contexts of the own king", report.contexts)?;
    writeln!(output, "{:>12} bytes of tables", report.table_bytes)?;
    if report.depends_on_several_pieces {
        writeln!(output, "Some features depend on several pieces; they are compared before and after a move.")?;
    }
    for named in &report.named {
        writeln!(output, "{:>12}  {}", named.index, named.name)?;
    }
    Ok(())
}

fn describe(set: &FeatureSet, indices: &[u32]) -> Result<Report> {
    let mut named = Vec::new();
    for &index in indices {
        let Some(name) = set.name(index) else {
            anyhow::bail!("there is no feature {index}: the last one is {}", set.count() - 1);
        };
        named.push(Named { index, name });
    }
    Ok(Report {
        name: set.known_name(),
        expression: set.to_string(),
        features: set.count(),
        virtual_features: set.factoriser().map_or(0, |factoriser| factoriser.count()),
        max_active: set.max_active(),
        dead: set.dead().len(),
        contexts: set.contexts(),
        depends_on_several_pieces: set.has_dynamic(),
        table_bytes: set.memory_bytes(),
        named,
    })
}

fn list(json: bool, output: &mut impl Write) -> Result<()> {
    let mut listed = Vec::new();
    for set in NAMED_SETS {
        let parsed = super::parse(set.name)?;
        let (features, max_active) = (parsed.count(), parsed.max_active());
        listed.push(Listed { name: set.name, features, max_active, about: set.about });
    }
    if json {
        serde_json::to_writer_pretty(&mut *output, &listed).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(());
    }
    for set in listed {
        writeln!(output, "{:<18} {:>7} {:>4}  {}", set.name, set.features, set.max_active, set.about)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(expression: Option<&str>, index: Vec<u32>, json: bool) -> Result<String> {
        let mut output = Vec::new();
        run(&Arguments { expression: expression.map(str::to_owned), index, json }, &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    #[test]
    fn sets_are_listed_and_described() {
        assert!(shown(None, vec![], false).unwrap().contains("halfkp               40960   30  Own king"));
        let text = shown(Some("halfkp"), vec![2833], false).unwrap();
        assert!(text.contains("       40960 features"), "{text}");
        assert!(text.contains("        2833  king e1, enemy knight d4"), "{text}");
        assert!(shown(Some("halfkp"), vec![40960], false).is_err());
        assert!(shown(Some("half(any.sqare)"), vec![], false).is_err());
        let json: serde_json::Value = serde_json::from_str(&shown(Some("piece768"), vec![], true).unwrap()).unwrap();
        assert_eq!(json["dead"], 32);
    }
}
