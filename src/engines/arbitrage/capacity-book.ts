import { MINUTE_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { Depth } from '../../venues/observations.ts';
import { type Capacities, capacities } from './capacity.ts';

/** A capacity is of a book that is at most this old. */
const CAPACITY_MAX_AGE_MS = 3 * MINUTE_MS;

/** The capacity of each contract from its newest book. Most books are fetched once a minute. */
export class CapacityBook {
  /** A weak reference tells whether the book is still the same, without keeping old ones in memory. */
  readonly #known = new Map<string, { depth: WeakRef<Depth>; fits: Capacities; atMs: number }>();

  /** In USD; undefined without a book of the last three minutes. */
  of(
    { key, top, topAtMs }: ContractState,
    depth: Depth | undefined,
    usdtPerQuote: number,
    nowMs: number,
  ): Capacities | undefined {
    let known = this.#known.get(key);
    if (depth && known?.depth.deref() !== depth) {
      const fits = capacities(depth, null);
      if (fits) known = { depth: new WeakRef(depth), fits, atMs: nowMs };
      if (known) this.#known.set(key, known);
    }
    const isTopRecent = nowMs - topAtMs <= CAPACITY_MAX_AGE_MS;
    const fits =
      known && nowMs - known.atMs <= CAPACITY_MAX_AGE_MS
        ? known.fits
        : capacities(null, isTopRecent ? top : null);
    return fits ? { ...fits, values: fits.values.map((value) => value * usdtPerQuote) } : undefined;
  }

  prune(nowMs: number): void {
    for (const [key, { atMs }] of this.#known)
      if (nowMs - atMs > CAPACITY_MAX_AGE_MS) this.#known.delete(key);
  }
}
