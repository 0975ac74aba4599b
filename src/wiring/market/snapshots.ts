import type { Clock } from '../../base/clock.ts';
import type { ClockWatch } from '../../base/clock-steps.ts';
import type { Job } from '../../base/jobs.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { fundingTable, type SettledFigures } from '../../engines/funding/table.ts';
import type { FrameWriter } from '../../market/frame-writer.ts';
import type { Freezer, FrozenMarket } from '../../market/freeze.ts';
import { hasSpoken, type VenueHealth } from '../../venues/health.ts';

export interface PublisherOptions {
  freezer: Freezer;
  writer: FrameWriter;
  clock: Clock;
  clockWatch: Pick<ClockWatch, 'check'>;
  log: Log;
  metrics: Metrics;
  everyMs: number;
  jobs: { snapshots: Job; arbitrage: Job };
  health: () => VenueHealth[];
  /** Whether this process holds the engine's lease. */
  isAllowed: () => boolean;
  /** Sums of settled prints and the newest print by contract, as of the time of the market. */
  settledFigures: (market: FrozenMarket) => ReadonlyMap<string, SettledFigures>;
  /** The market without the rows that the audit withholds. */
  publishable: (market: FrozenMarket) => FrozenMarket;
  /** Publishes what is computed from the same market. */
  onPublished: (market: FrozenMarket, settled: ReadonlyMap<string, SettledFigures>) => Promise<void>;
}

export interface SnapshotPublisher {
  start(): void;
  stop(): Promise<void>;
  /** Freezes and publishes the market as of the given time. */
  publish(asOfMs: number): Promise<void>;
}

/** After a start, the last stored snapshot is served until every venue has answered, at most for this long. */
const WARM_UP_MS = 12_000;
const WARM_UP_CHECK_MS = 500;

/** Freezes the market periodically and publishes the result. */
export function snapshotPublisher(options: PublisherOptions): SnapshotPublisher {
  const { freezer, writer, clock, metrics, everyMs, health, jobs } = options;
  let task: RepeatingTask | null = null;

  const publish = async (asOfMs: number) => {
    if (!options.isAllowed()) return;
    const startedMs = performance.now();
    const market = freezer.freeze(asOfMs);
    if (market.contracts.length === 0) return;
    const settled = options.settledFigures(market);
    const shown = options.publishable(market);
    const table = fundingTable(shown, settled);
    metrics.snapshotBuildSeconds.observe((performance.now() - startedMs) / 1000);
    metrics.snapshotRows.set(table.rowCount);
    await writer.publish(asOfMs, table);
    jobs.snapshots.finished();
    await options.onPublished(shown, settled);
    jobs.arbitrage.finished();
  };

  return {
    publish,
    start: () => {
      const startedMs = clock.monotonicMs();
      let isWarm = false;
      task = startRepeatingTask({
        name: 'publish snapshot',
        everyMs,
        clock,
        log: options.log,
        run: async () => {
          // Publishing earlier would drop the rows of venues that answer more slowly.
          if (!isWarm) {
            isWarm = clock.monotonicMs() - startedMs >= WARM_UP_MS || health().every(hasSpoken);
            if (!isWarm) return WARM_UP_CHECK_MS;
            jobs.snapshots.start();
            jobs.arbitrage.start();
          }
          options.clockWatch.check();
          await publish(clock.nowMs());
          return everyMs;
        },
      });
    },
    stop: async () => {
      await task?.stop();
      jobs.snapshots.stop();
      jobs.arbitrage.stop();
    },
  };
}
