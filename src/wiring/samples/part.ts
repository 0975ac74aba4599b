import { inTurns } from '../../base/async/in-turns.ts';
import { nextTurn } from '../../base/async/next-turn.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { DepthSampler, type PricedLeg, type SampledLeg } from '../../engines/depth/sampler.ts';
import { type MinuteSample, minuteOf, msOfMinute, PRICE_COLUMNS } from '../../history/samples/model.ts';
import { SampleQueue } from '../../history/samples/queue.ts';
import { SampleStore } from '../../history/samples/store.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { Freezer } from '../../market/freeze.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { FencedError } from '../../storage/fences.ts';
import { ownFee } from '../../venues/observations.ts';
import type { Part, PartContext } from '../part.ts';
import { type BooksPart, isSampled } from './books.ts';
import { PRICE_MAX_AGE_MS, QuoteAges } from './quote-ages.ts';

export interface SamplesPart extends Part {
  store: SampleStore;
  /** Takes and stores the sample of a minute from the books that are known. */
  sample(minute: number): Promise<void>;
  /** Fetches books for contracts whose top does not cover the sampled sizes, until the given time. */
  fetchBooks(untilMs: number): Promise<void>;
  /** Called after a minute has been stored. */
  onStored(listener: () => void): void;
}

const RETRY_EVERY_MS = 2 * SECOND_MS;

/** Samples every linear contract once a minute and stores the result. */
export async function samplesPart(
  context: PartContext,
  freezer: Freezer,
  books: Pick<BooksPart, 'bookOf' | 'fetch'>,
): Promise<SamplesPart> {
  const { clock, log, metrics, market, engineLease } = context;
  const store = new SampleStore(context.storage);
  await store.open();
  const sampler = new DepthSampler();
  const ages = new QuoteAges(clock);
  context.observe((venue, batch, receivedAtMs) => ages.take(venue, batch, receivedAtMs));
  const listeners: (() => void)[] = [];
  const tasks: RepeatingTask[] = [];
  const job = context.jobs.job('depth samples', MINUTE_MS);
  const queue = new SampleQueue<readonly PricedLeg[]>({
    store: async (minute, priced) => {
      // What is taken while the lock is lost waits until it is back, or until another process turns out to have it.
      if (!engineLease.isHeld()) throw new FencedError('the lock of the engine is not held now');
      const taken = await minuteSample(store, minute, priced);
      await nextTurn();
      await store.add(taken, engineLease.fence());
      await nextTurn();
      for (const listener of listeners) listener();
    },
    isTemporary: (error) => error instanceof FencedError || isStorageUnavailable(error),
    onDropped: (minute) => {
      metrics.droppedSamples.inc();
      log.error({ minute }, 'dropped a minute of depth samples: too many are waiting for the database');
    },
  });
  const reportStored = async (isStored: Promise<boolean>) => {
    const hadToWait = queue.waiting > 1;
    if (!(await isStored)) log.warn({ minutes: queue.waiting }, 'depth samples are waiting for the database');
    else if (hadToWait) log.info('the waiting depth samples are stored');
    metrics.waitingSamples.set(queue.waiting);
  };

  const legOf = (state: ContractState, isLate: boolean, nowMs: number): SampledLeg => ({
    key: state.key,
    exchange: state.venue.facts.exchange,
    venueSymbol: state.contract.venueSymbol,
    quote: state.contract.quote,
    ...ownFee(state.contract),
    top: !isLate && ages.ageMs(state) <= PRICE_MAX_AGE_MS ? state.top : null,
    depth: isLate ? null : books.bookOf(state.key, nowMs, PRICE_MAX_AGE_MS),
    volume24hUsdt: state.volume24hUsdt ?? 0,
    isLate,
  });
  const sample = async (minute: number) => {
    const nowMs = clock.nowMs();
    // All prices are of one moment; what is computed from them takes several turns.
    const states = market.states().filter(isSampled);
    const late = ages.lateVenues(states);
    const legs = states.map((state) => legOf(state, late.has(state.venue), nowMs));
    await nextTurn();
    const { identities } = freezer;
    sampler.updateQuotes(legs, identities);
    await nextTurn();
    const { priced, outcomes } = await inTurns(sampler.steps(legs, identities));
    for (const [exchange, byOutcome] of outcomes) {
      for (const [outcome, count] of byOutcome) metrics.depthSamples.inc({ exchange, outcome }, count);
      const total = [...byOutcome.values()].reduce((sum, count) => sum + count, 0);
      const whole = (byOutcome.get('top') ?? 0) + (byOutcome.get('book') ?? 0);
      metrics.depthCoverage.set({ exchange }, whole / total);
    }
    if (priced.length > 0) await reportStored(queue.add(minute, priced));
  };

  return {
    store,
    sample,
    fetchBooks: books.fetch,
    onStored: (listener) => listeners.push(listener),
    start: () => {
      job.start();
      const sampling = startRepeatingTask({
        name: 'sample depth',
        everyMs: MINUTE_MS,
        clock,
        log,
        run: async (signal) => {
          const minute = minuteOf(clock.nowMs()) + 1;
          await clock.sleep(msOfMinute(minute) - clock.nowMs(), signal);
          if (signal.aborted || context.load.sheds('samples')) return 0;
          await sample(minute);
          if (queue.waiting === 0) job.finished();
          return 0;
        },
      });
      const retrying = startRepeatingTask({
        name: 'store waiting depth samples',
        everyMs: RETRY_EVERY_MS,
        clock,
        log,
        run: async () => {
          if (queue.waiting > 0) await reportStored(queue.store());
          return undefined;
        },
      });
      tasks.push(sampling, retrying);
    },
    stop: async () => {
      await Promise.all(tasks.map((task) => task.stop()));
      job.stop();
      if (queue.waiting > 0) await reportStored(queue.store());
    },
  };
}

/** The sample of a minute from priced legs, sorted by contract id. */
export async function minuteSample(
  store: SampleStore,
  minute: number,
  priced: readonly PricedLeg[],
): Promise<MinuteSample> {
  const ids = await store.idsOf(priced);
  await nextTurn();
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
