import { describe, expect, it } from 'vitest';
import type { Opponent } from '../../api/generated/messages';
import { choose, DEFAULT_FORM, previewOf } from './game-choice';

const opponents: Opponent[] = [
  { id: 'a', name: 'A', description: '', elo_range: [500, 2500], network: null },
  { id: 'b', name: 'B', description: '', elo_range: null, network: null },
];
const form = { ...DEFAULT_FORM, opponent: 'a' };

describe('choosing a game', () => {
  it('puts the engine on the other side', () => {
    expect(choose({ ...form, side: 'black' }, opponents).value?.white).toEqual({
      kind: 'engine',
      opponent: 'a',
      elo: 1500,
    });
    expect(choose({ ...form, side: 'random' }, opponents, 0.9).value?.black.kind).toBe('human');
    expect(choose({ ...form, side: 'watch', second: 'b' }, opponents).value?.black).toMatchObject({ opponent: 'b' });
  });

  it('leaves out a strength that cannot be set', () => {
    expect(choose({ ...form, opponent: 'b' }, opponents).value?.black).toEqual({
      kind: 'engine',
      opponent: 'b',
      elo: null,
    });
    expect(choose({ ...form, fullStrength: true }, opponents).value?.black).toMatchObject({ elo: null });
  });

  it('reads clocks', () => {
    expect(choose({ ...form, clock: '5+3' }, opponents).value?.clock).toEqual({
      initial_ms: 300_000,
      increment_ms: 3000,
    });
    expect(choose({ ...form, clock: 'own', minutes: 0.5, increment: 0 }, opponents).value?.clock?.initial_ms).toBe(
      30_000,
    );
  });

  it('goes on from a game, without its variations', () => {
    const choice = choose({ ...form, start: 'pgn', pgn: '1. e4 e5 (1... c5) 2. Nf3 *' }, opponents).value;
    expect(choice?.moves).toEqual(['e2e4', 'e7e5', 'g1f3']);
    const later = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *';
    expect(choose({ ...form, start: 'pgn', pgn: later }, opponents).value?.start).toContain('4P3');
    expect(previewOf({ ...form, start: 'pgn', pgn: later, side: 'black' })).toEqual({
      fen: '4k3/8/8/8/4P3/8/8/4K3 b - - 0 1',
      below: 'black',
    });
    expect(previewOf({ ...form, start: 'pgn', pgn: '' })).toBeUndefined();
  });

  it('explains a start that is none', () => {
    expect(choose({ ...form, start: 'pgn', pgn: '1. e5' }, opponents).error).toContain('1. e5');
    expect(choose({ ...form, start: 'pgn', pgn: '1. f3 e5 2. g4 Qh4# 0-1' }, opponents).error).toContain('over');
    expect(choose({ ...form, start: 'fen', fen: 'nonsense' }, opponents).error).toBeDefined();
    expect(choose({ ...form, start: 'fen', fen: '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' }, opponents).error).toContain('over');
    expect(choose({ ...form, start: 'chess960', number960: 960 }, opponents).error).toContain('959');
  });
});
