//! Reading suites. Half a century of hands has typed them.

use kiebitz_chess::{Epd, FenMode, Move, Position};

/// Longest piece of a line that a complaint repeats, in characters.
const EXCERPT: usize = 80;

/// A position and what is to be found in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Where it was read.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// Its name in the suite; may be empty.
    pub id: String,
    /// The position.
    pub position: Position,
    /// One of these is to be played; any move, if empty.
    pub best: Vec<Move>,
    /// None of these is to be played.
    pub avoid: Vec<Move>,
    /// The shortest known mate in moves, negative if the side to move is mated; never zero.
    pub mate: Option<i32>,
}

/// A line that holds no task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unusable {
    /// Where it was read.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The beginning of the line.
    pub text: String,
    /// Why it cannot be used.
    pub reason: String,
}

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tasks {
    /// What can be put to an engine, in the file's order.
    pub usable: Vec<Task>,
    /// What cannot.
    pub unusable: Vec<Unusable>,
}

impl Tasks {
    /// Adds those of another file.
    pub fn append(&mut self, mut other: Self) {
        self.usable.append(&mut other.usable);
        self.unusable.append(&mut other.unusable);
    }
}

/// Reads EPD lines: `bm`, `am`, mates as `bm #3`, `bm #-3` or `dm 3`. Blank lines and lines that begin with `#` or `%`
/// are passed over, as are NUL bytes, check marks standing apart (`Qd1 +`) and marks of praise (`Qd1!`).
///
/// ```
/// let tasks = kiebitz_tournament::suite::read("my.epd", b"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8 + ; id a.1\nrubbish\n");
/// assert_eq!((tasks.usable.len(), tasks.unusable[0].line), (1, 2));
/// ```
#[must_use]
pub fn read(file: &str, text: &[u8]) -> Tasks {
    let mut tasks = Tasks::default();
    let text = String::from_utf8_lossy(text);
    // Old Macintosh files end their lines with a carriage return alone.
    let lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
    for (index, raw) in lines.enumerate() {
        let clean: String = raw.chars().filter(|&letter| letter != '\0' && letter != '\u{feff}').collect();
        let clean = clean.trim();
        if clean.is_empty() || clean.starts_with(['#', '%']) {
            continue;
        }
        match Task::parse(clean) {
            Ok(task) => tasks.usable.push(Task { file: file.to_owned(), line: index + 1, ..task }),
            Err(reason) => tasks.unusable.push(Unusable {
                file: file.to_owned(),
                line: index + 1,
                text: clean.chars().take(EXCERPT).collect(),
                reason,
            }),
        }
    }
    tasks
}

impl Task {
    fn parse(line: &str) -> Result<Self, String> {
        // The complaint of the first reading is about what stands in the file.
        let epd = Epd::parse(line, FenMode::Lenient)
            .or_else(|error| Epd::parse(&tidy(line), FenMode::Lenient).map_err(|_| error))
            .map_err(|error| error.to_string())?;
        let mut mate = None;
        let best = moves(&epd, "bm", &mut mate)?;
        let avoid = moves(&epd, "am", &mut None)?;
        if let Some(word) = epd.text("dm") {
            let moves = word.parse().map_err(|_| format!("dm: '{word}' is not a number of moves"))?;
            mate = Some(moves).filter(|&moves| moves != 0);
        }
        if best.is_empty() && avoid.is_empty() && mate.is_none() {
            return Err("nothing to find: neither best moves (bm), moves to avoid (am) nor a mate (dm)".into());
        }
        if !epd.position.has_legal_moves() {
            return Err("the game is over in this position".into());
        }
        let id = epd.operands("id").unwrap_or_default().join(" ");
        Ok(Self { file: String::new(), line: 0, id, position: epd.position, best, avoid, mate })
    }
}

/// The same line without what makes it unreadable: single quotes in times such as `00'40"`, a dash grown together with
/// the clock behind it (`w - -1 12`), a semicolon at the position's last field (`w - -; bm`).
fn tidy(line: &str) -> String {
    let spaced = line.replace('"', "'").replace(';', " ; ");
    let mut words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    if let Some(field) = words.get_mut(3)
        && let Some(clock) = field.strip_prefix('-')
        && !clock.is_empty()
    {
        *field = format!("- {clock}");
    }
    words.join(" ")
}

/// The words of a list of moves; a promotion may be written `f8 = Q`.
fn words(operands: &[String]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for operand in operands {
        match words.last_mut() {
            Some(last) if operand.starts_with('=') || last.ends_with('=') => last.push_str(operand),
            _ => words.push(operand.clone()),
        }
    }
    words
}

/// The moves of an operation; `#3` among them is a known mate.
fn moves(epd: &Epd, opcode: &str, mate: &mut Option<i32>) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    // All operations of that name: some suites give every move its own.
    let operations = epd.operations.iter().filter(|operation| operation.opcode == opcode);
    for word in operations.flat_map(|operation| words(&operation.operands)) {
        if let Some(length) =
            word.strip_prefix('#').and_then(|length| length.parse().ok()).filter(|&length| length != 0)
        {
            *mate = Some(length);
            continue;
        }
        let bare = word.trim_matches(|letter: char| "+#!?,.()".contains(letter));
        if bare.is_empty() {
            continue;
        }
        moves.push(one_move(&epd.position, bare).map_err(|reason| format!("{opcode}: {reason}"))?);
    }
    Ok(moves)
}

fn one_move(position: &Position, word: &str) -> Result<Move, String> {
    let error = match position.parse_san(word) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    // Computer notation with or without its dash, zeros for letters in castling.
    let plain: String = word.chars().filter(|&letter| letter != '-').collect();
    let castling = word.replace('0', "O");
    let other = position.parse_uci(&plain).ok().or_else(|| position.parse_san(&castling).ok());
    other.ok_or_else(|| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Task {
        let tasks = read("test.epd", line.as_bytes());
        assert!(tasks.unusable.is_empty(), "{:?}", tasks.unusable);
        tasks.usable.into_iter().next().unwrap()
    }

    fn reason(line: &str) -> String {
        let tasks = read("test.epd", line.as_bytes());
        assert!(tasks.usable.is_empty(), "{:?}", tasks.usable);
        tasks.unusable[0].reason.clone()
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -";

    #[test]
    fn what_people_write_is_understood() {
        for end in [
            "bm Ra8+; id \"a 1\";",
            "; bm Ra8 + ; id a 1 ",
            "bm Ra8# !; id a 1",
            "0 1 ; bm a1a8; id a 1;",
            "bm a1-a8; id a 1;\0\0",
            "; am Kf1 ? ; bm Ra8; id a 1",
        ] {
            let task = one(&format!("{BACK_RANK} {end}"));
            assert_eq!((task.best.len(), task.id.as_str()), (1, "a 1"), "{end}");
            assert_eq!(task.mate, None);
        }
        assert_eq!(one("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -; am Kf1 + ? ; c1 diff=10").avoid.len(), 1);
        assert_eq!(one("4k3/8/8/8/8/8/8/4K2R w K - bm 0-0;").best.len(), 1);
        assert_eq!(one("4k3/P7/8/8/8/8/8/4K3 w - - bm a8 = Q; am a8 =N;").best.len(), 1);
        assert_eq!(one("4k3/P7/8/8/8/8/8/4K3 w - -1 12 ; bm Kf2").position.fullmove_number(), 12);
        assert_eq!(one(&format!("{BACK_RANK} bm #1; 00'40\" (by hand);")).mate, Some(1));
        assert_eq!(one(&format!("{BACK_RANK} bm Ra8; bm Kf1;")).best.len(), 2);
    }

    #[test]
    fn mates_are_read() {
        assert_eq!(one(&format!("{BACK_RANK} bm #1; ep; 00:00;")).mate, Some(1));
        assert_eq!(one(&format!("{BACK_RANK} bm #-12;")).mate, Some(-12));
        let both = one(&format!("{BACK_RANK} bm Ra8#; dm 1;"));
        assert_eq!((both.best.len(), both.mate), (1, Some(1)));
    }

    #[test]
    fn what_cannot_be_used_is_listed_with_its_place() {
        let text = format!("\n# a comment\n{BACK_RANK} bm Qh5;\n\0\0\n{BACK_RANK} bm Ra8;\r\nrubbish");
        let tasks = read("test.epd", text.as_bytes());
        assert_eq!((tasks.usable.len(), tasks.usable[0].line), (1, 5));
        assert_eq!(tasks.unusable.iter().map(|one| one.line).collect::<Vec<_>>(), [3, 6]);
        assert!(reason(&format!("{BACK_RANK} bm Qh5;")).starts_with("bm: "));
        assert!(reason(BACK_RANK).starts_with("nothing to find"));
        assert!(reason(&format!("{BACK_RANK} dm soon;")).contains("soon"));
        assert!(reason(&format!("{BACK_RANK} dm 0;")).starts_with("nothing to find"));
        assert!(reason("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - dm 1;").contains("over"));
    }
}
