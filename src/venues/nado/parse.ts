import { percentFromFraction, shiftDecimal } from '../../base/numbers.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, epochNanosecondsOf, epochSecondsOf, idOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { pageForward, readPrints } from '../prints.ts';
import { goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { leverageOf, readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CONTRACT_STATUS, HISTORY_PAGE_ROWS, NO_PRICE, SHARES } from './wire.ts';

const HOURS_OF_RATE = 24;
/** Decimals of a percent, which hide the rounding error of the division. */
const RATE_DECIMALS = 12;

/** Numbers with `_x18` in their name are multiplied by 10^18. */
const fromX18 = (value: unknown) => shiftDecimal(value, -18);
const percentFromX18 = (value: unknown) => shiftDecimal(value, -16);

export function parseSymbols(payload: unknown): Batch {
  const { symbols } = rowOf(goodReply(payload, 'symbols', 'status', 'success').data, 'data');
  const rows = Object.values(rowOf(symbols, 'symbols'));
  return readContracts(rows, 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.type !== 'perp') return ignore('not a perpetual');
    const [, base] = /^(.+)-PERP$/.exec(venueSymbol) ?? [];
    const venueId = idOf(row.product_id);
    if (base === undefined || venueId === null) return 'no base or product';
    const weight = fromX18(row.long_weight_initial_x18);
    return listedContract({
      venueSymbol,
      venueId,
      base,
      quote: 'USDT',
      ...statusFrom(CONTRACT_STATUS, row.trading_status),
      assetClass: classByName(base, SHARES),
      maxLeverage: weight === null ? null : leverageOf(1 - weight),
      intervalHours: 1,
      takerFeePct: percentFromX18(row.taker_fee_rate_x18),
    });
  });
}

/** `funding_rate` is the forecast for 24 hours, of which each hour settles one 24th. */
function hourlyPct(ratePerDay: unknown): number | null {
  const pct = percentFromFraction(ratePerDay);
  return pct === null ? null : Number((pct / HOURS_OF_RATE).toFixed(RATE_DECIMALS)) + 0;
}

/** An object by ticker. Its rows name the symbol as their base, and are of every contract, tradable or not. */
export function parseContracts(payload: unknown, context: ParseContext): Batch {
  const rows = Object.values(rowOf(payload, 'contracts'));
  return readMarket(rows, 'base_currency', context, (row) => ({
    ratePct: hourlyPct(row.funding_rate),
    nextFundingAtMs: epochSecondsOf(row.next_funding_rate_timestamp),
    intervalHours: 1,
    volume24hUsdt: row.quote_volume,
    markPrice: row.mark_price,
    indexPrice: row.index_price,
    openInterest: { amount: row.open_interest_usd, unit: 'quote', counted: row.open_interest },
  }));
}

/** A `best_bid_offer` event. A side without orders has price 0, or the largest number there is. */
export function parseBestOffers(event: Row, symbol: string | undefined, context: ParseContext): Batch {
  return readMarket([{ ...event, symbol }], 'symbol', context, (row) => ({
    top: {
      bidPrice: fromX18(row.bid_price),
      bidSize: fromX18(row.bid_qty),
      askPrice: row.ask_price === NO_PRICE ? null : fromX18(row.ask_price),
      askSize: fromX18(row.ask_qty),
      unit: 'base',
    },
    venueTimeMs: epochNanosecondsOf(row.timestamp),
  }));
}

/** Oldest first, one print an hour, with times in seconds. Unlike the running rate, a print is for its hour. */
export const parseFundingHistory: ParseHistory = (payload, contract, window) => {
  const rows = listOf(rowOf(payload, 'funding_rate_history').funding_rates, 'funding_rates');
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: idOf(row.product_id) === contract.venueId ? percentFromX18(row.funding_rate_x18) : null,
    settledAtMs: epochSecondsOf(row.timestamp),
  }));
  return pageForward(prints, window, prints.rowCount >= HISTORY_PAGE_ROWS);
};

export const parseOrderbook: ParseDepth = (payload, contract) => {
  const { bids, asks, timestamp } = rowOf(payload, 'orderbook');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(timestamp));
};
