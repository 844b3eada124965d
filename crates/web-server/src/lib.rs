//! The server behind the page: games, analysis, looks inside, networks, runs and matches.
//!
//! ```text
//! connections, each with its limits
//! HTTP       guard ──▶ routes ──▶ games (files) | listings (networks, runs, matches of the workspace) | page (in the program)
//! WebSocket  guard ──▶ session ──▶ scheduler ──▶ workers, each with an engine
//! ```
//!
//! **Invariants:** it listens on loopback, or requires a token; what clients say never becomes part of a path; bodies, frames,
//! rates, times, connections and searches are limited; searches share the engines fairly and end with the page that asked for them; a
//! file appears under its name complete.

mod connections;
mod fault;
mod folder;
mod games;
mod guard;
mod listings;
mod page;
mod routes;
mod scheduler;
mod server;
mod session;

pub use games::StoreError;
pub use server::{ServerError, ServerSettings, serve};
