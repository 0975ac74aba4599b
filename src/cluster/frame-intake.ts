import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { StoredFrame } from '../market/frame-store.ts';
import type { Timeline } from '../market/timeline.ts';

export interface FrameIntakeOptions {
  /** By series. */
  timelines: ReadonlyMap<string, Timeline>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Adds frames of the collector to the timelines. */
export function takeFrames(frames: readonly StoredFrame[], options: FrameIntakeOptions): void {
  const { timelines, log, metrics, clock } = options;
  for (const { series, asOfMs, frame } of frames)
    try {
      timelines.get(series)?.take(asOfMs, frame, clock.nowMs());
    } catch (error) {
      metrics.clusterMessages.inc({ kind: 'frames', outcome: 'unreadable' });
      log.error({ err: error, series, asOfMs }, 'dropped an unreadable snapshot');
    }
}
