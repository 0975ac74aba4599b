import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { SECOND_MS } from '../base/times.ts';
import type { FrameArchive, StoredFrame } from '../market/frame-store.ts';
import { KEEP_MS, MAX_AHEAD_MS, type TableSource, type Timeline } from '../market/timeline.ts';
import type { Redis, Subscription } from '../storage/redis/redis.ts';
import { unpack } from './envelope.ts';
import { FrameIntake, type FrameIntakeOptions } from './frame-intake.ts';
import { decodeFrames, type FramesMessage } from './frames.ts';

export interface FrameFeedOptions extends FrameIntakeOptions {
  redis: Redis;
  channel: string;
  archive: FrameArchive;
}

const CHECK_EVERY_MS = 3 * SECOND_MS;
const FETCH_TRIES = 5;
const FETCH_RETRY_MS = 150;

/** Fills the timelines of an API process with the frames that the engine publishes. */
export class FrameFeed {
  readonly #options: FrameFeedOptions;
  readonly #intake: FrameIntake;
  #subscription: Subscription | null = null;
  #task: RepeatingTask | null = null;
  #highestFence = 0;
  #catchingUp: Promise<void> | null = null;
  /** How often frames were found missing, and how many of these times they have been fetched since. */
  #gaps = { found: 0, fetched: 0 };
  #missed: { series: string; asOfMs: number } | null = null;

  constructor(options: FrameFeedOptions) {
    this.#options = options;
    this.#intake = new FrameIntake(options);
  }

  async start(): Promise<void> {
    const { redis, channel, clock, log } = this.#options;
    this.#subscription = await redis.subscribe(channel, (bytes) => this.#receive(bytes));
    this.#task = startRepeatingTask({
      name: 'look for missed snapshots',
      everyMs: CHECK_EVERY_MS,
      firstDelayMs: CHECK_EVERY_MS,
      clock,
      log,
      run: async () => {
        await this.#lookForNewer();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
    await this.#subscription?.close();
    await this.#catchingUp;
    await this.#intake.settled;
  }

  /** The tables of a series. Remembers a requested frame that this process does not have, for `fetchMissed`. */
  source(series: string): TableSource {
    const timeline = this.#timeline(series);
    return {
      at: (delaySeconds, nowMs) => timeline.at(delaySeconds, nowMs),
      exactly: (asOfMs) => {
        const found = timeline.exactly(asOfMs);
        if (!found) this.#missed = { series, asOfMs };
        return found;
      },
      after: (asOfMs, delaySeconds, nowMs) => timeline.after(asOfMs, delaySeconds, nowMs),
    };
  }

  /**
   * Called right after an operation has failed. Null if no frame was missing; otherwise fetches it and resolves to whether
   * this process has it now. A client may get its first page from a process that is slightly ahead of this one.
   */
  fetchMissed(): Promise<boolean> | null {
    const missed = this.#missed;
    this.#missed = null;
    if (!missed || missed.asOfMs < this.#options.clock.nowMs() - KEEP_MS) return null;
    return this.#fetchOne(missed.series, missed.asOfMs);
  }

  /** True while frames before the newest are missing that the database may still have. */
  get isFetching(): boolean {
    return this.#catchingUp !== null || this.#gaps.fetched < this.#gaps.found;
  }

  async #fetchOne(series: string, asOfMs: number): Promise<boolean> {
    const { archive, clock } = this.#options;
    const timeline = this.#timeline(series);
    for (let tries = 0; tries < FETCH_TRIES && !timeline.holds(asOfMs); tries++) {
      if (tries > 0) await clock.sleep(FETCH_RETRY_MS);
      if (this.#intake.hasQueued(series, asOfMs)) await this.#intake.settled;
      this.#intake.takeNow(await archive.loadThese(series, [asOfMs]).catch(() => []));
    }
    return timeline.holds(asOfMs);
  }

  #receive(bytes: Buffer): void {
    this.#options.metrics.clusterMessages.inc({ kind: 'frames', outcome: this.#outcomeOf(bytes) });
  }

  #outcomeOf(bytes: Buffer): string {
    const { log, clock } = this.#options;
    try {
      const message = unpack(bytes);
      const frames = message && decodeFrames(message);
      if (!frames) return 'unknown version';
      if (frames.fence < this.#highestFence) return 'outdated';
      this.#highestFence = frames.fence;
      // A cursor ahead of this process's clock would be refused, so the frame is shown when its time has come.
      const aheadMs = Math.max(...frames.frames.map(({ asOfMs }) => asOfMs)) - clock.nowMs();
      if (aheadMs <= 0 || aheadMs > MAX_AHEAD_MS) this.#take(frames);
      else void clock.sleep(aheadMs).then(() => this.#take(frames));
      return 'received';
    } catch (error) {
      log.error({ err: error }, 'dropped an unreadable message of the engine');
      return 'unreadable';
    }
  }

  #take({ frames }: FramesMessage): void {
    const hasGap = frames.some(({ series, beforeMs, asOfMs }) => {
      const timeline = this.#options.timelines.get(series);
      const holds = (timeMs: number) => timeline?.holds(timeMs) || this.#intake.hasQueued(series, timeMs);
      return timeline && beforeMs !== null && !holds(asOfMs) && !holds(beforeMs);
    });
    // The newest frames are served first; the missed ones are fetched meanwhile.
    this.#intake.take(frames);
    if (!hasGap) return;
    this.#gaps.found++;
    void this.#catchUp();
  }

  /** Redis delivers a message at most once, so newer frames are also looked up in the database. */
  async #lookForNewer(): Promise<void> {
    const { archive, timelines } = this.#options;
    await this.#intake.settled;
    const newest = await archive.newest().catch(() => null);
    if (!newest) return;
    const isBehind = [...timelines].some(
      ([series, timeline]) => (newest.get(series) ?? 0) > (timeline.newestAsOfMs ?? 0),
    );
    if (isBehind || this.#gaps.fetched < this.#gaps.found) await this.#catchUp();
  }

  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#fetchMissing()
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'could not fetch missed snapshots yet'),
      )
      .finally(() => {
        this.#catchingUp = null;
      });
    return this.#catchingUp;
  }

  async #fetchMissing(): Promise<void> {
    const { archive, timelines, clock } = this.#options;
    const { found } = this.#gaps;
    const fromMs = clock.nowMs() - KEEP_MS;
    const missing = new Map<string, number[]>();
    for (const [series, timeline] of timelines) {
      const times = await archive.times(series, fromMs);
      missing.set(
        series,
        times.filter((asOfMs) => timeline.wants(asOfMs)).sort((a, b) => b - a),
      );
    }
    const newest: StoredFrame[] = [];
    for (const [series, times] of missing)
      newest.push(...(await archive.loadThese(series, times.slice(0, 1))));
    this.#intake.take(newest);
    await this.#intake.settled;
    for (const [series, times] of missing)
      this.#intake.takeNow(await archive.loadThese(series, times.slice(1)));
    this.#gaps.fetched = found;
  }

  #timeline(series: string): Timeline {
    const timeline = this.#options.timelines.get(series);
    if (!timeline) throw new Error(`there is no series ${series}`);
    return timeline;
  }
}
