/** Where squares lie on a board that is seen from one side, and how they are called aloud. */
import type { Chess } from 'chessops/chess';
import { parseSquare } from 'chessops/util';
import type { Color, SquareName } from '../chess/position';

/** The squares from the upper left to the lower right corner, as the side below sees them. */
export function squaresFrom(orientation: Color): SquareName[] {
  const squares: SquareName[] = [];
  for (let rank = 8; rank >= 1; rank--) for (const file of 'abcdefgh') squares.push(`${file}${rank}` as SquareName);
  return orientation === 'white' ? squares : squares.reverse();
}

/** Column and row of a square on the screen, from 0 in the upper left corner. */
export function placeOf(square: SquareName, orientation: Color): { column: number; row: number } {
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  return orientation === 'white' ? { column: file, row: 7 - rank } : { column: 7 - file, row: rank };
}

/** The square beside another in a direction on the screen; at the edge it stays. */
export function beside(square: SquareName, orientation: Color, right: number, down: number): SquareName {
  const { column, row } = placeOf(square, orientation);
  const clamp = (value: number) => Math.min(7, Math.max(0, value));
  return squaresFrom(orientation)[clamp(row + down) * 8 + clamp(column + right)] ?? square;
}

/** "e2, white pawn". */
export function squareAloud(position: Chess, square: SquareName): string {
  const piece = position.board.get(parseSquare(square));
  return `${square}, ${piece ? `${piece.color} ${piece.role}` : 'empty'}`;
}
