import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { StoredFrame } from '../market/frame-store.ts';
import type { TableSnapshot, Timeline } from '../market/timeline.ts';

/** What is computed from the newest snapshot of a series, so that no request has to wait for it. */
export interface SnapshotReader {
  /** Called before the snapshot is shown. */
  prepare(snapshot: TableSnapshot): Promise<void>;
  /** Called after it is shown. */
  shown(asOfMs: number): Promise<void>;
}

export interface FrameIntakeOptions {
  /** By series. */
  timelines: ReadonlyMap<string, Timeline>;
  /** By series. Frames of series without one need no preparation. */
  readers?: ReadonlyMap<string, SnapshotReader>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Adds the frames of other processes to the timelines. */
export class FrameIntake {
  readonly #options: FrameIntakeOptions;
  /** The frames that are being prepared, and when all of them are shown. */
  #taking: readonly StoredFrame[] = [];
  #taken: Promise<void> = Promise.resolve();

  constructor(options: FrameIntakeOptions) {
    this.#options = options;
  }

  /** Resolves when the frames that were given last are shown. */
  get settled(): Promise<void> {
    return this.#taken;
  }

  isTaking(series: string, asOfMs: number): boolean {
    return this.#taking.some((one) => one.series === series && one.asOfMs === asOfMs);
  }

  /**
   * Shows the newest frames, in their order: one may need an earlier one of another series. They are decoded and prepared
   * first, in turns of the event loop. Not to be called again before they are shown.
   */
  take(frames: readonly StoredFrame[]): Promise<void> {
    this.#taking = frames;
    this.#taken = this.#takeAll(frames);
    return this.#taken;
  }

  /** Adds frames that a request waits for, or that are not the newest and need no preparation. */
  takeNow(frames: readonly StoredFrame[]): void {
    for (const frame of frames) this.#add(frame, null);
  }

  async #takeAll(frames: readonly StoredFrame[]): Promise<void> {
    for (const frame of frames) await this.#prepareAndTake(frame);
    this.#taking = [];
  }

  async #prepareAndTake(frame: StoredFrame): Promise<void> {
    const { log, timelines, readers } = this.#options;
    const { series, asOfMs } = frame;
    const reader = readers?.get(series);
    try {
      const snapshot = await timelines.get(series)?.decodeNewer(asOfMs, frame.frame);
      if (snapshot)
        await reader
          ?.prepare(snapshot)
          .catch((error: unknown) => log.error({ err: error, series }, 'could not prepare a snapshot'));
      this.#add(frame, snapshot ?? null);
      if (snapshot) await reader?.shown(asOfMs);
    } catch (error) {
      log.error({ err: error, series, asOfMs }, 'could not take a snapshot of another process');
    }
  }

  #add({ series, asOfMs, frame }: StoredFrame, decoded: TableSnapshot | null): void {
    const { timelines, log, metrics, clock } = this.#options;
    try {
      timelines.get(series)?.take(asOfMs, frame, clock.nowMs(), decoded);
    } catch (error) {
      metrics.clusterMessages.inc({ kind: 'frames', outcome: 'unreadable' });
      log.error({ err: error, series, asOfMs }, 'dropped an unreadable snapshot');
    }
  }
}
