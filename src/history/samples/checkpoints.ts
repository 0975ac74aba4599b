import type {} from '../../storage/migrations/0012-depth-samples.ts';
import type { Storage } from '../../storage/storage.ts';

interface Checkpoint {
  minute: number;
  writer: string;
  state: Uint8Array;
}

const MINUTES_PER_DAY = 1440;

/** Saved states of the backtest: the newest for a restart, one per day for recomputing. */
export class CheckpointStore {
  readonly #db: Storage['db'];

  constructor({ db }: Storage) {
    this.#db = db;
  }

  /** Saves a state. Keeps only the last state of each finished day, and none before `keepFromMinute`. */
  async save(checkpoint: Checkpoint, keepFromMinute: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('backtest_checkpoints')
        .values(checkpoint)
        .onConflict((conflict) => conflict.column('minute').doUpdateSet(checkpoint))
        .execute();
      const held = await trx.selectFrom('backtest_checkpoints').select('minute').orderBy('minute').execute();
      const surplus = held
        .map((row) => row.minute)
        .filter((minute, i, all) => minute < keepFromMinute || dayOf(minute) === dayOf(all[i + 1]));
      if (surplus.length > 0)
        await trx.deleteFrom('backtest_checkpoints').where('minute', 'in', surplus).execute();
    });
  }

  /** Deletes the states from this minute on: they contain samples that a wrong clock has dated. */
  async deleteFrom(minute: number): Promise<void> {
    await this.#db.deleteFrom('backtest_checkpoints').where('minute', '>=', minute).execute();
  }

  /** The last state at or before the minute. */
  async lastUpTo(minute: number): Promise<Checkpoint | null> {
    const row = await this.#db
      .selectFrom('backtest_checkpoints')
      .selectAll()
      .where('minute', '<=', minute)
      .orderBy('minute', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }

  /** The minute and writer of the newest state, without loading its bytes. */
  async newest(): Promise<Omit<Checkpoint, 'state'> | null> {
    const row = await this.#db
      .selectFrom('backtest_checkpoints')
      .select(['minute', 'writer'])
      .orderBy('minute', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }
}

function dayOf(minute: number | undefined): number {
  return minute === undefined ? -1 : Math.floor(minute / MINUTES_PER_DAY);
}
