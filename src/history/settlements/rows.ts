import { MINUTE_MS } from '../../base/times.ts';
import type { Storage } from '../../storage/storage.ts';
import { type ContractNames, keyOf } from './directory.ts';
import type { Merged } from './merge.ts';
import { type ContractRow, contractsByVenueSymbols, type Trx } from './sql.ts';

/** Rows per insert statement: far below the parameter limits of both databases. */
export const ROWS_PER_STATEMENT = 500;

export function* inParts<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

export async function nextRevision(trx: Trx): Promise<number> {
  const { newest } = await trx
    .selectFrom('settlement_contracts')
    .select((select) => select.fn.max('revision').as('newest'))
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0) + 1;
}

/** One row per given contract, in the given order; missing rows are inserted. A contract given twice has one row. */
export async function contractRows(
  trx: Trx,
  kind: Storage['kind'],
  names: readonly ContractNames[],
  revision: number,
): Promise<ContractRow[]> {
  const known = new Map<string, ContractRow>();
  const venueSymbols = [...new Set(names.map((name) => name.venueSymbol))];
  for (const row of await contractsByVenueSymbols(trx, kind, venueSymbols))
    known.set(keyOf(row.exchange, row.venue_symbol), { ...row, revision });
  const unknown = new Map<string, ContractNames>();
  for (const name of names) {
    const key = keyOf(name.exchange, name.venueSymbol);
    if (!known.has(key)) unknown.set(key, name);
  }
  if (unknown.size > 0) {
    const { last } = await trx
      .selectFrom('settlement_contracts')
      .select((select) => select.fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    let id = Number(last ?? 0);
    const rows: ContractRow[] = [];
    for (const [key, name] of unknown) {
      const row = emptyRow(++id, name, revision);
      known.set(key, row);
      rows.push(row);
    }
    for (const some of inParts(rows, ROWS_PER_STATEMENT))
      await trx.insertInto('settlement_contracts').values(some).execute();
  }
  return names.map((name) => {
    const row = known.get(keyOf(name.exchange, name.venueSymbol));
    if (!row) throw new Error(`contract ${name.venueSymbol} has no row`);
    return row;
  });
}

function emptyRow(id: number, name: ContractNames, revision: number): ContractRow {
  return {
    id,
    exchange: name.exchange,
    venue_symbol: name.venueSymbol,
    symbol: name.symbol,
    coin: name.coin,
    is_inverse: name.isInverse ? 1 : 0,
    listed_at_ms: name.listedAtMs,
    volume_24h_usdt: null,
    walked_from_ms: null,
    walked_to_ms: null,
    held_since_ms: null,
    last_print_ms: null,
    print_count: 0,
    revision,
  };
}

export async function saveNames(trx: Trx, row: ContractRow, name: ContractNames): Promise<ContractRow> {
  const names = {
    symbol: name.symbol,
    coin: name.coin,
    is_inverse: name.isInverse ? 1 : 0,
    listed_at_ms: name.listedAtMs ?? row.listed_at_ms,
    revision: row.revision,
  };
  await trx.updateTable('settlement_contracts').set(names).where('id', '=', row.id).execute();
  return { ...row, ...names };
}

/** Updates the row after prints were merged. `walked` is the range that was fetched completely; null for single prints. */
export function updateRow(
  row: ContractRow,
  { volume24hUsdt }: Pick<ContractNames, 'volume24hUsdt'>,
  { added }: Pick<Merged, 'added'>,
  walked: { fromMs: number; toMs: number } | null,
): void {
  if (volume24hUsdt != null) row.volume_24h_usdt = Math.round(volume24hUsdt);
  for (const { minute } of added) {
    row.held_since_ms = Math.min(row.held_since_ms ?? Number.POSITIVE_INFINITY, minute * MINUTE_MS);
    row.last_print_ms = Math.max(row.last_print_ms ?? 0, minute * MINUTE_MS);
  }
  row.print_count += added.length;
  if (!walked) return;
  const [fromMs, toMs] = [row.walked_from_ms, row.walked_to_ms];
  if (fromMs === null || toMs === null) {
    row.walked_from_ms = walked.fromMs;
    row.walked_to_ms = walked.toMs;
  } else if (walked.fromMs <= toMs && walked.toMs >= fromMs) {
    // Only overlapping ranges are merged; a separate range is fetched again later.
    row.walked_from_ms = Math.min(fromMs, walked.fromMs);
    row.walked_to_ms = Math.max(toMs, walked.toMs);
  }
}
