/** Tints of squares, beneath the pieces. */
import type { SquareName } from '../chess/position';

/** A square's tint: from -1 (for Black) to 1 (for White), with a short text at its foot. */
export interface Heat {
  value: number;
  text?: string;
}

/** Steps of strength that the style sheet knows. */
const STEPS = 8;

/** Class names for tinted squares, as the board wants them. */
export function tinted(heat: ReadonlyMap<string, Heat> | undefined): Map<SquareName, string> {
  const classes = new Map<SquareName, string>();
  for (const [square, { value }] of heat ?? []) {
    const step = Math.round(Math.min(1, Math.abs(value)) * STEPS);
    if (step > 0) classes.set(square as SquareName, `heat-${value > 0 ? 'for' : 'against'} step-${step}`);
  }
  return classes;
}
