//! How an engine is started.

use std::path::{Path, PathBuf};

/// A program and all that makes it the engine one wants to test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineCommand {
    /// What the engine is called in errors and reports; the program's file name if not given.
    pub label: Option<String>,
    /// The program: a path, or a name that is looked up in `PATH`. A relative path is relative to our own working
    /// folder, not to `folder`.
    pub program: PathBuf,
    /// What stands behind it on the command line.
    pub arguments: Vec<String>,
    /// Where it runs; our own working folder if not given.
    pub folder: Option<PathBuf>,
    /// Variables in addition to our own.
    pub environment: Vec<(String, String)>,
    /// Options to be set after the handshake, in this order; no value for a button.
    pub options: Vec<(String, Option<String>)>,
    /// The processors it may use; all, if empty.
    pub cpus: Vec<usize>,
}

impl EngineCommand {
    /// A program without arguments and options.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..Self::default() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds an option.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((name.into(), Some(value.into())));
        self
    }

    /// What to call the engine.
    #[must_use]
    pub fn label(&self) -> String {
        let file = || self.program.file_name().map_or_else(|| "engine".into(), |name| name.to_string_lossy());
        self.label.clone().unwrap_or_else(|| file().into_owned())
    }

    /// The program as the operating system should look for it: whether a relative path means our folder or the
    /// child's differs between systems.
    pub(crate) fn program_path(&self) -> PathBuf {
        let is_name = self.program.components().count() <= 1;
        if is_name || self.program.is_absolute() { self.program.clone() } else { absolute(&self.program) }
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
