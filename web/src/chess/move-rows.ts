/** A game tree as rows for a list: pairs of moves, and variations between them. */
import type { GameTree, MoveNode } from './game-tree';

/** One line of the list. */
export type MoveRow =
  | { kind: 'pair'; number: number; white: MoveNode | undefined; black: MoveNode | undefined }
  | { kind: 'comment'; text: string; key: string }
  | { kind: 'variation'; depth: number; moves: MoveNode[]; key: string };

/**
 * The rows of a game. A pair is broken when something stands between its moves: a comment or variations; then each half
 * has a row of its own.
 */
export function moveRows(tree: GameTree): MoveRow[] {
  const rows: MoveRow[] = commentRows(tree.root);
  let open: Extract<MoveRow, { kind: 'pair' }> | undefined;
  for (let parent = tree.root; parent.children.length > 0;) {
    const node = tree.node(parent.children[0] ?? 0);
    const number = Math.ceil(node.ply / 2);
    if (node.ply % 2 === 1 || !open) {
      open = { kind: 'pair', number, white: undefined, black: undefined };
      rows.push(open);
    }
    open[node.ply % 2 === 1 ? 'white' : 'black'] = node;
    const between = [...commentRows(node), ...variationRows(tree, parent, 1)];
    if (between.length > 0 || node.ply % 2 === 0) open = undefined;
    rows.push(...between);
    parent = node;
  }
  return rows;
}

const commentRows = (node: MoveNode): MoveRow[] =>
  node.comment ? [{ kind: 'comment', text: node.comment, key: `comment-${node.id}` }] : [];

/** The alternatives to the main continuation of a node, each with its own alternatives after it. */
function variationRows(tree: GameTree, parent: MoveNode, depth: number): MoveRow[] {
  return parent.children.slice(1).flatMap((id) => {
    const moves = [tree.node(id), ...tree.lineAfter(id)];
    const row: MoveRow = { kind: 'variation', depth, moves, key: `variation-${id}` };
    const inner = moves.slice(0, -1).flatMap((node) => variationRows(tree, node, depth + 1));
    return [row, ...inner];
  });
}
