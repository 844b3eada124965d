/** Games as PGN: into a tree and back, with variations, signs, comments, clocks and evaluations. */
import {
  type ChildNode,
  type Game,
  makeComment,
  makePgn,
  Node,
  ChildNode as PgnChild,
  parseComment,
  parsePgn,
  type PgnNodeData,
} from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import type { ScoreView } from '../api/generated/messages';
import { GameTree, type MoveNode, type Remarks } from './game-tree';
import { moveNumber } from './notation';
import { INITIAL_FEN, positionOf, readFen, type Read, uciOf } from './position';

/** A game that was read: its tags and its moves. */
export interface PgnGame {
  headers: Map<string, string>;
  tree: GameTree;
}

/** The games of a text by name, such as `Anna – Bert, 2024.05.01`, for a choice. */
export function gamesIn(text: string): string[] {
  return parsePgn(text, () => new Map<string, string>()).map(({ headers }, index) => {
    const tag = (name: string) => headers.get(name) ?? '?';
    const names = headers.has('White') || headers.has('Black') ? `${tag('White')} – ${tag('Black')}` : 'no names';
    const extra = ['Event', 'Date', 'Result'].map(tag).filter((value) => !/^[?*.]*$/.test(value));
    return [`${index + 1}. ${names}`, ...extra].join(', ');
  });
}

/** Reads a game of a text, the first unless told otherwise; the error names the first thing that is wrong. */
export function readPgn(text: string, number = 0): Read<PgnGame> {
  if (!text.trim()) return { error: 'Paste a game in PGN, such as 1. e4 e5 2. Nf3 Nc6.' };
  const strange = strangeWord(text);
  if (strange) return { error: `“${strange}” is not a move, a number or a result.` };
  const game = parsePgn(text, () => new Map<string, string>())[number];
  if (!game || (game.moves.children.length === 0 && game.headers.size === 0)) {
    return { error: 'There are no moves in this text.' };
  }
  const start = readFen(game.headers.get('FEN') ?? INITIAL_FEN);
  if (start.value === undefined) return { error: `The tag FEN: ${start.error}` };
  const chess960 = /960|fischer/i.test(game.headers.get('Variant') ?? '');
  const tree = new GameTree(game.headers.get('FEN') ?? INITIAL_FEN, chess960);
  tree.root.comment = joined(game.comments);
  const error = copyMoves(game.moves, tree, 0);
  return error ? { error } : { value: { headers: game.headers, tree } };
}

function copyMoves(from: Node<PgnNodeData>, tree: GameTree, parentId: number): string | undefined {
  // The main line in a loop and only variations by recursion: a long game must not exhaust the stack.
  const pending: [Node<PgnNodeData>, number][] = [[from, parentId]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, id] = next;
    const parent = tree.node(id);
    const position = positionOf(parent.fen);
    for (const child of node.children) {
      const move = parseSan(position, child.data.san);
      if (!move || !('from' in move)) {
        return `${moveNumber(parent.ply + 1)} ${child.data.san} is not a legal move there.`;
      }
      const added = tree.add(id, uciOf(position, move, tree.chess960), remarksOf(child));
      if (added) pending.push([child, added.id]);
    }
  }
  return undefined;
}

const joined = (comments: readonly string[] = []): string =>
  comments
    .map((comment) => parseComment(comment).text)
    .join(' ')
    .trim();

function remarksOf(child: ChildNode<PgnNodeData>): Remarks {
  // What stands before the first move of a variation is about that move.
  const comments = [...(child.data.startingComments ?? []), ...(child.data.comments ?? [])].map(parseComment);
  const remarks: Remarks = {
    comment: comments
      .map((comment) => comment.text)
      .join(' ')
      .trim(),
  };
  if (child.data.nags) remarks.nags = child.data.nags;
  for (const { clock, evaluation } of comments) {
    if (clock !== undefined) remarks.clock = clock * 1000;
    if (evaluation) {
      remarks.score =
        'pawns' in evaluation
          ? { kind: 'centipawns', value: Math.round(evaluation.pawns * 100) }
          : { kind: 'mate', value: evaluation.mate };
    }
  }
  return remarks;
}

/** The first word of the moves that cannot belong to a game; what stands in tags and comments is free. */
function strangeWord(text: string): string | undefined {
  const words = text
    .replace(/^\s*\[[A-Za-z0-9_]+\s+"(?:[^"\\]|\\.)*"\s*\]\s*$/gm, ' ')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/;.*$/gm, ' ')
    .replace(/^%.*$/gm, ' ')
    .replace(/1-0|0-1|1\/2-1\/2|\*/g, ' ')
    .replace(/[()]/g, ' ')
    .split(/\s+/);
  const move =
    /^(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBNqrbn])?|[O0]-[O0](?:-[O0])?|--|Z0|[a-h][1-8][a-h][1-8][qrbn]?)[+#]*[!?]*$/;
  return words.find((word) => {
    const body = word.replace(/^\d+\.*(?:…)?/, '').replace(/^\.+/, '');
    return (
      body !== '' && !/^\$\d+$/.test(body) && !/^[!?‼⁇⁉⁈]+$/.test(body) && !move.test(body) && !/^e\.?p\.?$/.test(body)
    );
  });
}

/** Writes a tree with its tags; the roster's seven come first. */
export function writePgn(tree: GameTree, tags: ReadonlyMap<string, string> = new Map()): string {
  const headers = new Map<string, string>();
  for (const name of ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result']) {
    headers.set(name, tags.get(name) ?? (name === 'Result' ? '*' : name === 'Date' ? '????.??.??' : '?'));
  }
  if (tree.chess960) headers.set('Variant', 'Chess960');
  if (tree.root.fen !== INITIAL_FEN) headers.set('SetUp', '1').set('FEN', tree.root.fen);
  for (const [name, value] of tags) if (!headers.has(name)) headers.set(name, value);
  const moves = new Node<PgnNodeData>();
  const pending: [MoveNode, Node<PgnNodeData>][] = [[tree.root, moves]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [from, to] = next;
    for (const id of from.children) {
      const node = tree.node(id);
      const child = new PgnChild<PgnNodeData>(writtenMove(node));
      to.children.push(child);
      pending.push([node, child]);
    }
  }
  const game: Game<PgnNodeData> = { headers, moves, ...(tree.root.comment ? { comments: [tree.root.comment] } : {}) };
  return makePgn(game);
}

function writtenMove(node: MoveNode): PgnNodeData {
  const comment = makeComment({
    text: node.comment,
    ...(node.clock === undefined ? {} : { clock: node.clock / 1000 }),
    ...(node.score ? { evaluation: writtenScore(node.score) } : {}),
  }).trim();
  return {
    san: node.san,
    ...(node.nags.length ? { nags: node.nags } : {}),
    ...(comment ? { comments: [comment] } : {}),
  };
}

const writtenScore = (score: ScoreView) =>
  score.kind === 'centipawns' ? { pawns: score.value / 100 } : { mate: score.value };
