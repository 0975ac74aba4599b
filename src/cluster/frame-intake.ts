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
  /** By series. Frames of series without one are shown as soon as they arrive. */
  readers?: ReadonlyMap<string, SnapshotReader>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Adds the frames of other processes to the timelines. */
export class FrameIntake {
  readonly #options: FrameIntakeOptions;
  /** The frames that wait or are being prepared. A later snapshot may need an earlier one of another series. */
  #queue: Promise<void> = Promise.resolve();
  readonly #queuedMs = new Map<string, Set<number>>();

  constructor(options: FrameIntakeOptions) {
    this.#options = options;
  }

  /** Resolves when all frames that were given so far are shown. */
  get settled(): Promise<void> {
    return this.#queue;
  }

  /** Shows frames in their order. New ones are decoded and prepared first, in turns of the event loop. */
  take(frames: readonly StoredFrame[]): void {
    for (const frame of frames) {
      const { series, asOfMs } = frame;
      const reader = this.#options.readers?.get(series);
      if (!reader) {
        this.takeNow([frame]);
        continue;
      }
      const queuedMs = this.#queuedMs.get(series) ?? new Set();
      this.#queuedMs.set(series, queuedMs.add(asOfMs));
      this.#queue = this.#queue
        .then(() => this.#prepareAndTake(frame, reader))
        .then(() => void queuedMs.delete(asOfMs));
    }
  }

  hasQueued(series: string, asOfMs: number): boolean {
    return this.#queuedMs.get(series)?.has(asOfMs) ?? false;
  }

  /** Adds frames that a request waits for, or that are not the newest and need no preparation. */
  takeNow(frames: readonly StoredFrame[]): void {
    for (const frame of frames) this.#add(frame, null);
  }

  async #prepareAndTake(frame: StoredFrame, reader: SnapshotReader): Promise<void> {
    const { log, timelines } = this.#options;
    const { series, asOfMs } = frame;
    // Nobody would ask for one that the next replaces at once.
    const isNewest = asOfMs >= Math.max(...(this.#queuedMs.get(series) ?? []));
    try {
      const snapshot = isNewest
        ? ((await timelines.get(series)?.decodeNewer(asOfMs, frame.frame)) ?? null)
        : null;
      if (snapshot)
        await reader
          .prepare(snapshot)
          .catch((error: unknown) => log.error({ err: error, series }, 'could not prepare a snapshot'));
      this.#add(frame, snapshot);
      if (snapshot) await reader.shown(asOfMs);
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
