import { describe, expect, it } from 'vitest';
import { emptyDocument } from '../chess/game-document';
import { type Documents, Unreachable } from './documents';
import { EngineFault } from './engine';
import type { GameDocument } from './generated/messages';
import { type SaveState, Saver } from './saving';

const human = { kind: 'human', name: '' } as const;
const move = (uci: string, parent: number | null) => ({
  parent,
  uci,
  san: '',
  nags: [],
  comment: '',
  score: null,
  clock_ms: null,
});

/** A server that can be switched off and lose its answers. */
class Keeper implements Documents {
  kept: GameDocument | undefined;
  mood: 'fine' | 'gone' | 'answer lost' = 'fine';
  list = async () => [];
  remove = async () => {};
  load = async () => this.kept!;
  save = async (game: GameDocument) => {
    if (this.mood === 'gone') throw new Unreachable();
    if (this.kept && game.revision !== this.kept.revision) {
      throw new EngineFault({ code: 'conflict', message: 'changed meanwhile', field: null });
    }
    this.kept = { ...game, id: 'a', revision: game.revision + 1 };
    if (this.mood === 'answer lost') throw new Unreachable();
    return this.kept;
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('saving', () => {
  const set = () => {
    const keeper = new Keeper();
    const states: SaveState[] = [];
    return { keeper, states, saver: new Saver(keeper, (state) => states.push(state)) };
  };

  it('keeps the newest of many states', async () => {
    const { keeper, states, saver } = set();
    const game = emptyDocument(human, human);
    for (const nodes of [[], [move('e2e4', null)], [move('e2e4', null), move('e7e5', 0)]])
      saver.save({ ...game, nodes });
    await settled();
    expect(keeper.kept?.nodes).toHaveLength(2);
    expect(states.at(-1)).toBe('saved');
  });

  it('waits while the server is gone', async () => {
    const { keeper, states, saver } = set();
    keeper.mood = 'gone';
    saver.save(emptyDocument(human, human));
    await settled();
    expect(states.at(-1)).toBe('unsaved');
    keeper.mood = 'fine';
    saver.retry();
    await settled();
    expect(keeper.kept).toBeDefined();
  });

  it('goes on after a save whose answer was lost', async () => {
    const { keeper, states, saver } = set();
    const game = await keeper.save(emptyDocument(human, human));
    keeper.mood = 'answer lost';
    saver.save({ ...game, nodes: [move('e2e4', null)] });
    await settled();
    keeper.mood = 'fine';
    saver.save({ ...game, nodes: [move('e2e4', null), move('e7e5', 0)] });
    await settled();
    expect(states.at(-1)).toBe('saved');
    expect(keeper.kept?.nodes).toHaveLength(2);
  });

  it('does not overwrite what another window played', async () => {
    const { keeper, states, saver } = set();
    const game = await keeper.save(emptyDocument(human, human));
    await keeper.save({ ...game, nodes: [move('d2d4', null)] });
    saver.save({ ...game, nodes: [move('e2e4', null)] });
    await settled();
    expect(states.at(-1)).toBe('conflict');
    expect(keeper.kept?.nodes[0]?.uci).toBe('d2d4');
  });
});
