import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMicrosecondsOf, epochSecondsOf, textOf } from '../fields.ts';
import { addMarket, readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { backwardHistory } from '../prints.ts';
import { ignore, listOf, optionalRow, type Row, rowOf } from '../reading.ts';
import { leverageOf, readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASSES, CURRENCY, HISTORY_PAGE_ROWS, INTERVAL_HOURS, STATUSES } from './wire.ts';

/** One reply has everything but the books. `fundingRate` is what was charged last; `nextFundingRate` is the running estimate. */
export function parseMarkets(payload: unknown): Batch {
  const rows = listOf(rowOf(payload, 'markets').markets, 'markets');
  return readContracts(rows, 'marketDisplayName', 'perpetuals', contractOf, (row, contract, batch) => {
    // A market that is offline has prices and rates of 0.
    if (contract.status !== 'trading') return null;
    return addMarket(batch, contract, {
      ratePct: percentFromFraction(row.nextFundingRate),
      nextFundingAtMs: epochSecondsOf(row.nextFundingAt),
      intervalHours: INTERVAL_HOURS,
      volume24hUsdt: row.volume24hNotional,
      volumeCounted: row.volume24h,
      markPrice: row.markPrice,
      indexPrice: row.oraclePrice,
      openInterest: { amount: row.openInterest, unit: 'base' },
      ...(contract.assetClass === 'crypto' ? {} : { isMarketClosed: row.isOutsideRth }),
    });
  });
}

function contractOf(row: Row, venueSymbol: string) {
  if (row.type !== 'PERPETUAL') return ignore('no perpetual');
  const category = textOf(row.category);
  if (category === null) return 'no category';
  const labelled = CLASSES[category];
  return listedContract({
    venueSymbol,
    base: row.baseAsset,
    ...CURRENCY,
    ...statusFrom(STATUSES, row.status),
    assetClass: (base) => (labelled ? assetClassOf(base, labelled) : traditionalClassOf(base)),
    listedAtMs: epochSecondsOf(row.addedTimestamp),
    maxLeverage: leverageOf(row.initialMarginFraction),
    intervalHours: INTERVAL_HOURS,
  });
}

/** The whole top each time: [price, size] of both sides. */
export function parseBestOffer(id: unknown, contents: unknown, context: ParseContext): Batch {
  return readMarket([{ ...optionalRow(contents), id }], 'id', context, ({ bestBid, bestAsk, timestamp }) => {
    const [[bidPrice, bidSize], [askPrice, askSize]] = [levelOf(bestBid), levelOf(bestAsk)];
    return {
      top: { bidPrice, bidSize, askPrice, askSize, unit: 'base' },
      venueTimeMs: epochMicrosecondsOf(timestamp),
    };
  });
}

const levelOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Newest first. */
export const parseFundingRates = backwardHistory(HISTORY_PAGE_ROWS, {
  rows: (payload) => listOf(rowOf(payload, 'fundingRates').fundingRates, 'fundingRates'),
  symbolField: 'marketDisplayName',
  read: (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMicrosecondsOf(row.time),
  }),
});

export const parseBook: ParseDepth = (payload, contract) => {
  const { bids, asks, timestamp } = rowOf(payload, 'l2OrderBook');
  return readBook(contract, { bids, asks }, 'base', epochMicrosecondsOf(timestamp));
};
