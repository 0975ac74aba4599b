import { sizeText } from '../../markup/charts/size-curve.ts';
import { entryCell, exitCell, fillsCell } from '../lists/size-box.ts';
import { type ArbitrageColumn, type ArbitrageView, COLUMNS } from './columns.ts';

const sizeOf = ({ sizeUsd }: ArbitrageView): number => sizeUsd ?? 0;

/** At a size these take the place of columns that an opened row shows too. */
const IN_PLACE_OF: Readonly<Record<string, ArbitrageColumn>> = {
  'Price gap': {
    label: 'To get in',
    small: (view) => `${sizeText(sizeOf(view))}, now`,
    title: 'What opening both legs costs against their mid prices, from the order books, before fees',
    sorts: ['entry_cost_asc', 'entry_cost_desc'],
    name: 'num',
    cell: (row, view) => entryCell(row, sizeOf(view)),
  },
  Stability: {
    label: 'To get out',
    small: () => 'usual, 24 h',
    title:
      'What closing both legs cost in the last 24 hours, before fees: half of the time less, and below it what was exceeded at most 5 % of the time',
    sorts: ['exit_cost_asc', 'exit_cost_desc'],
    name: 'num',
    cell: (row, view) => exitCell(row, sizeOf(view)),
  },
  Capacity: {
    label: 'Fits',
    small: (view) => `${sizeText(sizeOf(view))} a leg`,
    title: 'Whether both order books take the size now, to get in and out',
    name: 'num',
    cell: (row, view) => fillsCell(row, sizeOf(view)),
  },
};

const AT_SIZE: readonly ArbitrageColumn[] = COLUMNS.map((column) => IN_PLACE_OF[column.label] ?? column);

export function columnsFor({ sizeUsd }: ArbitrageView): readonly ArbitrageColumn[] {
  return sizeUsd === null ? COLUMNS : AT_SIZE;
}
