import type { Clock } from '../../base/clock.ts';
import type { ClockWatch } from '../../base/clock-steps.ts';
import type { Job, Jobs } from '../../base/jobs.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { DAY_MS } from '../../base/times.ts';
import { loadReadNotices } from '../../history/listings/notices.ts';
import { redateListings } from '../../history/listings/redate.ts';
import { loadListings, loadSpan, type Publication, savePublication } from '../../history/listings/store.ts';
import type { Freezer } from '../../market/freeze.ts';
import type { TableSource } from '../../market/timeline.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Announcement, Batch, ContractList } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { ListingCalendar, type Published } from './calendar.ts';
import { VenueClocks } from './venue-clock.ts';
import { ListingWatch } from './watch.ts';

interface ListingsPublisherOptions {
  storage: Storage;
  venues: readonly Venue[];
  freezer: Pick<Freezer, 'identities'>;
  everyMs: number;
  engineLease: EngineLease;
  jobs: Pick<Jobs, 'job'>;
  clock: Clock;
  clockWatch: Pick<ClockWatch, 'check' | 'onStep'>;
  log: Log;
  metrics: Metrics;
}

/** A contract list, or notices, that the next publication reads. */
interface Received {
  exchange: string;
  list: ContractList | null;
  notices: readonly Announcement[];
  atMs: number;
}

/** No venue shows a notice for longer than this, so older ones need not be remembered. */
const NOTICES_REMEMBERED_MS = 180 * DAY_MS;

/** Watches contract lists and notices for listings and delistings, and publishes the calendar periodically. */
export class ListingsPublisher {
  readonly source: TableSource = new ListingCalendar(() => this.published());
  readonly #options: ListingsPublisherOptions;
  readonly #clocks = new VenueClocks();
  /** Venues whose lists and notices are left out. */
  readonly #off = new Set<string>();
  readonly #job: Job;
  readonly #unsubscribe: () => void;
  #watch: ListingWatch;
  #received: Received[] = [];
  #unconfirmed: Publication | null = null;
  #publishing: Promise<void> = Promise.resolve();
  #task: RepeatingTask | null = null;

  private constructor(options: ListingsPublisherOptions, watch: ListingWatch) {
    this.#options = options;
    this.#watch = watch;
    this.#job = options.jobs.job('listings', options.everyMs);
    this.#unsubscribe = options.clockWatch.onStep(({ byMs, nowMs, wrongFromMs }) => {
      this.#watch.shiftTimes(byMs, nowMs);
      for (const received of this.#received) received.atMs = Math.min(received.atMs + byMs, nowMs);
      if (wrongFromMs !== null) this.#redate(wrongFromMs, nowMs);
    });
  }

  /** Goes on from what is stored. */
  static async open(options: ListingsPublisherOptions): Promise<ListingsPublisher> {
    return new ListingsPublisher(options, await loadWatch(options));
  }

  start(): void {
    const { clock, clockWatch, log, everyMs } = this.#options;
    this.#job.start();
    this.#task = startRepeatingTask({
      name: 'publish listings',
      everyMs,
      clock,
      log,
      run: async () => {
        clockWatch.check();
        await this.publish(clock.nowMs());
        this.#job.finished();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#task?.stop();
    this.#job.stop();
    await this.#publishing;
  }

  /** Takes the contract list and the notices that a venue sent. */
  take(venue: Venue, batch: Batch, receivedAtMs: number): void {
    const { exchange } = venue.facts;
    const { contractList: list, announcements: notices } = batch;
    this.#clocks.note(exchange, batch, receivedAtMs, this.#options.clock.monotonicMs());
    if (list || notices.length > 0) this.#received.push({ exchange, list, notices, atMs: receivedAtMs });
    // Without a stored list, what opens next would look as if it had always been there.
    if (list && !this.#watch.hasList(exchange, list.part)) this.#task?.hurry();
  }

  published(): Published {
    return { span: this.#watch.span, episodes: this.#watch.book.published };
  }

  /** Stores and publishes everything observed so far, as of the given time. */
  publish(asOfMs: number): Promise<void> {
    const next = this.#publishing.then(() => this.#publishNow(asOfMs));
    this.#publishing = next.catch(() => undefined);
    return next;
  }

  async #publishNow(asOfMs: number): Promise<void> {
    const { storage, engineLease, metrics } = this.#options;
    this.#readReceived();
    this.#endVenues(asOfMs);
    this.#nameCoins();
    if (!engineLease.isHeld()) return;
    if (this.#unconfirmed) {
      const isStored = (await loadSpan(storage))?.lastAsOfMs === this.#unconfirmed.span.lastAsOfMs;
      if (isStored) this.#watch.commit(this.#unconfirmed);
      this.#unconfirmed = null;
    }
    const publication = this.#watch.stage(asOfMs);
    if (!publication) return;
    // Stored before it is published, so that no row is ever inserted before a published time. If the connection breaks
    // during the commit, the next call looks up whether the publication was stored.
    this.#unconfirmed = publication;
    await savePublication(storage, publication, engineLease.fence());
    this.#unconfirmed = null;
    this.#watch.commit(publication);
    metrics.listingRows.set(this.#watch.book.published.length);
  }

  #readReceived(): void {
    const { clock, metrics, log } = this.#options;
    const received = this.#received;
    this.#received = [];
    for (const { exchange, list, notices, atMs } of received)
      try {
        const isOff = this.#clocks.isOff(exchange, clock.monotonicMs());
        this.#showClock(exchange, isOff);
        // It is of another time: what opened since would seem delisted, and what ended since listed again.
        if (isOff) continue;
        if (list) this.#watch.takeList(exchange, list, atMs);
        for (const { outcome } of this.#watch.takeNotices(exchange, notices, atMs))
          metrics.listingNotices.inc({ exchange, outcome });
      } catch (error) {
        // An unexpected list or notice must not stop the calendar of the other venues.
        log.error({ err: error, exchange }, 'could not read a contract list or notice for the calendar');
      }
  }

  #endVenues(asOfMs: number): void {
    for (const { facts } of this.#options.venues) {
      const endedAtMs = facts.endedAt?.value;
      if (endedAtMs !== undefined && asOfMs >= endedAtMs)
        this.#watch.endVenue(facts.exchange, endedAtMs, asOfMs);
    }
  }

  #nameCoins(): void {
    const { identities } = this.#options.freezer;
    const { book } = this.#watch;
    for (const { exchange, symbol, state } of book.published) {
      if (state.venueSymbol === null) continue;
      const identity = identities.get(`${exchange}/${state.venueSymbol}`);
      if (identity) book.renameCoin(exchange, state.venueSymbol, symbol, identity.coin);
    }
  }

  /** Corrects what a wrong clock has dated, after the publication that is under way. */
  #redate(wrongFromMs: number, nowMs: number): void {
    const { storage, engineLease, log } = this.#options;
    const redate = async () => {
      if (!engineLease.isHeld() || (this.#watch.span?.lastAsOfMs ?? 0) < wrongFromMs) return;
      this.#unconfirmed = null;
      await redateListings(storage, { wrongFromMs, nowMs }, engineLease.fence());
      this.#watch = await loadWatch(this.#options);
    };
    this.#publishing = this.#publishing
      .then(redate)
      .catch((error: unknown) =>
        log.error({ err: error }, 'could not correct the listings that a wrong clock has dated'),
      );
  }

  #showClock(exchange: string, isOff: boolean): void {
    const { metrics, log } = this.#options;
    if (this.#off.has(exchange) === isOff) return;
    if (isOff) this.#off.add(exchange);
    else this.#off.delete(exchange);
    metrics.venueClockOff.set({ exchange }, isOff ? 1 : 0);
    if (isOff)
      log.warn({ exchange }, 'the clock of the venue is off: its lists and notices make no listings');
    else log.info({ exchange }, 'the clock of the venue is right again');
  }
}

async function loadWatch({ storage, clock }: ListingsPublisherOptions): Promise<ListingWatch> {
  const watch = new ListingWatch();
  watch.restore(
    await loadListings(storage),
    await loadReadNotices(storage, clock.nowMs() - NOTICES_REMEMBERED_MS),
  );
  // Lists from the future would make the lists of now look outdated.
  watch.shiftTimes(0, clock.nowMs());
  return watch;
}
