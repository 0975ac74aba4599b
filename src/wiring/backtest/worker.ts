import { parentPort, workerData } from 'node:worker_threads';
import type { PairView } from '../../engines/backtest/pair-view.ts';
import { openFileShelf } from '../../storage/file-shelf.ts';
import { type BacktestHost, type BacktestReport, LocalBacktest } from './host.ts';

/** The worker's side: does what the calls say, one after the other, and answers each. */
export interface HostCall {
  number: number;
  method: Exclude<keyof BacktestHost, 'close'>;
  args: unknown[];
}

export type HostReply = { number: number; result: unknown } | { number: number; failure: string };

export interface WorkerFolder {
  folder: string;
}

const { folder } = workerData as WorkerFolder;
const local = new LocalBacktest(() => openFileShelf(folder));

parentPort?.on('message', async ({ number, method, args }: HostCall) => {
  try {
    const call = local[method] as (...values: unknown[]) => Promise<unknown>;
    const result = await call.apply(local, args);
    parentPort?.postMessage({ number, result } satisfies HostReply, buffersOf(result));
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ number, failure } satisfies HostReply);
  }
});

/** Columns of reports and the points of a chart move to the other thread instead of being copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (typeof result === 'object' && result !== null && 'spreadsPct' in result)
    return [(result as PairView).spreadsPct.buffer as ArrayBuffer];
  const reports = reportsIn(result);
  return reports.flatMap((report) =>
    report.sizes.flatMap(({ parts }) => [
      ...[...parts.numbers.values()].map((column) => column.buffer as ArrayBuffer),
      ...[...parts.texts.values()].map(({ codes }) => codes.buffer as ArrayBuffer),
    ]),
  );
}

function reportsIn(result: unknown): BacktestReport[] {
  if (typeof result !== 'object' || result === null) return [];
  if ('reports' in result) return result.reports as BacktestReport[];
  return 'sizes' in result ? [result as BacktestReport] : [];
}
