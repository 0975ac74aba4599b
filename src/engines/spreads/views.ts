import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../base/per-snapshot.ts';
import { type ChangedColumn, ChangedTable, everyRow } from '../../market/tables/changed-table.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import { depthRows } from '../depth/order-costs.ts';
import { addedColumns, pairCosts, sizeCells } from '../depth/pair-costs.ts';
import { netSpreadPct } from './figures.ts';
import { CONTRACTS, MID_GAP } from './table.ts';

/** The same rows at the caller's own fees, in percent by venue: the net spread, and whether the spread covers the fees. */
export function withOwnFees(rows: Table, feesPct: ReadonlyMap<string, number>): ChangedTable {
  const [spreadPct, strength, covers] = [
    rows.cell('spread_pct'),
    rows.cell('strength'),
    rows.cell('covers_fees'),
  ];
  const [a, b] = [ownFees(rows, 'a', feesPct), ownFees(rows, 'b', feesPct)];
  const netPct: NumberCell = (row) => netSpreadPct(spreadPct(row), a.feePct(row), b.feePct(row));
  const coversOwn: NumberCell = (row) => (netPct(row) >= 0 ? 1 : 0);
  return new ChangedTable(
    rows,
    (row) => a.isOwn(row) || b.isOwn(row),
    new Map<string, ChangedColumn>([
      ['taker_fee_a_pct', { cell: a.feePct }],
      ['taker_fee_b_pct', { cell: b.feePct }],
      ['net_spread_pct', { cell: netPct }],
      ['covers_fees', { cell: coversOwn }],
      ['strength', { cell: (row) => strength(row) - covers(row) + coversOwn(row), maxChange: 1 }],
    ]),
  );
}

/** The taker fee of a leg: the caller's own where it is given, else that of the contract. */
export function ownFees(rows: Table, leg: 'a' | 'b', feesPct: ReadonlyMap<string, number>) {
  const { codes, values } = rows.texts(`exchange_${leg}`);
  const byCode = Float64Array.from(values, (exchange) => feesPct.get(exchange) ?? Number.NaN);
  const usual = rows.cell(`taker_fee_${leg}_pct`);
  const own: NumberCell = (row) => byCode[codes[row] as number] as number;
  const isOwn = (row: number) => !Number.isNaN(own(row));
  const feePct: NumberCell = (row) => (isOwn(row) ? own(row) : usual(row));
  return { isOwn, feePct };
}

const sizesOf = perSnapshot((_rows: Table) => new LRUCache<number, ChangedTable>({ max: 4 }));

/** As `withSize`, and remembers the last sizes: one page reads its table several times. */
export function rowsAtSize(rows: Table, sizeUsd: number, depth: Table | null, asOfMs: number): ChangedTable {
  if (rows instanceof ChangedTable) return withSize(rows, sizeUsd, depth, asOfMs);
  const known = sizesOf(rows).get(sizeUsd);
  const table = known ?? withSize(rows, sizeUsd, depth, asOfMs);
  if (!known) sizesOf(rows).set(sizeUsd, table);
  return table;
}

/**
 * The same rows at a size of each leg, in USD; `rows` may have own fees. The net spread is from mid to mid, less what the books
 * cost on opening and closing, which takes the place of the widths of the best prices.
 */
function withSize(rows: Table, sizeUsd: number, depth: Table | null, asOfMs: number): ChangedTable {
  const base = rows instanceof ChangedTable ? rows.base : rows;
  const isLongA = longACell(base);
  const [a, b] = [depthRowCell(base, 'a', depth), depthRowCell(base, 'b', depth)];
  const legs = {
    bought: (row: number) => (isLongA(row) ? a(row) : b(row)),
    sold: (row: number) => (isLongA(row) ? b(row) : a(row)),
  };
  const costs = pairCosts(depth, sizeUsd, legs, asOfMs);
  const [gap, feeA, feeB] = [base.cell(MID_GAP), rows.cell('taker_fee_a_pct'), rows.cell('taker_fee_b_pct')];
  const [strength, covers] = [base.cell('strength'), base.cell('covers_fees')];
  const netPct: NumberCell = (row) =>
    netSpreadPct(gap(row) - costs.entryPct(row) - costs.exitPct(row), feeA(row), feeB(row));
  const coversAll: NumberCell = (row) => (netPct(row) >= 0 ? 1 : 0);
  return new ChangedTable(
    base,
    everyRow,
    new Map<string, ChangedColumn>([
      ...(rows instanceof ChangedTable ? rows.changes : []),
      ...sizeCells(costs),
      ['net_spread_pct', { cell: netPct, atMost: MID_GAP }],
      ['covers_fees', { cell: coversAll }],
      ['strength', { cell: (row) => strength(row) - covers(row) + coversAll(row), maxChange: 1 }],
    ]),
    addedColumns(costs),
  );
}

function longACell(rows: Table): (row: number) => boolean {
  const { codes, values } = rows.texts('direction');
  const longA = values.indexOf('long_a_short_b');
  return (row) => codes[row] === longA;
}

/** The row of a leg in the depth table; -1 if it has none. */
function depthRowCell(rows: Table, leg: 'a' | 'b', depth: Table | null): NumberCell {
  if (!depth) return () => -1;
  const { codes, values } = rows.texts(CONTRACTS[leg]);
  const places = depthRows(depth, values);
  return (row) => places[codes[row] as number] ?? -1;
}
