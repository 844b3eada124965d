/**
 * A game with its variations, and the place in it that is being looked at.
 *
 * Invariants: the first child of a node is its main continuation; every node's move is legal after its parent; ids are
 * never used twice in one tree, so that a view may keep them. Everything is plain data, so a view can watch it.
 */
import type { ScoreView } from '../api/generated/messages';
import { fenOf, INITIAL_FEN, moveOf, needsChess960, positionOf, sanOf, uciOf } from './position';

/** A move that was played, and the position it led to. The root has no move. */
export interface MoveNode {
  id: number;
  parent: number | undefined;
  children: number[];
  /** Half-moves since the beginning of a game that began with White's first move. */
  ply: number;
  uci: string;
  san: string;
  fen: string;
  nags: number[];
  comment: string;
  /** What it was judged to be worth, for White. */
  score?: ScoreView;
  /** Milliseconds left to the player after the move. */
  clock?: number;
}

/** What a move may bring along when it enters the tree. */
export type Remarks = Partial<Pick<MoveNode, 'nags' | 'comment' | 'score' | 'clock'>>;

export class GameTree {
  readonly nodes = new Map<number, MoveNode>();
  readonly chess960: boolean;
  currentId = 0;
  private nextId = 1;

  constructor(startFen: string = INITIAL_FEN, chess960 = false) {
    const position = positionOf(startFen);
    this.chess960 = chess960 || needsChess960(position);
    const ply = (position.fullmoves - 1) * 2 + (position.turn === 'white' ? 0 : 1);
    this.nodes.set(0, {
      id: 0,
      parent: undefined,
      children: [],
      ply,
      uci: '',
      san: '',
      fen: fenOf(position),
      nags: [],
      comment: '',
    });
  }

  get root(): MoveNode {
    return this.node(0);
  }

  get current(): MoveNode {
    return this.node(this.currentId);
  }

  node(id: number): MoveNode {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`the game has no move with the id ${id}`);
    return node;
  }

  /** Adds a move after a node, or finds it there; nothing when it is illegal. The place looked at stays. */
  add(parentId: number, uci: string, remarks: Remarks = {}): MoveNode | undefined {
    const parent = this.node(parentId);
    const position = positionOf(parent.fen);
    const move = moveOf(position, uci);
    if (!move) return undefined;
    const spelled = uciOf(position, move, this.chess960);
    const known = parent.children.map((id) => this.node(id)).find((child) => child.uci === spelled);
    if (known) return Object.assign(known, remarks);
    const san = sanOf(position, move);
    position.play(move);
    const node: MoveNode = {
      id: this.nextId++,
      parent: parentId,
      children: [],
      ply: parent.ply + 1,
      uci: spelled,
      san,
      fen: fenOf(position),
      nags: [],
      comment: '',
      ...remarks,
    };
    this.nodes.set(node.id, node);
    parent.children.push(node.id);
    return this.node(node.id);
  }

  /** Plays a move from the place looked at and goes there. */
  play(uci: string, remarks: Remarks = {}): MoveNode | undefined {
    const node = this.add(this.currentId, uci, remarks);
    if (node) this.currentId = node.id;
    return node;
  }

  /** The moves from the root to a node, the root left out. */
  path(id: number = this.currentId): MoveNode[] {
    const path: MoveNode[] = [];
    for (let node = this.node(id); node.parent !== undefined; node = this.node(node.parent)) path.push(node);
    return path.reverse();
  }

  /** The main line from a node on, the node left out. */
  lineAfter(id = 0): MoveNode[] {
    const line: MoveNode[] = [];
    let next = this.node(id).children[0];
    while (next !== undefined) {
      const node = this.node(next);
      line.push(node);
      next = node.children[0];
    }
    return line;
  }

  /** The line that the page shows as the game: the way to the current move, then its main continuation. */
  shownLine(): MoveNode[] {
    return [...this.path(), ...this.lineAfter(this.currentId)];
  }

  isOnMainLine(id: number): boolean {
    return this.path(id).every((node) => this.node(node.parent ?? 0).children[0] === node.id);
  }

  goTo(id: number): void {
    if (this.nodes.has(id)) this.currentId = id;
  }

  back(): void {
    this.currentId = this.current.parent ?? 0;
  }

  forward(): void {
    this.currentId = this.current.children[0] ?? this.currentId;
  }

  toStart(): void {
    this.currentId = 0;
  }

  toEnd(): void {
    this.currentId = this.lineAfter(this.currentId).at(-1)?.id ?? this.currentId;
  }

  /** Goes to the next or previous move that the same position was left by. */
  sideways(step: 1 | -1): void {
    const { parent, id } = this.current;
    if (parent === undefined) return;
    const siblings = this.node(parent).children;
    this.currentId = siblings[(siblings.indexOf(id) + step + siblings.length) % siblings.length] ?? id;
  }

  /** Makes the line through a move the main line, all the way from the root. */
  promote(id: number): void {
    for (const node of this.path(id)) {
      const siblings = this.node(node.parent ?? 0).children;
      siblings.splice(siblings.indexOf(node.id), 1);
      siblings.unshift(node.id);
    }
  }

  /** Removes a move and everything after it. */
  remove(id: number): void {
    const { parent } = this.node(id);
    if (parent === undefined) return;
    if (this.path().some((node) => node.id === id)) this.currentId = parent;
    const siblings = this.node(parent).children;
    siblings.splice(siblings.indexOf(id), 1);
    for (const gone of this.below(id)) this.nodes.delete(gone);
  }

  private below(id: number): number[] {
    return [id, ...this.node(id).children.flatMap((child) => this.below(child))];
  }
}
