import { decimalOrNull } from '../../base/numbers.ts';
import type { Batch, Contract, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { epochMsOf, listOf, NOT_LISTED, readRows, rowOf } from '../reading.ts';
import { bookOf, readLevels, readTop } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { dataOf } from './reply.ts';

const NANOSECONDS_PER_MS = 1e6;

/** Market data carries nanoseconds; the documentation's samples still show milliseconds. */
function venueTimeOf(value: unknown): number | null {
  const time = decimalOrNull(value);
  return time === null ? null : (epochMsOf(time) ?? epochMsOf(time / NANOSECONDS_PER_MS));
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(dataOf(payload, 'allTickers'), 'allTickers'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const top = readTop(
      contract,
      {
        bidPrice: row.bestBidPrice,
        bidSize: row.bestBidSize,
        askPrice: row.bestAskPrice,
        askSize: row.bestAskSize,
      },
      'contracts',
      venueTimeOf(row.ts),
    );
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  });
  return batch;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const row = rowOf(dataOf(payload, 'depth'), 'depth');
  return bookOf(
    contract,
    readLevels(contract, row.bids, 'contracts'),
    readLevels(contract, row.asks, 'contracts'),
    venueTimeOf(row.ts),
  );
}
