import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { watchClock } from '../../src/base/clock-steps.ts';
import { Jobs } from '../../src/base/jobs.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { SECOND_MS } from '../../src/base/times.ts';
import { ListingsPublisher } from '../../src/engines/listings/publisher.ts';
import type { Table } from '../../src/market/tables/table.ts';
import type { TableSource } from '../../src/market/timeline.ts';
import { ALWAYS_HELD } from '../../src/storage/engine-lease.ts';
import type { Storage, StorageOptions } from '../../src/storage/storage.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import type { Venue } from '../../src/venues/venue.ts';
import type { Observed } from './simulation.ts';

export interface RunningPart {
  part: ListingsPublisher;
  /** Notices whether the clock was set. */
  checkClock(): void;
  advanceMs(byMs: number): void;
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
  const log = createLog('silent');
  const metrics = createMetrics();
  const watch = watchClock(clock, log, metrics);
  const part = await ListingsPublisher.open({
    storage,
    venues: [],
    freezer: { identities: new Map() },
    everyMs: 5 * SECOND_MS,
    engineLease: ALWAYS_HELD,
    jobs: new Jobs(clock),
    clock,
    clockWatch: watch,
    log,
    metrics,
  });
  return {
    part,
    checkClock: watch.check,
    advanceMs: (byMs) => clock.advanceMs(byMs),
    take: (venue, { lists, notices }, atMs) => {
      for (const contractList of lists) part.take(venue, { ...emptyBatch(), contractList }, atMs);
      part.take(venue, { ...emptyBatch(), announcements: notices }, atMs);
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
