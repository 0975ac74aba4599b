import { sql } from 'kysely';
import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    settlement_contracts: SettlementContractsTable;
    settlement_blocks: SettlementBlocksTable;
    settlement_gaps: SettlementGapsTable;
    settlement_corrections: SettlementCorrectionsTable;
  }
}

/** Every contract whose prints were ever requested, including delisted ones. */
export interface SettlementContractsTable {
  id: number;
  exchange: string;
  venue_symbol: string;
  symbol: string;
  coin: string;
  is_inverse: number;
  listed_at_ms: number | null;
  /** The range for which the venue's prints are complete, both ends included. */
  walked_from_ms: number | null;
  walked_to_ms: number | null;
  held_since_ms: number | null;
  last_print_ms: number | null;
  print_count: number;
  /** Increases with every change of the row, so that other processes find changed rows. */
  revision: number;
}

/** 32 days of one contract. The key puts the newest blocks of all contracts side by side: see docs/history.md. */
export interface SettlementBlocksTable {
  id: number;
  days: Uint8Array;
  prints: Uint8Array;
}

/** Missing prints, with the time of the next request to the venue; null if the venue does not have them. */
export interface SettlementGapsTable {
  contract_id: number;
  after_minute: number;
  before_minute: number;
  tries: number;
  next_try_at_ms: number | null;
}

/** Rates that a venue corrected after publishing them. */
interface SettlementCorrectionsTable {
  contract_id: number;
  minute: number;
  old_rate_pct: number;
  new_rate_pct: number;
  seen_at_ms: number;
}

export async function up({ trx, bytes, kind }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('settlement_contracts')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('venue_symbol', 'text', (column) => column.notNull())
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('coin', 'text', (column) => column.notNull())
    .addColumn('is_inverse', 'integer', (column) => column.notNull())
    .addColumn('listed_at_ms', 'bigint')
    .addColumn('walked_from_ms', 'bigint')
    .addColumn('walked_to_ms', 'bigint')
    .addColumn('held_since_ms', 'bigint')
    .addColumn('last_print_ms', 'bigint')
    .addColumn('print_count', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('settlement_contracts_name', ['venue_symbol', 'exchange'])
    .execute();
  await trx.schema
    .createIndex('settlement_contracts_revision')
    .on('settlement_contracts')
    .column('revision')
    .execute();

  await trx.schema
    .createTable('settlement_blocks')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('days', bytes, (column) => column.notNull())
    .addColumn('prints', bytes, (column) => column.notNull())
    .execute();
  if (kind === 'postgres') {
    // Packed bytes do not compress further, and a row that is not moved to TOAST is read with one access.
    await sql`alter table settlement_blocks alter column prints set storage external`.execute(trx);
    await sql`alter table settlement_blocks alter column days set storage main`.execute(trx);
    await sql`alter table settlement_blocks set (toast_tuple_target = 8160, fillfactor = 85)`.execute(trx);
  }

  await trx.schema
    .createTable('settlement_gaps')
    .addColumn('contract_id', 'integer', (column) => column.notNull())
    .addColumn('after_minute', 'bigint', (column) => column.notNull())
    .addColumn('before_minute', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at_ms', 'bigint')
    .addPrimaryKeyConstraint('settlement_gaps_key', ['contract_id', 'after_minute'])
    .execute();

  await trx.schema
    .createTable('settlement_corrections')
    .addColumn('contract_id', 'integer', (column) => column.notNull())
    .addColumn('minute', 'bigint', (column) => column.notNull())
    .addColumn('old_rate_pct', 'double precision', (column) => column.notNull())
    .addColumn('new_rate_pct', 'double precision', (column) => column.notNull())
    .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
    .execute();
}
