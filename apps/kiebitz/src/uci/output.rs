//! Lines to the outside, shared by both threads, and the log of everything that was said.

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kiebitz_engine::EngineOption;
use kiebitz_uci::{EMPTY_TEXT, EngineMessage, Info, OptionDeclaration, OptionKind};

/// The option that names the log file; it belongs to the program, not to the engine.
const LOG_OPTION: &str = "Debug Log File";

/// Where lines go. Clones write to the same place, whole lines at a time.
#[derive(Clone)]
pub(crate) struct Output {
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    writer: Box<dyn Write + Send>,
    log: Option<File>,
}

impl Output {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        Self { shared: Arc::new(Mutex::new(Shared { writer: Box::new(writer), log: None })) }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes lines as they are.
    pub(crate) fn text(&self, text: &str) {
        let mut shared = self.lock();
        // A reader that has gone away is noticed at the end of input.
        let _ = writeln!(shared.writer, "{text}").and_then(|()| shared.writer.flush());
        if let Some(log) = &mut shared.log {
            let _ = writeln!(log, "> {text}");
        }
    }

    pub(crate) fn send(&self, message: &EngineMessage) {
        self.text(&message.to_string());
    }

    /// Tells people something.
    pub(crate) fn note(&self, text: &str) {
        let info = Info { string: Some(text.to_owned()), ..Info::default() };
        self.send(&EngineMessage::Info(Box::new(info)));
    }

    /// Writes to the log alone.
    pub(crate) fn log(&self, direction: &str, line: &str) {
        if let Some(log) = &mut self.lock().log {
            let _ = writeln!(log, "{direction} {line}");
        }
    }

    /// Begins a log, or ends it.
    pub(crate) fn set_log(&self, path: Option<&str>) {
        let path = path.map(str::trim).filter(|path| !path.is_empty() && *path != EMPTY_TEXT);
        let opened =
            path.map(|path| File::options().append(true).create(true).open(path).map_err(|error| (path, error)));
        let log = match opened.transpose() {
            Ok(log) => log,
            Err((path, error)) => {
                self.note(&format!("option '{LOG_OPTION}': cannot write {path}: {error}"));
                return;
            }
        };
        self.lock().log = log;
    }
}

/// Whether this is the name of the log file's option: as with the engine's, case and spaces do not matter.
pub(crate) fn is_log_option(name: &str) -> bool {
    EngineOption { name: LOG_OPTION, kind: kiebitz_engine::OptionKind::Text { default: "" } }.is_called(name)
}

/// The log file as an option.
pub(crate) fn log_declaration() -> OptionDeclaration {
    OptionDeclaration { name: LOG_OPTION.into(), kind: OptionKind::Text { default: EMPTY_TEXT.into() } }
}
