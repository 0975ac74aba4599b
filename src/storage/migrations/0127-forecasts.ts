import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    forecast_days: ForecastDaysTable;
    forecast_scores: ForecastScoresTable;
  }
}

/** The forecasts of each UTC day as they were published. A row never changes, but its pairs are deleted once they are scored. */
interface ForecastDaysTable {
  /** Days since 1970. */
  day: number;
  /** When they were published, in minutes since 1970. */
  minute: number;
  /** JSON: the weights of all horizons. */
  models: string;
  /** Frame: what was known of each contract. */
  contracts: Uint8Array;
  /** Frame: the pairs, with what opening and closing cost and how much their spread moves. */
  pairs: Uint8Array | null;
}

/** How the forecasts of a day turned out, one row per horizon. */
interface ForecastScoresTable {
  day: number;
  /** The horizon. */
  days: number;
  /** When it was computed, in minutes since 1970. */
  scored_minute: number;
  /** JSON. */
  score: string;
}

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('forecast_days')
    .addColumn('day', 'integer', (column) => column.primaryKey())
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('models', 'text', (column) => column.notNull())
    .addColumn('contracts', bytes, (column) => column.notNull())
    .addColumn('pairs', bytes)
    .execute();
  await trx.schema
    .createTable('forecast_scores')
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('days', 'integer', (column) => column.notNull())
    .addColumn('scored_minute', 'integer', (column) => column.notNull())
    .addColumn('score', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('forecast_scores_key', ['day', 'days'])
    .execute();
}
