import { systemClock } from '../../src/base/clock.ts';
import { NO_SHEDDING } from '../../src/base/load.ts';
import type { Log } from '../../src/base/log.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { OrderBooks } from '../../src/engines/depth/order-books.ts';
import { DEPTH_TABLE, depthTable } from '../../src/engines/depth/table.ts';
import { Freezer } from '../../src/market/freeze.ts';
import type { LatestMarket } from '../../src/market/latest.ts';
import type { Table } from '../../src/market/tables/table.ts';
import { decodeTable, encodeTable } from '../../src/market/tables/table-codec.ts';
import type { Collector } from '../../src/venues/collecting/collector.ts';

interface Parts {
  collectors: readonly Collector[];
  market: LatestMarket;
  log: Log;
  metrics: Metrics;
}

/** Readers have the table of now and, on Demo, that of 15 minutes ago. */
const HELD_TABLES = 2;

export function startBooks(parts: Parts): OrderBooks {
  const books = new OrderBooks({ ...parts, load: NO_SHEDDING, clock: systemClock });
  books.start();
  return books;
}

/** Freezes the market once a minute; with books also the curves, and their table is encoded and decoded again. */
export function startFreezing({ market, log, metrics }: Parts, books: OrderBooks | null): void {
  const freezer = new Freezer(market, metrics, log, (nowMs) => books?.curvesAt(nowMs) ?? new Map());
  const held: (Table | null)[] = [];
  setInterval(() => {
    const frozen = freezer.freeze(systemClock.nowMs());
    if (!books) return;
    const table = depthTable(frozen, new Map(), () => undefined);
    held.push(decodeTable(encodeTable(table), DEPTH_TABLE));
    if (held.length > HELD_TABLES) held.shift();
  }, MINUTE_MS);
}

/** How many books have been fetched since the start. */
export async function booksFetched({ depthBooks }: Metrics): Promise<number> {
  const { values } = await depthBooks.get();
  return values.filter(({ labels }) => labels.outcome === 'good').reduce((sum, { value }) => sum + value, 0);
}
