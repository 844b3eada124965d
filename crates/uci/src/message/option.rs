//! `option`: what can be set in an engine, and whether a value fits.

mod reading;

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use super::GuiMessage;
use crate::word::OneLine;

/// How many engines write an empty text. Values are kept as they were written, so that this word stays visible.
pub const EMPTY_TEXT: &str = "<empty>";

/// An option as an engine declares it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OptionDeclaration {
    /// Its name, which may contain spaces.
    pub name: String,
    /// What can be set.
    pub kind: OptionKind,
}

/// The five kinds of options.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// What holds unless it is set.
        default: bool,
    },
    /// An integer.
    Spin {
        /// What holds unless it is set.
        default: i64,
        /// What is allowed.
        range: RangeInclusive<i64>,
    },
    /// One of several words.
    Combo {
        /// What holds unless it is set.
        default: String,
        /// What is allowed.
        values: Vec<String>,
    },
    /// Something to be done at once.
    Button,
    /// Any text.
    Text {
        /// What holds unless it is set; perhaps [`EMPTY_TEXT`].
        default: String,
    },
}

/// Why an option cannot be set so.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// The engine has no such option.
    #[error("there is no option '{name}'; the engine offers {}", list(offered))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// What there is.
        offered: Vec<String>,
    },
    /// A number outside the range.
    #[error("option '{name}': {value} is not within {}..={}", range.start(), range.end())]
    OutOfRange {
        /// The option.
        name: String,
        /// The value that was asked for.
        value: i64,
        /// What is allowed.
        range: RangeInclusive<i64>,
    },
    /// A text where an integer is needed.
    #[error("option '{name}': '{value}' is not an integer within {}..={}", range.start(), range.end())]
    NotAnInteger {
        /// The option.
        name: String,
        /// The value that was asked for.
        value: String,
        /// What is allowed.
        range: RangeInclusive<i64>,
    },
    /// Not one of the words.
    #[error("option '{name}': '{value}' is not one of {}", list(offered))]
    NotOffered {
        /// The option.
        name: String,
        /// The value that was asked for.
        value: String,
        /// What is allowed.
        offered: Vec<String>,
    },
    /// A button with a value, or anything else without one.
    #[error("option '{name}' {}", if *.button { "is a button and takes no value" } else { "needs a value" })]
    Value {
        /// The option.
        name: String,
        /// Whether it is a button.
        button: bool,
    },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Finds an option by name; neither case nor the number of spaces matters.
#[must_use]
pub fn find_option<'a>(options: &'a [OptionDeclaration], name: &str) -> Option<&'a OptionDeclaration> {
    options.iter().find(|option| same_name(&option.name, name))
}

/// Whether two names or values mean the same.
pub(crate) fn same_name(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.split_ascii_whitespace(), other.split_ascii_whitespace());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if one.eq_ignore_ascii_case(other) => {}
            _ => return false,
        }
    }
}

impl OptionDeclaration {
    /// The message that sets this option, with name and value spelled as the engine spells them.
    ///
    /// # Errors
    /// Why the value does not fit, and what would.
    pub fn set(&self, value: Option<&str>) -> Result<GuiMessage, OptionError> {
        let name = self.name.clone();
        let value = match (&self.kind, value) {
            (OptionKind::Button, None | Some("")) => None,
            (OptionKind::Button, Some(_)) => return Err(OptionError::Value { name, button: true }),
            (_, None) => return Err(OptionError::Value { name, button: false }),
            (OptionKind::Text { .. }, Some(value)) => Some(value.to_owned()),
            (OptionKind::Check { .. }, Some(value)) => {
                Some(choose(name.clone(), value, &["true".to_owned(), "false".to_owned()])?)
            }
            (OptionKind::Combo { values, .. }, Some(value)) => Some(choose(name.clone(), value, values)?),
            (OptionKind::Spin { range, .. }, Some(value)) => Some(check_spin(name.clone(), value, range)?),
        };
        Ok(GuiMessage::SetOption { name, value })
    }
}

fn choose(name: String, value: &str, offered: &[String]) -> Result<String, OptionError> {
    let found = offered.iter().find(|word| same_name(word, value)).cloned();
    found.ok_or_else(|| OptionError::NotOffered { name, value: value.to_owned(), offered: offered.to_vec() })
}

fn check_spin(name: String, value: &str, range: &RangeInclusive<i64>) -> Result<String, OptionError> {
    match value.trim().parse::<i64>() {
        Ok(number) if range.contains(&number) => Ok(number.to_string()),
        Ok(number) => Err(OptionError::OutOfRange { name, value: number, range: range.clone() }),
        Err(_) => Err(OptionError::NotAnInteger { name, value: value.to_owned(), range: range.clone() }),
    }
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "option name {} type ", OneLine(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(formatter, "check default {default}"),
            OptionKind::Spin { default, range } => {
                write!(formatter, "spin default {default} min {} max {}", range.start(), range.end())
            }
            OptionKind::Combo { default, values } => {
                write!(formatter, "combo default {}", OneLine(default))?;
                values.iter().try_for_each(|value| write!(formatter, " var {}", OneLine(value)))
            }
            OptionKind::Button => formatter.write_str("button"),
            OptionKind::Text { default } => write!(formatter, "string default {}", OneLine(default)),
        }
    }
}
