//! How the engine under test is named on the command line.

use std::path::PathBuf;

use clap::Args;
use kiebitz_uci::EngineCommand;

/// What the engine gets besides its name.
#[derive(Args)]
pub(crate) struct EngineArguments {
    /// An argument for the engine's own command line; may be repeated.
    #[arg(long = "arg", value_name = "TEXT", allow_hyphen_values = true)]
    arguments: Vec<String>,
    /// An option to set in the engine; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, Option<String>)>,
}

impl EngineArguments {
    /// The command that starts this program so.
    pub(crate) fn command(&self, program: impl Into<PathBuf>) -> EngineCommand {
        let mut command = EngineCommand::new(program);
        command.arguments.clone_from(&self.arguments);
        command.options.clone_from(&self.options);
        command
    }
}

/// `NAME=VALUE`, or a button's name alone.
pub(crate) fn option(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (text.trim(), None),
    };
    if name.is_empty() { Err("an option is given as NAME=VALUE".into()) } else { Ok((name.to_owned(), value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_split_at_the_first_sign() {
        assert_eq!(option("Hash=16"), Ok(("Hash".into(), Some("16".into()))));
        assert_eq!(option("Move Overhead = 10"), Ok(("Move Overhead".into(), Some("10".into()))));
        assert_eq!(option("Book=a=b"), Ok(("Book".into(), Some("a=b".into()))));
        assert_eq!(option("Clear Hash"), Ok(("Clear Hash".into(), None)));
        assert!(option("=3").is_err());
    }
}
