import { sql } from 'kysely';
import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    tape_contracts: TapeContractsTable;
    tape_blocks: TapeBlocksTable;
    tape_days: TapeDaysTable;
  }
}

/** Contracts with the numbers that blocks of the tape use. */
interface TapeContractsTable {
  id: number;
  exchange: string;
  venue_symbol: string;
  /** As the newest snapshot named them. */
  symbol: string;
  coin: string;
}

/** All contracts of a venue over a minute, or over an hour once it has ended (src/history/tape/block.ts). */
interface TapeBlocksTable {
  exchange: string;
  /** Since 1970. */
  start_minute: number;
  /** 1 or 60. */
  minutes: number;
  block: Uint8Array;
}

/** Some figures of one contract over a UTC day that has ended. */
interface TapeDaysTable {
  /** Grows with the day, then with the part and the number of the contract: `tapeDayId` in src/storage/blocks.ts. */
  id: number;
  block: Uint8Array;
}

export async function up({ trx, bytes, kind }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('tape_contracts')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('venue_symbol', 'text', (column) => column.notNull())
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('coin', 'text', (column) => column.notNull())
    .addUniqueConstraint('tape_contracts_name', ['exchange', 'venue_symbol'])
    .execute();
  await trx.schema
    .createTable('tape_blocks')
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('start_minute', 'integer', (column) => column.notNull())
    .addColumn('minutes', 'integer', (column) => column.notNull())
    .addColumn('block', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('tape_blocks_key', ['exchange', 'start_minute', 'minutes'])
    .execute();
  await trx.schema
    .createTable('tape_days')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('block', bytes, (column) => column.notNull())
    .execute();
  if (kind !== 'postgres') return;
  // Packed bytes do not compress further, and a row that is not moved to TOAST is read with one access.
  await sql`alter table tape_blocks alter column block set storage external`.execute(trx);
  await sql`alter table tape_days alter column block set storage external`.execute(trx);
  await sql`alter table tape_days set (toast_tuple_target = 8160)`.execute(trx);
}
