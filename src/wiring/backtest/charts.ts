import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { PairName, PairView } from '../../engines/backtest/pair-view.ts';
import { CheckpointStore } from '../../history/samples/checkpoints.ts';
import { SampleStore } from '../../history/samples/store.ts';
import type { Settings } from '../../settings.ts';
import type { Storage } from '../../storage/storage.ts';
import type { BacktestHost } from './host.ts';
import { backtestBasis } from './part.ts';
import { BacktestRun } from './run.ts';
import { backtestThread } from './thread.ts';

export interface PairCharts {
  /** The spreads and cycles of one pair. Null if it has no row, or while the samples are still being read. */
  pair(name: PairName): Promise<PairView | null>;
  close(): Promise<void>;
}

/** Then the page asks the visitor to come back. */
const PATIENCE_MS = 3 * SECOND_MS;
/** The thread ends when nobody has asked for a chart for so long. */
const IDLE_MS = 15 * MINUTE_MS;

interface Reading {
  host: BacktestHost;
  run: BacktestRun;
  samples: SampleStore;
}

/**
 * Charts of pairs in a process that does not compute the backtest: the same computation from the same stored samples, in
 * a thread that starts with the first chart.
 */
export function pairCharts(options: { storage: Storage; settings: Settings; log: Log }): PairCharts {
  const { storage, settings, log } = options;
  let reading: Promise<Reading> | null = null;
  let catchingUp: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const open = async (): Promise<Reading> => {
    const host = backtestThread(settings.dataDir);
    const samples = new SampleStore(storage);
    await samples.open();
    const checkpoints = new CheckpointStore(storage);
    const run = new BacktestRun(host, { basis: backtestBasis(settings.backtestDays), samples, checkpoints });
    await run.resume();
    return { host, run, samples };
  };
  const close = async () => {
    clearTimeout(idle);
    const closing = reading;
    reading = null;
    await closing?.then(({ host }) => host.close()).catch(() => undefined);
  };
  const read = async (name: PairName): Promise<PairView | null> => {
    reading ??= open();
    const { host, run, samples } = await reading;
    // Contracts that were numbered since.
    await samples.open();
    await run.catchUp({});
    return run.minute >= 0 ? await host.pair(name) : null;
  };
  return {
    pair: async (name) => {
      if (isClosed) return null;
      clearTimeout(idle);
      idle = setTimeout(close, IDLE_MS).unref();
      const chart = catchingUp.then(() => read(name));
      catchingUp = chart.catch(async (error: unknown) => {
        if (!isClosed) log.warn({ err: error }, 'could not compute the chart of a pair');
        await close();
      });
      const answered = new AbortController();
      const late = systemClock.sleep(PATIENCE_MS, answered.signal).then(() => null);
      return await Promise.race([chart, late]).finally(() => answered.abort());
    },
    close: async () => {
      isClosed = true;
      await close();
    },
  };
}
