import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '../../src/base/log.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import type { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { PartitionKeeper, SETTLEMENT_PARTITIONS } from '../../src/storage/partitions.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { type Ask, asker, openKeeper } from './asking.ts';
import { contractIdOf, contractRow, packedBlocks, printsOf, VENUES_PER_COIN } from './prints.ts';

const ROWS_PER_STATEMENT = 1000;
const VENUE_NUMBERS = Array.from({ length: VENUES_PER_COIN }, (_, venue) => venue);

/** A database with the settled payments of some coins, in the encoding of the service. */
export interface BenchStore {
  coins: number;
  prints: number;
  keeper: SettlementKeeper;
  ask: Ask;
  bytesPerPrint: number;
  close(): Promise<void>;
}

export async function buildStore(folder: string, coins: number): Promise<BenchStore> {
  const sqliteFile = join(folder, `prints-${coins}.sqlite`);
  const storage = await openStorage({ databaseUrl: null, sqliteFile, log: createLog('silent') });
  await pack(storage, coins);
  const keeper = await openKeeper(storage);
  const perCoin = VENUE_NUMBERS.reduce((sum, venue) => sum + printsOf(0, venue).minutes.length, 0);
  return {
    coins,
    prints: coins * perCoin,
    keeper,
    ask: asker(keeper),
    bytesPerPrint: statSync(sqliteFile).size / (coins * perCoin),
    close: async () => {
      await keeper.close();
      await storage.close();
    },
  };
}

/** Every coin gets the payments of the first one: packing a hundred million different ones takes an hour. */
async function pack(storage: Storage, coins: number): Promise<void> {
  const partitions = new PartitionKeeper(storage, SETTLEMENT_PARTITIONS);
  const packed = VENUE_NUMBERS.map((venue) => packedBlocks(0, venue));
  for (let coin = 0; coin < coins; coin++) {
    const further = contractIdOf(coin, 0) - contractIdOf(0, 0);
    const blocks = packed.flat().map((block) => ({ ...block, id: block.id + further }));
    await partitions.cover(blocks.map(({ id }) => id));
    await storage.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('settlement_contracts')
        .values(VENUE_NUMBERS.map((venue) => contractRow(coin, venue)))
        .execute();
      for (let i = 0; i < blocks.length; i += ROWS_PER_STATEMENT)
        await trx
          .insertInto('settlement_blocks')
          .values(blocks.slice(i, i + ROWS_PER_STATEMENT))
          .execute();
    });
  }
}

/** The payments of the first coins as a plain table with an index on contract and time. */
export function rawTable(folder: string, coins: number): DatabaseSync {
  const database = new DatabaseSync(join(folder, 'raw.sqlite'));
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create table raw_prints (contract_id integer not null, settled_at_ms integer not null, rate_pct real not null);
    begin`);
  const insert = database.prepare('insert into raw_prints values (?, ?, ?)');
  for (let coin = 0; coin < coins; coin++) {
    for (const venue of VENUE_NUMBERS) {
      const { minutes, ratesPct } = printsOf(coin, venue);
      for (const [i, minute] of minutes.entries())
        insert.run(contractIdOf(coin, venue), minute * MINUTE_MS, ratesPct[i] ?? 0);
    }
  }
  database.exec(
    'commit; create unique index raw_prints_key on raw_prints (contract_id, settled_at_ms); analyze',
  );
  return database;
}
