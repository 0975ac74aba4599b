import { isoTime, MINUTE_MS } from '../../src/base/times.ts';
import { listingsTable } from '../../src/engines/listings/table.ts';
import { ListingWatch } from '../../src/engines/listings/watch.ts';
import type { ListingSource } from '../../src/history/listings/model.ts';
import type { Announcement, Contract } from '../../src/venues/observations.ts';

export const NOW_MS = Date.UTC(2026, 10, 1, 12);

/** Watches one venue step by step, publishes every step, and returns the rows as short texts. */
export class Watched {
  readonly watch: ListingWatch;
  readonly exchange: string;
  nowMs = NOW_MS;

  constructor(sources?: readonly ListingSource[], exchange = 'Bybit') {
    this.watch = new ListingWatch(sources);
    this.exchange = exchange;
  }

  /** A complete list, by default five minutes after the last step. */
  list(contracts: readonly Contract[], afterMs = 5 * MINUTE_MS): string[] {
    this.nowMs += afterMs;
    this.watch.takeList(this.exchange, { part: 'linear', contracts: [...contracts] }, this.nowMs);
    return this.publish();
  }

  notices(...notices: Announcement[]): string[] {
    this.nowMs += MINUTE_MS;
    this.watch.takeNotices(this.exchange, notices, this.nowMs);
    return this.publish();
  }

  publish(): string[] {
    const publication = this.watch.stage(this.nowMs);
    if (publication) this.watch.commit(publication);
    return this.rows();
  }

  /** `SYMBOL kind status time source`, in the order of detection. */
  rows(atMs = this.nowMs): string[] {
    const { table } = listingsTable(this.watch.book.published, atMs);
    const detectedAt = table.numbers('detected_at');
    const effectiveAt = table.numbers('effective_at');
    return [...detectedAt.keys()]
      .sort((a, b) => (detectedAt[a] ?? 0) - (detectedAt[b] ?? 0))
      .map((row) => {
        const text = (name: string) => table.text(name, row) || '-';
        const timeMs = effectiveAt[row] ?? Number.NaN;
        const time = Number.isNaN(timeMs) ? '-' : isoTime(timeMs).slice(5, 16);
        return `${text('symbol')} ${text('kind')} ${text('status')} ${time} ${text('source')}`;
      });
  }
}
