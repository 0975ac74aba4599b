import { CompiledQuery } from 'kysely';
import { blockNumberOf, contractIdOf, settlementBlockId } from '../../storage/blocks.ts';
import type { PostgresStorage, Storage } from '../../storage/storage.ts';
import { decodeDays, decodePrints } from './codec.ts';
import type { DaySum } from './days.ts';
import {
  BLOCK_DAYS,
  BLOCK_MINUTES,
  blockOf,
  firstIndexFrom,
  intervalsOf,
  noPrints,
  type Prints,
  REACH_MINUTES,
} from './times.ts';

export interface ReadPrints extends Prints {
  /** Length of the interval that each print settles, in minutes; 0 when unknown. */
  intervalMinutes: Int32Array;
}

interface BlockRead {
  id: number;
  bytes: Uint8Array;
}

type Column = 'days' | 'prints';
type ReadBlocks = (
  ids: readonly number[],
  column: Column,
  contractIds: readonly number[],
) => Promise<BlockRead[]>;

/** Which PostgreSQL server a read went to, and why not to the replica. */
type ReadFrom = 'replica' | 'primary' | 'primary_replica_away' | 'primary_replica_behind';

interface ReaderOptions {
  /** The contract's newest revision known here. A replica that has an older one is not used. */
  revisionOf: (contractId: number) => number;
  onRead: (from: ReadFrom) => void;
}

/** Reads prints and day sums. A request reads a few packed blocks per contract, however much is stored. */
export class SettlementReader {
  readonly #readBlocks: ReadBlocks;
  readonly close: () => void;

  constructor(storage: Storage, options: ReaderOptions) {
    if (storage.kind === 'sqlite') {
      const reader = storage.openReader();
      this.#readBlocks = async (ids, column) =>
        reader.rows(
          CompiledQuery.raw(SQLITE_QUERIES[column], [JSON.stringify(ids)]) as CompiledQuery<BlockRead>,
        );
      this.close = () => reader.close();
    } else {
      this.#readBlocks = postgresBlocks(storage, options);
      this.close = () => undefined;
    }
  }

  /** Prints of one contract in [fromMinute, toMinute], oldest first. */
  async prints(contractId: number, fromMinute: number, toMinute: number): Promise<ReadPrints> {
    const ids = idsOf(contractId, blockOf(fromMinute - REACH_MINUTES), blockOf(toMinute + REACH_MINUTES));
    const rows = await this.#readBlocks(ids, 'prints', [contractId]);
    const all = noPrints();
    for (const { id, bytes } of rows.sort(byId)) decodePrints(bytes, blockNumberOf(id) * BLOCK_MINUTES, all);
    const intervals = intervalsOf(all.minutes).minutes;
    const first = firstIndexFrom(all.minutes, fromMinute);
    const end = firstIndexFrom(all.minutes, toMinute + 1);
    return {
      minutes: all.minutes.slice(first, end),
      ratesPct: all.ratesPct.slice(first, end),
      intervalMinutes: intervals.subarray(first, end),
    };
  }

  /** Day sums of each contract in [fromDay, toDay], oldest first; days without prints are left out. */
  async days(contractIds: readonly number[], fromDay: number, toDay: number): Promise<DaySum[][]> {
    const [first, last] = [Math.floor(fromDay / BLOCK_DAYS), Math.floor(toDay / BLOCK_DAYS)];
    const ids = contractIds.flatMap((contractId) => idsOf(contractId, first, last));
    const rows = await this.#readBlocks(ids, 'days', contractIds);
    const byContract = new Map<number, DaySum[]>(contractIds.map((id) => [id, []]));
    for (const { id, bytes } of rows.sort(byId))
      decodeDays(bytes, blockNumberOf(id) * BLOCK_DAYS, byContract.get(contractIdOf(id)) ?? []);
    return contractIds.map((id) =>
      (byContract.get(id) ?? []).filter(({ day }) => day >= fromDay && day <= toDay),
    );
  }
}

/** The statement does not depend on the number of blocks, so it is prepared once. */
const SQLITE_QUERIES: Readonly<Record<Column, string>> = {
  days: 'select id, days as bytes from settlement_blocks where id in (select value from json_each(?))',
  prints: 'select id, prints as bytes from settlement_blocks where id in (select value from json_each(?))',
};
export const POSTGRES_QUERIES: Readonly<Record<Column, string>> = {
  days: 'select id, days as bytes from settlement_blocks where id = any($1::bigint[])',
  prints: 'select id, prints as bytes from settlement_blocks where id = any($1::bigint[])',
};

/**
 * For the replica: the same blocks, and whether it has at least the known revision of every contract. One statement is
 * one snapshot, so the blocks are as new as `isFresh` says.
 */
const replicaQuery = (column: Column) => `
  select freshness."isFresh", blocks.id, blocks.${column} as bytes
  from (
    select coalesce(bool_and(coalesce(stored.revision, 0) >= wanted.revision), true) as "isFresh"
    from unnest($2::bigint[], $3::bigint[]) as wanted (id, revision)
    left join settlement_contracts as stored on stored.id = wanted.id
  ) as freshness
  left join settlement_blocks as blocks on blocks.id = any($1::bigint[])`;
export const REPLICA_QUERIES: Readonly<Record<Column, string>> = {
  days: replicaQuery('days'),
  prints: replicaQuery('prints'),
};

interface ReplicaRow {
  isFresh: boolean;
  id: number | null;
  bytes: Uint8Array;
}

/** Reads from the replica if there is one, and from the primary when the replica is unavailable or behind. */
function postgresBlocks({ db, replica }: PostgresStorage, { revisionOf, onRead }: ReaderOptions): ReadBlocks {
  const fromPrimary = async (ids: readonly number[], column: Column, from: ReadFrom) => {
    onRead(from);
    const query = CompiledQuery.raw(POSTGRES_QUERIES[column], [ids]) as CompiledQuery<BlockRead>;
    return (await db.executeQuery(query)).rows;
  };
  return async (ids, column, contractIds) => {
    if (!replica) return await fromPrimary(ids, column, 'primary');
    const parameters = [ids, contractIds, contractIds.map(revisionOf)];
    const rows = await replica.rows<ReplicaRow>(REPLICA_QUERIES[column], parameters);
    if (rows === null) return await fromPrimary(ids, column, 'primary_replica_away');
    if (!rows[0]?.isFresh) return await fromPrimary(ids, column, 'primary_replica_behind');
    onRead('replica');
    return rows.flatMap(({ id, bytes }) => (id === null ? [] : [{ id, bytes }]));
  };
}

function byId(a: BlockRead, b: BlockRead): number {
  return a.id - b.id;
}

function idsOf(contractId: number, firstBlock: number, lastBlock: number): number[] {
  const ids: number[] = [];
  for (let block = firstBlock; block <= lastBlock; block++) ids.push(settlementBlockId(block, contractId));
  return ids;
}
