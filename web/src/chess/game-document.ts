/** Between a game tree, which the page plays on, and a document, which is kept. */
import type { GameDocument, GameNode, Line, Player } from '../api/generated/messages';
import { GameTree } from './game-tree';
import { INITIAL_FEN } from './position';

/** A document with nothing in it yet. */
export function emptyDocument(white: Player, black: Player, start = INITIAL_FEN): GameDocument {
  return {
    id: '',
    revision: 0,
    created_ms: 0,
    changed_ms: 0,
    white,
    black,
    clock: null,
    start,
    nodes: [],
    current: null,
    result: null,
    tags: [],
  };
}

/** The moves of a tree for a document: parents before children, the main continuation first. */
export function nodesOf(tree: GameTree): Pick<GameDocument, 'start' | 'nodes' | 'current'> {
  const nodes: GameNode[] = [];
  const indices = new Map<number, number>();
  const pending: number[] = [...tree.root.children].reverse();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = tree.node(id);
    indices.set(id, nodes.length);
    nodes.push({
      parent: node.parent ? (indices.get(node.parent) ?? null) : null,
      uci: node.uci,
      san: node.san,
      nags: [...node.nags],
      comment: node.comment,
      score: node.score ?? null,
      clock_ms: node.clock === undefined ? null : Math.round(node.clock),
    });
    pending.push(...[...node.children].reverse());
  }
  return { start: tree.root.fen, nodes, current: indices.get(tree.currentId) ?? null };
}

/** The tree of a document; moves that are not legal, and what follows them, are left out. */
export function treeOf(document: Pick<GameDocument, 'start' | 'nodes' | 'current'>): GameTree {
  const tree = new GameTree(document.start);
  const ids: (number | undefined)[] = [];
  for (const node of document.nodes) {
    const parent = node.parent === null ? 0 : ids[node.parent];
    const added =
      parent === undefined
        ? undefined
        : tree.add(parent, node.uci, {
            nags: [...node.nags],
            comment: node.comment,
            ...(node.score ? { score: node.score } : {}),
            ...(node.clock_ms === null ? {} : { clock: node.clock_ms }),
          });
    ids.push(added?.id);
  }
  tree.goTo(document.current === null ? 0 : (ids[document.current] ?? 0));
  return tree;
}

/** A position with its past, as requests want it. */
export const lineTo = (tree: GameTree, id: number = tree.currentId): Line => ({
  start: tree.root.fen,
  moves: tree.path(id).map((node) => node.uci),
});
