import { expect, it } from 'vitest';
import { chartData } from './loss-data';

const point = (step: number, loss: number) => ({ step, loss, positions: 0, rate: null });

it('puts two curves on one axis', () => {
  expect(chartData([point(1, 0.5), point(3, 0.3)], [point(2, 0.4), point(3, 0.35)])).toEqual([
    [1, 2, 3],
    [0.5, null, 0.3],
    [null, 0.4, 0.35],
  ]);
});
