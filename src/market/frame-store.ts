import type { Storage } from '../storage/storage.ts';
import type { FrameStore } from './timeline.ts';

/** Frames in the database, so that a restart serves the last snapshot at once. */
export function storedFrames({ db }: Storage): FrameStore {
  return {
    save: async (series, asOfMs, frame) => {
      await db
        .insertInto('snapshot_frames')
        .values({ series, as_of_ms: asOfMs, frame })
        .onConflict((conflict) => conflict.columns(['series', 'as_of_ms']).doNothing())
        .execute();
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
    deleteBefore: async (series, beforeMs) => {
      await db
        .deleteFrom('snapshot_frames')
        .where('series', '=', series)
        .where('as_of_ms', '<', beforeMs)
        .execute();
    },
  };
}
