import { percentFromFraction } from '../../base/numbers.ts';
import { traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { amountOf, epochMsOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { goodReply, ignore, listOf, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_BASE, INTERVAL_HOURS, INTERVAL_SECONDS, QUOTE, QUOTE_COIN, STATUSES } from './wire.ts';

const replyOf = (payload: unknown, what: string) => goodReply(payload, what, 'code', 0);

export function parseSymbols(payload: unknown): Batch {
  const rows = listOf(replyOf(payload, 'symbols').data, 'data');
  return readContracts(rows, 'name', 'perpetuals', (row, venueSymbol) => {
    if (row.quoteCoin !== QUOTE_COIN) return 'unknown quote coin';
    if (amountOf(row.fundingInterval) !== INTERVAL_SECONDS) return 'unknown interval';
    const isTraditional = amountOf(row.fundingDiscount) !== null;
    return listedContract({
      venueSymbol,
      // XAUt is XAUT elsewhere.
      base: textOf(row.baseCoin)?.toUpperCase(),
      quote: QUOTE,
      ...statusFrom(STATUSES, row.status),
      assetClass: (base) => (isTraditional ? traditionalClass(base) : 'crypto'),
      maxLeverage: row.maxLeverage,
      takerFeePct: percentFromFraction(row.takerFee),
      intervalHours: INTERVAL_HOURS,
    });
  });
}

function traditionalClass(base: string): AssetClass {
  return CLASS_OF_BASE[base] ?? traditionalClassOf(base);
}

/** Everything else is in one reply. A halted contract keeps the row of its last day, with prices of 0. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const { data, timestamp } = replyOf(payload, 'tickers');
  const venueTimeMs = epochMsOf(timestamp);
  return readMarket(listOf(data, 'data'), 'symbol', context, (row, contract) => {
    if (contract.status !== 'trading') return ignore('halted');
    return {
      ratePct: percentFromFraction(row.fundingRate),
      nextFundingAtMs: epochMsOf(row.nextFundingTime),
      intervalHours: INTERVAL_HOURS,
      venueTimeMs,
      volume24hUsdt: row.quoteVolume,
      volumeCounted: row.volume,
      markPrice: row.markPrice,
      indexPrice: row.indexPrice,
      openInterest: { amount: row.openInterest, unit: 'base' },
      top: {
        bidPrice: row.bidPx,
        bidSize: row.bidSz,
        askPrice: row.askPx,
        askSize: row.askSz,
        unit: 'base',
      },
    };
  });
}

export const parseBook: ParseDepth = (payload, contract) => {
  const reply = replyOf(payload, 'orderbook');
  const { bids, asks } = rowOf(reply.data, 'data');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(reply.timestamp));
};
