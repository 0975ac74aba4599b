import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, idOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { pageByNumber, pageNumberOf, readPrints } from '../prints.ts';
import { ignore, listOf, optionalRow, resultOf, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { SHARES } from './wire.ts';

/** Every refusal has HTTP status 200 and an `error`. */
const rowsOf = (payload: unknown, what: string) => listOf(resultOf(payload, what), what);

/** The two currencies are swapped: `quote_currency` is the coin, `base_currency` what it settles in. */
export function parseInstruments(payload: unknown, { receivedAtMs }: ParseContext): Batch {
  const rows = rowsOf(payload, 'get_instruments');
  return readContracts(rows, 'instrument_name', 'perpetuals', (row, venueSymbol) => {
    if (row.kind !== 'perpetual') return ignore('not a perpetual');
    const venueId = idOf(row.instrId);
    if (venueId === null) return 'no id';
    if (typeof row.is_active !== 'boolean') return 'no status';
    return listedContract({
      venueSymbol,
      venueId,
      base: row.quote_currency,
      quote: row.base_currency,
      // True before the listing too, which only the time tells.
      status: row.is_active ? 'trading' : 'halted',
      venueStatus: String(row.is_active),
      listedAtMs: epochMsOf(row.creation_timestamp),
      receivedAtMs,
      assetClass: (base) => classByName(base, SHARES),
      maxLeverage: row.leverage,
      takerFeePct: percentFromFraction(row.taker_commission),
    });
  });
}

/** Has dead contracts too, one of them with a time of now: only listed ones are read. */
export function parseRates(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'get_all_capital_rate'), 'instrumentName', context, (row) => {
    const [startMs, endMs] = [epochMsOf(row.startTime), epochMsOf(row.endTime)];
    return {
      ratePct: percentFromFraction(row.capitalRate),
      nextFundingAtMs: endMs,
      intervalHours: startMs === null || endMs === null ? null : (endMs - startMs) / HOUR_MS,
    };
  });
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'tickers'), 'instrument_name', context, (row) => {
    const { turnover, volume } = optionalRow(row.stats);
    return {
      top: {
        bidPrice: row.best_bid_price,
        bidSize: row.best_bid_amount,
        askPrice: row.best_ask_price,
        askSize: row.best_ask_amount,
        unit: 'base',
      },
      volume24hUsdt: turnover,
      volumeCounted: volume,
      markPrice: row.mark_price,
      lastPrice: row.last_price,
      indexPrice: row.underlying_price,
      openInterest: { amount: row.open_interest, unit: 'base' },
      venueTimeMs: epochMsOf(row.timestamp),
    };
  });
}

/** Newest first, in numbered pages. The last one is the one that reaches `total`, whatever the size of a page is. */
export const parseHistory: ParseHistory = (payload, contract, window) => {
  const { data, total } = rowOf(resultOf(payload, 'get_funding_rate_history'), 'result');
  const prints = readPrints(listOf(data, 'data'), { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.rate),
    settledAtMs: epochMsOf(row.time),
  }));
  const read = pageNumberOf(window) * prints.rowCount;
  return pageByNumber(prints, window, prints.rowCount === 0 || read >= (amountOf(total) ?? 0));
};

export const parseOrderBook: ParseDepth = (payload, contract) => {
  const { bids, asks, timestamp } = rowOf(resultOf(payload, 'get_order_book'), 'result');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(timestamp));
};
