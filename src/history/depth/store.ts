import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0012-depth-samples.ts';
import type {} from '../../storage/migrations/0135-depth-costs.ts';
import type { Storage } from '../../storage/storage.ts';
import { type ContractCosts, decodeCosts, encodeCosts } from './cost-codec.ts';
import { type CostFigures, figuresOf } from './figures.ts';

export const COSTS_EVERY_MINUTES = 5;

/** A series is read in parts of this length, with other requests between them. */
const PART_MINUTES = 3 * 60;

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

  /** Stores all venues of one time or none. What is stored already stays as it is. */
  async save(
    minute: number,
    byExchange: ReadonlyMap<string, readonly ContractCosts[]>,
    fence: Fence | null,
  ): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      for (const [exchange, contracts] of byExchange)
        await trx
          .insertInto('depth_costs')
          .values({ exchange, minute, block: encodeCosts(contracts) })
          .onConflict((conflict) => conflict.columns(['exchange', 'minute']).doNothing())
          .execute();
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
    for (let partMinute = fromMinute; partMinute <= toMinute; partMinute += PART_MINUTES) {
      const rows = await db
        .selectFrom('depth_costs')
        .select(['minute', 'block'])
        .where('exchange', '=', exchange)
        .where('minute', '>=', partMinute)
        .where('minute', '<', Math.min(partMinute + PART_MINUTES, toMinute + 1))
        .orderBy('minute')
        .execute();
      for (const { minute, block } of rows) {
        const [found] = decodeCosts(block, ids);
        if (found) points.push({ minute, costsPct: found.costsPct });
      }
      await nextTurn();
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

  /** The costs of some contracts of a venue at each time of [fromMinute, toMinute), oldest first. */
  async *times(
    exchange: string,
    fromMinute: number,
    toMinute: number,
    ids: ReadonlySet<number>,
  ): AsyncGenerator<{ minute: number; contracts: ContractCosts[] }> {
    for (let partMinute = fromMinute; partMinute < toMinute; partMinute += PART_MINUTES) {
      const rows = await this.#storage.db
        .selectFrom('depth_costs')
        .select(['minute', 'block'])
        .where('exchange', '=', exchange)
        .where('minute', '>=', partMinute)
        .where('minute', '<', Math.min(partMinute + PART_MINUTES, toMinute))
        .orderBy('minute')
        .execute();
      for (const { minute, block } of rows) yield { minute, contracts: decodeCosts(block, ids) };
    }
  }

  /** The costs of the contracts of a venue over a time, by number. */
  async figures(exchange: string, fromMinute: number, toMinute: number): Promise<Map<number, CostFigures>> {
    const rows = await this.#storage.db
      .selectFrom('depth_costs')
      .select('block')
      .where('exchange', '=', exchange)
      .where('minute', '>=', fromMinute)
      .where('minute', '<=', toMinute)
      .execute();
    const byId = Map.groupBy(
      rows.flatMap(({ block }) => decodeCosts(block)),
      ({ id }) => id,
    );
    return new Map([...byId].map(([id, points]) => [id, figuresOf(points.map(({ costsPct }) => costsPct))]));
  }

  /** Deletes what is older than the given minute, and what a wrong clock has dated after `now`. */
  async prune(beforeMinute: number, now: number, fence: Fence | null): Promise<void> {
    await this.#storage.db.transaction().execute(async (trx) => {
      if (fence) await checkFence(trx, fence);
      await trx
        .deleteFrom('depth_costs')
        .where((where) => where.or([where('minute', '<', beforeMinute), where('minute', '>', now)]))
        .execute();
    });
  }
}
