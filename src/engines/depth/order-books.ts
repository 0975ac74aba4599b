import type { Clock } from '../../base/clock.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { minuteOf, msOfMinute } from '../../history/samples/model.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { DatedCurve } from '../../market/depth/book-curve.ts';
import { DOLLAR_QUOTES, isLive } from '../../market/freeze.ts';
import type { LatestMarket } from '../../market/latest.ts';
import type { Table } from '../../market/tables/table.ts';
import type { Collector } from '../../venues/collecting/collector.ts';
import type { Batch, Depth } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { BookFetcher } from './book-fetcher.ts';
import { PRICE_MAX_AGE_MS } from './quote-ages.ts';
import { storedCurves } from './stored-curves.ts';

interface OrderBooksOptions {
  collectors: readonly Collector[];
  market: Pick<LatestMarket, 'states'>;
  load: Pick<LoadMonitor, 'sheds'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Samples use books of the second half of the minute: the first one must not be too old when the sample is taken. */
const BOOKS_BEFORE_MS = PRICE_MAX_AGE_MS - 2 * SECOND_MS;
const SPARE_MS = 500;

/** Linear contracts that trade and are quoted in a dollar currency are sampled, and have a curve. */
export function isSampled(state: ContractState): boolean {
  return isLive(state) && !state.contract.isInverse && DOLLAR_QUOTES.has(state.contract.quote);
}

/**
 * The order books of linear contracts, from streams and from calls within the venues' budgets. One call serves two readers:
 * the curves of all contracts, and the samples of those whose top is small, which are fetched just before their sample.
 */
export class OrderBooks {
  readonly #options: OrderBooksOptions;
  readonly #fetcher: BookFetcher;
  #task: RepeatingTask | null = null;

  constructor(options: OrderBooksOptions) {
    this.#options = options;
    this.#fetcher = new BookFetcher(options);
  }

  /** Takes the books of a stream. */
  take(venue: Venue, batch: Batch, receivedAtMs: number): void {
    this.#fetcher.take(venue, batch, receivedAtMs);
  }

  bookOf(key: string, nowMs: number, withinMs: number): Depth | null {
    return this.#fetcher.bookOf(key, nowMs, withinMs);
  }

  /** Takes the books of the last depth table, with their true age. */
  recall(table: Table): void {
    this.#fetcher.recall(storedCurves(table), this.#options.clock.nowMs());
  }

  curvesAt(nowMs: number): ReadonlyMap<string, DatedCurve> {
    return this.#fetcher.curvesAt(nowMs);
  }

  shiftTimes(byMs: number): void {
    this.#fetcher.shiftTimes(byMs);
  }

  /** Fetches the books that are due, and those that the next sample needs, until the given time. */
  fetch(untilMs: number): Promise<void> {
    return this.#fetch(untilMs, {});
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#task = startRepeatingTask({
      name: 'fetch books',
      everyMs: MINUTE_MS,
      clock,
      log,
      run: (signal) => this.#fetchOneMinute(signal),
    });
  }

  async stop(): Promise<void> {
    this.#fetcher.stop();
    await this.#task?.stop();
  }

  #fetch(untilMs: number, kind: Parameters<BookFetcher['fetch']>[2]): Promise<void> {
    return this.#fetcher.fetch(this.#options.market.states().filter(isSampled), untilMs, kind);
  }

  async #fetchOneMinute(signal: AbortSignal): Promise<number> {
    const { clock, load } = this.#options;
    const endMs = msOfMinute(minuteOf(clock.nowMs()) + 1);
    const halves = [
      { untilMs: endMs - BOOKS_BEFORE_MS, isForCurves: true },
      { untilMs: endMs, isForCurves: false },
    ];
    for (const { untilMs, isForCurves } of halves) {
      if (signal.aborted) break;
      if (!load.sheds('samples')) await this.#fetch(untilMs - SPARE_MS, { isSpread: true, isForCurves });
      await clock.sleep(untilMs - clock.nowMs(), signal);
    }
    return 0;
  }
}
