/** Arrows on the board, thicker and stronger for what matters more. */
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { SquareName } from '../chess/position';
import { squaresOf } from '../chess/position';

/** An arrow along a move. */
export interface Arrow {
  uci: string;
  /** From 0, hardly seen, to 1. */
  weight: number;
  kind: 'best' | 'other' | 'threat' | 'hint';
}

/** The brushes that chessground paints with; opacity and width come from the weight. */
export const BRUSHES = {
  best: { key: 'best', color: '#1d5c45', opacity: 1, lineWidth: 12 },
  other: { key: 'other', color: '#3c5a76', opacity: 1, lineWidth: 10 },
  threat: { key: 'threat', color: '#b3261a', opacity: 1, lineWidth: 10 },
  hint: { key: 'hint', color: '#c46a10', opacity: 1, lineWidth: 12 },
} as const;

/** Arrows as shapes; the strongest is drawn last, so that it lies on top. */
export function shapesOf(arrows: readonly Arrow[]): DrawShape[] {
  return [...arrows]
    .sort((one, other) => one.weight - other.weight)
    .map(({ uci, weight, kind }) => {
      const [orig, dest] = squaresOf(uci) as [SquareName, SquareName];
      return { orig, dest, brush: kind, modifiers: { lineWidth: Math.round(3 + 10 * weight) } };
    });
}
