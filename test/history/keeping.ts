import type { TestContext } from 'node:test';
import { Universe } from '../../sim/contracts.ts';
import type { SimVenue } from '../../sim/venue.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { type SimView, viewAt } from '../../sim/view.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics, type Metrics } from '../../src/base/metrics.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import type { ContractNames } from '../../src/history/settlements/directory.ts';
import { VenueBackfill } from '../../src/history/settlements/fetching/backfill.ts';
import { VenueReconcile } from '../../src/history/settlements/fetching/reconcile.ts';
import type { SettlementSource } from '../../src/history/settlements/fetching/walk.ts';
import { type KeeperOptions, SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Contract } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Venue, VenueRequest } from '../../src/venues/venue.ts';
import { type FreshDatabase, openFor, silentLog } from '../storage/sqlite.ts';
import { observeSim, sendToSim } from '../support/observe.ts';

export const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);

export interface Keeping {
  storage: Storage;
  keeper: SettlementKeeper;
  clock: ManualClock;
  metrics: Metrics;
}

/** A keeper on a fresh database, with a clock that the test moves. */
export async function keeping(
  t: TestContext,
  fresh: FreshDatabase,
  nowMs = NOW_MS,
  batching: Pick<KeeperOptions, 'batchWaitMs'> = {},
): Promise<Keeping> {
  const storage = await openFor(t, await fresh(t));
  const clock = new ManualClock(nowMs);
  const metrics = createMetrics();
  const keeper = await SettlementKeeper.open({ storage, clock, log: silentLog, metrics, ...batching });
  t.after(() => keeper.close());
  return { storage, keeper, clock, metrics };
}

export const BTC: ContractNames = {
  exchange: 'Binance',
  venueSymbol: 'BTCUSDT',
  symbol: 'BTC-USDT',
  coin: 'BTC',
  isInverse: false,
  listedAtMs: null,
};

export const minuteOf = (text: string) => Date.parse(text) / MINUTE_MS;

export function venueOf(slug: string): Venue {
  const venue = VENUES.find((candidate) => candidate.slug === slug);
  if (!venue) throw new Error(`no venue ${slug}`);
  return venue;
}

export function simOf(slug: string): SimVenue {
  const sim = SIM_VENUES.find((candidate) => candidate.profile.slug === slug);
  if (!sim) throw new Error(`no simulator of ${slug}`);
  return sim;
}

interface SimulatedOptions {
  slug: string;
  clock: ManualClock;
  sim?: SimVenue;
  coins?: number;
  /** Changes what the venue shows. */
  bend?: (view: SimView) => SimView;
  /** Called with every request before it is answered. */
  onRequest?: (request: VenueRequest) => void;
}

export interface Simulated extends SettlementSource {
  contracts: Map<string, Contract>;
  view(): SimView;
}

/** A venue whose requests the simulator answers in this process. */
export async function simulated(options: SimulatedOptions): Promise<Simulated> {
  const { slug, clock } = options;
  const sim = options.sim ?? simOf(slug);
  const universe = new Universe(1, options.coins ?? 25);
  const view = () => {
    const seen = viewAt(universe, sim.profile, clock.nowMs());
    return options.bend ? options.bend(seen) : seen;
  };
  const venue = venueOf(slug);
  const { contracts } = await observeSim(venue, sim, view());
  return {
    venue,
    contracts,
    view,
    sender: () => async (request) => {
      options.onRequest?.(request);
      return await sendToSim(sim, view())(request);
    },
    volumeOf: () => 1,
  };
}

export function namesOf(source: SettlementSource) {
  return (contract: Contract): ContractNames => ({
    exchange: source.venue.facts.exchange,
    venueSymbol: contract.venueSymbol,
    symbol: `${contract.base}-${contract.quote}`,
    coin: contract.base.replace(/^(1000000|1000|1M|k)(?=[A-Z])/, ''),
    isInverse: contract.isInverse,
    listedAtMs: contract.listedAtMs,
  });
}

/** Runs the backfill until it is done. */
export async function backfill(
  { keeper, clock, metrics }: Keeping,
  source: SettlementSource,
  days: number,
): Promise<VenueBackfill> {
  const failures: string[] = [];
  const log = createLog('warn', { write: (line) => failures.push(line) });
  const one = new VenueBackfill({
    source,
    keeper,
    namesOf: namesOf(source),
    days,
    clock,
    log,
    metrics,
  });
  const signal = new AbortController().signal;
  while (!one.isDone) {
    await one.step(signal);
    // The clock does not move, so a contract would wait for its retry for ever.
    if (one.progress().failures > 0) throw new Error(`a walk failed: ${failures.join('; ')}`);
  }
  return one;
}

export function reconciler(
  { keeper, clock, metrics }: Keeping,
  source: SettlementSource,
  intervalMsOf: (venueSymbol: string) => number | null,
): VenueReconcile {
  return new VenueReconcile({
    source,
    keeper,
    namesOf: namesOf(source),
    intervalMsOf,
    clock,
    log: silentLog,
    metrics,
  });
}

/** The simulator's prints as [minute, rate] pairs. */
export function recordOf(
  source: Simulated,
  venueSymbol: string,
  fromMs: number,
  toMs: number,
): [number, number][] {
  const contract = source.view().find(venueSymbol);
  if (!contract) return [];
  return source
    .view()
    .settlements(contract, fromMs, toMs)
    .map((print) => [print.settledAtMs / MINUTE_MS, print.rateE8 / 1e6]);
}

export async function heldPrints(
  { keeper }: Keeping,
  exchange: string,
  venueSymbol: string,
  fromMs: number,
  toMs: number,
): Promise<[number, number][]> {
  const contract = keeper.directory.find(exchange, venueSymbol);
  if (!contract) return [];
  const { minutes, ratesPct } = await keeper.prints(contract, fromMs, toMs);
  return minutes.map((minute, i) => [minute, ratesPct[i] ?? 0]);
}
