/** The two clocks of a game. Time comes from whoever asks, so that tests need not wait. */
import type { ClockSetting } from '../api/generated/messages';
import type { Color } from './position';

export class PlayClock {
  private readonly left: Record<Color, number>;
  private running: { side: Color; since: number } | undefined;

  constructor(
    readonly setting: ClockSetting,
    left?: Record<Color, number>,
  ) {
    this.left = left ? { ...left } : { white: setting.initial_ms, black: setting.initial_ms };
  }

  /** Lets a side's clock run; the other one stands. */
  start(side: Color, now: number): void {
    this.pause(now);
    this.running = { side, since: now };
  }

  /** Stops the running clock and gives its owner the increment: a move was made. */
  press(now: number): void {
    const side = this.running?.side;
    this.pause(now);
    if (side) this.left[side] += this.setting.increment_ms;
  }

  /** Stops the running clock without a move. */
  pause(now: number): void {
    if (!this.running) return;
    const { side } = this.running;
    this.left[side] = this.read(side, now);
    this.running = undefined;
  }

  /** Milliseconds left to a side. */
  read(side: Color, now: number): number {
    const gone = this.running?.side === side ? now - this.running.since : 0;
    return Math.max(0, this.left[side] - gone);
  }

  /** The side whose time is over. */
  flagged(now: number): Color | undefined {
    return this.running && this.read(this.running.side, now) <= 0 ? this.running.side : undefined;
  }

  get runningSide(): Color | undefined {
    return this.running?.side;
  }
}
