import { systemClock } from '../src/base/clock.ts';
import { createHttpClient } from '../src/base/http/http-client.ts';
import { createLog } from '../src/base/log.ts';
import { createMetrics } from '../src/base/metrics.ts';
import type { RequestBudget } from '../src/base/request-budget.ts';
import { PRIORITY } from '../src/base/request-budget.ts';
import { DAY_MS, SECOND_MS } from '../src/base/times.ts';
import type { ContractState } from '../src/market/contract-state.ts';
import { Freezer, isLive } from '../src/market/freeze.ts';
import type { Identity } from '../src/market/identity.ts';
import { LatestMarket } from '../src/market/latest.ts';
import { quarantineOf } from '../src/market/quarantine.ts';
import { Collector } from '../src/venues/collecting/collector.ts';
import { failureText, type VenueReport } from '../src/venues/health.ts';
import type { Depth, Settlement } from '../src/venues/observations.ts';
import type { Venue } from '../src/venues/venue.ts';

/** Everything that one look at a venue returned. */
export interface VenueLook {
  venue: Venue;
  report: VenueReport;
  states: readonly ContractState[];
  /** Of the most traded contract; a text gives the reason if there is none. */
  /** Null if the venue publishes none. */
  settlements: readonly Settlement[] | string | null;
  /** Null where books come only over a stream. */
  depth: Depth | string | null;
}

export interface Look {
  atMs: number;
  venues: readonly VenueLook[];
  /** Identities by contract key. */
  identities: ReadonlyMap<string, Identity>;
}

/** Makes every call of every venue, listens to its streams for a while, and reads one contract's history and book. */
export async function lookAt(
  venues: readonly Venue[],
  simUrl: string | null,
  listenSeconds: number,
): Promise<Look> {
  const http = createHttpClient();
  const log = createLog('silent');
  const metrics = createMetrics();
  const market = new LatestMarket(metrics, log);
  const sharedBudgets = new Map<string, RequestBudget>();
  const collectors = venues.map(
    (venue) =>
      new Collector({
        venue,
        http,
        clock: systemClock,
        log,
        metrics,
        simUrl,
        sharedBudgets,
        accept: (from, batch, atMs, contracts) => market.accept(from, batch, atMs, contracts),
      }),
  );
  const signal = new AbortController().signal;
  await Promise.all(collectors.map((collector) => collector.collectOnce(signal)));
  await systemClock.sleep(listenSeconds * SECOND_MS);
  const freezer = new Freezer(market, metrics, log);
  const atMs = systemClock.nowMs();
  freezer.freeze(atMs);
  const states = market.states().filter(isLive);
  const looks = await Promise.all(
    collectors.map(async (collector): Promise<VenueLook> => {
      const { venue } = collector;
      const own = states.filter((state) => state.venue === venue);
      const most = own.toSorted((a, b) => (b.volume24hUsdt ?? 0) - (a.volume24hUsdt ?? 0))[0];
      const context = { send: collector.caller.sender(PRIORITY.live), contracts: collector.contracts };
      const window = { fromMs: atMs - 3 * DAY_MS, toMs: atMs };
      const [settlements, depth] = most
        ? await Promise.all([
            venue.facts.noHistory
              ? null
              : venue
                  .settlements(most.contract, window, context)
                  .then((page) => page.settlements, failureText),
            venue.depth?.(most.contract, context).catch(failureText) ?? null,
          ])
        : ['no contract to ask for', 'no contract to ask for'];
      const report = { ...collector.health(), quarantined: quarantineOf(market, freezer, venue) };
      return { venue, report, states: own, settlements, depth };
    }),
  );
  await Promise.all(collectors.map((collector) => collector.stop()));
  await http.close();
  return { atMs, venues: looks, identities: freezer.identities };
}
