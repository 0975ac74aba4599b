import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import type { VenueKnowledge } from '../market/intake.ts';
import type { Redis } from '../storage/redis/redis.ts';
import type { VenueReport } from '../venues/health.ts';
import type { Batch } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';
import { encodeVenueMessage, isEmptyForEngine, type Observed, type VenueNews } from './observations.ts';

export interface VenueSenderOptions {
  redis: Redis;
  channel: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** The fencing number of the venue's lease; null while this process does not hold it. */
  fenceOf: (slug: string) => number | null;
  /** Whether the engine runs in this process: then nothing is sent. */
  isEngineHere: () => boolean;
  reportOf: (venue: Venue) => VenueReport;
  knowledgeOf: (venue: Venue) => VenueKnowledge;
}

interface Outgoing {
  venue: Venue;
  fence: number;
  number: number;
  waiting: Observed[];
}

/** Batches the many small messages of a stream; the engine publishes only every few seconds. */
const SEND_EVERY_MS = 200;

/**
 * Sends the observations of this process's venues to the engine. What cannot be sent is dropped: as soon as sending works
 * again, everything known of the venue is sent, which is newer.
 */
export class VenueSender {
  readonly #options: VenueSenderOptions;
  readonly #outgoing = new Map<string, Outgoing>();
  #task: RepeatingTask | null = null;

  constructor(options: VenueSenderOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#task = startRepeatingTask({
      name: 'send observations',
      everyMs: SEND_EVERY_MS,
      clock,
      log,
      run: async () => {
        await this.flush();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }

  /** Starts sending under the fencing number, first everything known of the venue. */
  async begin(venue: Venue, fence: number): Promise<void> {
    this.#outgoing.set(venue.slug, { venue, fence, number: 0, waiting: [] });
    await this.sendKnowledge(venue.slug);
  }

  end(slug: string): void {
    this.#outgoing.delete(slug);
  }

  observe(venue: Venue, batch: Batch, receivedAtMs: number): void {
    const outgoing = this.#outgoing.get(venue.slug);
    if (!outgoing || this.#options.isEngineHere() || isEmptyForEngine(batch)) return;
    outgoing.waiting.push({ receivedAtMs, batch });
  }

  async sendKnowledge(slug: string): Promise<void> {
    const outgoing = this.#outgoing.get(slug);
    if (!outgoing || this.#options.isEngineHere()) return;
    outgoing.waiting = [];
    const knowledge = this.#options.knowledgeOf(outgoing.venue);
    await this.#send(outgoing, { kind: 'knowledge', knowledge });
  }

  async flush(): Promise<void> {
    const sent = [...this.#outgoing.values()].map(async (outgoing) => {
      if (outgoing.waiting.length === 0) return;
      const observed = outgoing.waiting;
      outgoing.waiting = [];
      if (!this.#options.isEngineHere()) await this.#send(outgoing, { kind: 'observed', observed });
    });
    await Promise.all(sent);
  }

  async #send(outgoing: Outgoing, news: VenueNews): Promise<void> {
    const { redis, channel, metrics, fenceOf, reportOf } = this.#options;
    const { venue, fence } = outgoing;
    // A lost message leaves a gap in the numbers; the engine then requests everything known.
    const number = outgoing.number++;
    const isHeld = fenceOf(venue.slug) === fence;
    const message = { slug: venue.slug, fence, number, report: reportOf(venue), news };
    const outcome = await (isHeld && redis.isUp
      ? redis.command(['PUBLISH', channel, encodeVenueMessage(message)]).then(
          () => 'sent',
          () => 'not sent',
        )
      : 'not sent');
    metrics.clusterMessages.inc({ kind: news.kind, outcome });
  }
}
