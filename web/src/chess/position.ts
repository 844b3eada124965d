/**
 * Positions and moves as text: what the page asks of the rules, over chessops.
 *
 * Moves travel as UCI in the server's spelling: castling is the king's two steps (`e1g1`), except in Chess960, where
 * the king takes his rook (`e1h1`).
 */
import { Chess, castlingSide, normalizeMove } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { Color, NormalMove, SquareName } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, parseSquare, parseUci, squareFile, squareRank } from 'chessops/util';

export { INITIAL_FEN };
export type { Color, SquareName };

/** Either a value or a sentence that can stand beside the field it came from. */
export type Read<T> = { value: T; error?: undefined } | { value?: undefined; error: string };

const FEN_ERRORS: Record<string, string> = {
  ERR_BOARD: 'The placement of the pieces (the part before the first space) must be eight ranks of eight squares.',
  ERR_TURN: 'After the placement must come whose turn it is: w or b.',
  ERR_CASTLING: 'The castling rights must be letters such as KQkq, or a dash.',
  ERR_EP_SQUARE: 'The en-passant square must be a square such as e3, or a dash.',
  ERR_HALFMOVES: 'The count of half-moves since a capture or pawn move must be a number.',
  ERR_FULLMOVES: 'The number of the move must be a number.',
  ERR_EMPTY: 'There are no pieces on the board.',
  ERR_KINGS: 'Each side must have exactly one king.',
  ERR_OPPOSITE_CHECK: 'The side that is not to move stands in check; it would have to have moved already.',
  ERR_PAWNS_ON_BACKRANK: 'A pawn stands on the first or last rank.',
};

/** Reads a FEN; the error says which part is wrong. */
export function readFen(text: string): Read<Chess> {
  const trimmed = text.trim();
  if (!trimmed) return { error: 'Enter a position in FEN, such as 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1.' };
  const position = parseFen(trimmed).chain((setup) => Chess.fromSetup(setup));
  return position.unwrap(
    (value) => ({ value }),
    (error) => ({ error: FEN_ERRORS[error.message] ?? 'This is not a position in FEN.' }),
  );
}

/** The position of a FEN that was checked before. */
export function positionOf(fen: string): Chess {
  const read = readFen(fen);
  if (read.value === undefined) throw new Error(`${read.error} (${fen})`);
  return read.value;
}

/** The FEN of a position. */
export const fenOf = (position: Chess): string => makeFen(position.toSetup());

/** Whether castling rights stand on squares that only Chess960 has. */
export function needsChess960(position: Chess): boolean {
  for (const color of ['white', 'black'] as const) {
    for (const side of ['a', 'h'] as const) {
      const rook = position.castles.rook[color][side];
      if (rook === undefined) continue;
      const king = position.board.kingOf(color);
      if (king === undefined || squareFile(king) !== 4) return true;
      if (squareFile(rook) !== (side === 'a' ? 0 : 7)) return true;
    }
  }
  return false;
}

/** Where each piece may go, as the board wants it. */
export const destinations = (position: Chess, chess960: boolean): Map<SquareName, SquareName[]> =>
  chessgroundDests(position, { chess960 });

/** A legal move in the server's UCI spelling. */
export function uciOf(position: Chess, move: NormalMove, chess960: boolean): string {
  const side = castlingSide(position, move);
  if (side === undefined) return makeUci(move);
  if (chess960) return makeUci(normalizeMove(position, move));
  return makeUci({ from: move.from, to: kingCastlesTo(position.turn, side) });
}

/** The legal move of a UCI text in either spelling of castling, or nothing. */
export function moveOf(position: Chess, uci: string): NormalMove | undefined {
  const parsed = parseUci(uci);
  if (!parsed || !('from' in parsed)) return undefined;
  const move = normalizeMove(position, parsed);
  return 'from' in move && position.isLegal(move) ? move : undefined;
}

/** Whether a move from here to there needs a choice of piece. */
export function promotes(position: Chess, from: SquareName, to: SquareName): boolean {
  const piece = position.board.get(parseSquare(from));
  return piece?.role === 'pawn' && [0, 7].includes(squareRank(parseSquare(to)));
}

/** A move typed by a person: SAN in any case, figurines, UCI, zeros for castling. */
export function readMove(position: Chess, text: string): Read<NormalMove> {
  const typed = text.trim();
  if (!typed) return { error: 'Type a move, such as Nf3 or g1f3.' };
  for (const spelling of spellings(typed)) {
    const move = parseSan(position, spelling) ?? moveOf(position, spelling.toLowerCase());
    if (move && 'from' in move) return { value: move };
  }
  return { error: `${typed} is not a legal move here.` };
}

const FIGURINES: Record<string, string> = { '♔': 'K', '♕': 'Q', '♖': 'R', '♗': 'B', '♘': 'N', '♙': '' };
const BLACK_FIGURINES: Record<string, string> = { '♚': 'K', '♛': 'Q', '♜': 'R', '♝': 'B', '♞': 'N', '♟': '' };

function spellings(typed: string): string[] {
  const plain = typed
    .replace(/[♔♕♖♗♘♙]/g, (sign) => FIGURINES[sign] ?? '')
    .replace(/[♚♛♜♝♞♟]/g, (sign) => BLACK_FIGURINES[sign] ?? '')
    .replace(/[+#!?]+$/, '')
    .replace(/0/g, 'O')
    .replace(/^o-o/i, (castle) => castle.toUpperCase())
    .replace(/-o$/i, '-O');
  const capital = plain.charAt(0).toUpperCase() + plain.slice(1);
  return [
    plain,
    capital,
    plain.toLowerCase(),
    plain.replace(/=?([qrbn])$/i, (_, role: string) => `=${role.toUpperCase()}`),
  ];
}

/** SAN of a legal move. */
export const sanOf = (position: Chess, move: NormalMove): string => makeSan(position, move);

/** The squares that the board marks as the last move. */
export const squaresOf = (uci: string): [SquareName, SquareName] => [
  uci.slice(0, 2) as SquareName,
  uci.slice(2, 4) as SquareName,
];

/** A line of UCI moves with SAN and the position after each; ends at the first move that is not legal. */
export function playLine(fen: string, moves: readonly string[]): { uci: string; san: string; fen: string }[] {
  const position = positionOf(fen);
  const line = [];
  for (const uci of moves) {
    const move = moveOf(position, uci);
    if (!move) break;
    const san = sanOf(position, move);
    position.play(move);
    line.push({ uci, san, fen: fenOf(position) });
  }
  return line;
}

/** Where the king of the side to move stands when it is in check. */
export function checkedKing(position: Chess): SquareName | undefined {
  const king = position.isCheck() ? position.board.kingOf(position.turn) : undefined;
  return king === undefined ? undefined : makeSquare(king);
}
