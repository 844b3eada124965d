import { expect, it } from 'vitest';
import { type ProvedStep, widest } from './certificate';

const step = (name: string, lowest: number, highest: number, proved = true): ProvedStep => ({
  step: name,
  lowest,
  highest,
  limit: 1000,
  proved,
});

it('shows the widest range of all copies, and hides no failure', () => {
  const steps = [
    step('the accumulator', -5, 7),
    step('bucket 0, layer 1', -100, 20),
    step('bucket 1, layer 1', -50, 300, false),
  ];
  expect(widest(steps)).toEqual([step('the accumulator', -5, 7), step('layer 1', -100, 300, false)]);
});
