import { MessageChannel, Worker } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import type { JobState } from '../../base/jobs.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { PortFeed } from '../../cluster/port-feed.ts';
import type { MetricsJson } from '../../doors/http/metrics-text.ts';
import type { Settings } from '../../settings.ts';
import { type DiskFaults, NO_DISK_FAULTS } from '../../storage/disk-state.ts';
import type { ThreadData, ThreadMessage, ThreadOrder, ThreadStatus } from './messages.ts';

export interface ThreadModule {
  /** The module that the thread runs. */
  entry: URL;
  /** What it gets besides the settings. */
  extra?: unknown;
}

interface CollectorThreadOptions extends ThreadModule {
  settings: Settings;
  log: Log;
  metrics: Pick<Metrics, 'collectorUp' | 'collectorRestarts'>;
  /** Takes its frames; null where the serving side reads them from PostgreSQL. */
  feed: PortFeed | null;
}

export const COLLECTOR: ThreadModule = { entry: new URL('./collector-worker.ts', import.meta.url) };

const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS = MINUTE_MS;
/** A thread that ran for so long has recovered: the next pause is short again. */
const RECOVERED_MS = 5 * MINUTE_MS;

/** The collector in a thread of its own. One that ends with an error is started again; answers go on meanwhile. */
export class CollectorThread {
  readonly #options: CollectorThreadOptions;
  readonly #stopping = new AbortController();
  #collecting = Promise.withResolvers<void>();
  #worker: Worker | null = null;
  #isWanted = false;
  #status: ThreadStatus | null = null;
  #fault: string | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: CollectorThreadOptions) {
    this.#options = options;
  }

  /** Loads the thread, which then waits for `collect`. */
  start(): void {
    this.#running = this.#keepRunning();
  }

  /** Lets the thread watch the venues. */
  collect(): void {
    this.#isWanted = true;
    this.#order('collect');
  }

  /** Resolves when the thread watches the venues. */
  collecting(): Promise<void> {
    return this.#collecting.promise;
  }

  /** Null until the thread has reported. */
  get metrics(): MetricsJson | null {
    return this.#status?.metrics ?? null;
  }

  jobs(): JobState[] {
    return this.#status?.jobs ?? [];
  }

  /** In sentences for the operator. */
  faults(): string[] {
    return [...(this.#fault === null ? [] : [this.#fault]), ...(this.#status?.faults ?? [])];
  }

  /** What its reads and writes of the database file met. */
  disk(): DiskFaults {
    return this.#status?.disk ?? NO_DISK_FAULTS;
  }

  /** Resolves when the thread has stored what it has. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#order('stop');
    await this.#running;
  }

  /** Ends the thread without a chance to store anything, as a crash does. For tests. */
  async kill(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    // Set before it ends, so that a caller who waits for `collecting` then waits for the next thread.
    this.#collecting = Promise.withResolvers();
    await worker.terminate();
  }

  #order(order: ThreadOrder): void {
    this.#worker?.postMessage(order);
  }

  async #keepRunning(): Promise<void> {
    const { log, metrics } = this.#options;
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.#stopping.signal.aborted) {
      const startedMs = performance.now();
      const reason = await this.#run();
      metrics.collectorUp.set(0);
      this.#status = null;
      if (this.#stopping.signal.aborted) return;
      if (performance.now() - startedMs > RECOVERED_MS) pauseMs = FIRST_PAUSE_MS;
      const seconds = pauseMs / SECOND_MS;
      this.#fault = `The collector ended (${reason}) and starts again; answers are of the last snapshot`;
      log.error({ reason }, `the collector thread ended; it starts again in ${seconds} s`);
      metrics.collectorRestarts.inc();
      await systemClock.sleep(pauseMs, this.#stopping.signal);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  /** Runs one thread to its end; resolves to why it ended. */
  async #run(): Promise<string> {
    const { settings, feed, entry, extra = null, metrics } = this.#options;
    const channel = feed ? new MessageChannel() : null;
    if (channel) feed?.listen(channel.port1);
    const worker = new Worker(entry, {
      name: 'collector',
      workerData: { settings, frames: channel?.port2 ?? null, extra } satisfies ThreadData,
      transferList: channel ? [channel.port2] : [],
    });
    this.#worker = worker;
    let reason = 'it was stopped';
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'status') this.#status = message;
      else {
        this.#fault = null;
        metrics.collectorUp.set(1);
        this.#collecting.resolve();
      }
    });
    if (this.#isWanted) this.#order('collect');
    // Not `once` of node:events, which rejects on an error of the thread.
    await new Promise((resolve) => worker.once('exit', resolve));
    this.#worker = null;
    return reason;
  }
}
