import { describe, expect, it } from 'vitest';
import { gamesIn, readPgn, writePgn } from './pgn';

describe('reading PGN', () => {
  it('reads tags, variations, signs, clocks and evaluations', () => {
    const read = readPgn(`[White "A"]
[Black "B"]

1. e4 { [%eval 0.3] [%clk 0:05:00] best by test } e5 $2 (1... c5 2. Nf3 (2. c3)) 2. Nf3! *`);
    const tree = read.value?.tree;
    expect(tree?.lineAfter().map((node) => node.san)).toEqual(['e4', 'e5', 'Nf3']);
    expect(tree?.node(1)).toMatchObject({
      comment: 'best by test',
      score: { kind: 'centipawns', value: 30 },
      clock: 300000,
    });
    expect(tree?.nodes.size).toBe(7);
    expect(read.value?.headers.get('White')).toBe('A');
  });

  it.each([
    ['', 'Paste a game'],
    ['this is not chess', '“this”'],
    ['1. e4 e5 2. Zf3', '“Zf3”'],
    ['1. e4 e5 2. Ke3', '2. Ke3 is not a legal move'],
    ['1. e4 (1. d4 d5 2. Qxd8) e5', '2. Qxd8 is not a legal move'],
    ['[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4', 'The tag FEN: There are no pieces'],
  ])('says what is wrong with %j', (text, error) => {
    expect(readPgn(text).error).toContain(error);
  });

  it('writes what it reads, and reads that again', () => {
    const text = '1. e4 { [%eval 0.3] } 1... e5 $2 (1... c5 2. Nf3) 2. Nf3 { solid } *';
    const once = readPgn(text).value;
    expect(once).toBeDefined();
    const written = writePgn(once!.tree, once!.headers);
    expect(written).toContain('( 1... c5 2. Nf3 )');
    const again = readPgn(written).value;
    expect(writePgn(again!.tree, again!.headers)).toBe(written);
  });

  it('keeps every word: before the game, before a variation, between moves', () => {
    const text = '{ before } 1. e4 ( { why not } 1. d4 { queen } d5 ) 1... e5 { answer } { twice } 2. Nf3 $14 *';
    const once = readPgn(text).value!;
    const written = writePgn(once.tree, once.headers);
    for (const word of ['before', 'why not', 'queen', 'answer', 'twice', '$14']) expect(written).toContain(word);
    const again = readPgn(written).value!;
    expect(writePgn(again.tree, again.headers)).toBe(written);
  });

  it('reads any game of several, and names them', () => {
    const text = '[White "A"]\n[Black "B"]\n[Date "2024.05.01"]\n\n1. e4 1-0\n\n[White "C"]\n[Black "?"]\n\n1. d4 *\n';
    expect(gamesIn(text)).toEqual(['1. A – B, 2024.05.01, 1-0', '2. C – ?']);
    expect(readPgn(text, 1).value?.tree.lineAfter()[0]?.san).toBe('d4');
  });

  it('keeps a set-up position', () => {
    const start = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';
    const read = readPgn(`[SetUp "1"]\n[FEN "${start}"]\n\n1. e4 Kd7 *`);
    expect(writePgn(read.value!.tree)).toContain(`[FEN "${start}"]`);
  });

  it('reads a game of a thousand moves', () => {
    const shuffle = Array.from({ length: 500 }, (_, i) => `${2 * i + 1}. Nf3 Nf6 ${2 * i + 2}. Ng1 Ng8`).join(' ');
    expect(readPgn(shuffle).value?.tree.lineAfter()).toHaveLength(2000);
  });
});
