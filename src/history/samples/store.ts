// Adds the tables to the schema's type.

import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0012-depth-samples.ts';
import type {} from '../../storage/migrations/0064-depth-contract-fees.ts';
import { DEPTH_PARTITIONS, PartitionKeeper } from '../../storage/partitions.ts';
import type { Storage } from '../../storage/storage.ts';
import { encodeSamples } from './codec.ts';
import { MINUTES_PER_BLOCK, type MinuteSample, type SampledContract } from './model.ts';

interface StoredBlock {
  startMinute: number;
  minutes: number;
  block: Uint8Array;
}

/** Both ends are included. */
export interface MinuteRange {
  fromMinute: number;
  toMinute: number;
}

export type ContractNames = Omit<SampledContract, 'id'>;

/**
 * Depth samples in the database. A minute is one row, inserted by one statement, so after a kill it is stored whole or
 * not at all. A full hour is packed into one row, in a transaction that also deletes the rows of its minutes.
 */
export class SampleStore {
  readonly #db: Storage['db'];
  readonly #partitions: PartitionKeeper;
  readonly #ids = new Map<string, number>();
  #contracts: SampledContract[] = [];
  #numbering: Promise<void> = Promise.resolve();
  /** The last insert of numbers failed, possibly after it was committed. */
  #isStale = false;

  constructor(storage: Storage) {
    this.#db = storage.db;
    this.#partitions = new PartitionKeeper(storage, DEPTH_PARTITIONS);
  }

  /** Loads the contract numbers; must be called before any other method. */
  async open(): Promise<void> {
    const rows = await this.#db.selectFrom('depth_contracts').selectAll().orderBy('id').execute();
    this.#contracts = rows.map(({ venue_symbol, taker_fee_pct, ...row }) => ({
      ...row,
      venueSymbol: venue_symbol,
      ...(taker_fee_pct === null ? {} : { takerFeePct: taker_fee_pct }),
    }));
    for (const contract of this.#contracts) this.#ids.set(keyOf(contract), contract.id);
  }

  /** Every numbered contract, ordered by number. */
  get contracts(): readonly SampledContract[] {
    return this.#contracts;
  }

  /** Numbers of the contracts; unknown ones are assigned a new number. */
  async idsOf(names: readonly ContractNames[]): Promise<number[]> {
    if (names.some((name) => !this.#ids.has(keyOf(name)))) {
      // Serialized: two callers must not number the same contract. A failure concerns only its own caller.
      const numbered = this.#numbering.then(() => this.#number(names));
      this.#numbering = numbered.catch(() => {});
      await numbered;
    }
    return names.map((name) => this.#ids.get(keyOf(name)) ?? 0);
  }

  async #number(names: readonly ContractNames[]): Promise<void> {
    if (this.#isStale) await this.open();
    this.#isStale = true;
    const unknown = names.filter((name) => !this.#ids.has(keyOf(name)));
    let next = (this.#contracts.at(-1)?.id ?? 0) + 1;
    const added = unknown.map((name): SampledContract => ({ id: next++, ...name }));
    await this.#db.transaction().execute(async (trx) => {
      for (const { venueSymbol, ...contract } of added)
        await trx
          .insertInto('depth_contracts')
          .values({
            id: contract.id,
            exchange: contract.exchange,
            venue_symbol: venueSymbol,
            coin: contract.coin,
            quote: contract.quote,
            taker_fee_pct: contract.takerFeePct ?? null,
          })
          .execute();
    });
    this.#isStale = false;
    for (const contract of added) {
      this.#ids.set(keyOf(contract), contract.id);
      this.#contracts.push(contract);
    }
  }

  /** Stores a minute. A minute that is already stored is not changed. */
  async add(sample: MinuteSample, fence: Fence | null = null): Promise<void> {
    await this.#insert({ startMinute: sample.minute, minutes: 1, block: encodeSamples([sample]) }, fence);
  }

  /** Stores a whole hour as one block. */
  async addHour(startMinute: number, samples: readonly MinuteSample[]): Promise<void> {
    await this.#insert({ startMinute, minutes: MINUTES_PER_BLOCK, block: encodeSamples(samples) });
  }

  async #insert({ startMinute, minutes, block }: StoredBlock, fence: Fence | null = null): Promise<void> {
    await this.#partitions.cover([startMinute]);
    await this.#db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx
        .insertInto('depth_blocks')
        .values({ start_minute: startMinute, minutes, block })
        .onConflict((conflict) => conflict.columns(['start_minute', 'minutes']).doNothing())
        .execute();
    });
  }

  /** The first block that contains a later minute; null when there is none. */
  async nextAfter(minute: number): Promise<StoredBlock | null> {
    const row = await this.#db
      .selectFrom('depth_blocks')
      .selectAll()
      // A block that contains the minute starts less than an hour before it.
      .where('start_minute', '>', minute - MINUTES_PER_BLOCK)
      .where((where) => where(where('start_minute', '+', where.ref('minutes')), '>', minute + 1))
      .orderBy('start_minute')
      .limit(1)
      .executeTakeFirst();
    return row ? { startMinute: row.start_minute, minutes: row.minutes, block: row.block } : null;
  }

  /** The first and the last stored minute; null when nothing is stored. */
  async span(): Promise<{ firstMinute: number; lastMinute: number } | null> {
    const edge = (direction: 'asc' | 'desc') =>
      this.#db
        .selectFrom('depth_blocks')
        .select(['start_minute', 'minutes'])
        .orderBy('start_minute', direction)
        .limit(1)
        .executeTakeFirst();
    const [first, last] = [await edge('asc'), await edge('desc')];
    if (!first || !last) return null;
    return { firstMinute: first.start_minute, lastMinute: last.start_minute + last.minutes - 1 };
  }

  /** The ranges from one minute to another, both included, that no block covers, oldest first. */
  async missing(fromMinute: number, toMinute: number): Promise<MinuteRange[]> {
    const rows = await this.#db
      .selectFrom('depth_blocks')
      .select(['start_minute', 'minutes'])
      .where('start_minute', '>', fromMinute - MINUTES_PER_BLOCK)
      .orderBy('start_minute')
      .execute();
    const ranges: MinuteRange[] = [];
    let next = fromMinute;
    for (const { start_minute, minutes } of rows) {
      if (start_minute > toMinute) break;
      if (start_minute > next) ranges.push({ fromMinute: next, toMinute: start_minute - 1 });
      next = Math.max(next, start_minute + minutes);
    }
    if (next <= toMinute) ranges.push({ fromMinute: next, toMinute });
    return ranges;
  }

  /** Start minutes of the hours before the given minute that have single-minute rows, oldest first. */
  async unpackedHours(beforeMinute: number): Promise<number[]> {
    const rows = await this.#db
      .selectFrom('depth_blocks')
      .select('start_minute')
      .where('minutes', '=', 1)
      .where('start_minute', '<', beforeMinute - (beforeMinute % MINUTES_PER_BLOCK))
      .orderBy('start_minute')
      .execute();
    return [...new Set(rows.map((row) => row.start_minute - (row.start_minute % MINUTES_PER_BLOCK)))];
  }

  /** All blocks of an hour. */
  async blocksOfHour(startMinute: number): Promise<Uint8Array[]> {
    const rows = await this.#db
      .selectFrom('depth_blocks')
      .select('block')
      .where('start_minute', '>=', startMinute)
      .where('start_minute', '<', startMinute + MINUTES_PER_BLOCK)
      .orderBy('start_minute')
      .execute();
    return rows.map((row) => row.block);
  }

  /** Replaces all blocks of an hour by one. */
  async replaceHour(startMinute: number, block: Uint8Array): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('depth_blocks')
        .where('start_minute', '>=', startMinute)
        .where('start_minute', '<', startMinute + MINUTES_PER_BLOCK)
        .execute();
      await trx
        .insertInto('depth_blocks')
        .values({ start_minute: startMinute, minutes: MINUTES_PER_BLOCK, block })
        .execute();
    });
  }

  /** Deletes the blocks from this minute on: they were dated by a wrong clock. */
  async deleteFrom(minute: number): Promise<void> {
    await this.#db.deleteFrom('depth_blocks').where('start_minute', '>=', minute).execute();
  }

  /** Deletes blocks before the minute; on PostgreSQL whole days at a time, so up to a day more remains. */
  async deleteBefore(minute: number): Promise<void> {
    const firstMinute = minute - MINUTES_PER_BLOCK;
    if (await this.#partitions.dropBefore(firstMinute)) return;
    await this.#db.deleteFrom('depth_blocks').where('start_minute', '<', firstMinute).execute();
  }
}

function keyOf({ exchange, venueSymbol, coin, quote, takerFeePct }: ContractNames): string {
  return `${exchange}/${venueSymbol}/${coin}/${quote}/${takerFeePct ?? 'usual fee'}`;
}
