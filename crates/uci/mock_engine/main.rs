//! A tiny engine that misbehaves on purpose: `uci-mock-engine VICE [SEED]`.
//!
//! Its moves are legal (the first one, or with a seed a random one), so that only its vice is wrong with it. It
//! ends when its input does, whatever its vice, so that no test leaves it behind; the deaf ones end by themselves.

mod vice;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use kiebitz_chess::{CastlingForm, GameHistory, Move, Position};
use kiebitz_uci::{
    BestMove, EngineMessage, Go, GuiMessage, Id, Info, MoveText, OptionDeclaration, OptionKind, ScoreReport, ScoreValue,
};
use vice::Vice;

/// How long a slow start takes; far more than the limit of the test that refuses it.
const SLOW_START: Duration = Duration::from_millis(700);
/// How long an engine sleeps that does not even notice the end of its input.
const DEAF: Duration = Duration::from_secs(120);
/// What `die-at-go` exits with.
const DEATH: u8 = 42;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(vice) = arguments.next().as_deref().and_then(Vice::named) else {
        // A usage message; nobody may be listening.
        let _ = writeln!(io::stderr(), "usage: uci-mock-engine VICE [SEED], VICE one of {}", Vice::names());
        return ExitCode::FAILURE;
    };
    let seed = arguments.next().and_then(|seed| seed.parse().ok());
    let mut mock =
        Mock { vice, seed, game: GameHistory::default(), form: CastlingForm::KingMove, held: None, stops: 0 };
    // A closed pipe means that the other side has gone: a normal end.
    mock.run().unwrap_or(ExitCode::SUCCESS)
}

struct Mock {
    vice: Vice,
    seed: Option<u64>,
    game: GameHistory,
    form: CastlingForm,
    /// An answer that waits for `stop` or `ponderhit`.
    held: Option<BestMove>,
    stops: u32,
}

type Step = io::Result<ControlFlow<ExitCode>>;
const ON: Step = Ok(ControlFlow::Continue(()));

impl Mock {
    fn run(&mut self) -> io::Result<ExitCode> {
        if self.vice == Vice::DieAtStart {
            return Ok(ExitCode::from(DEATH));
        }
        for line in io::stdin().lock().lines() {
            let Some(message) = GuiMessage::parse(&line?).message else { continue };
            if let ControlFlow::Break(code) = self.handle(message)? {
                return Ok(code);
            }
        }
        if self.vice == Vice::IgnoresQuit {
            thread::sleep(DEAF);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn handle(&mut self, message: GuiMessage) -> Step {
        match message {
            GuiMessage::Uci => self.introduce(),
            GuiMessage::IsReady => self.ready(),
            GuiMessage::SetOption { name, value } if name == "UCI_Chess960" => {
                let on = value.as_deref() == Some("true");
                self.form = if on { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
                ON
            }
            GuiMessage::Position(position) => {
                // Too late for the last search, and just before the next one.
                if self.vice == Vice::RepeatsBestMove {
                    say(EngineMessage::BestMove(self.best()))?;
                }
                match position.resolve() {
                    Ok(game) => self.game = game,
                    Err(error) => writeln!(io::stderr(), "{error}")?,
                }
                ON
            }
            GuiMessage::Go(go) => self.go(&go),
            GuiMessage::Stop => self.stop(),
            GuiMessage::PonderHit => self.answer(),
            GuiMessage::Quit if self.vice != Vice::IgnoresQuit => Ok(ControlFlow::Break(ExitCode::SUCCESS)),
            _ => ON,
        }
    }

    fn introduce(&mut self) -> Step {
        match self.vice {
            Vice::HangAtUci => return ON,
            Vice::SlowStart => thread::sleep(SLOW_START),
            Vice::InvalidUtf8 => say_bytes(b"id name M\xffck\n")?,
            _ => say_bytes(b"a greeting that is no message\r\n")?,
        }
        if self.vice != Vice::InvalidUtf8 {
            say(EngineMessage::Id(Id::Name("Mock".into())))?;
        }
        // The number lets a test find out whether a mock behind a script has ended.
        say(EngineMessage::Id(Id::Author(format!("process {}", std::process::id()))))?;
        for option in self.options() {
            say(EngineMessage::Option(option))?;
        }
        say(EngineMessage::UciOk)?;
        if self.vice == Vice::Deaf {
            thread::sleep(DEAF);
        }
        ON
    }

    fn options(&self) -> Vec<OptionDeclaration> {
        let option = |name: &str, kind| OptionDeclaration { name: name.into(), kind };
        let mut options = vec![
            option("Hash", OptionKind::Spin { default: 16, range: 1..=1024 }),
            option("UCI_Chess960", OptionKind::Check { default: false }),
        ];
        if self.vice == Vice::OptionsOfAllTypes {
            let values = ["Solid", "Normal", "Very Risky"].map(String::from).to_vec();
            options.extend([
                option("Playing Style", OptionKind::Combo { default: "Normal".into(), values }),
                option("Clear Hash", OptionKind::Button),
                option("Book File", OptionKind::Text { default: "<empty>".into() }),
                option("Own Book", OptionKind::Check { default: true }),
                option("Contempt", OptionKind::Spin { default: -5, range: -100..=100 }),
            ]);
        }
        options
    }

    fn ready(&mut self) -> Step {
        if self.vice == Vice::HangAtIsReady {
            return ON;
        }
        if self.vice == Vice::UnaskedBestMove {
            say(EngineMessage::BestMove(self.best()))?;
        }
        say(EngineMessage::ReadyOk)?;
        ON
    }

    fn go(&mut self, go: &Go) -> Step {
        match self.vice {
            Vice::HangAtGo => self.vice = Vice::HangAtIsReady,
            Vice::DieAtGo => return Ok(ControlFlow::Break(ExitCode::from(DEATH))),
            Vice::DieWithStderr => {
                writeln!(io::stderr(), "loading the network\nassertion failed: accumulator is not computed")?;
                std::process::abort();
            }
            Vice::Flood => loop {
                say_bytes("info string still thinking\n".repeat(1000).as_bytes())?;
            },
            Vice::NoNewlineFlood => loop {
                say_bytes(&[b'x'; 16 * 1024])?;
            },
            Vice::StderrFlood => {
                for number in 0..20_000 {
                    writeln!(io::stderr(), "debug line {number}")?;
                }
            }
            _ => {}
        }
        if matches!(self.vice, Vice::HangAtIsReady | Vice::IgnoresStop) {
            return ON;
        }
        self.report()?;
        self.held = Some(self.best());
        let waits = go.waits_for_release() && self.vice != Vice::PrematureBestMove;
        if waits || self.vice == Vice::LateBestMove { ON } else { self.answer() }
    }

    fn stop(&mut self) -> Step {
        self.stops += 1;
        if self.vice == Vice::LateBestMove && self.stops < 2 { ON } else { self.answer() }
    }

    fn answer(&mut self) -> Step {
        let Some(best) = self.held.take() else { return ON };
        match self.vice {
            Vice::IllegalMove => say_bytes(b"bestmove a1a1\n")?,
            Vice::NullMove => say_bytes(b"bestmove 0000\n")?,
            Vice::EmptyBestMove => say_bytes(b"bestmove\n")?,
            Vice::Garbage => say_bytes(b"\x00\x01 rubbish\n=====\ninfo depth\nbestmove O-O!?\n")?,
            Vice::TwoBestMoves => say_bytes(format!("{best}\n{best}\n").as_bytes())?,
            _ => say(EngineMessage::BestMove(best))?,
        }
        ON
    }

    fn report(&self) -> io::Result<()> {
        match self.vice {
            Vice::NonIntegers => say_bytes(b"info depth 1 score cp 0.35 nodes 20 nps 1.5e6 time 12.5\n"),
            Vice::IllegalPv => say_bytes(b"info depth 3 score cp 10 pv e2e4 e7e5 e4e5\n"),
            Vice::InvalidUtf8 => say_bytes(b"info string \xc3\x28\n"),
            _ => {
                let score = Some(ScoreReport { value: ScoreValue::Centipawns(0), bound: None });
                let pv = self.best().best.into_iter().collect();
                let info = Info { depth: Some(1), score, nodes: Some(1), time_ms: Some(0), pv, ..Info::default() };
                say(EngineMessage::Info(Box::new(info)))
            }
        }
    }

    fn best(&self) -> BestMove {
        let position = self.game.position();
        let castling = |mv: &Move| self.vice == Vice::WrongCastling && mv.castling().is_some();
        let moves = position.legal_moves();
        let best = moves.iter().copied().find(castling).or_else(|| self.choose(position));
        let form = match (self.vice, self.form) {
            (Vice::WrongCastling, CastlingForm::KingMove) => CastlingForm::KingTakesRook,
            (Vice::WrongCastling, CastlingForm::KingTakesRook) => CastlingForm::KingMove,
            (_, form) => form,
        };
        let ponder = match (self.vice, best) {
            (Vice::IllegalPonder, _) => Some(MoveText::from("a1a1")),
            (_, Some(best)) => {
                let after = position.after(best);
                self.choose(&after).map(|mv| MoveText::of(&after, mv, self.form))
            }
            _ => None,
        };
        BestMove { best: best.map(|mv| MoveText::of(position, mv, form)), ponder }
    }

    /// The first legal move, or a random one that depends on nothing but seed and position.
    fn choose(&self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let mut state = self.seed.unwrap_or(0) ^ u64::from(position.ply());
        // The finaliser of SplitMix64.
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 31;
        let random = self.seed.map_or(0, |_| usize::try_from(state % moves.len().max(1) as u64).unwrap_or(0));
        moves.get(random).copied()
    }
}

fn say(message: EngineMessage) -> io::Result<()> {
    say_bytes(format!("{message}\n").as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}
