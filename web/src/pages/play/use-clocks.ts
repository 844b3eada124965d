/** The clocks of a game as a view shows them. */
import { type ComputedRef, onBeforeUnmount, ref, shallowRef } from 'vue';
import type { GameClock, GameDocument, GameResult } from '../../api/generated/messages';
import { endingOnTime } from '../../chess/ending';
import type { MoveNode } from '../../chess/game-tree';
import { PlayClock } from '../../chess/play-clock';
import type { Color } from '../../chess/position';

const TICK_MS = 100;

export function useClocks(options: { live: ComputedRef<MoveNode>; end: (result: GameResult) => void }) {
  const clock = shallowRef<PlayClock>();
  const shown = ref<Record<Color, number>>({ white: 0, black: 0 });
  const now = () => performance.now();

  const show = () => {
    if (!clock.value) return;
    shown.value = { white: clock.value.read('white', now()), black: clock.value.read('black', now()) };
  };

  const ticking = setInterval(() => {
    show();
    const late = clock.value?.flagged(now());
    if (late) options.end(endingOnTime(options.live.value.fen, late));
  }, TICK_MS);
  onBeforeUnmount(() => clearInterval(ticking));

  /** What each side had left after its last move; time that passes while nobody looks does not count. */
  function restore(setting: GameDocument['clock'], line: MoveNode[]): void {
    if (!setting) {
      clock.value = undefined;
      return;
    }
    const left = (parity: number) =>
      line.findLast((node) => node.ply % 2 === parity && node.clock !== undefined)?.clock ?? setting.initial_ms;
    clock.value = new PlayClock(setting, { white: left(1), black: left(0) });
    show();
  }

  return {
    clock,
    shown,
    set: (game: GameDocument, line: MoveNode[]) => restore(game.clock, line),
    back: (line: MoveNode[]) => restore(clock.value?.setting ?? null, line),
    /** Lets a side's clock run, but not before the first move of the game. */
    run: (side: Color, begun: boolean) => {
      if (begun && clock.value?.runningSide !== side) clock.value?.start(side, now());
    },
    /** A move was made: what its player has left. */
    press: (): number | undefined => {
      const side = clock.value?.runningSide;
      clock.value?.press(now());
      show();
      return side && clock.value ? clock.value.read(side, now()) : undefined;
    },
    stop: () => {
      clock.value?.pause(now());
      show();
    },
    /** The clocks as an engine wants to know them. */
    told: (): GameClock | null =>
      clock.value
        ? {
            white_ms: Math.max(1, Math.round(clock.value.read('white', now()))),
            black_ms: Math.max(1, Math.round(clock.value.read('black', now()))),
            increment_ms: clock.value.setting.increment_ms,
          }
        : null,
  };
}
