import { parseArgs } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { createHttpClient } from '../../src/base/http/http-client.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import type { RequestBudget } from '../../src/base/request-budget.ts';
import { LatestMarket } from '../../src/market/latest.ts';
import { Collector } from '../../src/venues/collecting/collector.ts';
import { hasEnded } from '../../src/venues/ended.ts';
import { hasSpoken, type VenueHealth } from '../../src/venues/health.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { booksFetched, startBooks, startFreezing } from './depth.ts';
import { onlyFetched } from './only-fetched.ts';

/** Only the collectors and the market that they fill, in a separate process, to measure their CPU time alone. */
const { values } = parseArgs({
  options: {
    'sim-url': { type: 'string', default: '' },
    seconds: { type: 'string', default: '60' },
    warm: { type: 'string', default: '20' },
    'only-fetch': { type: 'boolean', default: false },
    /** With the order books of all contracts. */
    depth: { type: 'boolean', default: false },
    venues: { type: 'string', default: '' },
  },
});
const WARM_UP_LIMIT_MS = 120_000;

export interface CollectorsMeasured {
  contracts: number;
  /** Percent of one core, averaged over the measured time. */
  cpuPct: number;
  peakRssMb: number;
  booksPerSecond: number;
  /** Sources that were failing at the end, with the cause. */
  failing: string[];
}

const http = createHttpClient();
const log = createLog('silent');
const metrics = createMetrics();
const market = new LatestMarket(metrics, log);
const chosen = values.venues === '' ? null : values.venues.split(',');
const watched = VENUES.filter(({ slug }) => chosen?.includes(slug) ?? true);
const sharedBudgets = new Map<string, RequestBudget>();
const collectors = watched
  .filter(({ facts }) => !hasEnded(facts, systemClock.nowMs()))
  .map(
    (venue) =>
      new Collector({
        venue: values['only-fetch'] ? onlyFetched(venue) : venue,
        http,
        clock: systemClock,
        log,
        metrics,
        simUrl: values['sim-url'],
        accept: (from, batch, receivedAtMs, contracts) => {
          market.accept(from, batch, receivedAtMs, contracts);
          books?.take(from, batch, receivedAtMs);
        },
        sharedBudgets,
        volumeOf: (from, venueSymbol) => market.volumeOf(from, venueSymbol),
      }),
  );
const parts = { collectors, market, log, metrics };
const books = values.depth ? startBooks(parts) : null;
startFreezing(parts, books);
for (const collector of collectors) collector.start();

const startedMs = performance.now();
/** Streams that are not read deliver nothing. */
const isReady = (health: VenueHealth) =>
  values['only-fetch'] ? health.hasEnded || health.contracts > 0 : hasSpoken(health);
while (!collectors.every((collector) => isReady(collector.health()))) {
  if (performance.now() - startedMs > WARM_UP_LIMIT_MS) break;
  await systemClock.sleep(200);
}
// The first minute compiles code and opens sockets; the steady state after it is measured.
await systemClock.sleep(Number(values.warm) * 1000);
let peakRssBytes = 0;
const watching = setInterval(() => {
  peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
}, 250);
const booksBefore = await booksFetched(metrics);
const before = process.cpuUsage();
const fromMs = performance.now();
await systemClock.sleep(Number(values.seconds) * 1000);
const spent = process.cpuUsage(before);
const tookMs = performance.now() - fromMs;
clearInterval(watching);
const health = collectors.map((collector) => collector.health());
const measured: CollectorsMeasured = {
  contracts: health.reduce((sum, venue) => sum + venue.contracts, 0),
  cpuPct: ((spent.user + spent.system) / 1000 / tookMs) * 100,
  peakRssMb: peakRssBytes / 1024 / 1024,
  booksPerSecond: ((await booksFetched(metrics)) - booksBefore) / (tookMs / 1000),
  failing: health.flatMap((venue) =>
    venue.sources
      .filter((source) => source.failuresInARow > 0)
      .map((source) => `${venue.exchange} ${source.name}: ${source.lastFailure}`),
  ),
};
console.log(JSON.stringify(measured));
process.exit(0);
