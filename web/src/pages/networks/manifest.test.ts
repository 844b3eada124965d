import { expect, it } from 'vitest';
import { factsOf } from './manifest';

it('flattens what was written down, with numbers that can be read', () => {
  const manifest = {
    positions: 350011392,
    validation_loss: 0.005884128341149853,
    seed: 1,
    recipe: { data: { train: ['a', 'b'] } },
  };
  expect(factsOf(manifest)).toEqual([
    ['positions', '350\u202f011\u202f392'],
    ['validation loss', '0.0058841'],
    ['seed', '1'],
    ['recipe.data.train', 'a, b'],
  ]);
});
