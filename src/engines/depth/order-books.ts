import type { Clock } from '../../base/clock.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { minuteOf, msOfMinute } from '../../history/samples/model.ts';
import type { ContractState } from '../../market/contract-state.ts';
import { DOLLAR_QUOTES, isLive } from '../../market/freeze.ts';
import type { LatestMarket } from '../../market/latest.ts';
import type { Collector } from '../../venues/collecting/collector.ts';
import type { Batch, Depth } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { BookFetcher } from './book-fetcher.ts';
import { PRICE_MAX_AGE_MS } from './quote-ages.ts';

interface OrderBooksOptions {
  collectors: readonly Collector[];
  market: Pick<LatestMarket, 'states'>;
  load: Pick<LoadMonitor, 'sheds'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Books are fetched in the second half of the minute: the first one must not be too old when the sample is taken. */
const BOOKS_BEFORE_MS = PRICE_MAX_AGE_MS - 2 * SECOND_MS;
const BOOK_MAX_AGE_MS = 60 * SECOND_MS;
const SPARE_MS = 500;

/** Only linear contracts that trade and are quoted in a dollar currency are sampled. */
export function isSampled(state: ContractState): boolean {
  return isLive(state) && !state.contract.isInverse && DOLLAR_QUOTES.has(state.contract.quote);
}

/** The order books of sampled contracts, from streams and from calls once a minute, before the next sample. */
export class OrderBooks {
  readonly #options: OrderBooksOptions;
  readonly #fetcher: BookFetcher;
  #task: RepeatingTask | null = null;

  constructor(options: OrderBooksOptions) {
    this.#options = options;
    this.#fetcher = new BookFetcher({ ...options, maxAgeMs: BOOK_MAX_AGE_MS });
  }

  /** Takes the books of a stream. */
  take(venue: Venue, batch: Batch, receivedAtMs: number): void {
    this.#fetcher.take(venue, batch, receivedAtMs);
  }

  bookOf(key: string, nowMs: number, withinMs: number): Depth | null {
    return this.#fetcher.bookOf(key, nowMs, withinMs);
  }

  depthsAt(nowMs: number): ReadonlyMap<string, Depth> {
    return this.#fetcher.depthsAt(nowMs);
  }

  /** Fetches books for contracts whose top does not cover the sampled sizes, until the given time. */
  fetch(untilMs: number, isSpread = false): Promise<void> {
    return this.#fetcher.fetch(this.#options.market.states().filter(isSampled), untilMs, isSpread);
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#task = startRepeatingTask({
      name: 'fetch books',
      everyMs: MINUTE_MS,
      clock,
      log,
      run: (signal) => this.#fetchBeforeSample(signal),
    });
  }

  async stop(): Promise<void> {
    this.#fetcher.stop();
    await this.#task?.stop();
  }

  async #fetchBeforeSample(signal: AbortSignal): Promise<number> {
    const { clock, load } = this.#options;
    const dueMs = msOfMinute(minuteOf(clock.nowMs()) + 1);
    await clock.sleep(dueMs - BOOKS_BEFORE_MS - clock.nowMs(), signal);
    if (!signal.aborted && !load.sheds('samples')) await this.fetch(dueMs - SPARE_MS, true);
    await clock.sleep(dueMs - clock.nowMs(), signal);
    return 0;
  }
}
