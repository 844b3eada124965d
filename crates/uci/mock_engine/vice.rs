//! What a mock engine does wrong.

/// One way to misbehave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vice {
    None,
    DieAtStart,
    SlowStart,
    HangAtUci,
    HangAtIsReady,
    HangAtGo,
    DieAtGo,
    DieWithStderr,
    Flood,
    NoNewlineFlood,
    StderrFlood,
    IllegalMove,
    NullMove,
    EmptyBestMove,
    Garbage,
    NonIntegers,
    IllegalPv,
    IllegalPonder,
    WrongCastling,
    LateBestMove,
    TwoBestMoves,
    RepeatsBestMove,
    UnaskedBestMove,
    PrematureBestMove,
    IgnoresStop,
    IgnoresQuit,
    Deaf,
    InvalidUtf8,
    OptionsOfAllTypes,
}

const NAMES: [(&str, Vice); 29] = [
    ("good", Vice::None),
    ("die-at-start", Vice::DieAtStart),
    ("slow-start", Vice::SlowStart),
    ("hang-at-uci", Vice::HangAtUci),
    ("hang-at-isready", Vice::HangAtIsReady),
    ("hang-at-go", Vice::HangAtGo),
    ("die-at-go", Vice::DieAtGo),
    ("die-with-stderr", Vice::DieWithStderr),
    ("flood", Vice::Flood),
    ("no-newline-flood", Vice::NoNewlineFlood),
    ("stderr-flood", Vice::StderrFlood),
    ("illegal-move", Vice::IllegalMove),
    ("null-move", Vice::NullMove),
    ("empty-bestmove", Vice::EmptyBestMove),
    ("garbage", Vice::Garbage),
    ("non-integers", Vice::NonIntegers),
    ("illegal-pv", Vice::IllegalPv),
    ("illegal-ponder", Vice::IllegalPonder),
    ("wrong-castling", Vice::WrongCastling),
    ("late-bestmove", Vice::LateBestMove),
    ("two-bestmoves", Vice::TwoBestMoves),
    ("repeats-bestmove", Vice::RepeatsBestMove),
    ("unasked-bestmove", Vice::UnaskedBestMove),
    ("premature-bestmove", Vice::PrematureBestMove),
    ("ignores-stop", Vice::IgnoresStop),
    ("ignores-quit", Vice::IgnoresQuit),
    ("deaf", Vice::Deaf),
    ("invalid-utf8", Vice::InvalidUtf8),
    ("options-of-all-types", Vice::OptionsOfAllTypes),
];

impl Vice {
    pub(crate) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|&(_, vice)| vice)
    }

    pub(crate) fn names() -> String {
        NAMES.map(|(name, _)| name).join(", ")
    }
}
