import { MINUTE_MS } from '../../base/times.ts';
import { COST_SIZES_USD, COSTS, pctOf } from '../../history/depth/cost-codec.ts';
import { COSTS_EVERY_MINUTES, DepthCostStore } from '../../history/depth/store.ts';
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
    { name: 'at', type: 'time', isNullable: false, description: 'Start of the five minutes of the book' },
    ...costColumns('buy'),
    ...costColumns('sell'),
  ],
  timeColumn: 'at',
  sortedBy: ['coin', 'exchange', 'venue_symbol', 'at'],
  rowsPerGroup: 20_000,
};

/** Costs are stored by venue and time. They are read once for each so many contracts, which take 31 MB of memory. */
const CONTRACTS_AT_ONCE = 4_500;
const DAY_TIMES = (24 * 60) / COSTS_EVERY_MINUTES;
const CONTRACT_STEPS = DAY_TIMES * COSTS;
/** Stored steps of costs are smaller. */
const NO_BOOK = 0xfffe;

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
      const places = new Map(some.map(({ id }, place) => [id, place]));
      const steps = new Uint16Array(some.length * CONTRACT_STEPS).fill(NO_BOOK);
      for (const exchange of exchanges)
        for await (const { minute, costs } of this.#store.times(exchange, fromMinute, toMinute)) {
          const time = Math.floor((minute - fromMinute) / COSTS_EVERY_MINUTES) * COSTS;
          for (const [row, id] of costs.ids.entries()) {
            const place = places.get(id);
            if (place === undefined) continue;
            const own = costs.steps.subarray(row * COSTS, (row + 1) * COSTS);
            steps.set(own, place * CONTRACT_STEPS + time);
          }
        }
      for (const [place, contract] of some.entries()) {
        const own = steps.subarray(place * CONTRACT_STEPS, (place + 1) * CONTRACT_STEPS);
        const rows = contractRows(contract, own, startMs);
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
  steps: Uint16Array,
  startMs: number,
): LakeRows {
  const rows: LakeValue[][] = [];
  for (let time = 0; time < DAY_TIMES; time++) {
    if (steps[time * COSTS] === NO_BOOK) continue;
    const row: LakeValue[] = [coin, exchange, venueSymbol, startMs + time * COSTS_EVERY_MINUTES * MINUTE_MS];
    for (let i = 0; i < COSTS; i++) row.push(costOf(steps[time * COSTS + i] as number));
    rows.push(row);
  }
  return rows;
}

const costs = new Map<number, number | null>();

/** Few steps occur, and an exponential takes longer than a look-up. */
function costOf(step: number): number | null {
  let pct = costs.get(step);
  if (pct === undefined) {
    const exact = pctOf(step);
    pct = Number.isNaN(exact) ? null : exact;
    costs.set(step, pct);
  }
  return pct;
}
