//! The engine in the browser: a worker hands it the page's requests as JSON and gets events back, as from a server.
//!
//! A worker hears nothing while it computes. Therefore nothing here searches for long: [`BrowserDesk::request`] only takes note, and
//! [`BrowserDesk::step`] works for a slice of time, after which the worker can listen again.
//!
//! **Invariants:** the messages are those of the server; documents and lists, which need one, are answered with a fault; no text makes
//! it panic.

mod browser_desk;
#[cfg(target_arch = "wasm32")]
mod javascript;

pub use browser_desk::BrowserDesk;
