/** A whole game judged: marks, scores and better lines go into the tree. */
import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue';
import { backend } from '../../api/backend';
import { Stopped } from '../../api/engine';
import type { MoveMark, Review, ReviewedMove } from '../../api/generated/messages';
import { bestOpponent } from '../../api/opponents';
import { lineTo } from '../../chess/game-document';
import type { GameTree } from '../../chess/game-tree';
import { workbench } from '../../workbench';

const NODES_PER_MOVE = 100_000;
/** Moves of a better line that are worth showing. */
const BETTER_MOVES = 6;

const GLYPHS: Record<MoveMark, number> = { dubious: 6, mistake: 2, blunder: 4 };
const MARKS = Object.values(GLYPHS);

/** Writes a judged move into the tree: its score, its mark, and the better line beside it. */
export function annotate(tree: GameTree, reviewed: ReviewedMove): void {
  const line = tree.lineAfter();
  const node = line[reviewed.ply];
  if (!node || node.uci !== reviewed.played.uci) return;
  // A mate on the board has no number of moves to go; the sign of the move says it all.
  if (reviewed.score.kind !== 'mate' || reviewed.score.value !== 0) node.score = reviewed.score;
  node.nags = node.nags.filter((nag) => !MARKS.includes(nag));
  if (!reviewed.mark) return;
  node.nags.push(GLYPHS[reviewed.mark]);
  let parent = node.parent ?? 0;
  reviewed.best_line.slice(0, BETTER_MOVES).forEach((move, index) => {
    const added = tree.add(parent, move.uci, index === 0 ? { score: reviewed.best_score } : {});
    parent = added?.id ?? parent;
  });
}

export function useReview() {
  const review = shallowRef<Review>();
  const progress = ref<{ done: number; total: number }>();
  const problem = ref('');
  let abort = new AbortController();

  const marked = computed(() => review.value?.moves.filter((move) => move.mark) ?? []);

  async function start(opponent: string): Promise<void> {
    const { tree } = workbench;
    const last = tree.lineAfter().at(-1);
    if (!last) return;
    abort = new AbortController();
    review.value = undefined;
    problem.value = '';
    progress.value = { done: 0, total: tree.lineAfter().length };
    try {
      const finished = await backend.engine.review(
        { line: lineTo(tree, last.id), pgn: null, opponent: opponent || bestOpponent.value, nodes: NODES_PER_MOVE },
        ({ done, total, reviewed }) => {
          progress.value = { done, total };
          if (reviewed) annotate(tree, reviewed);
        },
        abort.signal,
      );
      tree.root.score = finished.start_score;
      for (const move of finished.moves) annotate(tree, move);
      review.value = finished;
      workbench.keep();
    } catch (error) {
      if (!(error instanceof Stopped)) problem.value = (error as Error).message;
    } finally {
      progress.value = undefined;
    }
  }

  const stop = () => abort.abort();
  onBeforeUnmount(stop);
  // Another game: what was said about the last one goes with it.
  watch(
    () => workbench.tree,
    () => {
      stop();
      review.value = undefined;
    },
  );

  return { review, progress, problem, marked, start, stop };
}

export type GameReview = ReturnType<typeof useReview>;
