import { MINUTE_MS } from '../../base/times.ts';
import type { Table } from '../../market/tables/table.ts';
import { HistoryLookup } from './histories.ts';
import { HistoryRebuild, type PrintSource } from './history-rebuild.ts';
import { lastFullHour } from './hours.ts';
import type { Pairs } from './pairs.ts';

/** Price gaps move all the time; they are read again this often, or with other changes. */
const GAPS_EVERY_MS = 10 * MINUTE_MS;
/** About 100 ms of work. After an hour in which every contract settled, a rebuild takes several refreshes. */
const PAIRS_PER_REFRESH = 7000;

interface Times {
  lastHour: number;
  /** Which ten minutes the price gaps are of. */
  gapsAt: number;
}

type Rebuild = Times & { work: HistoryRebuild };

/**
 * Computes the 30-day figures of all pairs. Within an hour, pairs whose prints did not change are copied. A rebuild is
 * spread over several refreshes, and its table is returned by the one that finishes it.
 */
export class PairHistoryBook {
  /** The version of each contract's prints at the last rebuild. */
  #versions = new Map<string, number>();
  #last: (Times & { lookup: HistoryLookup }) | null = null;
  #rebuild: Rebuild | null = null;

  /** The new table; null if the last one is still valid, or while a rebuild is not finished. */
  refresh(legs: Table, pairs: Pairs, source: PrintSource, asOfMs: number): Table | null {
    this.#rebuild ??= this.#begin(legs, pairs, source, asOfMs);
    if (!this.#rebuild) return null;
    const { work, ...times } = this.#rebuild;
    // Without an earlier table there is nothing to show in the meantime.
    const table = work.compute(this.#last ? PAIRS_PER_REFRESH : pairs.count);
    if (!table) return null;
    this.#rebuild = null;
    this.#last = { lookup: HistoryLookup.of(table), ...times };
    return table;
  }

  /** Null if nothing has changed. */
  #begin(legs: Table, pairs: Pairs, source: PrintSource, asOfMs: number): Rebuild | null {
    const lastHour = lastFullHour(asOfMs);
    const gapsAt = Math.floor(asOfMs / GAPS_EVERY_MS);
    const keys = legs.texts('contract').values;
    const isSameHour = this.#last?.lastHour === lastHour;
    const isChanged = new Uint8Array(keys.length);
    const versions = new Map<string, number>();
    let changes = 0;
    for (let code = 1; code < keys.length; code++) {
      const key = keys[code] as string;
      const version = source.versionOf(key);
      versions.set(key, version);
      if (!isSameHour || this.#versions.get(key) !== version) {
        isChanged[code] = 1;
        changes++;
      }
    }
    const isSame = changes === 0 && versions.size === this.#versions.size && this.#last?.gapsAt === gapsAt;
    this.#versions = versions;
    if (isSame && this.#last?.lookup.table.rowCount === pairs.count) return null;
    const earlier = isSameHour && this.#last ? this.#last.lookup : null;
    return {
      work: new HistoryRebuild({ legs, pairs, source, earlier, isChanged, lastHour }),
      lastHour,
      gapsAt,
    };
  }
}
