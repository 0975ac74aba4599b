import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    coin_prices: CoinPricesTable;
  }
}

/** The price of each coin every ten minutes: the mark price of its most traded linear contract. */
interface CoinPricesTable {
  /** Since 1970, a multiple of ten. */
  minute: number;
  coin: string;
  exchange: string;
  venue_symbol: string;
  /** Of one unit of the coin, in the quote currency of the contract. */
  price: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('coin_prices')
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('coin', 'text', (column) => column.notNull())
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('venue_symbol', 'text', (column) => column.notNull())
    .addColumn('price', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('coin_prices_key', ['minute', 'coin'])
    .execute();
}
