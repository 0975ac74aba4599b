import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { SECOND_MS } from '../base/times.ts';
import type { FrameArchive, StoredFrame } from '../market/frame-store.ts';
import { KEEP_MS, MAX_AHEAD_MS, type TableSource, type Timeline } from '../market/timeline.ts';
import type { Redis, Subscription } from '../storage/redis/redis.ts';
import { unpack } from './envelope.ts';
import { decodeFrames, type FramesMessage } from './frames.ts';

export interface FrameFeedOptions {
  redis: Redis;
  channel: string;
  archive: FrameArchive;
  /** By series. */
  timelines: ReadonlyMap<string, Timeline>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const CHECK_EVERY_MS = 3 * SECOND_MS;
const FETCH_TRIES = 5;
const FETCH_RETRY_MS = 150;

/** Fills the timelines of an API process with the frames that the engine publishes. */
export class FrameFeed {
  readonly #options: FrameFeedOptions;
  #subscription: Subscription | null = null;
  #task: RepeatingTask | null = null;
  #highestFence = 0;
  #catchingUp: Promise<void> | null = null;
  /** How often frames were found missing, and how many of these times they have been fetched since. */
  #gaps = { found: 0, fetched: 0 };
  #missed: { series: string; asOfMs: number } | null = null;

  constructor(options: FrameFeedOptions) {
    this.#options = options;
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
      this.#takeAll(await archive.loadThese(series, [asOfMs]).catch(() => []));
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
      return timeline && beforeMs !== null && !timeline.holds(asOfMs) && !timeline.holds(beforeMs);
    });
    // The newest frames are served at once; the missed ones are fetched meanwhile.
    this.#takeAll(frames);
    if (!hasGap) return;
    this.#gaps.found++;
    void this.#catchUp();
  }

  #takeAll(frames: readonly StoredFrame[]): void {
    const { timelines, log, metrics, clock } = this.#options;
    for (const { series, asOfMs, frame } of frames) {
      const timeline = timelines.get(series);
      if (!timeline) continue;
      try {
        timeline.take(asOfMs, frame, clock.nowMs());
      } catch (error) {
        metrics.clusterMessages.inc({ kind: 'frames', outcome: 'unreadable' });
        log.error({ err: error, series, asOfMs }, 'dropped an unreadable snapshot');
      }
    }
  }

  /** Redis delivers a message at most once, so newer frames are also looked up in the database. */
  async #lookForNewer(): Promise<void> {
    const { archive, timelines } = this.#options;
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
    this.#takeAll(newest);
    for (const [series, times] of missing) this.#takeAll(await archive.loadThese(series, times.slice(1)));
    this.#gaps.fetched = found;
  }

  #timeline(series: string): Timeline {
    const timeline = this.#options.timelines.get(series);
    if (!timeline) throw new Error(`there is no series ${series}`);
    return timeline;
  }
}
