/** A live analysis that follows the position that is looked at. */
import { onBeforeUnmount, reactive, ref, shallowRef, watch } from 'vue';
import { backend } from '../../api/backend';
import type { Running } from '../../api/engine';
import type { AnalysisUpdate } from '../../api/generated/messages';
import { bestOpponent } from '../../api/opponents';
import { endingAt } from '../../chess/ending';
import { lineTo } from '../../chess/game-document';
import { readStored, store } from '../../settings/stored';
import { workbench } from '../../workbench';

const KEY = 'kiebitz.analysis';
/** Leafing through a game quickly should not start a search on every position. */
const REST_MS = 60;

/** What a person chose about the analysis. */
export interface AnalysisOptions {
  opponent: string;
  lines: number;
  threads: number;
  hash: number;
}

const DEFAULTS: AnalysisOptions = { opponent: '', lines: 3, threads: 1, hash: 64 };

/** Follows the workbench; rests while something else needs the engine more. */
export function useAnalysis(resting: () => boolean) {
  const options = reactive(readStored(KEY, DEFAULTS));
  const on = ref(true);
  const update = shallowRef<AnalysisUpdate>();
  /** The position that the update is about. */
  const fen = ref('');
  const state = ref<'searching' | 'waiting' | 'finished' | 'off' | 'over' | 'resting'>('off');
  const problem = ref('');
  let running: Running | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;

  function halt(): void {
    clearTimeout(rest);
    running?.stop();
    running = undefined;
  }

  function search(): void {
    const { tree } = workbench;
    const id = tree.currentId;
    const ending = endingAt(tree, id);
    // Only what the rules end is over for an analysis; a repeated position can still be analysed.
    if (ending && ['checkmate', 'stalemate', 'insufficient material'].includes(ending.reason)) {
      state.value = 'over';
      return;
    }
    state.value = 'searching';
    problem.value = '';
    running = backend.engine.analyse(
      {
        line: lineTo(tree),
        opponent: options.opponent || bestOpponent.value,
        lines: options.lines,
        threads: options.threads,
        hash_mebibytes: options.hash,
        limit: { depth: null, nodes: null, time_ms: null },
      },
      {
        update: (news) => {
          update.value = news;
          state.value = 'searching';
          const best = news.lines[0];
          if (best && tree.nodes.has(id)) tree.node(id).score = best.score;
        },
        waiting: () => (state.value = 'waiting'),
        ended: (end) => {
          if (end === 'finished') state.value = 'finished';
        },
        fault: (fault) => {
          problem.value = fault.message;
          state.value = 'off';
        },
      },
    );
  }

  watch(
    () => [
      workbench.tree.current.fen,
      on.value,
      resting(),
      options.opponent,
      options.lines,
      options.threads,
      options.hash,
      bestOpponent.value,
    ],
    () => {
      halt();
      if (fen.value !== workbench.tree.current.fen) {
        update.value = undefined;
        fen.value = workbench.tree.current.fen;
      }
      state.value = on.value && resting() ? 'resting' : 'off';
      if (on.value && !resting()) rest = setTimeout(search, REST_MS);
    },
    { immediate: true },
  );
  watch(options, () => store(KEY, options));
  onBeforeUnmount(halt);

  return { options, on, update, state, problem, fen };
}

export type Analysis = ReturnType<typeof useAnalysis>;
