import { checkFence, type Fence } from '../storage/fences.ts';
import type { Storage } from '../storage/storage.ts';
import type { FrameStore } from './timeline.ts';

export interface StoredFrame {
  series: string;
  asOfMs: number;
  frame: Uint8Array;
}

/** Frames in the database: a restarted process serves the last snapshot at once, and others load frames they missed. */
export interface FrameArchive extends FrameStore {
  /** Atomic. With a fence, nothing is written once another process holds the lease. */
  saveAll(frames: readonly StoredFrame[], fence: Fence | null): Promise<void>;
  /** The time of the newest frame of each series. */
  newest(): Promise<Map<string, number>>;
  /** Times of the frames from this time on. */
  times(series: string, fromMs: number): Promise<number[]>;
  loadThese(series: string, asOfMs: readonly number[]): Promise<StoredFrame[]>;
  /** Deletes the frames of all series whose time is later: they were dated by a wrong clock. */
  deleteAfter(timeMs: number): Promise<void>;
}

export function storedFrames({ db }: Storage): FrameArchive {
  return {
    save: async (series, asOfMs, frame) => {
      await db
        .insertInto('snapshot_frames')
        .values({ series, as_of_ms: asOfMs, frame })
        .onConflict((conflict) => conflict.columns(['series', 'as_of_ms']).doNothing())
        .execute();
    },
    saveAll: async (frames, fence) => {
      if (frames.length === 0) return;
      await db.transaction().execute(async (trx) => {
        if (fence) await checkFence(trx, fence);
        await trx
          .insertInto('snapshot_frames')
          .values(frames.map(({ series, asOfMs, frame }) => ({ series, as_of_ms: asOfMs, frame })))
          .onConflict((conflict) => conflict.columns(['series', 'as_of_ms']).doNothing())
          .execute();
      });
    },
    load: async (series, fromMs) => {
      const rows = await db
        .selectFrom('snapshot_frames')
        .select(['as_of_ms', 'frame'])
        .where('series', '=', series)
        .where('as_of_ms', '>=', fromMs)
        .orderBy('as_of_ms')
        .execute();
      return rows.map((row) => ({ asOfMs: row.as_of_ms, frame: row.frame }));
    },
    newest: async () => {
      const rows = await db
        .selectFrom('snapshot_frames')
        .select((select) => ['series', select.fn.max('as_of_ms').as('newest')])
        .groupBy('series')
        .execute();
      return new Map(rows.map((row) => [row.series, Number(row.newest)]));
    },
    times: async (series, fromMs) => {
      const rows = await db
        .selectFrom('snapshot_frames')
        .select('as_of_ms')
        .where('series', '=', series)
        .where('as_of_ms', '>=', fromMs)
        .execute();
      return rows.map((row) => row.as_of_ms);
    },
    loadThese: async (series, asOfMs) => {
      if (asOfMs.length === 0) return [];
      const rows = await db
        .selectFrom('snapshot_frames')
        .select(['as_of_ms', 'frame'])
        .where('series', '=', series)
        .where('as_of_ms', 'in', [...asOfMs])
        .execute();
      return rows.map((row) => ({ series, asOfMs: row.as_of_ms, frame: row.frame }));
    },
    deleteAfter: async (timeMs) => {
      await db.deleteFrom('snapshot_frames').where('as_of_ms', '>', timeMs).execute();
    },
    deleteBefore: async (series, beforeMs) => {
      await db
        .deleteFrom('snapshot_frames')
        .where('series', '=', series)
        .where('as_of_ms', '<', beforeMs)
        .execute();
    },
  };
}
