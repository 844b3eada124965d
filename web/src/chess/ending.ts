/** How a game ends by the rules, by repetition, by fifty moves and by the clock. */
import type { GameResult, Outcome } from '../api/generated/messages';
import type { GameTree } from './game-tree';
import { type Color, positionOf } from './position';

/** Placement, side to move, castling and en passant: what must be the same for a position to be repeated. */
const identity = (fen: string): string => fen.split(' ').slice(0, 4).join(' ');

const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');

/** The end of a game at a move, if it is one. A third repetition and fifty moves end it without a claim. */
export function endingAt(tree: GameTree, id: number): GameResult | undefined {
  const node = tree.node(id);
  const position = positionOf(node.fen);
  if (position.isCheckmate()) return { outcome: other(position.turn), reason: 'checkmate' };
  if (position.isStalemate()) return draw('stalemate');
  if (position.isInsufficientMaterial()) return draw('insufficient material');
  if (position.halfmoves >= 100) return draw('fifty moves');
  const fens = [tree.root.fen, ...tree.path(id).map((move) => move.fen)];
  if (fens.filter((fen) => identity(fen) === identity(node.fen)).length >= 3) return draw('repetition');
  return undefined;
}

/** What happens when a side's time is over: the other wins, unless it has nothing to mate with. */
export function endingOnTime(fen: string, late: Color): GameResult {
  return positionOf(fen).hasInsufficientMaterial(other(late)) ? draw('time') : { outcome: other(late), reason: 'time' };
}

const draw = (reason: string): GameResult => ({ outcome: 'draw', reason });

const RESULTS: Record<Outcome, string> = { white: '1-0', black: '0-1', draw: '1/2-1/2' };

/** The result as PGN writes it. */
export const resultText = (result: GameResult | null | undefined): string => (result ? RESULTS[result.outcome] : '*');

/** The end in a sentence. */
export function resultSentence(result: GameResult): string {
  if (result.outcome === 'draw') return `Draw: ${result.reason}`;
  const winner = result.outcome === 'white' ? 'White' : 'Black';
  const reasons: Record<string, string> = {
    checkmate: 'by checkmate',
    resignation: 'by resignation',
    time: 'on time',
  };
  return `${winner} wins ${reasons[result.reason] ?? `(${result.reason})`}`;
}
