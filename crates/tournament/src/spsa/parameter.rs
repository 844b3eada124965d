//! A number that can be tuned, and how it is written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A number: `name = start in low..=high step size;`.
///
/// ```
/// use kiebitz_tournament::spsa::SpsaParameter;
/// let parameter: SpsaParameter = "razoring_base = 220 in 50..=600 step 20;".parse()?;
/// assert_eq!((parameter.start, parameter.low, parameter.high), (220, 50, 600));
/// assert_eq!(parameter.to_string(), "razoring_base = 220 in 50..=600 step 20;");
/// # Ok::<(), kiebitz_tournament::spsa::ParameterError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaParameter {
    /// The name of the engine's option.
    pub name: String,
    /// Where tuning begins.
    #[serde(alias = "default")]
    pub start: i32,
    /// The smallest value that makes sense.
    pub low: i32,
    /// The largest.
    pub high: i32,
    /// How far it is moved at the end of a run.
    pub step: f64,
}

/// Why a number cannot be tuned so.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParameterError {
    /// Not in our notation.
    #[error("'{0}' is not of the form 'name = 5 in 1..=10 step 1;'")]
    Unreadable(String),
    /// The start lies outside the range, or the range is empty.
    #[error("{name}: {start} does not lie in {low}..={high}")]
    OutOfRange {
        /// Which number.
        name: String,
        /// Where it should begin.
        start: i32,
        /// Its smallest value.
        low: i32,
        /// Its largest.
        high: i32,
    },
    /// A step that moves nothing.
    #[error("{name}: the step must be a positive number")]
    Step {
        /// Which number.
        name: String,
    },
    /// Neither lines in our notation nor JSON.
    #[error("line {line}: {error}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: Box<ParameterError>,
    },
    /// JSON that does not say what it should.
    #[error("not a list of numbers with name, default, low, high and step: {0}")]
    Json(String),
    /// The same name again.
    #[error("{0} is listed twice")]
    Twice(String),
}

impl SpsaParameter {
    /// The nearest value of the range.
    pub(super) fn hold(&self, value: f64) -> f64 {
        if value.is_nan() { f64::from(self.start) } else { value.clamp(f64::from(self.low), f64::from(self.high)) }
    }

    /// The nearest value of the range, of a whole number.
    pub(super) fn integer(&self, whole: f64) -> i32 {
        self.hold(whole) as i32
    }

    fn checked(self) -> Result<Self, ParameterError> {
        let Self { name, start, low, high, step } = &self;
        if !(low..=high).contains(&start) {
            return Err(ParameterError::OutOfRange { name: name.clone(), start: *start, low: *low, high: *high });
        }
        if !(step.is_finite() && *step > 0.0) {
            return Err(ParameterError::Step { name: name.clone() });
        }
        Ok(self)
    }
}

impl fmt::Display for SpsaParameter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, start, low, high, step } = self;
        write!(formatter, "{name} = {start} in {low}..={high} step {step};")
    }
}

impl FromStr for SpsaParameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let read = || {
            let (name, rest) = text.trim().trim_end_matches(';').split_once('=')?;
            let (start, rest) = rest.split_once(" in ")?;
            let (range, step) = rest.split_once(" step ")?;
            let (low, high) = range.split_once("..=")?;
            let name = name.trim();
            let is_name = !name.is_empty() && !name.chars().any(char::is_control);
            is_name.then_some(())?;
            Some(Self {
                name: name.to_owned(),
                start: start.trim().parse().ok()?,
                low: low.trim().parse().ok()?,
                high: high.trim().parse().ok()?,
                step: step.trim().parse().ok()?,
            })
        };
        read().ok_or_else(|| ParameterError::Unreadable(text.trim().to_owned()))?.checked()
    }
}

/// Reads a list of numbers: lines in the notation of [`SpsaParameter`], or the JSON of `kiebitz tunables --json`. Empty
/// lines, comments (`//`) and switches (`name: on;`, or a step of 0 in JSON) are passed over.
///
/// # Errors
/// Names the line or the number that is wrong.
pub fn read_parameters(text: &str) -> Result<Vec<SpsaParameter>, ParameterError> {
    let parameters: Vec<SpsaParameter> = if text.trim_start().starts_with('[') {
        let all: Vec<SpsaParameter> =
            serde_json::from_str(text).map_err(|error| ParameterError::Json(error.to_string()))?;
        all.into_iter()
            .filter(|parameter| parameter.step != 0.0)
            .map(SpsaParameter::checked)
            .collect::<Result<_, _>>()?
    } else {
        let lines = text.lines().map(str::trim).enumerate();
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("//") && !line.ends_with(": on;"));
        let read = |(index, line): (usize, &str)| {
            line.parse().map_err(|error| ParameterError::Line { line: index + 1, error: Box::new(error) })
        };
        lines.map(read).collect::<Result<_, _>>()?
    };
    for (index, parameter) in parameters.iter().enumerate() {
        if parameters[..index].iter().any(|earlier| earlier.name == parameter.name) {
            return Err(ParameterError::Twice(parameter.name.clone()));
        }
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_say_the_same() {
        let lines = "/// A margin.\nrazoring_base = 220 in 50..=600 step 20;\n\n  depth = 9 in 2..=16 step 0.5;\nrazoring: on;\n";
        let json = r#"[{"name":"razoring_base","default":220,"low":50,"high":600,"step":20},
            {"name":"depth","default":9,"low":2,"high":16,"step":0.5},
            {"name":"razoring","default":1,"low":0,"high":1,"step":0}]"#;
        let parameters = read_parameters(lines).unwrap();
        assert_eq!(parameters, read_parameters(json).unwrap());
        assert_eq!(parameters.len(), 2);
        let written: Vec<String> = parameters.iter().map(ToString::to_string).collect();
        assert_eq!(read_parameters(&written.join("\n")).unwrap(), parameters);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("a = 1 in 2..=3 step 1;", "line 1: a: 1 does not lie in 2..=3"),
            ("\na = 1 in 1..=3 step 0;", "line 2: a: the step"),
            ("a = 1 in 1..=3 step -1;", "the step"),
            ("a = 1 in 1..=3;", "is not of the form"),
            ("a = x in 1..=3 step 1;", "is not of the form"),
            (" = 1 in 1..=3 step 1;", "is not of the form"),
            ("a = 1 in 1..=3 step 1;\na = 1 in 1..=3 step 1;", "a is listed twice"),
            ("[{\"name\":\"a\"}]", "not a list"),
            ("[{\"name\":\"a\",\"default\":9,\"low\":0,\"high\":1,\"step\":1}]", "a: 9 does not lie in 0..=1"),
        ] {
            let error = read_parameters(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
