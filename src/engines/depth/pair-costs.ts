import { perSnapshot } from '../../base/per-snapshot.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { TableSnapshot, TableSource } from '../../market/table-source.ts';
import type { AddedColumns, ChangedColumn } from '../../market/tables/changed-table.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import { percentOf as percent } from '../spreads/figures.ts';
import { type BothSides, orderCosts } from './order-costs.ts';
import { FILLS, SIZE_COLUMNS } from './size-columns.ts';

/** The codes of FILLS as texts of a table; the worse state has the higher one. */
const [FULL, PARTIAL, UNKNOWN] = [1, 2, 3];

/** A depth table is published some time after its snapshot, so that all processes use the same one only if it is older. */
const DEPTH_LAG_SECONDS = 10;

/** The depth table that belongs to a snapshot of a list; null if there is none yet. */
export function depthOf({ asOfMs, table }: TableSnapshot, depth: TableSource): Table | null {
  return depthTables(table, asOfMs, depth);
}

const depthTables = perSnapshot(
  (_table: Table, asOfMs: number, depth: TableSource) => depth.at(DEPTH_LAG_SECONDS, asOfMs)?.table ?? null,
);

/** The legs of a row as rows of the depth table; -1 where there is none. */
export interface PairLegs {
  bought: NumberCell;
  sold: NumberCell;
}

export interface PairCosts {
  entryPct: NumberCell;
  exitPct: NumberCell;
  exitWorstPct: NumberCell;
  fills: NumberCell;
  bookAgeSeconds: NumberCell;
}

/** Remembers the figure of the last row: others of the row follow from it. */
export function ofLastRow(cell: NumberCell): NumberCell {
  let [last, value] = [-1, Number.NaN];
  return (row) => {
    if (row !== last) {
      value = cell(row);
      last = row;
    }
    return value;
  };
}

/** What opening and closing pairs costs at a size, in percent of one leg; NaN is unknown. */
export function pairCosts(
  depth: Table | null,
  sizeUsd: number,
  { bought, sold }: PairLegs,
  asOfMs: number,
): PairCosts {
  if (!depth) {
    const unknown = () => Number.NaN;
    return {
      ...{ entryPct: unknown, exitPct: unknown, exitWorstPct: unknown, bookAgeSeconds: unknown },
      fills: () => UNKNOWN,
    };
  }
  const { now, median, worst } = orderCosts(depth, sizeUsd);
  const bookAtMs = depth.numbers('book_at');
  const ofLeg = (leg: number) => {
    if (leg < 0) return UNKNOWN;
    return Number.isNaN(now.buy(leg) + now.sell(leg)) ? PARTIAL : FULL;
  };
  const fills = ofLastRow((row) => Math.max(ofLeg(bought(row)), ofLeg(sold(row))));
  const whereFull =
    (buy: NumberCell, buyLeg: NumberCell, sell: NumberCell, sellLeg: NumberCell): NumberCell =>
    (row) =>
      fills(row) === FULL ? percent(buy(buyLeg(row)) + sell(sellLeg(row))) : Number.NaN;
  return {
    entryPct: ofLastRow(whereFull(now.buy, bought, now.sell, sold)),
    exitPct: ofLastRow(whereFull(median.buy, sold, median.sell, bought)),
    exitWorstPct: whereFull(worst.buy, sold, worst.sell, bought),
    fills,
    bookAgeSeconds: (row) => {
      const olderMs = Math.min(bookAtMs[bought(row)] ?? Number.NaN, bookAtMs[sold(row)] ?? Number.NaN);
      return Math.max(0, Math.round((10 * (asOfMs - olderMs)) / SECOND_MS) / 10);
    },
  };
}

/** The same for a position on one contract. `isShort` says that it is opened by selling. */
export function positionCosts(
  depth: Table | null,
  sizeUsd: number,
  rowOf: NumberCell,
  isShort: (row: number) => boolean,
  asOfMs: number,
): PairCosts {
  const pair = pairCosts(depth, sizeUsd, { bought: rowOf, sold: rowOf }, asOfMs);
  if (!depth) return pair;
  const { now, median, worst } = orderCosts(depth, sizeUsd);
  const whereFull =
    ({ buy, sell }: BothSides, isOpening: boolean): NumberCell =>
    (row) => {
      if (pair.fills(row) !== FULL) return Number.NaN;
      return percent((isShort(row) === isOpening ? sell : buy)(rowOf(row)));
    };
  return {
    ...pair,
    entryPct: whereFull(now, true),
    exitPct: whereFull(median, false),
    exitWorstPct: whereFull(worst, false),
  };
}

/** The number columns among SIZE_COLUMNS. */
export function sizeCells(costs: PairCosts): readonly (readonly [string, ChangedColumn])[] {
  return [
    ['entry_cost_pct', { cell: costs.entryPct }],
    ['exit_cost_pct', { cell: costs.exitPct }],
    ['exit_cost_worst_pct', { cell: costs.exitWorstPct }],
    ['book_age_seconds', { cell: costs.bookAgeSeconds }],
  ];
}

export function addedColumns({ fills }: PairCosts, columns = SIZE_COLUMNS): AddedColumns {
  return { columns, texts: new Map([['fills', { values: ['', ...FILLS], codeOf: fills }]]) };
}
