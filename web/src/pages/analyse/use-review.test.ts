import { describe, expect, it, vi } from 'vitest';
import type { ReviewedMove } from '../../api/generated/messages';
import { readPgn, writePgn } from '../../chess/pgn';

vi.mock('../../workbench', () => ({ workbench: {} }));
vi.mock('../../api/opponents', () => ({ bestOpponent: { value: '' } }));
vi.mock('../../api/backend', () => ({ backend: {} }));
const { annotate } = await import('./use-review');

const blunder: ReviewedMove = {
  ply: 2,
  side: 'white',
  played: { uci: 'g2g4', san: 'g4' },
  score: { kind: 'mate', value: -1 },
  best_score: { kind: 'centipawns', value: 10 },
  best_line: [
    { uci: 'g2g3', san: 'g3' },
    { uci: 'd7d5', san: 'd5' },
  ],
  depth: 12,
  loss: 0.5,
  mark: 'blunder',
};

describe('a review', () => {
  it('marks a mistake and puts the better line beside it', () => {
    const tree = readPgn('1. f3 e5 2. g4').value!.tree;
    annotate(tree, blunder);
    annotate(tree, blunder);
    const written = writePgn(tree).replace(/\s+/g, ' ');
    expect(written).toContain('2. g4 $4 { [%eval #-1] } ( 2. g3 { [%eval 0.10] } d5 )');
    expect(tree.nodes.size).toBe(6);
  });

  it('leaves a game alone that was changed meanwhile', () => {
    const tree = readPgn('1. f3 e5 2. e4').value!.tree;
    annotate(tree, blunder);
    expect(tree.nodes.size).toBe(4);
  });
});
