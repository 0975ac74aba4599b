import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { watchClock } from '../../src/base/clock-steps.ts';
import { Jobs } from '../../src/base/jobs.ts';
import { NO_SHEDDING } from '../../src/base/load.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { LatestMarket } from '../../src/market/latest.ts';
import type { Table } from '../../src/market/tables/table.ts';
import type { TableSource } from '../../src/market/timeline.ts';
import { readSettings } from '../../src/settings.ts';
import { ALWAYS_HELD } from '../../src/storage/engine-lease.ts';
import type { Storage, StorageOptions } from '../../src/storage/storage.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { type ListingsPart, listingsPart } from '../../src/wiring/market/listings.ts';
import type { BatchObserver } from '../../src/wiring/part.ts';
import type { Observed } from './simulation.ts';

export interface RunningPart {
  part: ListingsPart;
  /** Notices whether the clock was set. */
  checkClock(): void;
  /** Passes a venue's lists and notices to it. */
  take(venue: Venue, observed: Observed, atMs: number): void;
}

/** A fresh database for one test, deleted after it. */
export function temporaryDatabase(t: TestContext): StorageOptions {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-listings-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { databaseUrl: null, sqliteFile: join(folder, 'perpwire.sqlite'), log: createLog('silent') };
}

/** The calendar part of the service, on a storage, without the rest of the service. */
export async function startPart(
  storage: Storage,
  nowMs: number,
  clock = new ManualClock(nowMs),
): Promise<RunningPart> {
  const observers: BatchObserver[] = [];
  const log = createLog('silent');
  const metrics = createMetrics();
  const watch = watchClock(clock, log, metrics);
  const part = await listingsPart(
    {
      settings: readSettings([], {}),
      storage,
      clock,
      clockWatch: watch,
      load: NO_SHEDDING,
      jobs: new Jobs(clock),
      log,
      metrics,
      baseUrl: 'http://127.0.0.1',
      venues: [],
      market: new LatestMarket(metrics, log),
      collectors: [],
      observe: (observer) => observers.push(observer),
      engineLease: ALWAYS_HELD,
    },
    { identities: new Map() },
  );
  return {
    part,
    checkClock: watch.check,
    take: (venue, { lists, notices }, atMs) => {
      const batches = lists.map((contractList) => ({ ...emptyBatch(), contractList }));
      const rightTime = { venueSymbol: '', bids: [], asks: [], venueTimeMs: atMs };
      for (const batch of [
        ...batches,
        { ...emptyBatch(), announcements: notices },
        { ...emptyBatch(), depths: [rightTime] },
      ])
        for (const observer of observers) observer(venue, batch, atMs, new Map());
    },
  };
}

/** A client that polls as documented: everything after the last as_of, oldest first. */
export class Poller {
  readonly seen: string[] = [];
  readonly #delaySeconds: number;
  #asOfMs = 0;

  constructor(delaySeconds: number) {
    this.#delaySeconds = delaySeconds;
  }

  poll(source: TableSource, nowMs: number): void {
    const snapshot = source.at(this.#delaySeconds, nowMs);
    if (!snapshot) return;
    const detectedAt = snapshot.table.numbers('detected_at');
    const newRows = [...detectedAt.keys()]
      .filter((row) => (detectedAt[row] ?? 0) > this.#asOfMs)
      .sort((a, b) => (detectedAt[a] ?? 0) - (detectedAt[b] ?? 0));
    this.seen.push(...newRows.map((row) => idOf(snapshot.table, row)));
    this.#asOfMs = snapshot.asOfMs;
  }
}

export function idOf(table: Table, row: number): string {
  const detectedAtMs = table.numbers('detected_at')[row];
  return `${detectedAtMs} ${table.text('exchange', row)} ${table.text('symbol', row)} ${table.text('kind', row)}`;
}

export function idsOf(table: Table): string[] {
  return Array.from({ length: table.rowCount }, (_, row) => idOf(table, row));
}
