import type { Clock } from '../../base/clock.ts';
import type { Job, Jobs } from '../../base/jobs.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { minuteOf, msOfMinute } from '../../history/samples/model.ts';
import { SampleQueue } from '../../history/samples/queue.ts';
import { SampleStore } from '../../history/samples/store.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { Freezer } from '../../market/freeze.ts';
import type { LatestMarket } from '../../market/latest.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { FencedError } from '../../storage/fences.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Batch, ownFee } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { minuteSample } from './minute-sample.ts';
import { isSampled, type OrderBooks } from './order-books.ts';
import { PRICE_MAX_AGE_MS, QuoteAges } from './quote-ages.ts';
import { type DepthSample, DepthSampler, type PricedLeg, type SampledLeg } from './sampler.ts';

interface DepthSamplesOptions {
  storage: Storage;
  market: Pick<LatestMarket, 'states'>;
  freezer: Pick<Freezer, 'identities'>;
  books: Pick<OrderBooks, 'bookOf' | 'fetch'>;
  load: Pick<LoadMonitor, 'sheds'>;
  engineLease: EngineLease;
  jobs: Pick<Jobs, 'job'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const RETRY_EVERY_MS = 2 * SECOND_MS;

/** Samples every linear contract once a minute and stores the result. */
export class DepthSamples {
  readonly store: SampleStore;
  readonly #options: DepthSamplesOptions;
  readonly #sampler = new DepthSampler();
  readonly #ages: QuoteAges;
  readonly #queue: SampleQueue<readonly PricedLeg[]>;
  readonly #job: Job;
  readonly #listeners: (() => void)[] = [];
  readonly #tasks: RepeatingTask[] = [];

  private constructor(options: DepthSamplesOptions) {
    const { storage, clock, log, metrics, jobs } = options;
    this.#options = options;
    this.store = new SampleStore(storage);
    this.#ages = new QuoteAges(clock);
    this.#job = jobs.job('depth samples', MINUTE_MS);
    this.#queue = new SampleQueue({
      store: (minute, priced) => this.#store(minute, priced),
      isTemporary: (error) => error instanceof FencedError || isStorageUnavailable(error),
      onDropped: (minute) => {
        metrics.droppedSamples.inc();
        log.error({ minute }, 'dropped a minute of depth samples: too many are waiting for the database');
      },
    });
  }

  static async open(options: DepthSamplesOptions): Promise<DepthSamples> {
    const samples = new DepthSamples(options);
    await samples.store.open();
    return samples;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#job.start();
    const sampling = startRepeatingTask({
      name: 'sample depth',
      everyMs: MINUTE_MS,
      clock,
      log,
      run: (signal) => this.#sampleNextMinute(signal),
    });
    const retrying = startRepeatingTask({
      name: 'store waiting depth samples',
      everyMs: RETRY_EVERY_MS,
      clock,
      log,
      run: async () => {
        if (this.#queue.waiting > 0) await this.#reportStored(this.#queue.store());
        return undefined;
      },
    });
    this.#tasks.push(sampling, retrying);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.stop()));
    this.#job.stop();
    if (this.#queue.waiting > 0) await this.#reportStored(this.#queue.store());
  }

  /** Takes what a venue sent. */
  take(venue: Venue, batch: Batch, receivedAtMs: number): void {
    this.#ages.take(venue, batch, receivedAtMs);
  }

  /** Called after a minute has been stored. */
  onStored(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Fetches books for contracts whose top does not cover the sampled sizes, until the given time. */
  fetchBooks(untilMs: number): Promise<void> {
    return this.#options.books.fetch(untilMs);
  }

  /** Takes and stores the sample of a minute from the books that are known. */
  async sample(minute: number): Promise<void> {
    const { market, freezer, clock } = this.#options;
    const nowMs = clock.nowMs();
    const states = market.states().filter(isSampled);
    const late = this.#ages.lateVenues(states);
    const legs = states.map((state) => this.#legOf(state, late.has(state.venue), nowMs));
    const { identities } = freezer;
    this.#sampler.updateQuotes(legs, identities);
    const { priced, outcomes } = this.#sampler.sample(legs, identities);
    this.#showOutcomes(outcomes);
    if (priced.length > 0) await this.#reportStored(this.#queue.add(minute, priced));
  }

  async #sampleNextMinute(signal: AbortSignal): Promise<number> {
    const { clock, load } = this.#options;
    const minute = minuteOf(clock.nowMs()) + 1;
    await clock.sleep(msOfMinute(minute) - clock.nowMs(), signal);
    if (signal.aborted || load.sheds('samples')) return 0;
    await this.sample(minute);
    if (this.#queue.waiting === 0) this.#job.finished();
    return 0;
  }

  #legOf(state: ContractState, isLate: boolean, nowMs: number): SampledLeg {
    return {
      key: state.key,
      exchange: state.venue.facts.exchange,
      venueSymbol: state.contract.venueSymbol,
      quote: state.contract.quote,
      ...ownFee(state.contract),
      top: !isLate && this.#ages.ageMs(state) <= PRICE_MAX_AGE_MS ? state.top : null,
      depth: isLate ? null : this.#options.books.bookOf(state.key, nowMs, PRICE_MAX_AGE_MS),
      volume24hUsdt: state.volume24hUsdt ?? 0,
      isLate,
    };
  }

  #showOutcomes(outcomes: DepthSample['outcomes']): void {
    const { depthSamples, depthCoverage } = this.#options.metrics;
    for (const [exchange, byOutcome] of outcomes) {
      for (const [outcome, count] of byOutcome) depthSamples.inc({ exchange, outcome }, count);
      const total = [...byOutcome.values()].reduce((sum, count) => sum + count, 0);
      const whole = (byOutcome.get('top') ?? 0) + (byOutcome.get('book') ?? 0);
      depthCoverage.set({ exchange }, whole / total);
    }
  }

  async #store(minute: number, priced: readonly PricedLeg[]): Promise<void> {
    const { engineLease } = this.#options;
    // What is taken while the lock is lost waits until it is back, or until another process turns out to have it.
    if (!engineLease.isHeld()) throw new FencedError('the lock of the engine is not held now');
    await this.store.add(await minuteSample(this.store, minute, priced), engineLease.fence());
    for (const listener of this.#listeners) listener();
  }

  async #reportStored(isStored: Promise<boolean>): Promise<void> {
    const { log, metrics } = this.#options;
    const queue = this.#queue;
    const hadToWait = queue.waiting > 1;
    if (!(await isStored)) log.warn({ minutes: queue.waiting }, 'depth samples are waiting for the database');
    else if (hadToWait) log.info('the waiting depth samples are stored');
    metrics.waitingSamples.set(queue.waiting);
  }
}
