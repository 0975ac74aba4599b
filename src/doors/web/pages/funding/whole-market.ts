import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { Table } from '../../../../market/tables/table.ts';
import type { PageContext } from '../page-context.ts';
import { bestCarry, tradedLegs } from './best-carry.ts';
import { type MatrixCoin, matrixOf } from './matrix-data.ts';
import { venuesIn } from './venue-groups.ts';

/** Every coin of a snapshot with all its venues, whatever a reader has filtered, and the carry that all pages show. */
export const wholeMarket = perSnapshot(
  (table: Table, asOfMs: number, context: PageContext): ReadonlyMap<string, MatrixCoin> => {
    const rows = Array.from({ length: table.rowCount }, (_, row) => row);
    const { coins } = matrixOf({ table, rows }, asOfMs, context.venueTimes(), venuesIn(context, null));
    return new Map(coins.map((one) => [one.coin, { ...one, best: bestCarry(tradedLegs(one.cells)) }]));
  },
);
