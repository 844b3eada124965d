import { describe, expect, it } from 'vitest';
import { nodesOf, treeOf } from './game-document';
import { readPgn, writePgn } from './pgn';
import { expectation, scoreText } from './score';

describe('documents', () => {
  it('keep a tree with its variations and the place looked at', () => {
    const tree = readPgn('1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) d6) 2. Nf3 $1 { good } *').value!.tree;
    tree.goTo(2);
    const again = treeOf(nodesOf(tree));
    expect(writePgn(again)).toBe(writePgn(tree));
    expect(again.current.fen).toBe(tree.current.fen);
    expect(nodesOf(again)).toEqual(nodesOf(tree));
  });

  it('leave out what is not legal', () => {
    const document = nodesOf(readPgn('1. e4 e5 2. Nf3').value!.tree);
    document.nodes[1]!.uci = 'a1a8';
    expect(
      treeOf(document)
        .lineAfter()
        .map((node) => node.san),
    ).toEqual(['e4']);
  });
});

describe('scores', () => {
  it('are written with signs that align', () => {
    const texts = [35, -120, 0].map((value) => scoreText({ kind: 'centipawns', value }));
    expect(texts).toEqual(['+0.35', '−1.20', '0.00']);
    expect(scoreText({ kind: 'mate', value: -3 })).toBe('#−3');
    expect(scoreText({ kind: 'mate', value: 3 })).toBe('#3');
  });

  it('become expected points', () => {
    expect(expectation({ kind: 'centipawns', value: 0 })).toBe(0.5);
    expect(expectation({ kind: 'mate', value: -2 })).toBe(0);
    expect(expectation({ kind: 'centipawns', value: 9 }, { win: 300, draw: 600, loss: 100 })).toBe(0.6);
  });
});
