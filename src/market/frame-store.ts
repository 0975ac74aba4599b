import { checkFence, type Fence } from '../storage/fences.ts';
import { notify } from '../storage/postgres/notify.ts';
import type { Storage } from '../storage/storage.ts';
import type { FrameStore } from './timeline.ts';

/** Notified with the series and times of frames that were stored. */
export const FRAMES_CHANNEL = 'perpwire_frames';

export interface FrameName {
  series: string;
  asOfMs: number;
}

export interface StoredFrame extends FrameName {
  frame: Uint8Array;
}

/** Frames in the database: a restarted process serves the last snapshot at once, and others load frames they missed. */
export interface FrameArchive extends FrameStore {
  deleteBefore(series: string, beforeMs: number): Promise<void>;
  /** Atomic. With a fence, nothing is written once another process holds the lock. On PostgreSQL it notifies `FRAMES_CHANNEL`. */
  saveAll(frames: readonly StoredFrame[], fence: Fence | null): Promise<void>;
  /** The times of the frames that are newer than the given time of their series, oldest first. */
  timesAfter(newestMs: ReadonlyMap<string, number>): Promise<Map<string, number[]>>;
  /** Those of them that are stored, oldest first; those of one time by name. */
  loadThese(names: readonly FrameName[]): Promise<StoredFrame[]>;
  /** Deletes the frames of all series whose time is later: they were dated by a wrong clock. */
  deleteAfter(timeMs: number): Promise<void>;
}

export function storedFrames({ db, kind }: Storage): FrameArchive {
  return {
    saveAll: async (frames, fence) => {
      if (frames.length === 0) return;
      await db.transaction().execute(async (trx) => {
        if (fence) await checkFence(trx, fence);
        await trx
          .insertInto('snapshot_frames')
          .values(frames.map(({ series, asOfMs, frame }) => ({ series, as_of_ms: asOfMs, frame })))
          .onConflict((conflict) => conflict.columns(['series', 'as_of_ms']).doNothing())
          .execute();
        // The notification is delivered when the transaction commits.
        if (kind === 'postgres')
          await notify(
            trx,
            FRAMES_CHANNEL,
            JSON.stringify(frames.map(({ series, asOfMs }) => [series, asOfMs])),
          );
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
    timesAfter: async (newestMs) => {
      const times = new Map<string, number[]>();
      if (newestMs.size === 0) return times;
      const rows = await db
        .selectFrom('snapshot_frames')
        .select(['series', 'as_of_ms'])
        .where((where) =>
          where.or(
            [...newestMs].map(([series, ms]) =>
              where.and([where('series', '=', series), where('as_of_ms', '>', ms)]),
            ),
          ),
        )
        .orderBy('as_of_ms')
        .execute();
      for (const { series, as_of_ms } of rows) times.set(series, [...(times.get(series) ?? []), as_of_ms]);
      return times;
    },
    loadThese: async (names) => {
      if (names.length === 0) return [];
      const rows = await db
        .selectFrom('snapshot_frames')
        .selectAll()
        .where((where) =>
          where.or(
            names.map(({ series, asOfMs }) =>
              where.and([where('series', '=', series), where('as_of_ms', '=', asOfMs)]),
            ),
          ),
        )
        .orderBy('as_of_ms')
        .orderBy('series')
        .execute();
      return rows.map((row) => ({ series: row.series, asOfMs: row.as_of_ms, frame: row.frame }));
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
