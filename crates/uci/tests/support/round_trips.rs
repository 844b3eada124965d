//! What must hold for any text at all: no panic, and what is understood is written and read back the same.
//!
//! The laws and the fuzz target in `fuzz/` check exactly this.

use kiebitz_uci::{EngineMessage, GuiMessage};

/// A text read as a message to an engine.
pub(crate) fn gui(text: &str) {
    let parsed = GuiMessage::parse(text);
    // Complaints may be shown to people, whatever they hold.
    parsed.complaints.iter().for_each(|complaint| assert!(!complaint.to_string().is_empty()));
    let Some(message) = parsed.message else { return };
    let written = message.to_string();
    one_line(&written);
    assert_eq!(GuiMessage::parse(&written).message.as_ref(), Some(&message), "{text:?} as {written:?}");
    if let GuiMessage::Position(position) = message
        && let Ok(game) = position.resolve()
    {
        assert_eq!(game.moves().len(), position.moves.len(), "{text:?}");
    }
}

/// A text read as a message from an engine.
pub(crate) fn engine(text: &str) {
    let parsed = EngineMessage::parse(text);
    parsed.complaints.iter().for_each(|complaint| assert!(!complaint.to_string().is_empty()));
    let Some(message) = parsed.message else { return };
    let written = message.to_string();
    one_line(&written);
    assert_eq!(EngineMessage::parse(&written).message.as_ref(), Some(&message), "{text:?} as {written:?}");
}

/// No message may carry a second one.
pub(crate) fn one_line(written: &str) {
    assert!(!written.contains(['\n', '\r']), "{written:?}");
}
