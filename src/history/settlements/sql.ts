import { CompiledQuery, type Transaction } from 'kysely';
import type {
  SettlementBlocksTable,
  SettlementContractsTable,
  SettlementGapsTable,
} from '../../storage/migrations/0015-settlements.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';

/**
 * The statements that write a settlement hour. They take a whole list as one parameter (JSON in SQLite, an array in
 * PostgreSQL): building thousands of placeholders would take longer than executing the statement.
 */
export type Trx = Transaction<Schema>;
export type ContractRow = SettlementContractsTable;
type Kind = Storage['kind'];

async function rowsOf<Row>(trx: Trx, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...parameters]) as CompiledQuery<Row>;
  return (await trx.executeQuery(query)).rows;
}

const inList = (kind: Kind, type: 'bigint' | 'text') =>
  kind === 'sqlite' ? 'in (select value from json_each(?))' : `= any($1::${type}[])`;
const listParameter = (kind: Kind, values: readonly (string | number)[]) =>
  kind === 'sqlite' ? JSON.stringify(values) : values;

export async function blocksByIds(
  trx: Trx,
  kind: Kind,
  ids: readonly number[],
): Promise<SettlementBlocksTable[]> {
  const text = `select id, days, prints, known from settlement_blocks where id ${inList(kind, 'bigint')}`;
  return await rowsOf(trx, text, [listParameter(kind, ids)]);
}

export async function contractsByVenueSymbols(
  trx: Trx,
  kind: Kind,
  venueSymbols: readonly string[],
): Promise<ContractRow[]> {
  const text = `select * from settlement_contracts where venue_symbol ${inList(kind, 'text')}`;
  return await rowsOf(trx, text, [listParameter(kind, venueSymbols)]);
}

export async function gapsOfContracts(
  trx: Trx,
  kind: Kind,
  contractIds: readonly number[],
): Promise<SettlementGapsTable[]> {
  const text = `select * from settlement_gaps where contract_id ${inList(kind, 'bigint')}`;
  return await rowsOf(trx, text, [listParameter(kind, contractIds)]);
}

/** JSON cannot carry bytes, so on SQLite blocks are written with placeholders. */
const SQLITE_BLOCKS_PER_STATEMENT = 50;

export async function upsertBlocks(
  trx: Trx,
  kind: Kind,
  blocks: readonly SettlementBlocksTable[],
): Promise<void> {
  const onConflict =
    'on conflict (id) do update set days = excluded.days, prints = excluded.prints, known = excluded.known';
  if (kind === 'postgres') {
    if (blocks.length === 0) return;
    const text = `insert into settlement_blocks (id, days, prints, known)
      select * from unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]) ${onConflict}`;
    const bytes = (column: 'days' | 'prints') => blocks.map((block) => Buffer.from(block[column]));
    const known = blocks.map((block) => (block.known ? Buffer.from(block.known) : null));
    await rowsOf(trx, text, [blocks.map(({ id }) => id), bytes('days'), bytes('prints'), known]);
    return;
  }
  for (let i = 0; i < blocks.length; i += SQLITE_BLOCKS_PER_STATEMENT) {
    const some = blocks.slice(i, i + SQLITE_BLOCKS_PER_STATEMENT);
    const text = `insert into settlement_blocks (id, days, prints, known) values ${some.map(() => '(?, ?, ?, ?)').join(', ')} ${onConflict}`;
    await rowsOf(
      trx,
      text,
      some.flatMap(({ id, days, prints, known }) => [id, days, prints, known ?? null]),
    );
  }
}

const PROGRESS_COLUMNS = [
  'id',
  'walked_from_ms',
  'walked_to_ms',
  'held_since_ms',
  'last_print_ms',
  'print_count',
  'volume_24h_usdt',
  'revision',
] as const;

export async function updateProgress(trx: Trx, kind: Kind, rows: readonly ContractRow[]): Promise<void> {
  const set = PROGRESS_COLUMNS.slice(1).map((column) => `${column} = changed.${column}`);
  const changed =
    kind === 'sqlite'
      ? `select ${PROGRESS_COLUMNS.map((column, i) => `value ->> ${i} as ${column}`).join(', ')} from json_each(?)`
      : `select * from unnest(${PROGRESS_COLUMNS.map((_, i) => `$${i + 1}::bigint[]`).join(', ')}) as lists (${PROGRESS_COLUMNS.join(', ')})`;
  const parameters =
    kind === 'sqlite'
      ? [JSON.stringify(rows.map((row) => PROGRESS_COLUMNS.map((column) => row[column])))]
      : PROGRESS_COLUMNS.map((column) => rows.map((row) => row[column]));
  const text = `update settlement_contracts set ${set.join(', ')} from (${changed}) as changed
    where settlement_contracts.id = changed.id`;
  await rowsOf(trx, text, parameters);
}
