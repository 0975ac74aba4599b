import { type BookTop, isLive } from './observations.ts';
import type { ParseContext } from './venue.ts';

const TELL_EVERY_MS = 15_000;

/**
 * The tops of a stream that sends only changes. A message of any kind proves that the connection lives, so what has
 * not changed on it is still so: the held tops are told again now and then, or quiet contracts would look stale.
 */
export class HeldTops {
  readonly #tops = new Map<string, BookTop>();
  #toldAtMs = 0;

  hold(top: BookTop): void {
    this.#tops.set(top.venueSymbol, top);
  }

  /** The former top is gone, and there is no new one. */
  drop(venueSymbol: string): void {
    this.#tops.delete(venueSymbol);
  }

  /** Every held top of a contract that still trades, when it is time; else none. */
  due(context: ParseContext): BookTop[] {
    if (this.#toldAtMs === 0) this.#toldAtMs = context.receivedAtMs;
    if (context.receivedAtMs - this.#toldAtMs < TELL_EVERY_MS) return [];
    this.#toldAtMs = context.receivedAtMs;
    return [...this.#tops.values()].filter((top) => {
      const contract = context.contracts.get(top.venueSymbol);
      return contract !== undefined && isLive(contract);
    });
  }
}
