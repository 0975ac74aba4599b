import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0012-depth-samples.ts';
import type {} from '../../storage/migrations/0135-depth-costs.ts';
import type { Storage } from '../../storage/storage.ts';
import { type ContractCosts, type CostSteps, decodeCosts, decodeSteps, encodeCosts } from './cost-codec.ts';
import { type CostFigures, figuresOf } from './figures.ts';

export const COSTS_EVERY_MINUTES = 5;

/** Costs are read in parts of this many rows, an hour, with other work between them. */
const PART_ROWS = 12;
/** The figures of so many contracts take a few milliseconds. */
const PART_CONTRACTS = 50;

export interface CostPoint {
  /** Since 1970. */
  minute: number;
  costsPct: Float64Array;
}

/** What orders cost against the books over time. One row per venue and five minutes, so a contract is read quickly. */
export class DepthCostStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * Stores all venues of one time or none. What is stored already stays as it is, except later times: a clock that ran ahead
   * has dated them.
   */
  async save(
    minute: number,
    byExchange: ReadonlyMap<string, readonly ContractCosts[]>,
    fence: Fence | null,
  ): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      for (const [exchange, contracts] of byExchange) {
        await trx
          .deleteFrom('depth_costs')
          .where('exchange', '=', exchange)
          .where('minute', '>', minute)
          .execute();
        await trx
          .insertInto('depth_costs')
          .values({ exchange, minute, block: encodeCosts(contracts) })
          .onConflict((conflict) => conflict.columns(['exchange', 'minute']).doNothing())
          .execute();
      }
    });
  }

  /** The costs of a contract from one minute to another, oldest first. */
  async series(
    { exchange, venueSymbol }: { exchange: string; venueSymbol: string },
    fromMinute: number,
    toMinute: number,
  ): Promise<CostPoint[]> {
    const { db } = this.#storage;
    // A contract has several numbers if its fee or its coin has changed.
    const numbered = await db
      .selectFrom('depth_contracts')
      .select('id')
      .where('exchange', '=', exchange)
      .where('venue_symbol', '=', venueSymbol)
      .execute();
    const ids = new Set(numbered.map(({ id }) => id));
    const points: CostPoint[] = [];
    for await (const { minute, block } of this.#blocks(exchange, fromMinute, toMinute)) {
      const [found] = decodeCosts(block, ids);
      if (found) points.push({ minute, costsPct: found.costsPct });
    }
    return points;
  }

  /** The venues with costs in [fromMinute, toMinute). */
  async exchangesIn(fromMinute: number, toMinute: number): Promise<string[]> {
    const rows = await this.#storage.db
      .selectFrom('depth_costs')
      .select('exchange')
      .distinct()
      .where('minute', '>=', fromMinute)
      .where('minute', '<', toMinute)
      .execute();
    return rows.map(({ exchange }) => exchange);
  }

  /** The costs of all contracts of a venue at each time of [fromMinute, toMinute), oldest first. */
  async *times(
    exchange: string,
    fromMinute: number,
    toMinute: number,
  ): AsyncGenerator<{ minute: number; costs: CostSteps }> {
    for await (const { minute, block } of this.#blocks(exchange, fromMinute, toMinute - 1))
      yield { minute, costs: decodeSteps(block) };
  }

  /** The costs of the contracts of a venue over a time, by number. */
  async figures(exchange: string, fromMinute: number, toMinute: number): Promise<Map<number, CostFigures>> {
    const times: CostSteps[] = [];
    for await (const { block } of this.#blocks(exchange, fromMinute, toMinute))
      times.push(decodeSteps(block));
    const byId = new Map<number, CostFigures>();
    for (const [id, figures] of figuresOf(times)) {
      byId.set(id, figures);
      if (byId.size % PART_CONTRACTS === 0) await nextTurn();
    }
    return byId;
  }

  /** The rows of a venue from one minute to another, oldest first. */
  async *#blocks(
    exchange: string,
    fromMinute: number,
    toMinute: number,
  ): AsyncGenerator<{ minute: number; block: Uint8Array }> {
    for (let next = fromMinute; next <= toMinute; ) {
      const rows = await this.#storage.db
        .selectFrom('depth_costs')
        .select(['minute', 'block'])
        .where('exchange', '=', exchange)
        .where('minute', '>=', next)
        .where('minute', '<=', toMinute)
        .orderBy('minute')
        .limit(PART_ROWS)
        .execute();
      yield* rows;
      if (rows.length < PART_ROWS) return;
      next = (rows.at(-1)?.minute ?? toMinute) + 1;
      await nextTurn();
    }
  }

  /** Deletes what is older than the given minute. */
  async prune(beforeMinute: number, fence: Fence | null): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx.deleteFrom('depth_costs').where('minute', '<', beforeMinute).execute();
    });
  }
}
