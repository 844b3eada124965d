//! Writes the TypeScript of all messages to the standard output; `cargo xtask generate` puts it where the page imports it.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use kiebitz_messages::{
    Event, Fault, GameDocument, GameSummary, ImportedGames, NetworkCard, PgnText, Request, ServerStatus,
};
use ts_rs::{TS, TypeVisitor};

/// Declarations by name, with everything that they need.
#[derive(Default)]
struct Declarations {
    seen: HashSet<TypeId>,
    texts: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Only our own types have a place to be written to.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let text = format!("{docs}export {}\n", T::decl());
            let trimmed = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
            self.texts.insert(T::name(), trimmed);
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn main() -> std::io::Result<()> {
    let mut declarations = Declarations::default();
    declarations.visit::<Request>();
    declarations.visit::<Event>();
    declarations.visit::<Fault>();
    declarations.visit::<GameDocument>();
    declarations.visit::<GameSummary>();
    declarations.visit::<ImportedGames>();
    declarations.visit::<NetworkCard>();
    declarations.visit::<PgnText>();
    declarations.visit::<ServerStatus>();
    let mut output = std::io::stdout().lock();
    writeln!(output, "// Generated from crates/messages by `cargo xtask generate`; do not edit.\n")?;
    writeln!(output, "/** The version of this language. */\nexport const PROTOCOL = {};", kiebitz_messages::PROTOCOL)?;
    for text in declarations.texts.values() {
        write!(output, "\n{text}")?;
    }
    Ok(())
}
