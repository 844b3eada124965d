/** The board as a side sees it: for Black it is turned upside down, so that the own pawns always go up. */
import { makeSquare } from 'chessops/util';
import { type Color, positionOf } from '../../chess/position';

/** A square on the own board of a side. */
export const ownSquare = (square: string, side: Color): string =>
  side === 'white' ? square : `${square[0]}${9 - Number(square[1])}`;

/** Where a side's king stands on its own board. */
export function kingOf(fen: string, side: Color): string {
  const king = positionOf(fen).board.kingOf(side);
  return ownSquare(king === undefined ? 'e1' : makeSquare(king), side);
}

/** All squares for a choice, from the upper left corner. */
export const ALL_SQUARES: string[] = Array.from(
  { length: 64 },
  (_, index) => `${'abcdefgh'[index % 8]}${8 - Math.floor(index / 8)}`,
);
