import '../../compile-cache.js';
import { workerData } from 'node:worker_threads';
import type { ThreadData } from '../../wiring/thread/messages.ts';
import { collectInThread } from '../../wiring/thread/worker.ts';
import { partsOf } from './collector-parts.ts';
import { fetchPastPrints } from './fetch-prints.ts';
import type { DemoFlags } from './flags.ts';
import { collectOlderPast } from './older-past.ts';
import { DemoPast, hasRecentPast } from './past.ts';
import { storeDayOfPrices } from './past-prices.ts';
import { sampleMinutesSince, sampleNewestPast } from './samples.ts';
import { storePrints } from './store-prints.ts';

/** What the demo's collector gets besides the settings. */
export interface DemoThreadData {
  flags: DemoFlags;
  simUrl: string;
}

const { flags, simUrl } = (workerData as ThreadData).extra as DemoThreadData;
const coins = Number(flags.coins);

await collectInThread({
  beforeCollecting: async (collector, { archive, clock }, stopping) => {
    // A start soon after the last one continues on the stored snapshots and results.
    if (await hasRecentPast(archive, clock.nowMs())) return;
    const parts = partsOf(collector);
    const prints = fetchPastPrints(simUrl);
    // Handled where it is awaited.
    prints.catch(() => undefined);
    // Its thread loads meanwhile.
    const backtest = parts.backtest.catchUp(true);
    const past = new DemoPast(parts, simUrl, stopping);
    try {
      await past.collectFirst();
      await storeDayOfPrices(parts, simUrl, past.atMs);
      // Sampling needs the contracts, which the first step has collected. The backtest has a thread of its own.
      const sampling = backtest.then(() => sampleNewestPast(parts, simUrl, coins));
      const storing = prints.then((fetched) => storePrints(parts, fetched));
      await Promise.all([storing.then(() => past.publishAll()), sampling]);
    } finally {
      await past.stop();
    }
    await sampleMinutesSince(parts, simUrl, coins);
  },
  whileCollecting: (collector, _foundation, stopping) =>
    collectOlderPast(partsOf(collector), flags, stopping),
});
