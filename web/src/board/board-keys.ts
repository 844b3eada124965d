/**
 * Playing on the board by keyboard: a cursor that goes with the arrow keys, Enter to pick up and put down.
 *
 * The cursor appears only when the board was reached by keyboard; after a click the arrow keys stay with whoever uses
 * them to leaf through the moves.
 */
import type { Chess } from 'chessops/chess';
import { parseSquare } from 'chessops/util';
import { computed, type Ref, ref } from 'vue';
import { type Color, destinations, type SquareName } from '../chess/position';
import { beside, squareAloud } from './squares';

/** What the keys need to know of the board, and whom they tell. */
export interface BoardKeysOptions {
  position: Readonly<Ref<Chess>>;
  orientation: () => Color;
  mayMove: () => boolean;
  chess960: () => boolean;
  choose: (from: SquareName, to: SquareName) => void;
  looked: (square: SquareName) => void;
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function useBoardKeys(options: BoardKeysOptions) {
  const focused = ref(false);
  const byPointer = ref(false);
  const cursor = ref<SquareName>('e2');
  const picked = ref<SquareName>();
  const spoken = ref('');
  const active = computed(() => focused.value && !byPointer.value);

  function go(right: number, down: number): void {
    cursor.value = beside(cursor.value, options.orientation(), right, down);
    spoken.value = squareAloud(options.position.value, cursor.value);
    options.looked(cursor.value);
  }

  function press(): void {
    const here = cursor.value;
    const piece = options.position.value.board.get(parseSquare(here));
    const from = picked.value;
    if (from === here) {
      picked.value = undefined;
      spoken.value = 'Put back';
    } else if (from && isTarget(from, here)) {
      picked.value = undefined;
      options.choose(from, here);
    } else if (!options.mayMove()) {
      spoken.value = 'It is not your move';
    } else if (piece?.color === options.position.value.turn) {
      pick(here, piece.role);
    } else {
      spoken.value = from ? `No legal move from ${from} to ${here}` : 'None of the pieces to move stands here';
    }
  }

  function pick(square: SquareName, role: string): void {
    picked.value = square;
    const targets = destinations(options.position.value, options.chess960()).get(square) ?? [];
    spoken.value = targets.length ? `${role} from ${square}; can go to ${targets.join(', ')}` : `${role} cannot move`;
  }

  const isTarget = (from: SquareName, to: SquareName) =>
    destinations(options.position.value, options.chess960()).get(from)?.includes(to) ?? false;

  return {
    cursor,
    picked,
    spoken,
    active,
    onFocus: () => (focused.value = true),
    onBlur: () => {
      focused.value = false;
      byPointer.value = false;
    },
    onPointer: () => (byPointer.value = true),
    onKey: (event: KeyboardEvent) => {
      if (!active.value || event.ctrlKey || event.metaKey || event.altKey) return;
      // Keys of a dialog inside the board are its own.
      if (event.target !== event.currentTarget) return;
      const step = STEPS[event.key];
      if (step) go(...step);
      else if (event.key === 'Enter' || event.key === ' ') press();
      else if (event.key === 'Escape' && picked.value) picked.value = undefined;
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
