//! Faults as answers of HTTP.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use kiebitz_messages::{Fault, FaultCode};

/// A fault on its way to a client.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) Fault);

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self(fault)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self.0.code {
            FaultCode::Malformed | FaultCode::Chess | FaultCode::Value => StatusCode::BAD_REQUEST,
            FaultCode::Missing => StatusCode::NOT_FOUND,
            FaultCode::Conflict => StatusCode::CONFLICT,
            FaultCode::Limit => StatusCode::TOO_MANY_REQUESTS,
            FaultCode::Refused => StatusCode::FORBIDDEN,
            FaultCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        (status, Json(self.0)).into_response()
    }
}

/// Something that went wrong in the server itself.
pub(crate) fn internal(error: impl std::fmt::Display) -> Fault {
    Fault::new(FaultCode::Internal, format!("The server could not do it: {error}."))
}

/// There is nothing of that name.
pub(crate) fn missing(what: &str, name: &str) -> Fault {
    let shown: String = name.chars().take(80).collect();
    Fault::new(FaultCode::Missing, format!("There is no {what} '{shown}'."))
}
