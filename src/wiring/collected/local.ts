import { silentReport } from '../../venues/health.ts';
import type { Collector } from '../collector.ts';
import type { CollectedData } from './collected.ts';

/** The data of a collector in the same thread, without the way through the database: tests see a change at once. */
export function collectedHere({ collecting }: Collector): CollectedData {
  const engine = () => {
    const here = collecting.engine();
    if (!here) throw new Error('another process is the active collector');
    return here;
  };
  return {
    listings: {
      at: (delaySeconds, nowMs) => engine().listings.source.at(delaySeconds, nowMs),
      exactly: (asOfMs) => engine().listings.source.exactly(asOfMs),
      after: (asOfMs, delaySeconds, nowMs) => engine().listings.source.after(asOfMs, delaySeconds, nowMs),
    },
    history: collecting.history.keeper,
    reportOf: (venue) => (collecting.isActive() ? collecting.reportOf(venue) : silentReport(venue)),
    availabilityOf: ({ slug }) => collecting.availability.of(slug),
    pair: (name) => engine().backtest.pair(name),
    audit: () => collecting.engine()?.audit.report() ?? null,
    splitTickers: () => collecting.engine()?.splits.tickers ?? [],
    jobs: () => collecting.context.jobs.states(),
    stop: async () => undefined,
  };
}
