import { Universe } from '../../sim/contracts.ts';
import { type Faults, NO_FAULTS } from '../../sim/faults.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { viewAt } from '../../sim/view.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import { FigureChecks } from '../../src/engines/audit/figure-checks.ts';
import type { Notice } from '../../src/engines/audit/notices.ts';
import { Freezer, type FrozenContract } from '../../src/market/freeze.ts';
import { LatestMarket } from '../../src/market/latest.ts';
import { quarantineOf } from '../../src/market/quarantine.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { observeSim } from './observe.ts';

const COINS = 24;

export interface SimulatedFigures {
  /** Every notice that began, in order. */
  began: Notice[];
  /** The rows at the end. */
  rows: readonly FrozenContract[];
  /** What is quarantined at the end, by reason. */
  quarantined(venue: Venue): Record<string, number>;
}

/** Reads simulated venues every few hours, each with its faults, and lets the audit look at open interest and volume. */
export async function simulateFigures(options: {
  venues: readonly Venue[];
  fromMs: number;
  hours: number;
  everyHours: number;
  faultsOf?: (slug: string) => Partial<Faults>;
}): Promise<SimulatedFigures> {
  const { venues, fromMs, hours, everyHours, faultsOf = () => ({}) } = options;
  const universe = new Universe(1, COINS);
  const [metrics, log] = [createMetrics(), createLog('silent')];
  const market = new LatestMarket(metrics, log);
  const freezer = new Freezer(market, metrics, log);
  const began: Notice[] = [];
  const checks = new FigureChecks((notice, isOn) => isOn && began.push(notice));
  let rows: readonly FrozenContract[] = [];
  for (let hour = 0; hour <= hours; hour += everyHours) {
    const atMs = fromMs + hour * HOUR_MS;
    for (const venue of venues) {
      const sim = SIM_VENUES.find(({ profile }) => profile.slug === venue.slug);
      if (!sim) throw new Error(`no simulator of ${venue.slug}`);
      const view = viewAt(universe, sim.profile, atMs, { ...NO_FAULTS, ...faultsOf(venue.slug) });
      const { batch, contracts, streamedFigures } = await observeSim(venue, sim, view);
      const contractList = { part: 'all', contracts: [...contracts.values()] };
      const marketFigures = batch.marketFigures.filter((row) => !streamedFigures.includes(row));
      market.accept(venue, { ...batch, contractList, marketFigures }, atMs, contracts);
      const streamed = { ...emptyBatch(), marketFigures: streamedFigures, isStreamed: true as const };
      market.accept(venue, streamed, atMs, contracts);
    }
    const frozen = freezer.freeze(atMs);
    rows = frozen.contracts;
    checks.check(frozen);
  }
  return { began, rows, quarantined: (venue) => quarantineOf(market, freezer, venue) };
}
