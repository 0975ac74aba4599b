import { Worker } from 'node:worker_threads';
import type { BacktestHost } from './host.ts';
import type { HostCall, HostReply, WorkerFolder } from './worker.ts';

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** The engine in a thread of its own, so that serving never waits for it; what it puts away lies in the folder. */
export function backtestThread(folder: string): BacktestHost {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'backtest',
    workerData: { folder } satisfies WorkerFolder,
    // What it reads is in typed arrays outside the heap; a large nursery would only be memory for nothing.
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
  worker.on('message', (reply: HostReply) => {
    const call = waiting.get(reply.number);
    waiting.delete(reply.number);
    if ('failure' in reply) call?.reject(new Error(reply.failure));
    else call?.resolve(reply.result);
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('the backtest thread has ended')));

  const ask =
    (method: HostCall['method']) =>
    (...args: unknown[]): Promise<never> =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        const number = calls++;
        waiting.set(number, { resolve: resolve as (result: unknown) => void, reject });
        worker.postMessage({ number, method, args } satisfies HostCall);
      });

  return {
    begin: ask('begin'),
    take: ask('take'),
    report: ask('report'),
    state: ask('state'),
    pair: ask('pair'),
    pack: ask('pack'),
    close: async () => {
      await worker.terminate();
    },
  };
}
