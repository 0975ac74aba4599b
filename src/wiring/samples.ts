import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../base/times.ts';
import { DepthSampler, type PricedLeg, type SampledLeg } from '../engines/depth-sampler.ts';
import { type MinuteSample, minuteOf, msOfMinute, PRICE_COLUMNS } from '../history/samples.ts';
import { SampleStore } from '../history/samples-store.ts';
import { DOLLAR_QUOTES, type Freezer, isLive } from '../market/freeze.ts';
import type { ContractState } from '../market/latest.ts';
import type { Part, PartContext } from './part.ts';
import { bookFetcher } from './samples-books.ts';

export interface SamplesPart extends Part {
  store: SampleStore;
  /** Takes and stores the sample of a minute, with the books that are at hand. */
  sample(minute: number): Promise<void>;
  /** Fetches the books that tops cannot stand for, until the time is up. */
  fetchBooks(untilMs: number): Promise<void>;
  /** Called after a minute has been stored. */
  onStored(listener: () => void): void;
}

/** As in the live print: an older top prices nothing. */
const TOP_MAX_AGE_MS = 120 * SECOND_MS;
/** Books are asked for in the last half of the minute, so that all prices of a sample are of nearly one moment. */
const BOOKS_BEFORE_MS = 30 * SECOND_MS;
const BOOK_MAX_AGE_MS = 60 * SECOND_MS;
const SPARE_MS = 500;

/** Prices every linear contract once a minute and keeps the result. */
export async function samplesPart(context: PartContext, freezer: Freezer): Promise<SamplesPart> {
  const { clock, log, metrics, market } = context;
  const store = new SampleStore(context.storage);
  await store.open();
  const sampler = new DepthSampler();
  const books = bookFetcher(context, BOOK_MAX_AGE_MS);
  const listeners: (() => void)[] = [];
  let task: RepeatingTask | null = null;

  const legOf = (state: ContractState, nowMs: number): SampledLeg => ({
    key: state.key,
    exchange: state.venue.facts.exchange,
    venueSymbol: state.contract.venueSymbol,
    quote: state.contract.quote,
    top: nowMs - state.topAtMs <= TOP_MAX_AGE_MS ? state.top : null,
    depth: books.bookOf(state.key, nowMs),
    volume24hUsdt: state.volume24hUsdt ?? 0,
  });
  const linearStates = () =>
    market
      .states()
      .filter(
        (state) => isLive(state) && !state.contract.isInverse && DOLLAR_QUOTES.has(state.contract.quote),
      );

  const sample = async (minute: number) => {
    const nowMs = clock.nowMs();
    const legs = linearStates().map((state) => legOf(state, nowMs));
    sampler.learnQuotes(legs, freezer.identities);
    const { priced, outcomes } = sampler.sample(legs, freezer.identities);
    for (const [exchange, byOutcome] of outcomes) {
      for (const [outcome, count] of byOutcome) metrics.depthSamples.inc({ exchange, outcome }, count);
      const total = [...byOutcome.values()].reduce((sum, count) => sum + count, 0);
      const whole = (byOutcome.get('top') ?? 0) + (byOutcome.get('book') ?? 0);
      metrics.depthCoverage.set({ exchange }, whole / total);
    }
    if (priced.length === 0) return;
    await store.add(await minuteSample(store, minute, priced));
    for (const listener of listeners) listener();
  };

  const fetchBooks = (untilMs: number) => books.fetch(linearStates(), untilMs);

  return {
    store,
    sample,
    fetchBooks,
    onStored: (listener) => listeners.push(listener),
    start: () => {
      task = startRepeatingTask({
        name: 'sample depth',
        everyMs: MINUTE_MS,
        clock,
        log,
        run: async (signal) => {
          const minute = minuteOf(clock.nowMs()) + 1;
          const dueMs = msOfMinute(minute);
          await clock.sleep(dueMs - BOOKS_BEFORE_MS - clock.nowMs(), signal);
          if (!signal.aborted) await fetchBooks(dueMs - SPARE_MS);
          await clock.sleep(dueMs - clock.nowMs(), signal);
          if (!signal.aborted) await sample(minute);
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

/** Priced legs as the sample of a minute, by ascending contract number. */
export async function minuteSample(
  store: SampleStore,
  minute: number,
  priced: readonly PricedLeg[],
): Promise<MinuteSample> {
  const ids = await store.idsOf(priced);
  const order = ids.map((_, i) => i).sort((a, b) => (ids[a] as number) - (ids[b] as number));
  const sample: MinuteSample = {
    minute,
    ids: new Uint32Array(order.length),
    prices: new Float32Array(order.length * PRICE_COLUMNS),
    volumesUsdt: new Float32Array(order.length),
  };
  for (const [place, i] of order.entries()) {
    const leg = priced[i] as PricedLeg;
    sample.ids[place] = ids[i] as number;
    sample.prices.set(leg.prices, place * PRICE_COLUMNS);
    sample.volumesUsdt[place] = leg.volumeUsdt;
  }
  return sample;
}
