import { Worker } from 'node:worker_threads';
import type { BacktestHost } from './host.ts';

type Method = Exclude<keyof BacktestHost, 'close'>;
type Result<M extends Method> = Awaited<ReturnType<BacktestHost[M]>>;

/** A call to the thread. It makes the calls one after the other and replies to each. */
export interface HostCall<M extends Method = Method> {
  method: M;
  args: Parameters<BacktestHost[M]>;
}

export type HostReply = { result: unknown } | { failure: string };

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** Runs the engine in a thread of its own: a report takes seconds once an hour. Its scratch files are in the folder. */
export class BacktestThread implements BacktestHost {
  readonly begin = this.#caller('begin');
  readonly take = this.#caller('take');
  readonly report = this.#caller('report');
  readonly state = this.#caller('state');
  readonly pair = this.#caller('pair');
  readonly pack = this.#caller('pack');
  readonly #worker: Worker;
  /** The calls without a reply, oldest first. */
  readonly #waiting: Waiting[] = [];
  #ended: Error | null = null;

  constructor(folder: string) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      name: 'backtest',
      workerData: folder,
      // Samples are in typed arrays outside the heap, so a large young generation would only waste memory.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    this.#worker.on('message', (reply: HostReply) => {
      const call = this.#waiting.shift();
      if ('failure' in reply) call?.reject(new Error(reply.failure));
      else call?.resolve(reply.result);
    });
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#end(new Error('the backtest thread has ended')));
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #caller<M extends Method>(method: M): (...args: Parameters<BacktestHost[M]>) => Promise<Result<M>> {
    return (...args) =>
      new Promise<Result<M>>((resolve, reject) => {
        if (this.#ended) return reject(this.#ended);
        this.#waiting.push({ resolve: (result) => resolve(result as Result<M>), reject });
        this.#worker.postMessage({ method, args } satisfies HostCall<M>);
      });
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
