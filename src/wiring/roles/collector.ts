import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { pack, unpack } from '../../cluster/envelope.ts';
import { Leases } from '../../cluster/leases.ts';
import { encodePairReply, type PairCall } from '../../cluster/pair-calls.ts';
import { VenueReceiver } from '../../cluster/venue-receiver.ts';
import { VenueSender } from '../../cluster/venue-sender.ts';
import type { Settings } from '../../settings.ts';
import { claimFence, FencedError } from '../../storage/fences.ts';
import type { Subscription } from '../../storage/redis/redis.ts';
import type { Storage } from '../../storage/storage.ts';
import type { VenueReport } from '../../venues/health.ts';
import type { Batch } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Collecting } from '../market/collecting.ts';
import type { EngineLease } from '../part.ts';
import type { ClusterLink } from './link.ts';
import { lastReport, saveReports } from './reports.ts';

export interface CollectorRoleOptions {
  link: ClusterLink;
  settings: Settings;
  storage: Storage;
  venues: readonly Venue[];
  log: Log;
  metrics: Metrics;
  /** Called before the engine is opened here. */
  beforeEngine: () => Promise<void>;
}

const ENGINE = 'engine';
const REPORT_EVERY_MS = 2 * SECOND_MS;
const ENGINE_RETRY_MS = SECOND_MS;
const leaseOf = (slug: string) => `venue:${slug}`;

/** Shares the venues with other collectors, and has the engine if no other process has it. */
export class CollectorRole {
  readonly engineLease: EngineLease;
  readonly #options: CollectorRoleOptions;
  readonly #leases: Leases;
  readonly #sender: VenueSender;
  readonly #receiver: VenueReceiver;
  readonly #byLease: ReadonlyMap<string, Venue>;
  #collecting: Collecting | null = null;
  /** The last number under which this process has begun to publish. */
  #claimed: number | null = null;
  #engineTurn: Promise<void> = Promise.resolve();
  #calls: Subscription | null = null;
  #reporting: RepeatingTask | null = null;

  constructor(options: CollectorRoleOptions) {
    const { link, settings, venues, log, metrics } = options;
    const { redis, channels, owner } = link;
    this.#options = options;
    this.#byLease = new Map(venues.map((venue) => [leaseOf(venue.slug), venue]));
    this.#leases = new Leases({
      redis,
      clock: systemClock,
      log,
      namespace: channels.namespace,
      owner,
      shared: [...this.#byLease.keys()],
      single: [ENGINE],
      ttlMs: settings.leaseSeconds * SECOND_MS,
      events: {
        onTaken: (name, fence) => this.#taken(name, fence),
        onDoubt: (name) => this.#doubted(name),
        onGone: (name) => this.#gone(name),
      },
    });
    const isEngineHere = () => this.#claimed !== null && this.#leases.fenceOf(ENGINE) === this.#claimed;
    this.engineLease = {
      isHeld: isEngineHere,
      fence: () => (this.#claimed === null ? null : { name: ENGINE, number: this.#claimed }),
    };
    this.#sender = new VenueSender({
      redis,
      channel: channels.observations,
      clock: systemClock,
      log,
      metrics,
      fenceOf: (slug) => this.#leases.fenceOf(leaseOf(slug)),
      isEngineHere,
      reportOf: (venue) => this.#attached().reportOf(venue),
      knowledgeOf: (venue) => this.#attached().knowledgeOf(venue),
    });
    this.#receiver = new VenueReceiver({
      redis,
      channel: channels.observations,
      venues,
      log,
      metrics,
      accept: (venue, batch, receivedAtMs) => this.#attached().take(venue, batch, receivedAtMs),
      learn: (venue, knowledge) => this.#attached().learn(venue, knowledge),
      askForKnowledge: (slug) => this.#publish(channels.calls, pack({ kind: 'ask-knowledge', slug })),
    });
  }

  readonly onObserved = (venue: Venue, batch: Batch, receivedAtMs: number): void =>
    this.#sender.observe(venue, batch, receivedAtMs);

  readonly reportFromElsewhere = (slug: string): VenueReport | undefined => this.#receiver.reportOf(slug);

  /** Takes its share. What it got is ready when this resolves, though it works only once collecting has started. */
  async join(collecting: Collecting): Promise<void> {
    const { link, log } = this.#options;
    this.#collecting = collecting;
    this.#calls = await link.redis.subscribe(link.channels.calls, (bytes) => {
      this.#answer(bytes).catch((error: unknown) => log.error({ err: error }, 'a call was not answered'));
    });
    this.#sender.start();
    await this.#leases.join();
    await this.#engineTurn;
    this.#reporting = startRepeatingTask({
      name: 'report venues',
      everyMs: REPORT_EVERY_MS,
      clock: systemClock,
      log,
      run: async () => {
        const watched = this.#options.venues.filter(({ slug }) => collecting.isWatched(slug));
        await saveReports(link, collecting, watched);
        this.#options.metrics.liveCollectors.set(this.#leases.liveCollectors);
        return undefined;
      },
    });
  }

  /** To be called when collecting has stopped. */
  async leave(): Promise<void> {
    await this.#reporting?.stop();
    await this.#calls?.close();
    await this.#receiver.stop();
    await this.#sender.stop();
    await this.#leases.leave();
    await this.#engineTurn;
  }

  #taken(name: string, fence: number): void {
    const { log, metrics, link } = this.#options;
    log.info({ lease: name, fence }, 'lease taken');
    metrics.leaseHeld.set({ lease: name }, 1);
    const venue = this.#byLease.get(name);
    if (!venue) {
      this.#nextEngineTurn(() => this.#lead(fence));
      return;
    }
    const collecting = this.#attached();
    const isNew = !collecting.isWatched(venue.slug);
    collecting.watch(venue.slug);
    this.#receiver.noteOwn(venue.slug, fence);
    void this.#sender.begin(venue, fence);
    if (!isNew) return;
    lastReport(link, venue.slug).then(
      (last) => {
        if (last) collecting.availability.goOn(venue.slug, last.minutes);
      },
      (error: unknown) => log.warn({ err: error, venue: venue.slug }, 'the last report cannot be read'),
    );
  }

  #doubted(name: string): void {
    this.#options.log.warn({ lease: name }, 'lease not renewed in time: nothing is published under it');
    this.#options.metrics.leaseHeld.set({ lease: name }, 0);
  }

  async #gone(name: string): Promise<void> {
    this.#options.log.info({ lease: name }, 'lease gone');
    this.#options.metrics.leaseHeld.set({ lease: name }, 0);
    const venue = this.#byLease.get(name);
    if (venue) {
      this.#sender.end(venue.slug);
      await this.#attached().unwatch(venue.slug);
      return;
    }
    this.#nextEngineTurn(async () => {
      await this.#receiver.stop();
      await this.#attached().closeEngine();
    });
  }

  #nextEngineTurn(work: () => Promise<void>): void {
    this.#engineTurn = this.#engineTurn
      .then(work)
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'the engine was not moved'));
  }

  /** Goes on as before if no other process has published meanwhile, else begins from what the database holds. */
  async #lead(fence: number): Promise<void> {
    const { storage, log, beforeEngine } = this.#options;
    const collecting = this.#attached();
    while (this.#leases.fenceOf(ENGINE) === fence) {
      try {
        const before = await claimFence(storage, { name: ENGINE, number: fence });
        if (collecting.engine() && before !== this.#claimed) await collecting.closeEngine();
        if (!collecting.engine()) {
          await beforeEngine();
          await collecting.openEngine();
        }
        this.#claimed = fence;
        await this.#receiver.start();
        return;
      } catch (error) {
        log.warn({ err: error }, 'the engine cannot be opened here now');
        if (error instanceof FencedError) return;
        await systemClock.sleep(ENGINE_RETRY_MS);
      }
    }
  }

  async #answer(bytes: Buffer): Promise<void> {
    const head = unpack(bytes)?.head;
    if (head?.kind === 'ask-knowledge') {
      const slugs = this.#options.venues.map(({ slug }) => slug);
      const asked = slugs.filter((slug) => head.slug === null || head.slug === slug);
      await Promise.all(asked.map((slug) => this.#sender.sendKnowledge(slug)));
    }
    if (head?.kind !== 'ask-pair' || !this.engineLease.isHeld()) return;
    const { id, replyTo, name } = head as unknown as PairCall;
    const view = await this.#attached().engine()?.backtest.pair(name);
    this.#publish(replyTo, encodePairReply(id, view ?? null));
  }

  #publish(channel: string, message: Buffer): void {
    // Whoever misses it asks again.
    this.#options.link.redis.command(['PUBLISH', channel, message]).catch(() => undefined);
  }

  #attached(): Collecting {
    if (!this.#collecting) throw new Error('not joined yet');
    return this.#collecting;
  }
}
