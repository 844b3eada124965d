import { describe, expect, it } from 'vitest';
import { GameTree } from './game-tree';
import { moveRows } from './move-rows';
import { INITIAL_FEN } from './position';

const played = (moves: string): GameTree => {
  const tree = new GameTree();
  for (const uci of moves.split(' ')) expect(tree.play(uci), uci).toBeDefined();
  return tree;
};

describe('a game tree', () => {
  it('keeps the main line and goes along it', () => {
    const tree = played('e2e4 e7e5 g1f3');
    expect(tree.lineAfter().map((node) => node.san)).toEqual(['e4', 'e5', 'Nf3']);
    tree.toStart();
    expect(tree.current.fen).toBe(INITIAL_FEN);
    tree.forward();
    expect(tree.current.san).toBe('e4');
    tree.toEnd();
    tree.back();
    expect(tree.current.san).toBe('e5');
  });

  it('refuses illegal moves and stays where it is', () => {
    const tree = played('e2e4');
    expect(tree.play('e2e4')).toBeUndefined();
    expect(tree.play('nonsense')).toBeUndefined();
    expect(tree.current.san).toBe('e4');
  });

  it('finds a move that is already there instead of adding it again', () => {
    const tree = played('e2e4 e7e5');
    tree.toStart();
    tree.play('e2e4');
    expect(tree.nodes.size).toBe(3);
  });

  it('writes castling as the king’s two steps whichever way it came', () => {
    const tree = played('e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1');
    expect(tree.current.uci).toBe('e1g1');
    expect(tree.current.san).toBe('O-O');
  });

  it('writes castling as king takes rook in Chess960', () => {
    const tree = new GameTree('4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1');
    expect(tree.chess960).toBe(true);
    expect(tree.play('f1g1')).toMatchObject({ uci: 'f1g1', san: 'O-O' });
    expect(tree.current.fen).toMatch(/^4k3\/8\/8\/8\/8\/8\/8\/1R3RK1/);
  });

  it('makes a variation the main line, and removes one', () => {
    const tree = played('e2e4 e7e5');
    tree.back();
    const sicilian = tree.play('c7c5');
    expect(tree.isOnMainLine(tree.currentId)).toBe(false);
    tree.promote(tree.currentId);
    expect(tree.isOnMainLine(tree.currentId)).toBe(true);
    tree.remove(sicilian?.id ?? 0);
    expect(tree.current.san).toBe('e4');
    expect(tree.lineAfter().map((node) => node.san)).toEqual(['e4', 'e5']);
  });

  it('goes sideways between alternatives and around their end', () => {
    const tree = played('e2e4');
    tree.toStart();
    tree.play('d2d4');
    tree.sideways(1);
    expect(tree.current.san).toBe('e4');
    tree.sideways(-1);
    expect(tree.current.san).toBe('d4');
  });

  it('counts plies from the position it began with', () => {
    const tree = new GameTree('4k3/8/8/8/8/8/4P3/4K3 b - - 0 12');
    expect(tree.play('e8d7')?.ply).toBe(24);
  });
});

describe('rows of moves', () => {
  it('pairs moves', () => {
    const rows = moveRows(played('e2e4 e7e5 g1f3'));
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ kind: 'pair', number: 2, white: { san: 'Nf3' }, black: undefined });
  });

  it('breaks a pair where a variation stands between its moves', () => {
    const tree = played('e2e4 e7e5');
    tree.toStart();
    tree.play('d2d4');
    tree.play('d7d5');
    const rows = moveRows(tree);
    expect(rows.map((row) => row.kind)).toEqual(['pair', 'variation', 'pair']);
    expect(rows[2]).toMatchObject({ number: 1, white: undefined, black: { san: 'e5' } });
  });
});
