import { percentFromFraction } from '../../base/numbers.ts';
import { ownValue } from '../../base/own-value.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf, idOf, textOf } from '../fields.ts';
import { readMarket, readMarketById } from '../market-rows.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { ignore, listOf, rowOf } from '../reading.ts';
import { readBook, splitSymbol } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { baseOf, CLASS_OF_CATEGORY, COINS_AMONG_SHARES, SETTLE } from './wire.ts';

/** The list has no status: what is in it trades. */
export function parseInstruments(payload: unknown): Batch {
  return readContracts(listOf(payload, 'instruments'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.instrument_type !== 'perpetual') return ignore('not a perpetual');
    const [asset, venueId] = [textOf(row.base_asset), idOf(row.instrument_id)];
    if (asset === null || venueId === null) return 'no base or id';
    const intervalHours = hoursOf(row.funding_interval);
    if (intervalHours === null) return 'no interval';
    return listedContract({
      venueSymbol,
      venueId,
      base: baseOf(asset),
      quote: splitSymbol(venueSymbol, '-').quote,
      settle: SETTLE,
      status: 'trading',
      venueStatus: '',
      assetClass: (base) => classOf(base, row.category),
      maxLeverage: row.max_leverage,
      intervalHours,
    });
  });
}

/** "1h" */
function hoursOf(interval: unknown): number | null {
  const [, hours] = /^(\d+)h$/.exec(textOf(interval) ?? '') ?? [];
  return hours === undefined ? null : Number(hours);
}

function classOf(base: string, category: unknown): AssetClass {
  if (COINS_AMONG_SHARES.has(base)) return 'crypto';
  return assetClassOf(base, ownValue(CLASS_OF_CATEGORY, textOf(category) ?? '') ?? traditionalClassOf(base));
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'tickers'), 'symbol', context, (row, contract) => ({
    ratePct: percentFromFraction(row.funding_rate),
    nextFundingAtMs: epochMsOf(row.next_funding),
    intervalHours: contract.intervalHours,
    markPrice: row.mark_price,
    indexPrice: row.index_price,
    openInterest: { amount: row.open_interest, unit: 'base' },
    venueTimeMs: epochMsOf(row.timestamp),
  }));
}

/** `volume` is in dollars, whatever the documentation says: candles of base units add up to it. */
export function parseStatistics(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'statistics'), 'symbol', context, (row) => ({
    volume24hUsdt: row.volume,
  }));
}

/** Rows name their contract by its number only. */
export function parseBestOffers(payload: unknown, context: ParseContext): Batch {
  return readMarketById(listOf(payload, 'bbo'), 'instrument_id', context, (row) => ({
    top: {
      bidPrice: row.bid_price,
      bidSize: row.bid_quantity,
      askPrice: row.ask_price,
      askSize: row.ask_quantity,
      unit: 'base',
    },
    venueTimeMs: epochMsOf(row.timestamp),
  }));
}

/** Newest first, up to about 100 ms after the hour; `more` says that older ones of the window are left. */
export const parseFunding: ParseHistory = (payload, contract, window) => {
  const { data, more } = rowOf(payload, 'funding');
  const prints = readPrints(listOf(data, 'data'), { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: epochMsOf(row.timestamp),
  }));
  return pageBackward(prints, window, more === true);
};

export const parseBook: ParseDepth = (payload, contract) => {
  const { bids, asks, timestamp } = rowOf(payload, 'book');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(timestamp));
};
