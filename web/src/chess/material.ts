/** Who has more of what. */
import type { Color } from './position';

const WORTH = { q: 9, r: 5, b: 3, n: 3, p: 1 } as const;
const SIGNS = { q: '♛', r: '♜', b: '♝', n: '♞', p: '♟' } as const;

/** What one side has beyond the other. */
export interface Surplus {
  /** The pieces it has more of, strongest first. */
  surplus: string;
  /** By how many pawns it is ahead; negative when behind. */
  lead: number;
}

/** The surplus of both sides in a position. */
export function materialOf(fen: string): Record<Color, Surplus> {
  const placement = fen.split(' ')[0] ?? '';
  const count = (letter: string) => placement.split(letter).length - 1;
  const sides: Record<Color, Surplus> = { white: { surplus: '', lead: 0 }, black: { surplus: '', lead: 0 } };
  for (const [kind, worth] of Object.entries(WORTH) as [keyof typeof WORTH, number][]) {
    const more = count(kind.toUpperCase()) - count(kind);
    sides[more > 0 ? 'white' : 'black'].surplus += SIGNS[kind].repeat(Math.abs(more));
    sides.white.lead += more * worth;
    sides.black.lead -= more * worth;
  }
  return sides;
}
