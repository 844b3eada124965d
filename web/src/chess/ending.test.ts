import { describe, expect, it } from 'vitest';
import { backRank, chess960Fen } from './chess960';
import { endingAt, endingOnTime, resultSentence } from './ending';
import { GameTree } from './game-tree';
import { readPgn } from './pgn';
import { PlayClock } from './play-clock';
import { readFen } from './position';

const endOf = (pgn: string) => {
  const tree = readPgn(pgn).value!.tree;
  return endingAt(tree, tree.lineAfter().at(-1)?.id ?? 0);
};

describe('endings', () => {
  it.each([
    ['1. f3 e5 2. g4 Qh4#', { outcome: 'black', reason: 'checkmate' }],
    ['1. e4 e5', undefined],
    ['1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8', { outcome: 'draw', reason: 'repetition' }],
    [
      '1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6',
      { outcome: 'draw', reason: 'stalemate' },
    ],
  ])('%s', (pgn, ending) => {
    expect(endOf(pgn)).toEqual(ending);
  });

  it('knows bare kings, fifty moves and the clock', () => {
    expect(endingAt(new GameTree('4k3/8/8/8/8/8/8/4K3 w - - 0 1'), 0)?.reason).toBe('insufficient material');
    expect(endingAt(new GameTree('4k3/8/8/8/8/8/8/R3K3 w - - 100 80'), 0)?.reason).toBe('fifty moves');
    expect(endingOnTime('4k3/8/8/8/8/8/8/R3K3 w - - 0 1', 'white').outcome).toBe('draw');
    expect(endingOnTime('4k3/8/8/8/8/8/8/R3K3 w - - 0 1', 'black').outcome).toBe('white');
    expect(resultSentence({ outcome: 'white', reason: 'time' })).toBe('White wins on time');
  });
});

describe('clocks', () => {
  it('run for one side and add the increment', () => {
    const clock = new PlayClock({ initial_ms: 10_000, increment_ms: 2000 });
    clock.start('white', 1000);
    expect(clock.read('white', 4000)).toBe(7000);
    clock.press(4000);
    clock.start('black', 4000);
    expect([clock.read('white', 9000), clock.read('black', 9000)]).toEqual([9000, 5000]);
    expect(clock.flagged(13_999)).toBeUndefined();
    expect(clock.flagged(14_000)).toBe('black');
  });
});

describe('Chess960', () => {
  it('gives each number its own arrangement, and 518 the usual one', () => {
    const ranks = Array.from({ length: 960 }, (_, number) => backRank(number));
    expect(ranks[518]).toBe('RNBQKBNR');
    expect(ranks[0]).toBe('BBQNNRKR');
    expect(ranks[959]).toBe('RKRNNQBB');
    expect(new Set(ranks).size).toBe(960);
    for (const number of [0, 1, 517, 959]) expect(readFen(chess960Fen(number)).error).toBeUndefined();
  });
});
