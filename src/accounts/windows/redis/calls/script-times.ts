import type { Clock } from '../../../../base/clock.ts';
import { monthStartMs, nextMonthStartMs } from '../../months.ts';

/** The first arguments of the scripts that look at windows: the time, or -1 for that of Redis, and four month starts. */
export class ScriptTimes {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #isClockMoved: boolean;
  #texts: readonly string[] = [];
  #untilMs = Number.NEGATIVE_INFINITY;

  /** `isClockMoved` for tests that move their clock; otherwise windows use the clock of Redis. */
  constructor(clock: Pick<Clock, 'nowMs'>, isClockMoved: boolean) {
    this.#clock = clock;
    this.#isClockMoved = isClockMoved;
  }

  texts(): readonly string[] {
    const currentMs = this.#clock.nowMs();
    if (currentMs >= this.#untilMs) {
      const startMs = monthStartMs(currentMs);
      const nextMs = nextMonthStartMs(currentMs);
      const months = [monthStartMs(startMs - 1), startMs, nextMs, nextMonthStartMs(nextMs)].map(String);
      this.#texts = ['-1', ...months];
      this.#untilMs = nextMs;
    }
    return this.#isClockMoved ? [String(currentMs), ...this.#texts.slice(1)] : this.#texts;
  }
}
