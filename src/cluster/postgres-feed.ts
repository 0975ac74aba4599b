import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { SECOND_MS } from '../base/times.ts';
import {
  FRAMES_CHANNEL,
  type FrameArchive,
  type FrameName,
  type StoredFrame,
} from '../market/frame-store.ts';
import { KEEP_MS, MAX_AHEAD_MS, type Timeline } from '../market/timeline.ts';
import { isStorageUnavailable } from '../storage/errors.ts';
import { type Fence, FencedError } from '../storage/fences.ts';
import type { PostgresStorage } from '../storage/storage.ts';
import type { FrameFeed, FrameOutlet } from './frame-feed.ts';
import { type FrameIntakeOptions, takeFrames } from './frame-intake.ts';

interface PostgresFeedOptions extends FrameIntakeOptions {
  listener: PostgresStorage['listener'];
  archive: FrameArchive;
}

/** Finds frames whose notification was lost. */
const LOOK_EVERY_MS = 3 * SECOND_MS;
const FRAMES_PER_QUERY = 20;

/** Stores the frames of the active collector in the database, which notifies every process that serves. */
export class PostgresOutlet implements FrameOutlet {
  readonly #archive: Pick<FrameArchive, 'saveAll'>;
  readonly #fence: () => Fence | null;
  readonly #send: ((frames: readonly StoredFrame[]) => void) | null;

  /** `fence` is null while this process may not publish. `send` saves the serving side of the same process a query. */
  constructor(
    archive: Pick<FrameArchive, 'saveAll'>,
    fence: () => Fence | null,
    send: ((frames: readonly StoredFrame[]) => void) | null = null,
  ) {
    this.#archive = archive;
    this.#fence = fence;
    this.#send = send;
  }

  async publish(frames: readonly StoredFrame[]): Promise<void> {
    const fence = this.#fence();
    if (!fence) throw new FencedError('this process is not the active collector');
    await this.#archive.saveAll(frames, fence);
    // Sent once they are stored, so that a cursor into them works at every process.
    this.#send?.(frames);
  }
}

/** Reads the frames that another process stored, whenever PostgreSQL notifies of new ones. */
export class PostgresFeed implements FrameFeed {
  readonly #options: PostgresFeedOptions;
  /** By series: all stored frames up to this time have been read. */
  readonly #readUntilMs = new Map<string, number>();
  #removeHandlers: (() => void)[] = [];
  #task: RepeatingTask | null = null;
  #isFetching = false;

  constructor(options: PostgresFeedOptions) {
    this.#options = options;
  }

  get isFetching(): boolean {
    return this.#isFetching;
  }

  async start(): Promise<void> {
    const { listener, timelines, clock, log } = this.#options;
    for (const [series, { newestAsOfMs }] of timelines) this.#readUntilMs.set(series, newestAsOfMs ?? 0);
    const look = () => this.#task?.hurry();
    this.#removeHandlers = [await listener.on(FRAMES_CHANNEL, look), listener.onReconnect(look)];
    this.#task = startRepeatingTask({
      name: 'look for new snapshots',
      everyMs: LOOK_EVERY_MS,
      clock,
      log,
      run: async () => {
        try {
          return await this.#look();
        } catch (error) {
          // What is held is served with its time until the database is back.
          if (!isStorageUnavailable(error)) throw error;
          return undefined;
        }
      },
    });
  }

  async stop(): Promise<void> {
    for (const remove of this.#removeHandlers) remove();
    await this.#task?.stop();
  }

  async fetch(series: string, asOfMs: number): Promise<boolean> {
    const { archive, timelines, clock } = this.#options;
    const timeline = timelines.get(series);
    if (!timeline || asOfMs < clock.nowMs() - KEEP_MS) return false;
    takeFrames(await archive.loadThese([{ series, asOfMs }]), this.#options);
    return timeline.holds(asOfMs);
  }

  /** Reads the frames that are new. Returns when to look again if some are ahead of the local clock. */
  async #look(): Promise<number | undefined> {
    const { archive, timelines, clock } = this.#options;
    const nowMs = clock.nowMs();
    const stored = await archive.timesAfter(this.#readFrom(nowMs));
    const readUntilMs = new Map<string, number>();
    const newest: FrameName[] = [];
    const older: FrameName[] = [];
    let soonestAheadMs: number | null = null;
    for (const [series, times] of stored) {
      // A cursor into a frame ahead of the local clock would be refused, so it is read when its time has come.
      const ahead = times.filter((asOfMs) => asOfMs > nowMs && asOfMs <= nowMs + MAX_AHEAD_MS);
      if (ahead[0] !== undefined) soonestAheadMs = Math.min(soonestAheadMs ?? ahead[0], ahead[0]);
      const due = times.filter((asOfMs) => !ahead.includes(asOfMs));
      const missing = due
        .filter((asOfMs) => this.#isMissing(timelines.get(series), asOfMs, nowMs))
        .map((asOfMs) => ({ series, asOfMs }));
      newest.push(...missing.slice(-1));
      older.push(...missing.slice(0, -1));
      const lastMs = due.at(-1);
      if (lastMs !== undefined) readUntilMs.set(series, lastMs);
    }
    if (older.length > 0) this.#isFetching = true;
    // The newest ones are served first.
    takeFrames(await archive.loadThese(newest), this.#options);
    for (let i = 0; i < older.length; i += FRAMES_PER_QUERY)
      takeFrames(await archive.loadThese(older.slice(i, i + FRAMES_PER_QUERY)), this.#options);
    // Not before all are read: a failure leaves the rest for the next look.
    for (const [series, untilMs] of readUntilMs) this.#readUntilMs.set(series, untilMs);
    this.#isFetching = false;
    return soonestAheadMs === null ? undefined : soonestAheadMs - nowMs;
  }

  /** After a wrong clock has dated frames, or was set back, earlier times are looked up again. */
  #readFrom(nowMs: number): Map<string, number> {
    const from = new Map<string, number>();
    for (const [series, { newestAsOfMs }] of this.#options.timelines) {
      const readMs = Math.min(this.#readUntilMs.get(series) ?? 0, newestAsOfMs ?? 0);
      from.set(series, readMs > nowMs + MAX_AHEAD_MS ? nowMs - KEEP_MS : Math.max(readMs, nowMs - KEEP_MS));
    }
    return from;
  }

  #isMissing(timeline: Timeline | undefined, asOfMs: number, nowMs: number): boolean {
    if (!timeline) return false;
    const isAheadOfAll = (timeline.newestAsOfMs ?? 0) > nowMs + MAX_AHEAD_MS;
    return isAheadOfAll ? !timeline.holds(asOfMs) : timeline.wants(asOfMs);
  }
}
