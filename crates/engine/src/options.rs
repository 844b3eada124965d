//! What can be set in an engine: one list, from which UCI and the page declare their options and against which every
//! value is checked.

use std::ops::RangeInclusive;

use thiserror::Error;

/// An option and what it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// Its name as UCI knows it.
    pub name: &'static str,
    /// What can be set.
    pub kind: OptionKind,
}

/// The kinds of options.
#[derive(Clone, PartialEq, Eq, Debug)]
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
        default: &'static str,
        /// What is allowed.
        values: &'static [&'static str],
    },
    /// Any text.
    Text {
        /// What holds unless it is set.
        default: &'static str,
    },
    /// Something to be done at once.
    Button,
}

/// Why an option cannot be set so.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetOptionError {
    /// No such option.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// A value is missing.
    #[error("option '{0}' needs a value")]
    MissingValue(&'static str),
    /// Not a number of the range.
    #[error("option '{name}': '{value}' is not an integer within {}..={}", range.start(), range.end())]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// What was asked for.
        value: String,
        /// What is allowed.
        range: RangeInclusive<i64>,
    },
    /// Neither `true` nor `false`.
    #[error("option '{name}': '{value}' is neither true nor false")]
    NotABool {
        /// The option.
        name: &'static str,
        /// What was asked for.
        value: String,
    },
    /// Not one of the words.
    #[error("option '{name}': '{value}' is not one of {}", values.join(", "))]
    NotOffered {
        /// The option.
        name: &'static str,
        /// What was asked for.
        value: String,
        /// What is allowed.
        values: &'static [&'static str],
    },
    /// The value is well formed, but cannot be used.
    #[error("option '{name}': {reason}")]
    Unusable {
        /// The option.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

/// A checked value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OptionValue {
    Bool(bool),
    Number(i64),
    Text(String),
    Pressed,
}

impl EngineOption {
    pub(crate) const fn check(name: &'static str, default: bool) -> Self {
        Self { name, kind: OptionKind::Check { default } }
    }

    pub(crate) const fn spin(name: &'static str, default: i64, range: RangeInclusive<i64>) -> Self {
        Self { name, kind: OptionKind::Spin { default, range } }
    }

    pub(crate) const fn text(name: &'static str) -> Self {
        Self { name, kind: OptionKind::Text { default: "" } }
    }

    pub(crate) const fn button(name: &'static str) -> Self {
        Self { name, kind: OptionKind::Button }
    }

    /// Whether somebody means this option: case and spaces do not matter.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let plain =
            |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase() };
        plain(self.name) == plain(name)
    }

    /// Reads a value.
    pub(crate) fn read(&self, value: Option<&str>) -> Result<OptionValue, SetOptionError> {
        let name = self.name;
        let needed = || value.map(str::trim).ok_or(SetOptionError::MissingValue(name));
        Ok(match &self.kind {
            OptionKind::Button => OptionValue::Pressed,
            OptionKind::Check { .. } => {
                let text = needed()?;
                if text.eq_ignore_ascii_case("true") {
                    OptionValue::Bool(true)
                } else if text.eq_ignore_ascii_case("false") {
                    OptionValue::Bool(false)
                } else {
                    return Err(SetOptionError::NotABool { name, value: text.into() });
                }
            }
            OptionKind::Spin { range, .. } => {
                let text = needed()?;
                let number = text.parse().ok().filter(|number| range.contains(number));
                let error = || SetOptionError::OutOfRange { name, value: text.into(), range: range.clone() };
                OptionValue::Number(number.ok_or_else(error)?)
            }
            OptionKind::Combo { values, .. } => {
                let text = needed()?;
                let word = values.iter().find(|word| word.eq_ignore_ascii_case(text));
                let error = || SetOptionError::NotOffered { name, value: text.into(), values };
                OptionValue::Text((*word.ok_or_else(error)?).to_owned())
            }
            OptionKind::Text { .. } => {
                let text = value.map_or("", str::trim);
                OptionValue::Text(if text == "<empty>" { String::new() } else { text.to_owned() })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        let hash = EngineOption::spin("Hash", 16, 1..=64);
        assert_eq!(hash.read(Some(" 32 ")), Ok(OptionValue::Number(32)));
        for bad in ["0", "65", "1.5", "", "many"] {
            assert!(matches!(hash.read(Some(bad)), Err(SetOptionError::OutOfRange { .. })), "{bad}");
        }
        assert_eq!(hash.read(None), Err(SetOptionError::MissingValue("Hash")));
        let check = EngineOption::check("Ponder", false);
        assert_eq!(check.read(Some("TRUE")), Ok(OptionValue::Bool(true)));
        assert!(check.read(Some("yes")).is_err());
        assert_eq!(EngineOption::text("SyzygyPath").read(Some("<empty>")), Ok(OptionValue::Text(String::new())));
        assert!(EngineOption::spin("Move Overhead", 10, 0..=9).is_called("moveoverhead"));
    }
}
