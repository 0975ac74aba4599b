import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { pack } from '../../cluster/envelope.ts';
import { Leases } from '../../cluster/leases.ts';
import { encodePairReply } from '../../cluster/pair-calls.ts';
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
import { type KnowledgeCall, parseCall } from './calls.ts';
import type { ClusterLink } from './link.ts';
import { lastReport, saveReports } from './reports.ts';

export interface CollectorRoleOptions {
  link: ClusterLink;
  settings: Settings;
  storage: Storage;
  venues: readonly Venue[];
  log: Log;
  metrics: Metrics;
  /** Called before this process opens the engine. */
  beforeEngine: () => Promise<void>;
}

const ENGINE = 'engine';
const REPORT_EVERY_MS = 2 * SECOND_MS;
const ENGINE_RETRY_MS = SECOND_MS;
const leaseOf = (slug: string) => `venue:${slug}`;

/** Shares the venues with other collectors through leases, and runs the engine while it holds the engine's lease. */
export class CollectorRole {
  readonly engineLease: EngineLease;
  readonly #options: CollectorRoleOptions;
  readonly #leases: Leases;
  readonly #sender: VenueSender;
  readonly #receiver: VenueReceiver;
  readonly #byLease: ReadonlyMap<string, Venue>;
  #collecting: Collecting | null = null;
  /** The fencing number under which this process last began to publish. */
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
      metrics,
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
      askForKnowledge: (slug) =>
        this.#publish(channels.calls, pack({ kind: 'ask-knowledge', slug } satisfies KnowledgeCall)),
    });
  }

  readonly onObserved = (venue: Venue, batch: Batch, receivedAtMs: number): void =>
    this.#sender.observe(venue, batch, receivedAtMs);

  readonly reportFromElsewhere = (slug: string): VenueReport | undefined => this.#receiver.reportOf(slug);

  /** Takes a share of the leases. What they stand for is open when this resolves; it works once collecting starts. */
  async join(collecting: Collecting): Promise<void> {
    const { link, log } = this.#options;
    this.#collecting = collecting;
    this.#calls = await link.redis.subscribe(link.channels.calls, (bytes) => {
      this.#answer(bytes).catch((error: unknown) =>
        log.error({ err: error }, 'could not answer a call of another process'),
      );
    });
    this.#sender.start();
    await this.#leases.join();
    await this.#engineTurn;
    this.#reporting = startRepeatingTask({
      name: 'save reports of venues',
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

  /** Called after collecting has stopped. */
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
    const recalled = collecting.watch(venue.slug);
    this.#receiver.noteOwn(venue.slug, fence);
    void this.#sender.begin(venue, fence);
    // The engine may have started together with this process, and then it knows no more than what is stored.
    if (isNew) void recalled.then(() => this.#sender.sendKnowledge(venue.slug));
    if (!isNew) return;
    lastReport(link, venue.slug).then(
      (last) => {
        if (last === 'unreadable') {
          metrics.clusterMessages.inc({ kind: 'report', outcome: 'unreadable' });
          log.warn(
            { venue: venue.slug },
            'the last report of the venue is unreadable; its availability starts anew',
          );
        } else if (last) collecting.availability.resume(venue.slug, last.minutes);
      },
      (error: unknown) =>
        log.warn({ err: error, venue: venue.slug }, 'could not read the last report of the venue'),
    );
  }

  #doubted(name: string): void {
    this.#options.log.warn({ lease: name }, 'lease not renewed in time; nothing is published under it');
    this.#options.metrics.leaseHeld.set({ lease: name }, 0);
  }

  async #gone(name: string): Promise<void> {
    this.#options.log.info({ lease: name }, 'lease lost');
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
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'could not open or close the engine'),
      );
  }

  /** Keeps the open engine if no other process published in between; else reopens it from the database. */
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
        // While the lease was in doubt, its jobs could publish nothing.
        collecting.context.jobs.restart();
        await this.#receiver.start();
        return;
      } catch (error) {
        log.warn({ err: error }, 'cannot open the engine now');
        if (error instanceof FencedError) return;
        await systemClock.sleep(ENGINE_RETRY_MS);
      }
    }
  }

  async #answer(bytes: Buffer): Promise<void> {
    const { venues, metrics, log } = this.#options;
    const call = parseCall(bytes);
    if (!call) {
      metrics.clusterMessages.inc({ kind: 'call', outcome: 'unreadable' });
      log.warn({ bytes: bytes.length }, 'dropped an unreadable call of another process');
      return;
    }
    if (call.kind === 'ask-knowledge') {
      const wanted = venues.filter(({ slug }) => call.slug === null || call.slug === slug);
      await Promise.all(wanted.map(({ slug }) => this.#sender.sendKnowledge(slug)));
    } else if (this.engineLease.isHeld()) {
      const view = await this.#attached().engine()?.backtest.pair(call.name);
      this.#publish(call.replyTo, encodePairReply(call.id, view ?? null));
    }
  }

  #publish(channel: string, message: Buffer): void {
    // A lost message needs no retry: the receiver asks again.
    this.#options.link.redis.command(['PUBLISH', channel, message]).catch(() => undefined);
  }

  #attached(): Collecting {
    if (!this.#collecting) throw new Error('join() has not been called');
    return this.#collecting;
  }
}
