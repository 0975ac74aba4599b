import { PLANS } from '../../accounts/plans.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { TableSnapshot, Timeline } from '../../market/timeline.ts';

const DELAY_SECONDS = PLANS.demo.delaySeconds;
/** A snapshot is prepared this long before delayed readers see it: longer than several snapshots are apart. */
const AHEAD_SECONDS = 40;

/**
 * Prepares what delayed readers will see next, which has to be decoded and computed again. Without that the first of them
 * would wait for it, and with him all others.
 */
export class DelayedRows {
  readonly #timeline: Pick<Timeline, 'at' | 'after' | 'decodeAhead' | 'decodeAheadAt'>;
  readonly #prepare: (snapshot: TableSnapshot) => Promise<void>;
  #lastMs: number | null = null;

  constructor(
    timeline: Pick<Timeline, 'at' | 'after' | 'decodeAhead' | 'decodeAheadAt'>,
    prepare: (snapshot: TableSnapshot) => Promise<void>,
  ) {
    this.#timeline = timeline;
    this.#prepare = prepare;
  }

  /** Call it with every snapshot. The first time after a start it also prepares what delayed readers see now. */
  async refresh(nowMs: number): Promise<void> {
    const shown = this.#lastMs === null ? await this.#timeline.decodeAheadAt(DELAY_SECONDS, nowMs) : null;
    if (shown) {
      this.#lastMs = shown.asOfMs;
      await this.#prepare(shown);
      // As a reader does: from now on it is held as what they see, and what they see next may be decoded.
      this.#timeline.at(DELAY_SECONDS, nowMs);
    }
    const delaySeconds = DELAY_SECONDS - AHEAD_SECONDS;
    // The newest that will be seen soon; older ones have been seen, or were missed while the clock was set.
    const fromMs = Math.max(this.#lastMs ?? 0, nowMs - (DELAY_SECONDS + AHEAD_SECONDS) * SECOND_MS);
    let nextMs: number | null = null;
    for (let found = this.#timeline.after(fromMs, delaySeconds, nowMs); found !== null; ) {
      nextMs = found;
      found = this.#timeline.after(found, delaySeconds, nowMs);
    }
    if (nextMs === null) return;
    this.#lastMs = nextMs;
    const snapshot = await this.#timeline.decodeAhead(nextMs);
    if (snapshot) await this.#prepare(snapshot);
  }
}
