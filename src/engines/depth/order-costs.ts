import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../base/per-snapshot.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import { costCell } from './curve-columns.ts';
import { dayCostCell } from './day-columns.ts';

/** What buying and selling costs, in percent of the mid, by row of the depth table; NaN is unknown. */
export interface BothSides {
  buy: NumberCell;
  sell: NumberCell;
}

/** What orders of one size cost on every contract of a depth table. Each is computed on first use. */
export interface OrderCosts {
  now: BothSides;
  /** Of the last 24 hours. */
  median: BothSides;
  worst: BothSides;
}

/** Sizes of one table whose costs are remembered. */
const MOST_SIZES = 16;
const sizesOf = perSnapshot((_depth: Table) => new LRUCache<number, OrderCosts>({ max: MOST_SIZES }));

export function orderCosts(depth: Table, sizeUsd: number): OrderCosts {
  const ofTable = sizesOf(depth);
  let costs = ofTable.get(sizeUsd);
  if (!costs) {
    const sides = (cell: (isBuy: boolean) => NumberCell): BothSides => ({
      buy: remembered(cell(true)),
      sell: remembered(cell(false)),
    });
    costs = {
      now: sides((isBuy) => costCell(depth, sizeUsd, isBuy)),
      median: sides((isBuy) => dayCostCell(depth, 'median', sizeUsd, isBuy)),
      worst: sides((isBuy) => dayCostCell(depth, 'worst', sizeUsd, isBuy)),
    };
    ofTable.set(sizeUsd, costs);
  }
  return costs;
}

/** A contract is in many pairs. Most requests need few contracts, so there is no array of all. */
function remembered(cell: NumberCell): NumberCell {
  const values = new Map<number, number>();
  return (row) => {
    let value = values.get(row);
    if (value === undefined) {
      value = cell(row);
      values.set(row, value);
    }
    return value;
  };
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
