import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { VenueKnowledge } from '../market/intake.ts';
import type { Redis, Subscription } from '../storage/redis/redis.ts';
import type { VenueReport } from '../venues/health.ts';
import type { Batch } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';
import { unpack } from './envelope.ts';
import { decodeVenueMessage, type VenueMessage } from './observations.ts';

export interface VenueReceiverOptions {
  redis: Redis;
  channel: string;
  venues: readonly Venue[];
  log: Log;
  metrics: Metrics;
  accept: (venue: Venue, batch: Batch, receivedAtMs: number) => void;
  learn: (venue: Venue, knowledge: VenueKnowledge) => void;
  /** Requests everything the owner of the venue knows; null requests it from the owners of all venues. */
  askForKnowledge: (slug: string | null) => void;
}

interface Incoming {
  fence: number;
  number: number;
}

/** Receives the observations of venues for the engine. */
export class VenueReceiver {
  readonly #options: VenueReceiverOptions;
  readonly #venues: ReadonlyMap<string, Venue>;
  readonly #incoming = new Map<string, Incoming>();
  readonly #reports = new Map<string, VenueReport>();
  #subscription: Subscription | null = null;

  constructor(options: VenueReceiverOptions) {
    this.#options = options;
    this.#venues = new Map(options.venues.map((venue) => [venue.slug, venue]));
  }

  async start(): Promise<void> {
    const { redis, channel, askForKnowledge } = this.#options;
    this.#subscription ??= await redis.subscribe(channel, (bytes) => this.#receive(bytes));
    askForKnowledge(null);
  }

  async stop(): Promise<void> {
    await this.#subscription?.close();
    this.#subscription = null;
  }

  /** The last report that another process sent. */
  reportOf(slug: string): VenueReport | undefined {
    return this.#reports.get(slug);
  }

  /** Called when this process becomes the owner: later messages of the former owner are dropped. */
  noteOwn(slug: string, fence: number): void {
    this.#incoming.set(slug, { fence, number: -1 });
    this.#reports.delete(slug);
  }

  #receive(bytes: Buffer): void {
    this.#options.metrics.clusterMessages.inc({ kind: 'venue', outcome: this.#outcomeOf(bytes) });
  }

  #outcomeOf(bytes: Buffer): string {
    try {
      const unpacked = unpack(bytes);
      const message = unpacked && decodeVenueMessage(unpacked);
      if (!message) return 'unknown version';
      const venue = this.#venues.get(message.slug);
      return venue ? this.#take(venue, message) : 'unknown venue';
    } catch (error) {
      this.#options.log.error({ err: error }, 'dropped an unreadable message of a collector');
      return 'unreadable';
    }
  }

  #take(venue: Venue, { slug, fence, number, report, news }: VenueMessage): string {
    const { accept, learn, askForKnowledge } = this.#options;
    const last = this.#incoming.get(slug);
    if (last && fence < last.fence) return 'outdated';
    const isNext = last?.fence === fence ? number === last.number + 1 : number === 0;
    this.#incoming.set(slug, { fence, number });
    this.#reports.set(slug, report);
    if (news.kind === 'knowledge') {
      learn(venue, news.knowledge);
      return 'received';
    }
    for (const { batch, receivedAtMs } of news.observed) accept(venue, batch, receivedAtMs);
    if (isNext) return 'received';
    askForKnowledge(slug);
    return 'received after a gap';
  }
}
