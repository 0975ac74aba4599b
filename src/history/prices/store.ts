import { sql } from 'kysely';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0130-coin-prices.ts';
import type { Storage } from '../../storage/storage.ts';

/** The price of a coin on its most traded linear contract. */
export interface CoinPrice {
  coin: string;
  exchange: string;
  venueSymbol: string;
  /** Of one unit of the coin, in the quote currency of the contract. */
  price: number;
}

export interface PricePoint {
  /** Since 1970. */
  minute: number;
  exchange: string;
  price: number;
}

const HOUR = 60;
const DAY = 24 * HOUR;
export const PRICE_EVERY_MINUTES = 10;
/** After the change of 24 hours has been computed from them, prices are stored for charts: fewer, the older they are. */
const RECENT_MINUTES = 25 * HOUR;
const MONTH = { minutes: 32 * DAY, every: 4 * HOUR };
const YEAR = { minutes: 400 * DAY, every: DAY };
/** A database takes a limited number of values in one statement. */
const ROWS_AT_ONCE = 2000;

/** The prices of coins over time. At 2,000 coins they take about 100 MB. */
export class CoinPriceStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** A price that is stored already stays as it is. */
  async save(minute: number, prices: readonly CoinPrice[], fence: Fence | null): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      for (let from = 0; from < prices.length; from += ROWS_AT_ONCE)
        await trx
          .insertInto('coin_prices')
          .values(
            prices.slice(from, from + ROWS_AT_ONCE).map(({ coin, exchange, venueSymbol, price }) => ({
              ...{ minute, coin, exchange, price },
              venue_symbol: venueSymbol,
            })),
          )
          .onConflict((conflict) => conflict.columns(['minute', 'coin']).doNothing())
          .execute();
    });
  }

  /** The prices of the newest time from `fromMinute` to `toMinute`; empty if none is stored. */
  async newest(fromMinute: number, toMinute: number): Promise<CoinPrice[]> {
    const { db } = this.#storage;
    const rows = await db
      .selectFrom('coin_prices')
      .select(['coin', 'exchange', 'venue_symbol', 'price'])
      .where('minute', '=', (query) =>
        query
          .selectFrom('coin_prices')
          .select((select) => select.fn.max('minute').as('minute'))
          .where('minute', '>=', fromMinute)
          .where('minute', '<=', toMinute),
      )
      .execute();
    return rows.map(({ venue_symbol, ...row }) => ({ ...row, venueSymbol: venue_symbol }));
  }

  /** The prices of a coin, oldest first: every four hours, or every day of more than 31 days, and the newest one. */
  async series(coin: string, fromMinute: number, toMinute: number): Promise<PricePoint[]> {
    const every = toMinute - fromMinute > MONTH.minutes - DAY ? YEAR.every : MONTH.every;
    const minutes = [toMinute - (toMinute % PRICE_EVERY_MINUTES)];
    for (let minute = toMinute - (toMinute % every); minute >= fromMinute; minute -= every)
      minutes.push(minute);
    return await this.#storage.db
      .selectFrom('coin_prices')
      .select(['minute', 'exchange', 'price'])
      .where('minute', 'in', minutes)
      .where('coin', '=', coin)
      .orderBy('minute')
      .execute();
  }

  /** Deletes what charts do not need, and later prices, which a wrong clock has dated. */
  async prune(minute: number, fence: Fence | null): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx
        .deleteFrom('coin_prices')
        .where((where) =>
          where.or([
            where('minute', '>', minute),
            where('minute', '<', minute - YEAR.minutes),
            where('minute', '<', minute - MONTH.minutes).and(
              sql<number>`minute % ${sql.lit(YEAR.every)}`,
              '<>',
              0,
            ),
            where('minute', '<', minute - RECENT_MINUTES).and(
              sql<number>`minute % ${sql.lit(MONTH.every)}`,
              '<>',
              0,
            ),
          ]),
        )
        .execute();
    });
  }
}
