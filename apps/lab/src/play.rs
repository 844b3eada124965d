//! `kiebitz-lab play`: a game in the terminal.
//!
//! The dialogue reads from any reader and writes to any writer, so that tests can hold it.

mod diagram;
mod move_reading;
mod opponent;
mod request;
mod score_sheet;

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use kiebitz_chess::{Color, Outcome, Position};

use diagram::Paint;
use move_reading::{capitalized, read_move, side};
use opponent::Opponent;
use request::Request;
use score_sheet::ScoreSheet;

/// What `kiebitz-lab play` is asked to do.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The position to start from, in quotes; the standard start position when left out.
    #[arg(long)]
    fen: Option<String>,
    /// Play Chess960: a start position drawn by lot unless --fen gives one.
    #[arg(long)]
    chess960: bool,
    /// Who you are; with `both`, two people share the keyboard.
    #[arg(long, value_enum, default_value_t = Players::White)]
    color: Players,
    /// Decides among equally good moves; the same seed gives the same opponent.
    #[arg(long)]
    seed: Option<u64>,
}

/// The sides that people play; the program plays the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Players {
    White,
    Black,
    Both,
}

impl Players {
    fn includes(self, color: Color) -> bool {
        match self {
            Self::White => color == Color::White,
            Self::Black => color == Color::Black,
            Self::Both => true,
        }
    }
}

/// What follows an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The position has changed.
    Redraw,
    /// Ask for another line.
    Ask,
    /// The person has left.
    Leave,
}

/// Plays on standard input and output.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let output = io::stdout().lock();
    let colored = output.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let paint = if colored { Paint::Colored } else { Paint::Plain };
    play(arguments, paint, io::stdin().lock(), output)
}

fn play(arguments: &Arguments, paint: Paint, input: impl BufRead, output: impl Write) -> Result<()> {
    let seed = arguments.seed.unwrap_or_else(opponent::seed_from_time);
    let start = start_position(arguments, seed)?;
    let bottom = if arguments.color == Players::Black { Color::Black } else { Color::White };
    let players = arguments.color;
    let mut table =
        Table { sheet: ScoreSheet::new(start), opponent: Opponent::new(seed), players, bottom, paint, input, output };
    let who = match players {
        Players::White => "You have White.",
        Players::Black => "You have Black.",
        Players::Both => "You play both sides.",
    };
    writeln!(table.output, "{who} Type a move like Nf3 or g1f3, or `help`. (seed {seed})")?;
    table.play()
}

fn start_position(arguments: &Arguments, seed: u64) -> Result<Position> {
    match &arguments.fen {
        Some(fen) => fen.parse().map_err(|error| anyhow!("cannot read the position {fen:?}: {error}")),
        None if arguments.chess960 => opponent::drawn_start(seed),
        None => Ok(Position::default()),
    }
}

/// One game and the two ends of the dialogue about it.
struct Table<Input, Output> {
    sheet: ScoreSheet,
    opponent: Opponent,
    players: Players,
    bottom: Color,
    paint: Paint,
    input: Input,
    output: Output,
}

impl<Input: BufRead, Output: Write> Table<Input, Output> {
    fn play(&mut self) -> Result<()> {
        self.draw()?;
        loop {
            if let Some(ending) = self.sheet.ending() {
                write!(self.output, "The game is over: {ending}.\n\n{}", self.sheet.pgn(self.names(), None))?;
                return Ok(());
            }
            if self.program_is_to_move() {
                self.reply()?;
                continue;
            }
            match self.ask()? {
                // When the program answers at once, the board is drawn after its move.
                Next::Redraw if self.program_is_to_move() => {}
                Next::Redraw => self.draw()?,
                Next::Ask => {}
                Next::Leave => return Ok(()),
            }
        }
    }

    fn program_is_to_move(&self) -> bool {
        let side = self.sheet.position().side_to_move();
        self.sheet.ending().is_none() && !self.players.includes(side)
    }

    fn draw(&mut self) -> Result<()> {
        let diagram = diagram::draw(self.sheet.position(), self.sheet.last_move(), self.bottom, self.paint);
        write!(self.output, "\n{diagram}\n")?;
        Ok(())
    }

    /// Lets the program move.
    fn reply(&mut self) -> Result<()> {
        let mv = self.opponent.choose(self.sheet.game()).context("the opponent found no move")?;
        let said = self.sheet.numbered(mv);
        self.sheet.push(mv);
        self.draw()?;
        writeln!(self.output, "I play {said}")?;
        Ok(())
    }

    fn ask(&mut self) -> Result<Next> {
        write!(self.output, "{} to move> ", side(self.sheet.position()))?;
        self.output.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.output)?;
            return Ok(Next::Leave);
        }
        // Bytes that are no text become a move that does not exist, and get the same friendly answer.
        self.answer(Request::read(&String::from_utf8_lossy(&line)))
    }

    fn answer(&mut self, request: Request) -> Result<Next> {
        match request {
            Request::Nothing => {}
            Request::Help => writeln!(self.output, "{}", request::HELP)?,
            Request::Moves => writeln!(self.output, "{}", self.sheet.legal_moves())?,
            Request::Fen => writeln!(self.output, "{}", self.sheet.position())?,
            Request::Pgn => write!(self.output, "{}", self.sheet.pgn(self.names(), None))?,
            Request::Flip => {
                self.bottom = !self.bottom;
                return Ok(Next::Redraw);
            }
            Request::Undo => return self.undo(),
            Request::Resign => {
                let loser = self.sheet.position().side_to_move();
                writeln!(self.output, "{} resigns: {} wins.", capitalized(loser), capitalized(!loser))?;
                write!(self.output, "\n{}", self.sheet.pgn(self.names(), Some(Outcome::Win(!loser))))?;
                return Ok(Next::Leave);
            }
            Request::Quit => return Ok(Next::Leave),
            Request::Move(text) => match read_move(self.sheet.position(), &text) {
                Ok(mv) => {
                    self.sheet.push(mv);
                    return Ok(Next::Redraw);
                }
                Err(reason) => writeln!(self.output, "{reason}")?,
            },
        }
        Ok(Next::Ask)
    }

    /// Takes moves back until a person is to move again.
    fn undo(&mut self) -> Result<Next> {
        let person_has_moved = self.sheet.movers().any(|color| self.players.includes(color));
        if !person_has_moved {
            writeln!(self.output, "There is nothing to take back.")?;
            return Ok(Next::Ask);
        }
        while let Some(mover) = self.sheet.pop() {
            if self.players.includes(mover) {
                break;
            }
        }
        Ok(Next::Redraw)
    }

    /// The names of White and Black for the score sheet.
    fn names(&self) -> [&'static str; 2] {
        Color::ALL.map(|color| if self.players.includes(color) { "You" } else { "Kiebitz" })
    }
}

#[cfg(test)]
mod tests;
