import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { ClockWatch } from '../../../base/clock-steps.ts';
import type { Job, Jobs } from '../../../base/jobs.ts';
import type { LoadMonitor } from '../../../base/load.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { MINUTE_MS, SECOND_MS } from '../../../base/times.ts';
import { CheckpointStore } from '../../../history/samples/checkpoints.ts';
import { MINUTES_PER_BLOCK, minuteOf, msOfMinute, type SizeUsd } from '../../../history/samples/model.ts';
import { decodeTable, encodeTable } from '../../../market/tables/table-codec.ts';
import type { EngineLease } from '../../../storage/engine-lease.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { Audit } from '../../audit/audit.ts';
import type { DepthSamples } from '../../depth/depth-samples.ts';
import type { PairName, PairView } from '../pair-view.ts';
import { BACKTEST_TABLES, withoutLegs } from '../rows.ts';
import { type BacktestBasis, backtestBasis } from './basis.ts';
import type { BacktestHost, BacktestReport } from './host.ts';
import { BacktestRun, retentionMinutes } from './run.ts';
import { BacktestThread } from './thread.ts';

/** Publishes the results of one size. */
interface ResultWriter {
  /** Null before the first result. */
  readonly newestAsOfMs: number | null;
  publishEncoded(asOfMs: number, frame: Uint8Array): Promise<void>;
}

interface SpreadBacktestOptions {
  storage: Storage;
  samples: Pick<DepthSamples, 'store' | 'onStored'>;
  audit: Pick<Audit, 'withheldLegs'>;
  writers: ReadonlyMap<SizeUsd, ResultWriter>;
  windowDays: number;
  /** For scratch files. */
  folder: string;
  load: Pick<LoadMonitor, 'sheds'>;
  engineLease: EngineLease;
  jobs: Pick<Jobs, 'job'>;
  clock: Clock;
  clockWatch: Pick<ClockWatch, 'onStep'>;
  log: Log;
  metrics: Metrics;
}

/** Delayed readers get results that are minutes old, so catching up also publishes results of the last minutes. */
const REPORTS_FOR_DELAYED = { lastMinutes: 18, every: 4 };
const PROGRESS_EVERY_MS = 5 * SECOND_MS;

interface Running {
  host: BacktestHost;
  run: BacktestRun;
  /** Identifies the checkpoints of this run. */
  writer: string;
  /** The writer of the checkpoint that it started from. */
  startedFrom: string | null;
}

/** Keeps the backtest up to date in a thread of its own, while the last result is served. */
export class SpreadBacktest {
  readonly #options: SpreadBacktestOptions;
  readonly #basis: BacktestBasis;
  readonly #checkpoints: CheckpointStore;
  readonly #job: Job;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  #host: BacktestHost | null = null;
  #running: Running | null = null;
  #working: Promise<void> | null = null;
  #isWantedAgain = false;
  #isUrgent = false;
  #lastProgressMs = 0;

  constructor(options: SpreadBacktestOptions) {
    this.#options = options;
    this.#basis = backtestBasis(options.windowDays);
    this.#checkpoints = new CheckpointStore(options.storage);
    this.#job = options.jobs.job('backtest', MINUTE_MS);
    options.samples.onStored(() => void this.catchUp());
    this.#unsubscribe = options.clockWatch.onStep(({ wrongFromMs }) => {
      if (wrongFromMs !== null && options.engineLease.isHeld()) void this.#forgetFrom(minuteOf(wrongFromMs));
    });
  }

  start(): void {
    this.#job.start();
    void this.catchUp();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#job.stop();
    this.#stopping.abort();
    await this.#working;
    await this.#running?.run
      .checkpoint()
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'could not save the state of the backtest'),
      );
    await this.#host?.close();
  }

  /** Computes up to the newest stored sample and publishes the result. Under overload only if it is urgent. */
  catchUp(isUrgent = false): Promise<void> {
    this.#isWantedAgain = true;
    this.#isUrgent ||= isUrgent;
    // Starts in a later microtask, because it may end without waiting: `#working` must be set before it is cleared.
    this.#working ??= Promise.resolve().then(() => this.#workWhileWanted());
    return this.#working;
  }

  /** Computes everything again, after samples that are older than the result were stored. */
  recompute(): Promise<void> {
    return this.#startAgainBefore(0);
  }

  /** The spreads and cycles of one pair, for its chart; null if it has no row, or before the first run. */
  async pair(name: PairName): Promise<PairView | null> {
    return (await this.#running?.host.pair(name)) ?? null;
  }

  async #workWhileWanted(): Promise<void> {
    const { load, log } = this.#options;
    const { signal } = this.#stopping;
    try {
      // Under overload the next stored minute tries again.
      while (this.#isWantedAgain && !signal.aborted && (this.#isUrgent || !load.sheds('backtest'))) {
        this.#isWantedAgain = false;
        await this.#work();
        this.#job.finished();
      }
    } catch (error) {
      // The next minute starts again from the last checkpoint.
      if (!signal.aborted)
        log.error({ err: error }, 'the backtest failed; it starts again from its last checkpoint');
      this.#running = null;
    } finally {
      this.#working = null;
      this.#isUrgent = false;
    }
  }

  async #work(): Promise<void> {
    const { clock, metrics, writers } = this.#options;
    const { signal } = this.#stopping;
    if (!this.#running || (await this.#isReplaced(this.#running))) this.#running = await this.#begin();
    const { host, run } = this.#running;
    const nowMinute = minuteOf(clock.nowMs());
    const { lastMinutes, every } = REPORTS_FOR_DELAYED;
    const startedMs = performance.now();
    const hasAdvanced = await run.catchUp({
      isReportWanted: (minute) =>
        minute < nowMinute && minute >= nowMinute - lastMinutes && minute % every === 0,
      onReport: (report) => this.#publish(report),
      signal,
    });
    if (signal.aborted) return;
    const hasResult = writers.values().every(({ newestAsOfMs }) => newestAsOfMs !== null);
    if (run.minute >= 0 && (hasAdvanced || !hasResult)) await this.#publish(await host.report());
    if (hasAdvanced) metrics.backtestSeconds.observe((performance.now() - startedMs) / 1000);
    await this.#tidy(this.#running);
  }

  async #begin(): Promise<Running> {
    const { samples, folder, log } = this.#options;
    await this.#host?.close();
    const host = new BacktestThread(folder);
    this.#host = host;
    const writer = randomUUID();
    const run = new BacktestRun(host, {
      basis: this.#basis,
      samples: samples.store,
      checkpoints: this.#checkpoints,
      writer,
      onProgress: (share) => this.#showProgress(share),
      onDamage: (startMinute, damage) =>
        log.error({ startMinute, damage }, 'skipped an unreadable block of depth samples'),
    });
    await run.resume();
    return { host, run, writer, startedFrom: (await this.#checkpoints.newest())?.writer ?? null };
  }

  /** `perpwire backtest rebuild` stores its result as a checkpoint, which replaces the result of this process. */
  async #isReplaced({ writer, startedFrom }: Running): Promise<boolean> {
    const newest = await this.#checkpoints.newest();
    return newest !== null && newest.writer !== writer && newest.writer !== startedFrom;
  }

  async #publish({ minute, sizes }: BacktestReport): Promise<void> {
    const { clock, metrics, engineLease, audit, writers } = this.#options;
    if (!engineLease.isHeld()) return;
    // Samples from the future, which a wrong clock has dated, do not make a result of the future.
    const asOfMs = msOfMinute(Math.min(minute, minuteOf(clock.nowMs())));
    const isWithheld = audit.withheldLegs();
    const shown = isWithheld ? sizes.map((size) => withoutWithheld(size, isWithheld)) : sizes;
    // All sizes are published in the same turn of the event loop, so that cached answers of all sizes agree.
    await Promise.all(
      shown.map(({ sizeUsd, rowCount, frame }) => {
        metrics.backtestRows.set({ size_usd: sizeUsd }, rowCount);
        return writers.get(sizeUsd)?.publishEncoded(asOfMs, frame);
      }),
    );
  }

  /** Merges the blocks of finished hours and deletes samples that no result needs any more. */
  async #tidy({ host, run }: Running): Promise<void> {
    const { store } = this.#options.samples;
    for (const hour of await store.unpackedHours(run.minute)) {
      if (this.#stopping.signal.aborted) return;
      await store.replaceHour(hour, await host.pack(await store.blocksOfHour(hour)));
    }
    if (run.minute % MINUTES_PER_BLOCK === 0)
      await store.deleteBefore(run.minute - retentionMinutes(this.#basis));
  }

  /** Deletes the samples that a wrong clock has dated. */
  async #forgetFrom(minute: number): Promise<void> {
    const { samples, log } = this.#options;
    try {
      await this.#working;
      await samples.store.deleteFrom(minute);
      await this.#startAgainBefore(minute);
    } catch (error) {
      log.error({ err: error }, 'could not delete the depth samples that a wrong clock has dated');
    }
  }

  /** Starts again from the last checkpoint before the minute. */
  async #startAgainBefore(minute: number): Promise<void> {
    await this.#working;
    await this.#checkpoints.deleteFrom(minute);
    this.#running = null;
    await this.catchUp();
  }

  #showProgress(share: number): void {
    const { metrics, log } = this.#options;
    metrics.backtestProgress.set(share);
    const nowMs = performance.now();
    if (share >= 1 || nowMs - this.#lastProgressMs < PROGRESS_EVERY_MS) return;
    this.#lastProgressMs = nowMs;
    log.info({ percent: Math.floor(share * 100) }, 'backtest: reading the stored samples');
  }
}

type SizeReport = BacktestReport['sizes'][number];

function withoutWithheld(
  report: SizeReport,
  isWithheld: (exchange: string, coin: string) => boolean,
): SizeReport {
  const { sizeUsd, frame } = report;
  const whole = decodeTable(frame, BACKTEST_TABLES[sizeUsd]);
  if (!whole) throw new Error('the thread of the backtest sent a frame of another version');
  const table = withoutLegs(whole, isWithheld);
  return table === whole ? report : { sizeUsd, rowCount: table.rowCount, frame: encodeTable(table) };
}
