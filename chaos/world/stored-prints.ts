import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { MINUTE_MS } from '../../src/base/times.ts';
import { decodePrints } from '../../src/history/settlements/codec.ts';
import { BLOCK_MINUTES, noPrints } from '../../src/history/settlements/times.ts';
import { blockNumberOf, contractIdOf } from '../../src/storage/blocks.ts';
import type { StoredPrints } from '../invariants/prints.ts';

interface ContractRow {
  id: number;
  exchange: string;
  venue_symbol: string;
}

interface BlockRow {
  id: number;
  prints: Uint8Array;
}

const CONTRACTS = 'select id, exchange, venue_symbol from settlement_contracts';
const BLOCKS = 'select id, prints from settlement_blocks order by id';

/** Reads the prints from the database itself, because no answer has all of them. */
export function storedInSqlite(file: string): StoredPrints[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    return decoded(
      database.prepare(CONTRACTS).all() as unknown as ContractRow[],
      database.prepare(BLOCKS).all() as unknown as BlockRow[],
    );
  } finally {
    database.close();
  }
}

export async function storedInPostgres(url: string): Promise<StoredPrints[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const contracts = (await client.query<ContractRow>(CONTRACTS)).rows;
    const blocks = (await client.query<BlockRow>(BLOCKS)).rows;
    return decoded(contracts, blocks);
  } finally {
    await client.end();
  }
}

function decoded(contracts: readonly ContractRow[], blocks: readonly BlockRow[]): StoredPrints[] {
  const byContract = Map.groupBy(blocks, ({ id }) => contractIdOf(Number(id)));
  return contracts.map(({ id, exchange, venue_symbol }) => {
    const all = noPrints();
    for (const block of byContract.get(Number(id)) ?? [])
      decodePrints(block.prints, blockNumberOf(Number(block.id)) * BLOCK_MINUTES, all);
    const prints = all.minutes.map((minute, i) => ({
      settledAtMs: minute * MINUTE_MS,
      ratePct: all.ratesPct[i] ?? Number.NaN,
    }));
    return { exchange, venueSymbol: venue_symbol, prints };
  });
}
