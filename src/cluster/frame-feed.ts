import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { SECOND_MS } from '../base/times.ts';
import type { FrameArchive, StoredFrame } from '../market/frame-store.ts';
import { KEEP_MS, type TableSource, type Timeline } from '../market/timeline.ts';
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

const LOOK_EVERY_MS = 3 * SECOND_MS;
/** Clocks of machines differ by so much at most; what seems to come from further ahead is shown at once. */
const MOST_AHEAD_MS = 5 * SECOND_MS;
const TRIES_FOR_ONE = 5;
const BETWEEN_TRIES_MS = 150;

/** Fills the timelines of an API process with what the engine publishes, wherever that runs. */
export class FrameFeed {
  readonly #options: FrameFeedOptions;
  #subscription: Subscription | null = null;
  #task: RepeatingTask | null = null;
  #highestFence = 0;
  #catchingUp: Promise<void> | null = null;
  #missed: { series: string; asOfMs: number } | null = null;

  constructor(options: FrameFeedOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { redis, channel, clock, log } = this.#options;
    this.#subscription = await redis.subscribe(channel, (bytes) => this.#receive(bytes));
    this.#task = startRepeatingTask({
      name: 'look for missed snapshots',
      everyMs: LOOK_EVERY_MS,
      firstDelayMs: LOOK_EVERY_MS,
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

  /** The series as readers see it. A moment that is asked for and not held is noted, for `fetchMissed`. */
  source(series: string): TableSource {
    const timeline = this.#timeline(series);
    return {
      at: (delaySeconds, nowMs) => timeline.at(delaySeconds, nowMs),
      exactly: (asOfMs) => {
        const found = timeline.exactly(asOfMs);
        if (!found) this.#missed = { series, asOfMs };
        return found;
      },
    };
  }

  /**
   * To be called right after an answer has failed: null when no moment was missing, else whether it is held now. A page
   * may be asked for here a moment after its first one was given by a process that is a moment ahead.
   */
  fetchMissed(): Promise<boolean> | null {
    const missed = this.#missed;
    this.#missed = null;
    if (!missed || missed.asOfMs < this.#options.clock.nowMs() - KEEP_MS) return null;
    return this.#fetchOne(missed.series, missed.asOfMs);
  }

  async #fetchOne(series: string, asOfMs: number): Promise<boolean> {
    const { archive, clock } = this.#options;
    const timeline = this.#timeline(series);
    for (let tries = 0; tries < TRIES_FOR_ONE && !timeline.holds(asOfMs); tries++) {
      if (tries > 0) await clock.sleep(BETWEEN_TRIES_MS);
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
      // A cursor for a moment that lies ahead of our own clock would be refused.
      const aheadMs = Math.max(...frames.frames.map(({ asOfMs }) => asOfMs)) - clock.nowMs();
      if (aheadMs <= 0 || aheadMs > MOST_AHEAD_MS) this.#take(frames);
      else void clock.sleep(aheadMs).then(() => this.#take(frames));
      return 'received';
    } catch (error) {
      log.error({ err: error }, 'a message of the engine cannot be read');
      return 'unreadable';
    }
  }

  #take({ frames }: FramesMessage): void {
    const hasGap = frames.some(({ series, beforeMs, asOfMs }) => {
      const timeline = this.#options.timelines.get(series);
      return timeline && beforeMs !== null && !timeline.holds(asOfMs) && !timeline.holds(beforeMs);
    });
    // The newest first: what was missed is fetched while it is served already.
    this.#takeAll(frames);
    if (hasGap) void this.#catchUp();
  }

  #takeAll(frames: readonly StoredFrame[]): void {
    const { timelines, log, metrics } = this.#options;
    for (const { series, asOfMs, frame } of frames) {
      const timeline = timelines.get(series);
      if (!timeline) continue;
      try {
        timeline.take(asOfMs, frame);
      } catch (error) {
        metrics.clusterMessages.inc({ kind: 'frames', outcome: 'unreadable' });
        log.error({ err: error, series, asOfMs }, 'a snapshot cannot be read');
      }
    }
  }

  /** Messages are delivered at most once, so the database is asked whether it has anything newer. */
  async #lookForNewer(): Promise<void> {
    const { archive, timelines } = this.#options;
    const newest = await archive.newest().catch(() => null);
    if (!newest) return;
    const isBehind = [...timelines].some(
      ([series, timeline]) => (newest.get(series) ?? 0) > (timeline.newestAsOfMs ?? 0),
    );
    if (isBehind) await this.#catchUp();
  }

  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#fetchMissing()
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'missed snapshots not fetched yet'))
      .finally(() => {
        this.#catchingUp = null;
      });
    return this.#catchingUp;
  }

  async #fetchMissing(): Promise<void> {
    const { archive, timelines, clock } = this.#options;
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
  }

  #timeline(series: string): Timeline {
    const timeline = this.#options.timelines.get(series);
    if (!timeline) throw new Error(`there is no series ${series}`);
    return timeline;
  }
}
