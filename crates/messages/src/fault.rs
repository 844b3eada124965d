//! What cannot be done, and what to do about it.

use serde::{Deserialize, Serialize};

/// Kinds of faults, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// Not JSON, or not a message of ours.
    Malformed,
    /// A position, move or game that is not one.
    Chess,
    /// A value outside of what is allowed.
    Value,
    /// There is nothing of that name.
    Missing,
    /// Somebody else changed the game meanwhile.
    Conflict,
    /// A limit of the server.
    Limit,
    /// Not allowed from there.
    Refused,
    /// Something went wrong in the server.
    Internal,
}

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Fault {
    /// Its kind.
    pub code: FaultCode,
    /// A sentence for people: what is wrong, and what to do.
    pub message: String,
    /// The field of the request that is to blame, such as `start`, `moves` or `pgn`.
    pub field: Option<String>,
}

impl Fault {
    /// A fault of no particular field.
    #[must_use]
    pub fn new(code: FaultCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None }
    }

    /// The same fault, blamed on a field.
    #[must_use]
    pub fn at(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }
}
