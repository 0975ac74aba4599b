import type { StoredFrame } from '../market/frame-store.ts';
import type { TableSource, Timeline } from '../market/timeline.ts';

/** The collector's end of the feed. */
export interface FrameOutlet {
  /** Hands frames that belong together to the side that serves, and stores them. Rejects if this process may not publish. */
  publish(frames: readonly StoredFrame[]): Promise<void>;
}

/** The serving end: brings the frames of the collector to the timelines. Frames are all that crosses between the two. */
export interface FrameFeed {
  /** Follows the collector from now on. What it published before must have been restored already. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** True while frames before the newest are missing that may still come. */
  readonly isFetching: boolean;
  /** Fetches the frame that a cursor names; resolves to whether its timeline holds it now. Rejects without the database. */
  fetch(series: string, asOfMs: number): Promise<boolean>;
}

/** A timeline that fetches what it does not hold. */
export function fedSource(feed: FrameFeed, series: string, timeline: Timeline): TableSource {
  return {
    at: (delaySeconds, nowMs) => timeline.at(delaySeconds, nowMs),
    exactly: (asOfMs) => timeline.exactly(asOfMs),
    after: (asOfMs, delaySeconds, nowMs) => timeline.after(asOfMs, delaySeconds, nowMs),
    fetch: (asOfMs) => feed.fetch(series, asOfMs),
  };
}
