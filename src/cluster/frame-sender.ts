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
  /** The fence of the engine's lease; null while this process does not hold it. */
  fence: () => Fence | null;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const RETRY_EVERY_MS = 1000;
/** A database that does not reply must not delay the newest frames for longer. */
const STORE_TIMEOUT_MS = 300;
const FRAMES_PER_TRANSACTION = 20;

/** Stores the frames of the engine's timelines in the database and sends them to every API process. */
export class FrameSender implements FrameStore {
  readonly #options: FrameSenderOptions;
  readonly #lastAsOfMs = new Map<string, number>();
  #pending: SentFrame[] = [];
  #pendingSend: Promise<void> | null = null;
  #sent: Promise<void> = Promise.resolve();
  /** Sent frames that could not be stored yet. Processes that start later read them from the database. */
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

  /** Frames saved in one turn of the event loop are sent in one message, so that receivers get a snapshot's tables together. */
  save(series: string, asOfMs: number, frame: Uint8Array): Promise<void> {
    const beforeMs = this.#lastAsOfMs.get(series) ?? null;
    this.#lastAsOfMs.set(series, asOfMs);
    this.#pending.push({ series, asOfMs, frame, beforeMs });
    // Messages are sent one after the other, so that none overtakes another.
    this.#pendingSend ??= this.#sent.then(() => this.#send());
    // A message that could not be made must not keep the next ones back.
    this.#sent = this.#pendingSend.catch(() => undefined);
    return this.#pendingSend;
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
    const frames = this.#pending;
    this.#pending = [];
    this.#pendingSend = null;
    const held = fence();
    if (!held) return;
    this.#unsaved.push(...frames);
    // Stored before it is sent: a cursor into the frame must work at every process, even if this one dies now.
    if (this.#retrying === null)
      await Promise.race([this.#storeOrRetry(), systemClock.sleep(STORE_TIMEOUT_MS)]);
    metrics.unsavedFrames.set(this.#unsaved.length);
    await redis.command(['PUBLISH', channel, encodeFrames({ fence: held.number, frames })]).then(
      () => metrics.clusterMessages.inc({ kind: 'frames', outcome: 'sent' }),
      // Receivers also look into the database every few seconds.
      () => metrics.clusterMessages.inc({ kind: 'frames', outcome: 'not sent' }),
    );
  }

  async #storeOrRetry(): Promise<void> {
    if (!(await this.#store()))
      this.#retrying ??= this.#retry().finally(() => {
        this.#retrying = null;
      });
  }

  /** Returns whether all frames are stored. */
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
          log.warn({ err: error }, 'cannot store snapshots now; they are kept and stored later');
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
  }
}
