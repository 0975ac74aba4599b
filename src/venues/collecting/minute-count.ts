import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';

const SLOTS = MINUTE_MS / SECOND_MS;

/** A sum over the last minute, kept in slots of one second, so that its cost does not depend on the count. */
export class MinuteCount {
  readonly #clock: Clock;
  readonly #slots = new Float64Array(SLOTS);
  readonly #secondOf = new Float64Array(SLOTS).fill(-1);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(amount: number): void {
    const second = Math.floor(this.#clock.monotonicMs() / SECOND_MS);
    const slot = second % SLOTS;
    const isOld = this.#secondOf[slot] !== second;
    this.#slots[slot] = (isOld ? 0 : (this.#slots[slot] ?? 0)) + amount;
    this.#secondOf[slot] = second;
  }

  total(): number {
    const oldest = Math.floor(this.#clock.monotonicMs() / SECOND_MS) - SLOTS;
    let total = 0;
    // A loop, because `reduce` with a function took a third of the report of a venue, which pages need.
    for (let slot = 0; slot < SLOTS; slot++)
      if ((this.#secondOf[slot] as number) > oldest) total += this.#slots[slot] as number;
    return total;
  }
}
