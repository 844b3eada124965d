/** A look inside the position on the workbench, taken anew whenever it changes. */
import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue';
import { backend } from '../../api/backend';
import { Stopped } from '../../api/engine';
import type { Inspection } from '../../api/generated/messages';
import { bestOpponent, opponents } from '../../api/opponents';
import { lineTo } from '../../chess/game-document';
import { workbench } from '../../workbench';

/** Enough for a search that sees tactics, and still an answer at once. */
const SEARCH_NODES = 50_000;
const REST_MS = 60;

export function useInspection() {
  const chosen = ref('');
  const opponent = computed(() =>
    opponents.value.some(({ id }) => id === chosen.value) ? chosen.value : bestOpponent.value,
  );
  const inspection = shallowRef<Inspection>();
  const problem = ref('');
  let abort = new AbortController();
  let rest: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    abort = new AbortController();
    try {
      inspection.value = await backend.engine.inspect(
        { line: lineTo(workbench.tree), opponent: opponent.value, search_nodes: SEARCH_NODES },
        abort.signal,
      );
      problem.value = '';
    } catch (error) {
      if (!(error instanceof Stopped)) problem.value = (error as Error).message;
    }
  }

  function halt(): void {
    clearTimeout(rest);
    abort.abort();
  }

  watch(
    () => [workbench.tree.current.fen, opponent.value],
    () => {
      halt();
      rest = setTimeout(() => void look(), REST_MS);
    },
    { immediate: true },
  );
  onBeforeUnmount(halt);

  /** Nothing while what was seen belongs to another position. */
  const current = computed(() =>
    inspection.value && samePlacement(inspection.value.fen, workbench.tree.current.fen) ? inspection.value : undefined,
  );
  return { chosen, opponent, inspection: current, problem };
}

const samePlacement = (one: string, other: string): boolean =>
  one.split(' ').slice(0, 2).join(' ') === other.split(' ').slice(0, 2).join(' ');
