import { silentReport } from '../../venues/health.ts';
import type { Collector } from '../collector.ts';
import type { CollectedData } from './collected.ts';

/** The data of a collector in the same thread, without the way through the database: tests see a change at once. */
export function collectedHere({ collecting }: Collector): CollectedData {
  const calendar = () => collecting.engine()?.listings.source;
  return {
    listings: {
      at: (delaySeconds, nowMs) => calendar()?.at(delaySeconds, nowMs) ?? null,
      exactly: (asOfMs) => calendar()?.exactly(asOfMs) ?? null,
      after: (asOfMs, delaySeconds, nowMs) => calendar()?.after(asOfMs, delaySeconds, nowMs) ?? null,
    },
    history: collecting.history.keeper,
    reportOf: (venue) => (collecting.isActive() ? collecting.reportOf(venue) : silentReport(venue)),
    availabilityOf: ({ slug }) => collecting.availability.of(slug),
    pair: async (name) => (await collecting.engine()?.backtest.pair(name)) ?? null,
    audit: () => collecting.engine()?.audit.report() ?? null,
    splitTickers: () => collecting.engine()?.splits.tickers ?? [],
    jobs: () => collecting.context.jobs.states(),
    stop: async () => undefined,
  };
}
