import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { Episode } from '../../history/listings/model.ts';
import type { FeedSpan } from '../../history/listings/store.ts';
import { KEEP_MS, MAX_AHEAD_MS, type TableSnapshot, type TableSource } from '../../market/timeline.ts';
import { listingsTable } from './table.ts';

/** The as_of of delayed readers, and of those that catch up, advances in steps, so that they share a table. */
const STEP_MS = 10 * SECOND_MS;
const MAX_TABLES = 6;

interface CachedTable extends TableSnapshot {
  validBeforeMs: number;
}

export interface Published {
  span: FeedSpan | null;
  episodes: readonly Episode[];
}

/**
 * The calendar at any time up to the last publication. Every state is stored with the time of its publication, so the
 * calendar of delayed readers is computed instead of stored, and is the same after a restart.
 */
export class ListingCalendar implements TableSource {
  readonly #published: () => Published;
  #tables: CachedTable[] = [];
  #lastAsOfMs = 0;

  constructor(published: () => Published) {
    this.#published = published;
  }

  at(delaySeconds: number, nowMs: number): TableSnapshot | null {
    const asOfMs = this.#newestMs(delaySeconds, nowMs);
    return asOfMs === null ? null : this.#tableAt(asOfMs);
  }

  #newestMs(delaySeconds: number, nowMs: number): number | null {
    const { span } = this.#published();
    if (!span) return null;
    // A publication from the future has a wrong time; the calendar of now does not have its changes.
    const isAhead = span.lastAsOfMs > nowMs + MAX_AHEAD_MS;
    if (delaySeconds === 0 && !isAhead) return span.lastAsOfMs;
    const limitMs = nowMs - delaySeconds * SECOND_MS;
    const asOfMs = Math.min(span.lastAsOfMs, Math.floor(limitMs / STEP_MS) * STEP_MS);
    return asOfMs < span.firstAsOfMs ? null : asOfMs;
  }

  exactly(asOfMs: number): TableSnapshot | null {
    const { span } = this.#published();
    if (!span || asOfMs > span.lastAsOfMs || asOfMs < span.firstAsOfMs) return null;
    return span.lastAsOfMs - asOfMs > KEEP_MS + MINUTE_MS ? null : this.#tableAt(asOfMs);
  }

  /** The next publication with a change. Where there is none, rows still age, so a longer time is divided into steps. */
  after(asOfMs: number, delaySeconds: number, nowMs: number): number | null {
    const newestMs = this.#newestMs(delaySeconds, nowMs);
    if (newestMs === null || newestMs <= asOfMs) return null;
    const { episodes } = this.#published();
    const isStepped = newestMs - asOfMs > 2 * STEP_MS;
    let nextMs = isStepped ? asOfMs + STEP_MS : newestMs;
    for (const { versions } of episodes)
      for (let i = versions.length - 1; i >= 0; i--) {
        const changedAtMs = versions[i]?.changedAtMs ?? 0;
        if (changedAtMs <= asOfMs) break;
        if (changedAtMs < nextMs) nextMs = changedAtMs;
      }
    return nextMs;
  }

  /** The last publication goes back only if the clock was set back; later tables have changes that are redated then. */
  #dropAfter(lastAsOfMs: number): void {
    if (lastAsOfMs < this.#lastAsOfMs)
      this.#tables = this.#tables.filter((cached) => cached.asOfMs <= lastAsOfMs);
    this.#lastAsOfMs = lastAsOfMs;
  }

  #tableAt(asOfMs: number): TableSnapshot {
    const { episodes, span } = this.#published();
    if (span?.lastAsOfMs !== this.#lastAsOfMs) this.#dropAfter(span?.lastAsOfMs ?? 0);
    const same = this.#tables.find((cached) => cached.asOfMs === asOfMs);
    if (same) return same;
    const before = this.#tables
      .filter((cached) => cached.asOfMs < asOfMs)
      .reduce<CachedTable | null>(
        (last, cached) => (last && last.asOfMs > cached.asOfMs ? last : cached),
        null,
      );
    // Usually nothing has changed; then the previous table is reused with its order and JSON.
    const isUnchanged =
      before !== null && asOfMs < before.validBeforeMs && !hasChange(episodes, before.asOfMs, asOfMs);
    const made = isUnchanged ? before : listingsTable(episodes, asOfMs);
    const cached = { asOfMs, table: made.table, validBeforeMs: made.validBeforeMs };
    this.#tables.push(cached);
    if (this.#tables.length > MAX_TABLES) this.#tables.shift();
    return cached;
  }
}

function hasChange(episodes: readonly Episode[], afterMs: number, untilMs: number): boolean {
  return episodes.some((episode) => {
    for (let i = episode.versions.length - 1; i >= 0; i--) {
      const changedAtMs = episode.versions[i]?.changedAtMs ?? 0;
      if (changedAtMs <= afterMs) return false;
      if (changedAtMs <= untilMs) return true;
    }
    return false;
  });
}
