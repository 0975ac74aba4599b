import type { Clock } from '../../base/clock.ts';
import type { ClockWatch } from '../../base/clock-steps.ts';
import type { Job, Jobs } from '../../base/jobs.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import type { FrameWriter } from '../../market/frame-writer.ts';
import type { Freezer, FrozenMarket } from '../../market/freeze.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import { hasSpoken, type VenueHealth } from '../../venues/health.ts';
import type { ArbitragePublisher } from '../arbitrage/publisher.ts';
import type { Audit } from '../audit/audit.ts';
import type { DepthPublisher } from '../depth/publisher.ts';
import type { TapeRecorder } from '../tape/recorder.ts';
import type { CoinPrices } from './coin-prices.ts';
import { fundingTable, type SettledFigures } from './table.ts';

interface SnapshotPublisherOptions {
  freezer: Pick<Freezer, 'freeze'>;
  history: {
    /** Sums of settled prints and the newest print by contract, as of the time of the market. */
    settledFigures(market: FrozenMarket): ReadonlyMap<string, SettledFigures>;
  };
  audit: Pick<Audit, 'publishable' | 'mirrors'>;
  /** Publishes what is computed from the same market. */
  arbitrage: Pick<ArbitragePublisher, 'publish'>;
  prices: Pick<CoinPrices, 'observe' | 'dayAgoOf'>;
  depth: Pick<DepthPublisher, 'publish'>;
  tape: Pick<TapeRecorder, 'observe'>;
  writer: FrameWriter;
  health: () => readonly VenueHealth[];
  everyMs: number;
  engineLease: EngineLease;
  jobs: Pick<Jobs, 'job'>;
  clock: Clock;
  clockWatch: Pick<ClockWatch, 'check'>;
  log: Log;
  metrics: Metrics;
}

/** After a start, the last stored snapshot is served until every venue has answered, at most for this long. */
const WARM_UP_MS = 12_000;
const WARM_UP_CHECK_MS = 500;

/** Freezes the market periodically and publishes the result. */
export class SnapshotPublisher {
  readonly #options: SnapshotPublisherOptions;
  readonly #snapshotJob: Job;
  readonly #arbitrageJob: Job;
  #task: RepeatingTask | null = null;

  constructor(options: SnapshotPublisherOptions) {
    const { jobs, everyMs } = options;
    this.#options = options;
    this.#snapshotJob = jobs.job('snapshots', everyMs);
    this.#arbitrageJob = jobs.job('arbitrage', everyMs);
  }

  start(): void {
    const { clock, clockWatch, log, everyMs, health } = this.#options;
    const startedMs = clock.monotonicMs();
    let isWarm = false;
    this.#task = startRepeatingTask({
      name: 'publish snapshot',
      everyMs,
      clock,
      log,
      run: async () => {
        // Publishing earlier would drop the rows of venues that answer more slowly.
        if (!isWarm) {
          isWarm = clock.monotonicMs() - startedMs >= WARM_UP_MS || health().every(hasSpoken);
          if (!isWarm) return WARM_UP_CHECK_MS;
          this.#snapshotJob.start();
          this.#arbitrageJob.start();
        }
        clockWatch.check();
        await this.publish(clock.nowMs());
        return everyMs;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
    this.#snapshotJob.stop();
    this.#arbitrageJob.stop();
  }

  /** Freezes and publishes the market as of the given time. */
  async publish(asOfMs: number): Promise<void> {
    const { freezer, history, audit, arbitrage, prices, depth, tape, writer, engineLease, metrics } =
      this.#options;
    if (!engineLease.isHeld()) return;
    const startedMs = performance.now();
    const market = freezer.freeze(asOfMs);
    if (market.contracts.length === 0) return;
    const settled = history.settledFigures(market);
    const shown = audit.publishable(market);
    const { mirrors } = audit;
    await prices.observe(shown);
    const table = fundingTable(shown, settled, (contract) => prices.dayAgoOf(contract), mirrors);
    metrics.snapshotBuildSeconds.observe((performance.now() - startedMs) / 1000);
    metrics.snapshotRows.set(table.rowCount);
    await writer.publish(asOfMs, table);
    this.#snapshotJob.finished();
    await arbitrage.publish(shown, settled, mirrors);
    this.#arbitrageJob.finished();
    await depth.publish(shown);
    // The writer leaves out a snapshot that is not newer than its last one.
    if (writer.newestAsOfMs === asOfMs) await tape.observe(asOfMs, table);
  }
}
