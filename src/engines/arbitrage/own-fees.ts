import type { Table } from '../../market/tables/table.ts';

export interface LegFees {
  fees: Float64Array;
  /** 1 for each leg whose fee is the caller's own. */
  isOwn: Uint8Array;
  largestDifference: number;
}

/** The taker fee of each leg: the caller's own where it is given, else that of the contract. */
export function feesOf(legs: Table, own: ReadonlyMap<string, number>): LegFees {
  const fees = legs.numbers('taker_fee_pct').slice();
  const isOwn = new Uint8Array(fees.length);
  const { codes, values } = legs.texts('exchange');
  const byCode = Float64Array.from(values, (exchange) => own.get(exchange) ?? Number.NaN);
  let largestDifference = 0;
  for (let leg = 0; leg < fees.length; leg++) {
    const fee = byCode[codes[leg] as number] as number;
    if (Number.isNaN(fee)) continue;
    largestDifference = Math.max(largestDifference, Math.abs(fee - (fees[leg] as number)));
    fees[leg] = fee;
    isOwn[leg] = 1;
  }
  return { fees, isOwn, largestDifference };
}
