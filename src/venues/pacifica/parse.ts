import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { pageByCursor, readPrints } from '../prints.ts';
import { BadReply, goodReply, ignore, listOf, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_BASE, INTERVAL_HOURS, QUOTE } from './wire.ts';

const replyOf = (payload: unknown, what: string) => goodReply(payload, what, 'success', true);

/** The list has no status: what is in it trades. */
export function parseInfo(payload: unknown): Batch {
  const rows = listOf(replyOf(payload, 'info').data, 'data');
  return readContracts(rows, 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.instrument_type === 'spot') return ignore('spot');
    if (row.instrument_type !== 'perpetual') return 'unknown instrument type';
    return listedContract({
      venueSymbol,
      base: textOf(row.base_asset) ?? venueSymbol,
      quote: QUOTE,
      status: 'trading',
      venueStatus: 'listed',
      assetClass: (base) => assetClassOf(base, CLASS_OF_BASE[base] ?? 'crypto'),
      listedAtMs: epochMsOf(row.created_at),
      maxLeverage: row.max_leverage,
      intervalHours: INTERVAL_HOURS,
    });
  });
}

/**
 * `funding` has been fixed for the next full hour; `next_funding` is the estimate for the hour after it. Open interest is
 * in base units, although the documentation says dollars.
 */
export function parsePrices(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(replyOf(payload, 'prices').data, 'data');
  return readMarket(rows, 'symbol', context, (row) => {
    const venueTimeMs = epochMsOf(row.timestamp);
    return {
      ratePct: percentFromFraction(row.funding),
      nextFundingAtMs: nextFullHourMs(venueTimeMs ?? context.receivedAtMs),
      intervalHours: INTERVAL_HOURS,
      venueTimeMs,
      volume24hUsdt: row.volume_24h,
      markPrice: row.mark,
      indexPrice: row.oracle,
      openInterest: { amount: row.open_interest, unit: 'base' },
    };
  });
}

export function parseBestOffer(data: unknown, context: ParseContext): Batch {
  return readMarket([data], 's', context, (row) => ({
    top: { bidPrice: row.b, bidSize: row.B, askPrice: row.a, askSize: row.A, unit: 'base' },
    venueTimeMs: epochMsOf(row.t),
  }));
}

/** Newest first, without a filter by time. `next_funding_rate` of a row is the print of the next one. */
export const parseFundingHistory: ParseHistory = (payload, contract, window) => {
  const { data, next_cursor, has_more } = replyOf(payload, 'funding_rate/history');
  const prints = readPrints(listOf(data, 'data'), { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: epochMsOf(row.created_at),
  }));
  return pageByCursor(prints, window, has_more === true ? textOf(next_cursor) : null);
};

export const parseBook: ParseDepth = (payload, contract) => {
  const book = rowOf(replyOf(payload, 'book').data, 'data');
  if (book.s !== contract.venueSymbol) throw new BadReply('book of another market');
  const [bids, asks] = listOf(book.l, 'levels');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(book.t), { price: 'p', size: 'a' });
};
