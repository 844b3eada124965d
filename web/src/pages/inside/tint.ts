/** Colors for numbers: teal for what is above zero, rust for what is below, paper for nothing. */
import { shownTheme } from '../../settings/settings';

type Rgb = readonly [number, number, number];

const PAPER: Record<'light' | 'dark', Rgb> = { light: [246, 244, 238], dark: [30, 36, 39] };
const ABOVE: Record<'light' | 'dark', Rgb> = { light: [13, 106, 101], dark: [96, 206, 197] };
const BELOW: Record<'light' | 'dark', Rgb> = { light: [184, 82, 10], dark: [240, 154, 84] };

/** The color of a number from -1 to 1; small ones are lifted, so that they can be told from nothing. */
export function tint(value: number): string {
  const theme = shownTheme.value;
  const from = PAPER[theme];
  const to = (value > 0 ? ABOVE : BELOW)[theme];
  const share = Math.sqrt(Math.min(1, Math.abs(value)));
  const mixed = from.map((paper, index) => Math.round(paper + ((to[index] ?? 0) - paper) * share));
  return `rgb(${mixed.join(' ')})`;
}

/** The largest distance from zero, and at least 1, so that it can be divided by. */
export const largest = (values: Iterable<number>): number => {
  let most = 1;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
};
