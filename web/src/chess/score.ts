/** Scores as a person reads them, and as points that can be drawn. */
import type { Chances, ScoreView } from '../api/generated/messages';

/** `+0.35`, `−1.20`, `#3`, `#−3`; always for White. */
export function scoreText(score: ScoreView): string {
  if (score.kind === 'mate') return `#${signed(score.value, (value) => String(value)).replace('+', '')}`;
  return signed(score.value / 100, (value) => value.toFixed(2));
}

/** Centipawns as signed pawns. */
export const pawns = (centipawns: number, digits = 2): string =>
  signed(centipawns / 100, (value) => value.toFixed(digits));

/** What is written as nothing has no sign. */
function signed(value: number, write: (value: number) => string): string {
  const size = write(Math.abs(value));
  return Number(size) === 0 ? size : `${value < 0 ? '−' : '+'}${size}`;
}

/** White's expected points from 0 to 1. Where no chances were told, the usual curve of centipawns stands in. */
export function expectation(score: ScoreView, chances?: Chances | null): number {
  if (chances) return (chances.win + chances.draw / 2) / 1000;
  if (score.kind === 'mate') return score.value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.value / 270));
}

/** Whether a mate of 0 moves, that is a mate on the board, is White's win is told by who is to move. */
export const matedScore = (turn: 'white' | 'black'): ScoreView => ({
  kind: 'mate',
  value: turn === 'white' ? -1 : 1,
});
