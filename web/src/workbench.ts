/**
 * The game that is being analysed and looked into. Analyse and Look inside share it, and the browser keeps it, so that
 * neither a change of page nor a reload loses the place.
 */
import { reactive, shallowReactive } from 'vue';
import { GameTree } from './chess/game-tree';
import { readPgn, writePgn } from './chess/pgn';
import { type Color, positionOf } from './chess/position';

const KEY = 'kiebitz.workbench';

interface Kept {
  pgn: string;
  path: string[];
}

/** The game as text and the moves to the place looked at. */
const kept = (tree: GameTree, tags: ReadonlyMap<string, string>): Kept => ({
  pgn: writePgn(tree, tags),
  path: tree.path().map((node) => node.uci),
});

function restored(text: string | null): { tree: GameTree; tags: Map<string, string> } {
  try {
    const { pgn, path } = JSON.parse(text ?? '') as Kept;
    const read = readPgn(pgn);
    if (read.value) {
      for (const uci of path) read.value.tree.play(uci);
      return { tree: read.value.tree, tags: read.value.headers };
    }
  } catch {
    // Nothing was kept, or something that nobody can read: begin anew.
  }
  return { tree: new GameTree(), tags: new Map() };
}

/** A game to be played on, and the side whose turn it is. */
interface PlayOn {
  start: 'pgn';
  pgn: string;
  side: Color;
}

class Workbench {
  tree: GameTree;
  tags: ReadonlyMap<string, string>;
  /** What the next form for a new game begins with. */
  playOn: PlayOn | undefined;

  constructor() {
    const { tree, tags } = restored(localStorage.getItem(KEY));
    this.tree = reactive(tree) as GameTree;
    this.tags = tags;
  }

  /** Puts a copy of a game on the bench, at the place where the original is being looked at. */
  take(tree: GameTree, tags: ReadonlyMap<string, string>): void {
    const copy = restored(JSON.stringify(kept(tree, tags)));
    this.tree = reactive(copy.tree) as GameTree;
    this.tags = tags;
    this.keep();
  }

  /** Offers the position that is looked at, with its past, to be played on from. */
  offerPlayOn(): void {
    const line = new GameTree(this.tree.root.fen, this.tree.chess960);
    for (const { uci } of this.tree.path()) line.play(uci);
    this.playOn = { start: 'pgn', pgn: writePgn(line), side: positionOf(line.current.fen).turn };
  }

  takePlayOn(): PlayOn | undefined {
    const offered = this.playOn;
    this.playOn = undefined;
    return offered;
  }

  /** Writes the game down; call it after a change. */
  keep(): void {
    localStorage.setItem(KEY, JSON.stringify(kept(this.tree, this.tags)));
  }
}

export const workbench = shallowReactive(new Workbench()) as Workbench;
