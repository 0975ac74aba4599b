import { Worker } from 'node:worker_threads';
import type { Parse } from '../../base/parsing.ts';
import type { HostCall } from './calls.ts';
import type { BacktestHost } from './host.ts';
import {
  bytes,
  numberOfMessage,
  parseMinuteOrNull,
  parseOutcome,
  parsePairView,
  parseReport,
  parseState,
  resultOf,
} from './replies.ts';
import type { WorkerFolder } from './worker.ts';

interface Waiting {
  take: (reply: unknown) => void;
  reject: (error: Error) => void;
}

/** Runs the engine in a thread of its own, so that requests never wait for it. Its files are in the folder. */
export function backtestThread(folder: string, onDropped: () => void = () => undefined): BacktestHost {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'backtest',
    workerData: { folder } satisfies WorkerFolder,
    // Samples are in typed arrays outside the heap, so a large young generation would only waste memory.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let ended: Error | null = null;

  const fail = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (reply: unknown) => {
    const number = numberOfMessage(reply);
    const call = number === null ? undefined : waiting.get(number);
    if (number === null || !call) return onDropped();
    waiting.delete(number);
    call.take(reply);
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('the backtest thread has ended')));

  const call =
    <T>(method: HostCall['method'], parse: Parse<T>) =>
    (...args: unknown[]): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (ended) return reject(ended);
        const number = calls++;
        const take = (reply: unknown) => {
          try {
            resolve(parse(resultOf(reply), method));
          } catch (error) {
            reject(error);
          }
        };
        waiting.set(number, { take, reject });
        worker.postMessage({ number, method, args } satisfies HostCall);
      });

  return {
    begin: call('begin', parseMinuteOrNull),
    take: call('take', parseOutcome),
    report: call('report', parseReport),
    state: call('state', parseState),
    pair: call('pair', parsePairView),
    pack: call('pack', bytes),
    close: async () => {
      await worker.terminate();
    },
  };
}
