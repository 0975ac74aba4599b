import { systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { MINUTE_MS, SECOND_MS } from '../../../base/times.ts';
import { CheckpointStore } from '../../../history/samples/checkpoints.ts';
import { SampleStore } from '../../../history/samples/store.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { PairName, PairView } from '../pair-view.ts';
import { backtestBasis } from './basis.ts';
import type { BacktestHost } from './host.ts';
import { BacktestRun } from './run.ts';
import { BacktestThread } from './thread.ts';

interface PairChartsOptions {
  storage: Storage;
  windowDays: number;
  /** For scratch files. */
  folder: string;
  log: Log;
}

/** Then the page invites the visitor to come back. */
const PATIENCE_MS = 3 * SECOND_MS;
/** The thread ends when nobody has opened a chart for so long. */
const IDLE_MS = 15 * MINUTE_MS;

interface Reading {
  host: BacktestHost;
  run: BacktestRun;
  samples: SampleStore;
}

/**
 * Charts of pairs where the backtest is not computed: the same computation from the same stored samples, in a thread that
 * starts with the first chart.
 */
export class PairCharts {
  readonly #options: PairChartsOptions;
  #reading: Promise<Reading> | null = null;
  #catchingUp: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: PairChartsOptions) {
    this.#options = options;
  }

  /** The spreads and cycles of one pair. Null if it has no row, or while the samples are still being read. */
  async pair(name: PairName): Promise<PairView | null> {
    if (this.#isClosed) return null;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    const chart = this.#catchingUp.then(() => this.#read(name));
    this.#catchingUp = chart.catch(async (error: unknown) => {
      if (!this.#isClosed) this.#options.log.warn({ err: error }, 'could not compute the chart of a pair');
      await this.#end();
    });
    const answered = new AbortController();
    const late = systemClock.sleep(PATIENCE_MS, answered.signal).then(() => null);
    return await Promise.race([chart, late]).finally(() => answered.abort());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #read(name: PairName): Promise<PairView | null> {
    this.#reading ??= this.#open();
    const { host, run, samples } = await this.#reading;
    // Contracts that were numbered since.
    await samples.open();
    await run.catchUp({});
    return run.minute >= 0 ? await host.pair(name) : null;
  }

  async #open(): Promise<Reading> {
    const { storage, windowDays, folder } = this.#options;
    const host = new BacktestThread(folder);
    const samples = new SampleStore(storage);
    await samples.open();
    const checkpoints = new CheckpointStore(storage);
    const run = new BacktestRun(host, { basis: backtestBasis(windowDays), samples, checkpoints });
    await run.resume();
    return { host, run, samples };
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const reading = this.#reading;
    this.#reading = null;
    await reading?.then(({ host }) => host.close()).catch(() => undefined);
  }
}
