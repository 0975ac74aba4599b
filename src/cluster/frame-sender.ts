import { type Clock, systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { FrameArchive, StoredFrame } from '../market/frame-store.ts';
import { type FrameStore, KEEP_MS } from '../market/timeline.ts';
import { type Fence, FencedError } from '../storage/fences.ts';
import type { Redis } from '../storage/redis/redis.ts';
import { encodeFrames, type SentFrame } from './frames.ts';

export interface FrameSenderOptions {
  redis: Redis;
  channel: string;
  archive: FrameArchive;
  /** The engine's lease, or null while it is not held. */
  fence: () => Fence | null;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const RETRY_EVERY_MS = 1000;
/** A database that does not answer must not keep the newest from those who can have it. */
const STORED_WITHIN_MS = 300;
const FRAMES_PER_TRANSACTION = 20;

/** Where the engine's timelines put their frames: to every API process at once, and into the database. */
export class FrameSender implements FrameStore {
  readonly #options: FrameSenderOptions;
  readonly #lastAsOfMs = new Map<string, number>();
  #gathered: SentFrame[] = [];
  #gathering: Promise<void> | null = null;
  #sent: Promise<void> = Promise.resolve();
  /** Sent, but the database was away. Late-comers will want them. */
  #unsaved: StoredFrame[] = [];
  #storing: Promise<boolean> | null = null;
  #retrying: Promise<void> | null = null;
  readonly #stopping = new AbortController();

  constructor(options: FrameSenderOptions) {
    this.#options = options;
  }

  get unsavedFrames(): number {
    return this.#unsaved.length;
  }

  /** Frames of one turn of the event loop go out together, so that nobody sees one table without its sisters. */
  save(series: string, asOfMs: number, frame: Uint8Array): Promise<void> {
    const beforeMs = this.#lastAsOfMs.get(series) ?? null;
    this.#lastAsOfMs.set(series, asOfMs);
    this.#gathered.push({ series, asOfMs, frame, beforeMs });
    // One after the other: a message must not overtake the one before it.
    this.#gathering ??= this.#sent.then(() => this.#send());
    this.#sent = this.#gathering;
    return this.#gathering;
  }

  async load(series: string, fromMs: number): Promise<{ asOfMs: number; frame: Uint8Array }[]> {
    const frames = await this.#options.archive.load(series, fromMs);
    const last = frames.at(-1);
    if (last) this.#lastAsOfMs.set(series, last.asOfMs);
    return frames;
  }

  async deleteBefore(series: string, beforeMs: number): Promise<void> {
    if (this.#unsaved.length === 0) await this.#options.archive.deleteBefore(series, beforeMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sent;
    await this.#retrying;
    await this.#store();
  }

  async #send(): Promise<void> {
    const { redis, channel, fence, metrics } = this.#options;
    const frames = this.#gathered;
    this.#gathered = [];
    this.#gathering = null;
    const held = fence();
    if (!held) return;
    this.#unsaved.push(...frames);
    // Stored before anybody sees it: a cursor into it must be good at every process, also if this one dies now.
    if (this.#retrying === null)
      await Promise.race([this.#storeOrRetry(), systemClock.sleep(STORED_WITHIN_MS)]);
    metrics.unsavedFrames.set(this.#unsaved.length);
    await redis.command(['PUBLISH', channel, encodeFrames({ fence: held.number, frames })]).then(
      () => metrics.clusterMessages.inc({ kind: 'frames', outcome: 'sent' }),
      // Whoever listens asks the database every few seconds as well.
      () => metrics.clusterMessages.inc({ kind: 'frames', outcome: 'not sent' }),
    );
  }

  async #storeOrRetry(): Promise<void> {
    if (!(await this.#store())) this.#retrying ??= this.#retry();
  }

  /** Whether nothing is left to be stored. */
  #store(): Promise<boolean> {
    this.#storing ??= this.#drain().finally(() => {
      this.#storing = null;
    });
    return this.#storing;
  }

  async #drain(): Promise<boolean> {
    const { archive, fence, clock, log } = this.#options;
    while (this.#unsaved.length > 0) {
      const horizonMs = clock.nowMs() - KEEP_MS;
      this.#unsaved = this.#unsaved.filter((frame) => frame.asOfMs >= horizonMs);
      const some = this.#unsaved.slice(0, FRAMES_PER_TRANSACTION);
      const held = fence();
      if (!held) return false;
      try {
        await archive.saveAll(some, held);
        this.#unsaved = this.#unsaved.slice(some.length);
      } catch (error) {
        if (error instanceof FencedError) {
          this.#unsaved = [];
          return true;
        }
        if (this.#retrying === null)
          log.warn({ err: error }, 'snapshots cannot be stored now; they are kept and stored later');
        return false;
      }
    }
    return true;
  }

  async #retry(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await systemClock.sleep(RETRY_EVERY_MS, signal);
      if (!(await this.#store())) continue;
      log.info('snapshots are stored again');
      break;
    }
    this.#options.metrics.unsavedFrames.set(this.#unsaved.length);
    this.#retrying = null;
  }
}
