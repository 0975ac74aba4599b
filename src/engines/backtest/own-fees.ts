import { roundPercent } from '../../base/numbers.ts';
import { Table } from '../../market/table.ts';
import { feePctOfCycle } from './rule.ts';

/** The columns that own fees change. */
export const FEE_COLUMNS: ReadonlySet<string> = new Set([
  'fee_pct_cycle',
  'est_profit_pct',
  'avg_profit_pct',
]);

/**
 * The same rows with the profits of the same cycles at the caller's own fees, in percent by venue. Every cycle of a pair
 * paid the same fees, so its profit changes by the same amount. Which cycles opened depended on the usual fees.
 */
export function withOwnFees(rows: Table, feesPct: ReadonlyMap<string, number>): Table {
  const fees = ownFees(rows, feesPct);
  const saved = rows.numbers('fee_pct_cycle').map((usual, row) => usual - (fees[row] as number));
  const own = new Map([['fee_pct_cycle', fees]]);
  for (const name of ['est_profit_pct', 'avg_profit_pct'])
    own.set(
      name,
      rows.numbers(name).map((profit, row) => roundPercent(profit + (saved[row] as number))),
    );
  return new Table(
    rows.spec,
    rows.rowCount,
    { get: (name) => own.get(name) ?? rows.numbers(name) },
    { get: (name) => rows.texts(name) },
  );
}

function ownFees(rows: Table, feesPct: ReadonlyMap<string, number>): Float64Array {
  const usual = rows.numbers('fee_pct_cycle');
  const [feesA, feesB] = (['a', 'b'] as const).map((leg) => {
    const { codes, values } = rows.texts(`exchange_${leg}`);
    const byCode = values.map((exchange) => feesPct.get(exchange));
    return rows.numbers(`taker_fee_${leg}_pct`).map((fee, row) => byCode[codes[row] as number] ?? fee);
  });
  return usual.map((fee, row) => {
    const own = feePctOfCycle(feesA?.[row] ?? Number.NaN, feesB?.[row] ?? Number.NaN);
    // A result that an earlier version stored does not have the fees of the legs.
    return Number.isNaN(own) ? fee : roundPercent(own);
  });
}
