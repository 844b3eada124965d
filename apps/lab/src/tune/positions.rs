//! Labelled positions from files: Stockfish binpacks, and tables of FEN, evaluation and result.
//!
//! Only quiet positions pass: nobody in check, no capture or promotion as the move that was played, no decided values.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail};
use kiebitz_chess::{Bitboard, Board, Color, Piece, PieceKind, Position, Setup, Square};
use kiebitz_handcrafted::tuner::LabelledPosition;
use rayon::prelude::*;
use sfbinpack::TrainingDataEntry;
use sfbinpack::chess::castling_rights::CastlingRights;
use sfbinpack::chess::r#move::MoveType;

/// Values beyond this say "won" and nothing about how much: they teach nothing.
const DECIDED: i32 = 2_000;
/// The first plies of self-play are random moves and their consequences.
const FIRST_PLY: u16 = 10;
/// How many lines of a table are read at a time.
const LINES: usize = 1 << 16;

/// Quiet positions, each with the number of its game in its file.
pub(super) type Portion = Vec<(LabelledPosition, u64)>;

/// Reads a file portion by portion until it ends or the receiver has enough (returns false).
pub(super) fn read(path: &Path, receive: &mut dyn FnMut(Portion, u64) -> bool) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".binpack") {
        read_binpack(path, receive)
    } else if name.ends_with(".tsv.zst") {
        read_table(path, receive)
    } else {
        bail!("{} is neither a .binpack nor a .tsv.zst file", path.display())
    }
}

fn read_binpack(path: &Path, receive: &mut dyn FnMut(Portion, u64) -> bool) -> Result<()> {
    let open = || File::open(path).with_context(|| format!("cannot open {}", path.display()));
    let mut file = BufReader::new(open()?);
    let mut chunk = Vec::new();
    let mut game = 0;
    let mut last_ply = u16::MAX;
    while sfbinpack::read_chunk_into(&mut file, &mut chunk)
        .with_context(|| format!("cannot read {}", path.display()))?
    {
        let mut numbered = Vec::new();
        for entry in sfbinpack::parse_chunk(&chunk) {
            // The plies of a game count up by one.
            if last_ply.checked_add(1) != Some(entry.ply) {
                game += 1;
            }
            last_ply = entry.ply;
            numbered.push((entry, game));
        }
        let portion = numbered.par_iter().filter_map(|(entry, game)| Some((from_entry(entry)?, *game))).collect();
        if !receive(portion, chunk.len() as u64) {
            break;
        }
    }
    Ok(())
}

fn from_entry(entry: &TrainingDataEntry) -> Option<LabelledPosition> {
    let quiet_move = matches!(entry.mv.mtype(), MoveType::Normal | MoveType::Castle);
    let castles = entry.mv.mtype() == MoveType::Castle;
    let captures = !castles && entry.pos.piece_at(entry.mv.to()) != sfbinpack::chess::piece::Piece::none();
    let teacher = i32::from(entry.score);
    if !quiet_move || captures || teacher.abs() > DECIDED || entry.ply < FIRST_PLY {
        return None;
    }
    let mut board = Board::EMPTY;
    for square in Square::ALL {
        let piece = entry.pos.piece_at(sfbinpack::chess::coords::Square::new(square.index() as u32));
        if let Some(kind) = PieceKind::from_index(usize::from(piece.id() >> 1)) {
            let color = if piece.id() & 1 == 0 { Color::White } else { Color::Black };
            board.set(square, Some(Piece::new(color, kind)));
        }
    }
    let rights = entry.pos.castling_rights();
    let rooks = [
        (CastlingRights::WHITE_KING_SIDE, Square::H1),
        (CastlingRights::WHITE_QUEEN_SIDE, Square::A1),
        (CastlingRights::BLACK_KING_SIDE, Square::H8),
        (CastlingRights::BLACK_QUEEN_SIDE, Square::A8),
    ];
    let castling_rooks: Bitboard =
        rooks.into_iter().filter(|(right, _)| rights.contains(*right)).map(|(_, rook)| rook).collect();
    let side_to_move =
        if entry.pos.side_to_move() == sfbinpack::chess::color::Color::White { Color::White } else { Color::Black };
    let position = Position::try_from(Setup { board, side_to_move, castling_rooks, ..Setup::EMPTY }).ok()?;
    let result = f32::from(entry.result + 1) / 2.0;
    (!position.is_check()).then_some(LabelledPosition { position, teacher, result })
}

fn read_table(path: &Path, receive: &mut dyn FnMut(Portion, u64) -> bool) -> Result<()> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut lines = BufReader::new(zstd::Decoder::new(file)?).lines();
    let mut game = 0;
    let mut last_ply = u32::MAX;
    loop {
        let batch: Vec<String> = lines.by_ref().take(LINES).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            return Ok(());
        }
        let bytes: usize = batch.iter().map(String::len).sum();
        let rows: Vec<Option<(LabelledPosition, u32, bool)>> = batch.par_iter().map(|line| from_row(line)).collect();
        let mut portion = Vec::new();
        for (example, ply, quiet) in rows.into_iter().flatten() {
            if ply <= last_ply {
                game += 1;
            }
            last_ply = ply;
            if quiet {
                portion.push((example, game));
            }
        }
        if !receive(portion, bytes as u64) {
            return Ok(());
        }
    }
}

/// A row's position, its ply, and whether it is quiet; nothing for rows without a usable value.
fn from_row(line: &str) -> Option<(LabelledPosition, u32, bool)> {
    let mut fields = line.split('\t');
    let position: Position = fields.next()?.parse().ok()?;
    let white_value: i32 = fields.next()?.parse().ok()?;
    let white_result: f32 = fields.next()?.parse().ok()?;
    let next = fields.next()?;
    let loud = position.parse_uci(next).map_or(true, |next| !next.is_quiet());
    let quiet = !loud && !position.is_check() && white_value.abs() <= DECIDED;
    let white = position.side_to_move() == Color::White;
    let teacher = if white { white_value } else { -white_value };
    let result = if white { white_result } else { 1.0 - white_result };
    let ply = position.ply();
    Some((LabelledPosition { position, teacher, result }, ply, quiet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_from_the_mover() {
        let row = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\t14\t1.0\tg8f6\t1769\t1691";
        let (example, ply, quiet) = from_row(row).expect("a sound row");
        assert_eq!((example.teacher, example.result, ply, quiet), (-14, 0.0, 1, true));
    }

    #[test]
    fn loud_and_decided_rows_are_not_quiet() {
        let rows = [
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\t30\t0.5\te4d5\t-\t-",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\t2500\t1.0\tg8f6\t-\t-",
            "rnbqkbnr/ppp2ppp/8/1B1pp3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3\t14\t1.0\tc7c6\t-\t-",
        ];
        for row in rows {
            assert!(!from_row(row).expect("a sound row").2, "{row}");
        }
        for row in ["", "no position\t1\t1.0\te2e4", "8/8/8/8/8/8/8/8 w - - 0 1\t1\t1.0\te2e4"] {
            assert!(from_row(row).is_none(), "{row}");
        }
    }

    #[test]
    fn unknown_files_are_refused_by_name() {
        let error = read(Path::new("games.pgn"), &mut |_, _| true).expect_err("not a file of positions");
        assert!(error.to_string().contains("games.pgn"), "{error}");
    }
}
