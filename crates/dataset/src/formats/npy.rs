//! Pairs of NumPy arrays: boards as 833 truth values, moves as numbers.
//!
//! `train.npy` stands for two files: `train_input.npy`, `bool (n, 833)`, and `train_output.npy`, `uint16 (n,)`.
//!
//! ```text
//! input    for each square, a1 first: empty, White's pawn, knight, bishop, rook, queen, king, Black's …; at last: White to move
//! output   64 · from + to, castling as the king moves
//! ```
//!
//! Castling rights, en passant and counters are not said; reading infers them only as far as the move needs them. Promotions are read
//! as queens.

use std::path::{Path, PathBuf};

use kiebitz_chess::{CastlingForm, Color, File, Piece, PieceKind, Position, Rank, Setup, Square};

use super::fixed_records::FixedRecords;
use super::{ChainSink, ChainSource};
use crate::output_file::OutputFile;
use crate::{Chain, ChainHead, DatasetError, Link, WrittenFile};

/// Truth values of a square: empty, or one of twelve pieces.
const STATES: usize = 13;
/// Truth values of a position.
const INPUTS: usize = 64 * STATES + 1;
/// Bytes of the header that we write; a multiple of 64, as the format wants it.
const HEADER: usize = 128;
const MAGIC: [u8; 8] = *b"\x93NUMPY\x01\x00";

/// The two files behind a name.
fn files(path: &Path) -> [PathBuf; 2] {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    ["input", "output"].map(|which| path.with_file_name(format!("{stem}_{which}.npy")))
}

/// Reads pairs.
#[derive(Debug)]
pub(crate) struct NpySource {
    inputs: FixedRecords,
    outputs: FixedRecords,
    left: u64,
}

impl NpySource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        let [inputs, outputs] = files(path);
        let (inputs, boards) = open(&inputs, "|b1", &format!(", {INPUTS}"))?;
        let (outputs, moves) = open(&outputs, "<u2", ",")?;
        if boards != moves {
            return Err(outputs.damaged(format!("there are {boards} boards and {moves} moves")));
        }
        Ok(Self { inputs, outputs, left: boards })
    }
}

/// Opens an array and reads its header: the number of its rows.
fn open(path: &Path, wanted: &'static str, columns: &str) -> Result<(FixedRecords, u64), DatasetError> {
    let foreign = |reason: String| DatasetError::Foreign { file: path.to_owned(), expected: "a NumPy array", reason };
    let mut records = FixedRecords::open(path)?;
    let start = records.next_record::<10>()?.ok_or_else(|| foreign("it is empty".to_owned()))?;
    if start[..8] != MAGIC {
        return Err(foreign("it does not begin as version 1.0 of the format does".to_owned()));
    }
    let mut header = vec![0; usize::from(u16::from_le_bytes([start[8], start[9]]))];
    records.fill(&mut header)?;
    let header = String::from_utf8_lossy(&header).into_owned();
    let shape = header.split_once("'shape': (").and_then(|(_, rest)| rest.split_once(')')).map(|(shape, _)| shape);
    let rows = shape.and_then(|shape| shape.strip_suffix(columns)?.trim().parse().ok());
    match rows {
        Some(rows) if header.contains(wanted) && header.contains("'fortran_order': False") => Ok((records, rows)),
        _ => Err(foreign(format!("wanted is {wanted} (n{columns}), and its header is {}", header.trim()))),
    }
}

impl ChainSource for NpySource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        if self.left == 0 {
            return Ok(false);
        }
        let input = self.inputs.next_record::<INPUTS>()?.ok_or_else(|| self.inputs.truncated())?;
        let output = self.outputs.next_record::<2>()?.ok_or_else(|| self.outputs.truncated())?;
        *chain = read_pair(&input, u16::from_le_bytes(output)).map_err(|reason| self.inputs.damaged(reason))?;
        self.left -= 1;
        Ok(true)
    }

    fn consumed(&self) -> u64 {
        self.inputs.consumed()
    }
}

fn read_pair(input: &[u8; INPUTS], output: u16) -> Result<Chain, String> {
    let mut setup = Setup { side_to_move: Color::Black, ..Setup::EMPTY };
    if input[INPUTS - 1] != 0 {
        setup.side_to_move = Color::White;
    }
    for (square, states) in Square::ALL.into_iter().zip(input.chunks_exact(STATES)) {
        let mut set = (0..STATES).filter(|&state| states[state] != 0);
        let (Some(state), None) = (set.next(), set.next()) else {
            return Err(format!("{square} is not in exactly one state"));
        };
        if let Some(number) = state.checked_sub(1) {
            let color = if number < 6 { Color::White } else { Color::Black };
            setup.board.set(square, Some(Piece::new(color, PieceKind::ALL[number % 6])));
        }
    }
    let square = |number: u16| Square::ALL.get(usize::from(number)).copied().ok_or(format!("{output} is no move"));
    let (from, to) = (square(output / 64)?, square(output % 64)?);
    infer(&mut setup, from, to);
    let start = Position::try_from(setup).map_err(|violation| violation.to_string())?;
    let moves = start.legal_moves();
    let wanted = moves.iter().find(|&&mv| ends(&start, mv) == Some((from, to)));
    let mv = *wanted.ok_or(format!("{from}{to} is no legal move"))?;
    Ok(Chain { head: ChainHead { start, ..ChainHead::default() }, links: vec![Link::new(Some(mv))] })
}

/// Grants what a move needs: a castling right, or a pawn that has just passed by.
fn infer(setup: &mut Setup, from: Square, to: Square) {
    let us = setup.side_to_move;
    match setup.board.piece_at(from).map(|piece| piece.kind) {
        Some(PieceKind::King) if from.file() == File::E && matches!(to.file(), File::C | File::G) => {
            let rook = if to.file() == File::G { File::H } else { File::A };
            setup.castling_rooks |= Square::new(rook, Rank::First.relative_to(us)).bitboard();
        }
        Some(PieceKind::Pawn) if from.file() != to.file() && setup.board.piece_at(to).is_none() => {
            setup.en_passant = Some(to);
        }
        _ => {}
    }
}

/// Where a move begins and ends, castling as the king moves; `None` for promotions to less than a queen.
fn ends(position: &Position, mv: kiebitz_chess::Move) -> Option<(Square, Square)> {
    if mv.promotion().is_some_and(|kind| kind != PieceKind::Queen) {
        return None;
    }
    squares(position, mv)
}

fn squares(position: &Position, mv: kiebitz_chess::Move) -> Option<(Square, Square)> {
    let text = position.uci(mv, CastlingForm::KingMove);
    Some((text.get(..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?))
}

/// Writes pairs.
#[derive(Debug)]
pub(crate) struct NpySink {
    inputs: OutputFile,
    outputs: OutputFile,
    samples: u64,
}

impl NpySink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        let [inputs, outputs] = files(path);
        Ok(Self {
            inputs: OutputFile::create_with_room(&inputs, HEADER)?,
            outputs: OutputFile::create_with_room(&outputs, HEADER)?,
            samples: 0,
        })
    }
}

fn header(kind: &str, shape: &str) -> [u8; HEADER] {
    let mut bytes = [b' '; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&(HEADER as u16 - 10).to_le_bytes());
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Twenty digits of rows still fit.
    let end = (10 + text.len()).min(HEADER - 1);
    bytes[10..end].copy_from_slice(&text.as_bytes()[..end - 10]);
    bytes[HEADER - 1] = b'\n';
    bytes
}

fn input(position: &Position) -> [u8; INPUTS] {
    let mut values = [0; INPUTS];
    for square in Square::ALL {
        let state = position.piece_at(square).map_or(0, |piece| 1 + 6 * piece.color as usize + piece.kind as usize);
        values[square as usize * STATES + state] = 1;
    }
    values[INPUTS - 1] = u8::from(position.side_to_move() == Color::White);
    values
}

impl ChainSink for NpySink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let mut missing = false;
        chain.visit(|position, link| {
            if link.kept {
                match link.mv.and_then(|mv| squares(position, mv)) {
                    Some((from, to)) => {
                        inputs.extend(input(position));
                        outputs.extend((from as u16 * 64 + to as u16).to_le_bytes());
                        self.samples += 1;
                    }
                    None => missing = true,
                }
            }
        });
        if missing {
            return Err(self.inputs.inexpressible("the format needs a move, and a sample has none"));
        }
        self.inputs.put(&inputs)?;
        self.outputs.put(&outputs)
    }

    fn bytes(&self) -> u64 {
        self.inputs.bytes() + self.outputs.bytes()
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        let samples = self.samples;
        let outputs = self.outputs.finish_with(&header("<u2", &format!("{samples},")))?;
        let inputs = self.inputs.finish_with(&header("|b1", &format!("{samples}, {INPUTS}")))?;
        Ok(vec![inputs, outputs])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_moves_have_the_numbers_of_the_paper() {
        let start = Position::default();
        let values = input(&start);
        // White's rook on a1 is state 4, Black's king on e8 state 12, e4 is empty, White is to move.
        assert_eq!(values[4], 1);
        assert_eq!(values[60 * STATES + 12], 1);
        assert_eq!(values[28 * STATES], 1);
        assert_eq!(values[832], 1);
        assert_eq!(values.iter().filter(|&&value| value == 1).count(), 65);
        assert_eq!(squares(&start, start.parse_san("e4").unwrap()).unwrap(), (Square::E2, Square::E4));
    }

    #[test]
    fn what_a_move_needs_is_inferred() {
        for (fen, uci) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"),
        ] {
            let position: Position = fen.parse().unwrap();
            let mv = position.parse_uci(uci).unwrap();
            let (from, to) = squares(&position, mv).unwrap();
            let chain = read_pair(&input(&position), from as u16 * 64 + to as u16).unwrap();
            let found = chain.links[0].mv.unwrap();
            assert_eq!(chain.head.start.uci(found, CastlingForm::KingMove), uci);
        }
        assert!(read_pair(&[0; INPUTS], 0).is_err());
        assert!(read_pair(&input(&Position::default()), 9_999).is_err());
    }
}
