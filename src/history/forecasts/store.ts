import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0127-forecasts.ts';
import type { Storage } from '../../storage/storage.ts';

export interface StoredForecastDay {
  /** Days since 1970. */
  day: number;
  /** When the forecasts were published, in minutes since 1970. */
  minute: number;
  /** JSON. */
  models: string;
  contracts: Uint8Array;
  /** Null once all horizons are scored. */
  pairs: Uint8Array | null;
}

export interface StoredScore {
  day: number;
  /** The horizon. */
  days: number;
  scored_minute: number;
  /** JSON. */
  score: string;
}

export interface ScoredSoFar {
  count: number;
  /** Since 1970. */
  lastMinute: number;
}

/** The forecasts of each day as they were published, and how they turned out. */
export class ForecastStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The newest day up to the given one, without its frames. */
  async newest(upToDay: number): Promise<Pick<StoredForecastDay, 'day' | 'models'> | null> {
    const row = await this.#storage.db
      .selectFrom('forecast_days')
      .select(['day', 'models'])
      .where('day', '<=', upToDay)
      .orderBy('day', 'desc')
      .executeTakeFirst();
    return row ?? null;
  }

  async load(day: number): Promise<StoredForecastDay | null> {
    const { db } = this.#storage;
    return (
      (await db.selectFrom('forecast_days').selectAll().where('day', '=', day).executeTakeFirst()) ?? null
    );
  }

  /** What was published does not change: a day that is stored already stays as it is. */
  async save(forecast: StoredForecastDay, keepPairsFromDay: number, fence: Fence | null): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx
        .insertInto('forecast_days')
        .values(forecast)
        .onConflict((conflict) => conflict.column('day').doNothing())
        .execute();
      await trx
        .updateTable('forecast_days')
        .set({ pairs: null })
        .where('day', '<', keepPairsFromDay)
        .where('pairs', 'is not', null)
        .execute();
    });
  }

  /** Days that have their pairs, and the horizons of each that are scored. */
  async scoredHorizons(fromDay: number): Promise<Map<number, { minute: number; scored: Set<number> }>> {
    const { db } = this.#storage;
    const days = await db
      .selectFrom('forecast_days')
      .select(['day', 'minute'])
      .where('day', '>=', fromDay)
      .where('pairs', 'is not', null)
      .orderBy('day')
      .execute();
    const found = new Map(days.map(({ day, minute }) => [day, { minute, scored: new Set<number>() }]));
    for (const { day, days: horizon } of await db
      .selectFrom('forecast_scores')
      .select(['day', 'days'])
      .where('day', '>=', fromDay)
      .execute())
      found.get(day)?.scored.add(horizon);
    return found;
  }

  async saveScore(score: StoredScore, fence: Fence | null): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx
        .insertInto('forecast_scores')
        .values(score)
        .onConflict((conflict) => conflict.columns(['day', 'days']).doNothing())
        .execute();
    });
  }

  /** How many scores of forecasts from a day on were made by a minute, and when the last of them was; null if there is none. */
  async scored(fromDay: number, byMinute: number): Promise<ScoredSoFar | null> {
    const { count, last } = await this.#storage.db
      .selectFrom('forecast_scores')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('scored_minute').as('last')])
      .where('day', '>=', fromDay)
      .where('scored_minute', '<=', byMinute)
      .executeTakeFirstOrThrow();
    // PostgreSQL counts in bigint, which arrives as text; without rows the largest is null.
    return Number(count) === 0 ? null : { count: Number(count), lastMinute: Number(last) };
  }

  /** Scores of forecasts from a day on that were made by a minute, oldest first. */
  async scores(fromDay: number, byMinute: number): Promise<StoredScore[]> {
    return await this.#storage.db
      .selectFrom('forecast_scores')
      .selectAll()
      .where('day', '>=', fromDay)
      .where('scored_minute', '<=', byMinute)
      .orderBy('day')
      .execute();
  }
}
