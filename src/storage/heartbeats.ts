import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { startRepeatingTask } from '../base/repeating-task.ts';
import { SECOND_MS } from '../base/times.ts';
import type { Storage } from './storage.ts';

const BEAT_EVERY_MS = 5 * SECOND_MS;
/** A process without a heartbeat for this long counts as gone. */
const LIVE_MS = 15 * SECOND_MS;

/** The heartbeats of the processes that answer requests, in the database. */
export interface Heartbeats {
  /** Unique to this run of this process. */
  readonly processId: string;
  /** How many processes were alive at the last look at the database, this one among them. */
  liveCount(): number;
  /** Beats and looks now. Keeps the last count if the database is unavailable. */
  beat(): Promise<void>;
  close(): Promise<void>;
}

export async function openHeartbeats(storage: Storage, log: Log): Promise<Heartbeats> {
  const { db, kind } = storage;
  const processId = randomUUID();
  let live = 1;
  // The clock of the database, because those of two machines differ.
  const nowMs =
    kind === 'postgres'
      ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
      : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
  const store = async () => {
    await db
      .insertInto('process_heartbeats')
      .values({ process_id: processId, seen_at_ms: nowMs })
      .onConflict((conflict) => conflict.column('process_id').doUpdateSet({ seen_at_ms: nowMs }))
      .execute();
    await db
      .deleteFrom('process_heartbeats')
      .where('seen_at_ms', '<', sql<number>`${nowMs} - ${LIVE_MS}`)
      .execute();
    const { count } = await db
      .selectFrom('process_heartbeats')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    live = Math.max(1, Number(count));
  };
  let isFailing = false;
  const beat = async () => {
    try {
      await store();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'could not store the heartbeat of this process');
      isFailing = true;
    }
  };
  await beat();
  const task = startRepeatingTask({
    name: 'beat',
    everyMs: BEAT_EVERY_MS,
    firstDelayMs: BEAT_EVERY_MS,
    // Real time, also in tests that move the clock: other processes do not follow that clock.
    clock: systemClock,
    log,
    run: async () => {
      await beat();
      return undefined;
    },
  });
  return {
    processId,
    liveCount: () => live,
    beat,
    close: async () => {
      await task.stop();
      await db
        .deleteFrom('process_heartbeats')
        .where('process_id', '=', processId)
        .execute()
        .catch(() => undefined);
    },
  };
}
