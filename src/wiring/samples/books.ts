import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { minuteOf, msOfMinute } from '../../history/samples/model.ts';
import type { ContractState } from '../../market/contract-state.ts';
import { DOLLAR_QUOTES, isLive } from '../../market/freeze.ts';
import type { Part, PartContext } from '../part.ts';
import { type BookFetcher, bookFetcher } from './fetcher.ts';
import { PRICE_MAX_AGE_MS } from './quote-ages.ts';

export interface BooksPart extends Part {
  bookOf: BookFetcher['bookOf'];
  depthsAt: BookFetcher['depthsAt'];
  /** Fetches books for contracts whose top does not cover the sampled sizes, until the given time. */
  fetch(untilMs: number): Promise<void>;
}

/** Books are fetched in the second half of the minute: the first one must not be too old when the sample is taken. */
const BOOKS_BEFORE_MS = PRICE_MAX_AGE_MS - 2 * SECOND_MS;
const BOOK_MAX_AGE_MS = 60 * SECOND_MS;
const SPARE_MS = 500;

/** Only linear contracts that trade and are quoted in a dollar currency are sampled. */
export function isSampled(state: ContractState): boolean {
  return isLive(state) && !state.contract.isInverse && DOLLAR_QUOTES.has(state.contract.quote);
}

/** Fetches order books once a minute, before the next sample. */
export function booksPart(context: PartContext): BooksPart {
  const { clock, log, market, load } = context;
  const books = bookFetcher(context, BOOK_MAX_AGE_MS);
  let task: RepeatingTask | null = null;
  const fetch = (untilMs: number, isSpread = false) =>
    books.fetch(market.states().filter(isSampled), untilMs, isSpread);

  return {
    bookOf: books.bookOf,
    depthsAt: books.depthsAt,
    fetch,
    start: () => {
      task = startRepeatingTask({
        name: 'fetch books',
        everyMs: MINUTE_MS,
        clock,
        log,
        run: async (signal) => {
          const dueMs = msOfMinute(minuteOf(clock.nowMs()) + 1);
          await clock.sleep(dueMs - BOOKS_BEFORE_MS - clock.nowMs(), signal);
          if (!signal.aborted && !load.sheds('samples')) await fetch(dueMs - SPARE_MS, true);
          await clock.sleep(dueMs - clock.nowMs(), signal);
          return 0;
        },
      });
    },
    stop: async () => {
      books.stop();
      await task?.stop();
    },
  };
}
