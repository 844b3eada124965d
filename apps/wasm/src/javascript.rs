//! The door to JavaScript: strings of JSON and nothing else.

use std::time::Duration;

use kiebitz_search::Clock;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::BrowserDesk;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds_now() -> f64;
}

fn now() -> Duration {
    Duration::try_from_secs_f64(milliseconds_now() / 1000.0).unwrap_or_default()
}

/// The engine as JavaScript sees it.
#[wasm_bindgen(js_name = Desk)]
pub struct JavaScriptDesk {
    desk: BrowserDesk,
}

#[wasm_bindgen(js_class = Desk)]
impl JavaScriptDesk {
    /// An engine with the network that is built in.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self { desk: BrowserDesk::new(Clock::new(now)) }
    }

    /// Makes a network available under a name; throws a sentence if it cannot be used.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn load_network(&mut self, id: &str, bytes: &[u8]) -> Result<(), String> {
        self.desk.load_network(id, bytes)
    }

    /// The first event.
    #[must_use]
    pub fn hello(&self) -> String {
        written(&self.desk.hello())
    }

    /// Takes a request; gives an array of events.
    pub fn request(&mut self, json: &str) -> String {
        written(&self.desk.request(json))
    }

    /// Works for so many milliseconds; gives an array of events.
    pub fn step(&mut self, milliseconds: u32) -> String {
        written(&self.desk.step(Duration::from_millis(milliseconds.into())))
    }

    /// Whether `step` has something to do.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.desk.is_busy()
    }
}

impl Default for JavaScriptDesk {
    fn default() -> Self {
        Self::new()
    }
}

/// Messages are plain values, so writing them cannot fail.
fn written<T: Serialize + ?Sized>(message: &T) -> String {
    serde_json::to_string(message).unwrap_or_else(|_| "[]".to_owned())
}
