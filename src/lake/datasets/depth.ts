import { MINUTE_MS } from '../../base/times.ts';
import { COST_SIZES_USD, COSTS } from '../../history/depth/cost-codec.ts';
import { DepthCostStore } from '../../history/depth/store.ts';
import type {} from '../../storage/migrations/0012-depth-samples.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  CONTRACT_COLUMNS,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
  type LakeValue,
} from '../dataset.ts';
import { byContract } from './prints.ts';

const costColumns = (side: 'buy' | 'sell') =>
  COST_SIZES_USD.map((sizeUsd) => ({
    name: `${side}_${sizeUsd}_pct`,
    type: 'number' as const,
    isNullable: true,
    description: `Average price to ${side} ${sizeUsd} USD against the mid price, in percent before fees; null if the book did not fill it`,
  }));

export const DEPTH: LakeTable = {
  name: 'depth',
  description: 'What orders of six sizes cost against the books, every five minutes',
  columns: [
    ...CONTRACT_COLUMNS,
    { name: 'at', type: 'time', isNullable: false, description: 'Minute of the book' },
    ...costColumns('buy'),
    ...costColumns('sell'),
  ],
  sortedBy: ['coin', 'exchange', 'venue_symbol', 'at'],
  rowsPerGroup: 20_000,
};

/** Costs are stored by venue and time. They are read once for each so many contracts, which bounds the memory. */
const CONTRACTS_AT_ONCE = 750;

interface NumberedContract {
  id: number;
  coin: string;
  exchange: string;
  venueSymbol: string;
}

/** The stored costs of a day. They are written within the minute and never change, so a file has those of its day only. */
export class DepthSource implements LakeSource {
  readonly table = DEPTH;
  readonly #storage: Storage;
  readonly #store: DepthCostStore;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#store = new DepthCostStore(storage);
  }

  async *rows({ startMs, endMs }: LakeDay): AsyncGenerator<LakeRows> {
    const [fromMinute, toMinute] = [startMs / MINUTE_MS, endMs / MINUTE_MS];
    const exchanges = await this.#store.exchangesIn(fromMinute, toMinute);
    if (exchanges.length === 0) return;
    const contracts = await this.#contracts();
    for (let first = 0; first < contracts.length; first += CONTRACTS_AT_ONCE) {
      const some = contracts.slice(first, first + CONTRACTS_AT_ONCE);
      const ids = new Set(some.map(({ id }) => id));
      const costs = new Map(some.map(({ id }) => [id, new Map<number, Float64Array>()]));
      for (const exchange of exchanges.filter((one) => some.some((contract) => contract.exchange === one)))
        for await (const { minute, contracts: found } of this.#store.times(
          exchange,
          fromMinute,
          toMinute,
          ids,
        ))
          for (const { id, costsPct } of found) costs.get(id)?.set(minute, costsPct);
      for (const contract of some) {
        const rows = contractRows(contract, costs.get(contract.id) ?? new Map());
        if (rows.length > 0) yield rows;
      }
    }
  }

  /** A contract whose fee or coin has changed has several numbers. */
  async #contracts(): Promise<NumberedContract[]> {
    const rows = await this.#storage.db
      .selectFrom('depth_contracts')
      .select(['id', 'coin', 'exchange', 'venue_symbol'])
      .execute();
    return rows
      .map(({ id, coin, exchange, venue_symbol }) => ({ id, coin, exchange, venueSymbol: venue_symbol }))
      .sort((a, b) => byContract(a, b) || a.id - b.id);
  }
}

function contractRows(
  { coin, exchange, venueSymbol }: NumberedContract,
  costs: ReadonlyMap<number, Float64Array>,
): LakeRows {
  return [...costs].map(([minute, costsPct]) => {
    const row: LakeValue[] = [coin, exchange, venueSymbol, minute * MINUTE_MS];
    for (let i = 0; i < COSTS; i++) {
      const pct = costsPct[i] as number;
      row.push(Number.isNaN(pct) ? null : pct);
    }
    return row;
  });
}
