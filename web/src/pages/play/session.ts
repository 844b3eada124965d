/**
 * A game that is being played: whose turn it is, the engine's moves, the clocks, the end, and that all of it is kept.
 *
 * Invariants: a move is only ever added at the end of the main line, or by a person who goes back in a game without a
 * clock, and then it becomes the main line; nothing thinks after the game is over.
 */
import { computed, onBeforeUnmount, reactive, ref, shallowRef, watch } from 'vue';
import { backend } from '../../api/backend';
import { EngineFault, Stopped } from '../../api/engine';
import type { GameDocument, GameResult, Player } from '../../api/generated/messages';
import { bestOpponent } from '../../api/opponents';
import { type SaveState, Saver } from '../../api/saving';
import type { Arrow } from '../../board/arrows';
import { endingAt } from '../../chess/ending';
import { emptyDocument, lineTo, nodesOf, treeOf } from '../../chess/game-document';
import { GameTree } from '../../chess/game-tree';
import { figurine } from '../../chess/notation';
import { type Color, positionOf } from '../../chess/position';
import { settings } from '../../settings/settings';
import { play as playSound, soundOf } from '../../settings/sound';
import type { GameChoice } from './game-choice';
import { useClocks } from './use-clocks';

const HINT_MS = 1000;
/** How long an engine thinks where there is no clock. */
const THINK_MS = 700;

export function usePlaySession() {
  const { engine, documents } = backend;
  const document = shallowRef<GameDocument>();
  const tree = shallowRef(reactive(new GameTree()) as GameTree);
  const saveState = ref<SaveState>('saved');
  const notice = ref('');
  const thinking = ref(false);
  const paused = ref(false);
  /** A move that was recommended, and the place in the game that it was recommended for. */
  const hinted = ref<{ at: number; arrow: Arrow }>();
  const hint = computed(() => (hinted.value?.at === tree.value.currentId ? hinted.value.arrow : undefined));
  const hinting = ref(false);
  let thought = new AbortController();

  const saver = new Saver(documents, (state, saved, message) => {
    saveState.value = state;
    if (saved && document.value) {
      const { id, revision, created_ms, changed_ms } = saved;
      document.value = { ...document.value, id, revision, created_ms, changed_ms };
    }
    if (state === 'conflict') notice.value = 'This game was played on in another window. Reload to see it.';
    if (state === 'refused') notice.value = message ?? '';
  });
  watch(engine.state, (state) => state === 'open' && saver.retry());

  const result = computed(() => document.value?.result ?? null);
  const liveId = computed(() => tree.value.lineAfter().at(-1)?.id ?? 0);
  const live = computed(() => tree.value.node(liveId.value));
  const turn = computed<Color>(() => positionOf(live.value.fen).turn);
  const player = (side: Color): Player => document.value?.[side] ?? { kind: 'human', name: '' };
  const isHuman = (side: Color) => player(side).kind === 'human';
  /** The side at the bottom to begin with. */
  const home = computed<Color>(() => (isHuman('black') && !isHuman('white') ? 'black' : 'white'));

  const clocks = useClocks({ live, end });

  /** The sides that a person may move for in the position that is looked at. */
  const movable = computed<Color | 'none'>(() => {
    if (!document.value || result.value) return 'none';
    const looking = positionOf(tree.value.current.fen).turn;
    const here = tree.value.currentId === liveId.value;
    return isHuman(looking) && (here || !document.value.clock) ? looking : 'none';
  });

  function keep(): void {
    if (!document.value) return;
    document.value = { ...document.value, ...nodesOf(tree.value) };
    saver.save(document.value);
  }

  function open(game: GameDocument): void {
    stopThinking();
    document.value = game;
    tree.value = reactive(treeOf(game)) as GameTree;
    notice.value = '';
    hinted.value = undefined;
    // Where two engines play, opening a game does not mean that they should go on at once.
    paused.value = game.nodes.length > 0 && !isHuman('white') && !isHuman('black');
    tree.value.goTo(liveId.value);
    clocks.set(game, tree.value.lineAfter());
    advance();
  }

  function begin(choice: GameChoice): void {
    const played = new GameTree(choice.start);
    for (const uci of choice.moves) played.play(uci);
    const empty = emptyDocument(choice.white, choice.black, choice.start);
    open({ ...empty, ...nodesOf(played), start: choice.start, clock: choice.clock });
    // Whoever begins a game between engines wants to see it played.
    if (paused.value) pause();
    keep();
  }

  async function load(id: string): Promise<void> {
    open(await documents.load(id));
  }

  /** Lets whoever is to move move. */
  function advance(): void {
    if (!document.value || result.value) return;
    const ending = endingAt(tree.value, liveId.value);
    if (ending) return end(ending);
    if (!paused.value) clocks.run(turn.value, live.value.parent !== undefined);
    if (!isHuman(turn.value) && !paused.value) void think();
  }

  async function think(): Promise<void> {
    const mover = player(turn.value);
    if (mover.kind !== 'engine') return;
    const from = liveId.value;
    thought = new AbortController();
    thinking.value = true;
    try {
      const { best } = await engine.think(
        {
          line: lineTo(tree.value, from),
          opponent: mover.opponent,
          elo: mover.elo,
          clock: clocks.told(),
          time_ms: document.value?.clock ? null : THINK_MS,
        },
        thought.signal,
      );
      if (best && liveId.value === from && !result.value) make(best.uci, from);
    } catch (error) {
      if (error instanceof EngineFault) notice.value = error.message;
      else if (!(error instanceof Stopped)) throw error;
    } finally {
      thinking.value = false;
    }
  }

  function stopThinking(): void {
    thought.abort();
    thinking.value = false;
  }

  /** Adds a move after another, and looks at it if that was where the page looked. */
  function make(uci: string, after: number): void {
    const follow = tree.value.currentId === after;
    const node = tree.value.add(after, uci);
    if (!node) return;
    tree.value.promote(node.id);
    const left = clocks.press();
    if (left !== undefined) node.clock = left;
    if (follow) tree.value.goTo(node.id);
    hinted.value = undefined;
    // What was said about the position before no longer holds.
    if (saveState.value === 'saved' || saveState.value === 'saving') notice.value = '';
    playSound(soundOf(node.san));
    keep();
    advance();
  }

  /** A person's move in the position that is looked at. */
  function move(uci: string): void {
    stopThinking();
    make(uci, tree.value.currentId);
  }

  /** Takes back what was decided last: a resignation, an agreed draw, or moves until it is the person's turn again. */
  function takeBack(): void {
    notice.value = '';
    if (result.value && ['resignation', 'agreement'].includes(result.value.reason)) {
      if (document.value) document.value = { ...document.value, result: null };
      tree.value.goTo(liveId.value);
      keep();
      advance();
      return;
    }
    const line = tree.value.lineAfter();
    const last = line.findLastIndex((node) => isHuman(node.ply % 2 === 1 ? 'white' : 'black'));
    const node = line[last];
    if (!node) return;
    stopThinking();
    tree.value.goTo(liveId.value);
    tree.value.remove(node.id);
    if (document.value) document.value = { ...document.value, result: null };
    clocks.back(tree.value.lineAfter());
    keep();
    advance();
  }

  /** An answer, or nothing and the engine's own words why not. */
  async function told<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error;
      notice.value = error.message;
      return undefined;
    }
  }

  async function askHint(): Promise<void> {
    const from = tree.value.currentId;
    hinting.value = true;
    const opponent = [player('white'), player('black')].find((one) => one.kind === 'engine');
    const answer = await told(
      engine.think({
        line: lineTo(tree.value),
        opponent: opponent?.kind === 'engine' ? opponent.opponent : bestOpponent.value,
        elo: null,
        clock: null,
        time_ms: HINT_MS,
      }),
    );
    hinting.value = false;
    const best = answer?.best;
    if (!best || tree.value.currentId !== from) return;
    hinted.value = { at: from, arrow: { uci: best.uci, weight: 0.8, kind: 'hint' } };
    notice.value = `Try ${settings.figurines ? figurine(best.san) : best.san}.`;
  }

  async function offerDraw(): Promise<void> {
    const side = (['white', 'black'] as const).find((color) => !isHuman(color));
    if (!side) return end({ outcome: 'draw', reason: 'agreement' });
    const opponent = player(side);
    if (opponent.kind !== 'engine') return;
    const answer = await told(
      engine.offerDraw({
        line: lineTo(tree.value, liveId.value),
        opponent: opponent.opponent,
        opponent_side: side,
      }),
    );
    if (!answer) return;
    notice.value = answer.reason;
    if (answer.accepted) end({ outcome: 'draw', reason: 'agreement' });
  }

  function resign(): void {
    const loser = isHuman('white') && isHuman('black') ? turn.value : home.value;
    end({ outcome: loser === 'white' ? 'black' : 'white', reason: 'resignation' });
  }

  function end(ending: GameResult): void {
    if (!document.value || result.value) return;
    stopThinking();
    clocks.stop();
    document.value = { ...document.value, result: ending };
    playSound('end');
    keep();
  }

  function pause(): void {
    paused.value = !paused.value;
    if (paused.value) {
      stopThinking();
      clocks.stop();
    } else advance();
  }

  function close(): void {
    stopThinking();
    clocks.stop();
    document.value = undefined;
    tree.value = reactive(new GameTree()) as GameTree;
  }

  onBeforeUnmount(() => {
    stopThinking();
    clocks.stop();
  });

  return {
    document, tree, result, live, liveId, turn, home, movable, thinking, paused, notice, hint, hinting, saveState, clocks, player, isHuman,
    begin, load, move, takeBack, askHint, offerDraw, resign, pause, close,
  }; // prettier-ignore
}

export type PlaySession = ReturnType<typeof usePlaySession>;
