import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../base/per-snapshot.ts';
import { COST_SIZES_USD, COSTS, type SizePlace, sizePlace } from '../../history/depth/cost-codec.ts';
import { costPctOf } from '../../market/depth/side-curve.ts';
import type { Table } from '../../market/tables/table.ts';
import { pointsReader } from './curve-columns.ts';
import { dayReader } from './day-columns.ts';

/** The places of what a buyer's order costs, in percent of the mid; those of a seller's follow. */
export const NOW = 0;
/** Of the last 24 hours. */
export const MEDIAN = 2;
export const WORST = 4;
export const BUY = 0;
export const SELL = 1;

/** What orders of one size cost on one contract, by these places; NaN is unknown. */
export type OrderCosts = ArrayLike<number>;

/** What a table has of one contract. */
interface Contract {
  /** Of the asks and the bids. */
  points: readonly (readonly number[])[];
  /** The logarithms of DAY_COLUMNS. */
  lnDay: readonly number[];
}

/**
 * By row of the depth table, whose columns are far from each other in memory. Most requests need few contracts, and the
 * same ones for every size.
 */
const contractsOf = perSnapshot((depth: Table) => {
  const [asks, bids, day] = [pointsReader(depth, true), pointsReader(depth, false), dayReader(depth)];
  const known = new Map<number, Contract>();
  return (row: number): Contract => {
    let contract = known.get(row);
    if (!contract) {
      contract = { points: [asks(row), bids(row)], lnDay: day(row).map(Math.log) };
      known.set(row, contract);
    }
    return contract;
  };
});

/** Sizes of one table whose costs are remembered. */
const MOST_SIZES = 16;
const sizesOf = perSnapshot(
  (_depth: Table) => new LRUCache<number, (row: number) => OrderCosts>({ max: MOST_SIZES }),
);

/** The costs of orders of so many USD, by row of the depth table. A contract is in many pairs, so they are remembered. */
export function orderCosts(depth: Table, sizeUsd: number): (row: number) => OrderCosts {
  const found = sizesOf(depth).get(sizeUsd);
  if (found) return found;
  const [place, contractOf] = [sizePlace(sizeUsd), contractsOf(depth)];
  const known = new Map<number, OrderCosts>();
  const costsOf = (row: number) => {
    let costs = known.get(row);
    if (!costs) {
      costs = costsOfContract(contractOf(row), sizeUsd, place);
      known.set(row, costs);
    }
    return costs;
  };
  sizesOf(depth).set(sizeUsd, costsOf);
  return costsOf;
}

function costsOfContract({ points, lnDay }: Contract, sizeUsd: number, place: SizePlace | null): OrderCosts {
  const costs = new Float64Array(6);
  for (const side of [BUY, SELL]) {
    const ofSide = points[side] as readonly number[];
    const now = costPctOf(ofSide, sizeUsd, side === BUY);
    costs[NOW + side] = now;
    const growth = (fromUsd: number) => now / costPctOf(ofSide, fromUsd, side === BUY);
    const medians = (side * COSTS) / 2;
    costs[MEDIAN + side] = dayPct(lnDay, medians, place, growth);
    costs[WORST + side] = dayPct(lnDay, COSTS + medians, place, growth);
  }
  return costs;
}

/**
 * The cost of a day at a size: between two stored sizes straight in logarithms. Where the larger one was not filled, the
 * cost of the smaller one grows as in the book now, which holds the size: so a larger order never costs less.
 */
function dayPct(
  lnDay: readonly number[],
  start: number,
  place: SizePlace | null,
  growth: (fromUsd: number) => number,
): number {
  if (!place) return Number.NaN;
  const { next, share } = place;
  const lnTo = lnDay[start + next] as number;
  if (share === 1) return Math.exp(lnTo);
  const lnFrom = lnDay[start + next - 1] as number;
  if (!Number.isNaN(lnTo)) return Math.exp(lnFrom + (lnTo - lnFrom) * share);
  return Math.exp(lnFrom) * growth(COST_SIZES_USD[next - 1] as number);
}

const rowsByContract = perSnapshot((depth: Table): ReadonlyMap<string, number> => {
  const rows = new Map<string, number>();
  for (let row = 0; row < depth.rowCount; row++)
    rows.set(`${depth.text('exchange', row)}/${depth.text('venue_symbol', row)}`, row);
  return rows;
});
const rowsOfNames = new WeakMap<readonly string[], { depth: Table; rows: Int32Array }>();

/** The row of a contract, by its key, in the depth table; -1 without one. */
export function depthRow(depth: Table, contract: string): number {
  return rowsByContract(depth).get(contract) ?? -1;
}

/** The same for the distinct contracts of a table. */
export function depthRows(depth: Table, contracts: readonly string[]): Int32Array {
  const found = rowsOfNames.get(contracts);
  if (found?.depth === depth) return found.rows;
  const rows = Int32Array.from(contracts, (contract) => depthRow(depth, contract));
  rowsOfNames.set(contracts, { depth, rows });
  return rows;
}
