import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf, epochSecondsOf, hoursFromMinutes, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { pageEitherWay, readPrints } from '../prints.ts';
import { columnOf, goodReply, ignore, listOf, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { COIN_TYPE, HISTORY_PAGE_ROWS, TRADITIONAL_TYPE } from './wire.ts';

const futuresRows = (payload: unknown) =>
  listOf(goodReply(payload, 'futures', 'success', true).result, 'result');

/**
 * `markets` has the contracts and their ends, `futures` their leverage. Sizes are base units on every contract:
 * `stockPrec`, from which ccxt makes a contract size, is the order step.
 */
export function parseMarkets(replies: { markets: unknown; futures: unknown }): Batch {
  const leverages = columnOf(futuresRows(replies.futures), 'ticker_id', 'max_leverage');
  return readContracts(listOf(replies.markets, 'markets'), 'name', 'perpetuals', (row, venueSymbol) => {
    const isTraditional = row.type === TRADITIONAL_TYPE;
    if (row.type === 'spot') return ignore('spot');
    if (row.type !== COIN_TYPE && !isTraditional) return `unknown type ${textOf(row.type)}`;
    return listedContract({
      venueSymbol,
      base: row.stock,
      quote: row.money,
      // The list leaves out markets that are closed, and an announced end keeps trading until its time.
      status: row.tradesEnabled === false ? 'halted' : 'trading',
      venueStatus: `tradesEnabled ${row.tradesEnabled}`,
      assetClass: (base) => (isTraditional ? traditionalClassOf(base) : assetClassOf(base, 'crypto')),
      delistsAtMs: epochSecondsOf(row.delistedAt),
      maxLeverage: leverages.get(venueSymbol),
    });
  });
}

/** `bid` and `ask` of this reply have no sizes and can be older than those before them: tops come over the stream. */
export function parseFutures(payload: unknown, context: ParseContext): Batch {
  return readMarket(futuresRows(payload), 'ticker_id', context, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    nextFundingAtMs: epochMsOf(row.next_funding_rate_timestamp),
    intervalHours: hoursFromMinutes(row.funding_interval_minutes),
    volume24hUsdt: row.money_volume,
    // "" while the venue has no fresh mark, and an index of "0" before the first trade.
    markPrice: row.mark_price,
    indexPrice: row.index_price,
    openInterest: { amount: row.open_interest, unit: 'base' },
  }));
}

/** `bookTicker` rows: transaction time, message time, market, update id, bid, its size, ask, its size. */
export function parseBookTicker(rows: unknown, context: ParseContext): Batch {
  const named = listOf(rows, 'params').map((row) => {
    const [, sentAt, market, , bidPrice, bidSize, askPrice, askSize] = Array.isArray(row) ? row : [];
    return { market, sentAt, bidPrice, bidSize, askPrice, askSize };
  });
  return readMarket(named, 'market', context, ({ bidPrice, bidSize, askPrice, askSize, sentAt }) => ({
    top: { bidPrice, bidSize, askPrice, askSize, unit: 'base' },
    venueTimeMs: epochSecondsOf(sentAt),
  }));
}

export const parseFundingHistory: ParseHistory = (payload, contract, window) => {
  const rows = listOf(payload, 'funding-history');
  const prints = readPrints(rows, { symbolField: 'market', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochSecondsOf(row.fundingTime),
  }));
  return pageEitherWay(prints, window, rows.length >= HISTORY_PAGE_ROWS);
};

export const parseOrderbook: ParseDepth = (payload, contract) => {
  const { bids, asks, timestamp } = rowOf(payload, 'orderbook');
  return readBook(contract, { bids, asks }, 'base', epochSecondsOf(timestamp));
};
