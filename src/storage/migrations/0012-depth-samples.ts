import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    depth_contracts: DepthContractsTable;
    depth_blocks: DepthBlocksTable;
    backtest_checkpoints: BacktestCheckpointsTable;
  }
}

/** Ids of contracts, so that blocks do not repeat names. */
export interface DepthContractsTable {
  id: number;
  exchange: string;
  venue_symbol: string;
  coin: string;
  quote: string;
}

/** One sampled minute, or the minutes of an hour packed together. A row is always a complete block. */
interface DepthBlocksTable {
  start_minute: number;
  /** 1 or 60. */
  minutes: number;
  block: Uint8Array;
}

interface BacktestCheckpointsTable {
  minute: number;
  /** The process that wrote it, so that other processes notice a checkpoint that is not their own. */
  writer: string;
  state: Uint8Array;
}

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('depth_contracts')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('venue_symbol', 'text', (column) => column.notNull())
    .addColumn('coin', 'text', (column) => column.notNull())
    .addColumn('quote', 'text', (column) => column.notNull())
    .addUniqueConstraint('depth_contracts_names', ['exchange', 'venue_symbol', 'coin', 'quote'])
    .execute();

  await trx.schema
    .createTable('depth_blocks')
    .addColumn('start_minute', 'bigint', (column) => column.notNull())
    .addColumn('minutes', 'integer', (column) => column.notNull())
    .addColumn('block', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('depth_blocks_key', ['start_minute', 'minutes'])
    .execute();

  await trx.schema
    .createTable('backtest_checkpoints')
    .addColumn('minute', 'bigint', (column) => column.primaryKey())
    .addColumn('writer', 'text', (column) => column.notNull())
    .addColumn('state', bytes, (column) => column.notNull())
    .execute();
}
