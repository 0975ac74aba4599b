import { roundPercent } from '../../base/numbers.ts';
import { type ChangedColumn, ChangedTable } from '../../market/tables/changed-table.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import { ownFees } from '../spreads/views.ts';
import { feePctOfCycle } from './rule.ts';

/**
 * The same rows with the profits of the same cycles at the caller's own fees, in percent by venue. Every cycle of a pair
 * paid the same fees, so its profit changes by the same amount. Which cycles opened depended on the usual fees.
 */
export function withOwnFees(rows: Table, feesPct: ReadonlyMap<string, number>): ChangedTable {
  const usual = rows.cell('fee_pct_cycle');
  const [a, b] = [ownFees(rows, 'a', feesPct), ownFees(rows, 'b', feesPct)];
  const fee: NumberCell = (row) => roundPercent(feePctOfCycle(a.feePct(row), b.feePct(row)));
  const profit = (name: string): [string, ChangedColumn] => {
    const before = rows.cell(name);
    return [name, { cell: (row) => roundPercent(before(row) + (usual(row) - fee(row))) }];
  };
  return new ChangedTable(
    rows,
    (row) => a.isOwn(row) || b.isOwn(row),
    new Map([
      ['fee_pct_cycle', { cell: fee }],
      profit('est_profit_pct'),
      profit('avg_profit_pct'),
      ['taker_fee_a_pct', { cell: a.feePct }],
      ['taker_fee_b_pct', { cell: b.feePct }],
    ]),
  );
}
