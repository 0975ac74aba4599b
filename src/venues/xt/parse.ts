import { percentFromFraction } from '../../base/numbers.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf, idOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import { type Batch, isLive } from '../observations.ts';
import { pageByCursor, readPrints } from '../prints.ts';
import { goodReply, ignore, isRow, listOf, rowOf } from '../reading.ts';
import { readBook, turnoverUsdt } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { TAKER_FEE_PCT } from './wire.ts';

const SECONDS_PER_HOUR = 3600;
const NOT_TRADING = ignore('not trading');

/** Errors arrive with HTTP 200 and `returnCode` 1. */
const resultOf = (payload: unknown, what: string) => goodReply(payload, what, 'returnCode', 0).result;

const upperCase = (coin: unknown) => textOf(coin)?.toUpperCase();

/** Version 3 of the list has `symbols`, version 1 is the list itself. */
export function parseSymbols(
  payload: unknown,
  part: string,
  { receivedAtMs }: Pick<ParseContext, 'receivedAtMs'>,
): Batch {
  const result = resultOf(payload, 'symbol/list');
  const rows = listOf(isRow(result) ? result.symbols : result, 'symbols');
  return readContracts(rows, 'symbol', part, (row, venueSymbol) => {
    if (row.productType !== 'perpetual') return ignore('dated future');
    if (row.underlyingType !== 'U_BASED' && row.underlyingType !== 'COIN_BASED')
      return 'unknown underlying type';
    const takerFeePct = percentFromFraction(row.takerFee);
    return listedContract({
      venueSymbol,
      base: upperCase(row.baseCoin),
      quote: upperCase(row.quoteCoin),
      isInverse: row.underlyingType === 'COIN_BASED',
      contractSize: positiveOf(row.contractSize),
      // `state` is 0 on every row, and `isOpenApi` stays true on delisted contracts: only `tradeSwitch` says what trades.
      status: row.tradeSwitch === true ? 'trading' : 'delisted',
      venueStatus: `tradeSwitch ${row.tradeSwitch === true}`,
      listedAtMs: epochMsOf(row.onboardDate),
      receivedAtMs,
      assetClass: (base) => classByName(base, new Set()),
      takerFeePct: takerFeePct === TAKER_FEE_PCT ? null : takerFeePct,
    });
  });
}

/** Hours in the calls for the running rate, seconds in that for the settled ones; no interval has 3,600 hours. */
export function intervalHoursOf(value: unknown): number | null {
  const interval = positiveOf(value);
  return interval !== null && interval >= SECONDS_PER_HOUR ? interval / SECONDS_PER_HOUR : interval;
}

/** The bare list that CoinGecko reads. `next_funding_rate` repeats `funding_rate`, the estimate of the next settlement. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(isRow(payload) ? resultOf(payload, 'cg/contracts') : payload, 'cg/contracts');
  return readMarket(rows, 'symbol', context, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    nextFundingAtMs: epochMsOf(row.next_funding_rate_timestamp),
    intervalHours: intervalHoursOf(row.collection_internal),
  }));
}

export function parseBooks(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(resultOf(payload, 'ticker/books'), 'books');
  return readMarket(rows, 's', context, ({ bp, bq, ap, aq, t }, contract) => {
    if (!isLive(contract)) return NOT_TRADING;
    const top = { bidPrice: bp, bidSize: bq, askPrice: ap, askSize: aq, unit: 'contracts' as const };
    return { top, venueTimeMs: epochMsOf(t) };
  });
}

/** `v` is the turnover in quote units, `a` the number of contracts. Delisted contracts stay in the reply, frozen. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(resultOf(payload, 'agg-tickers'), 'tickers');
  return readMarket(rows, 's', context, (row, contract) => {
    if (!isLive(contract)) return NOT_TRADING;
    const volume24hUsdt = turnoverUsdt(contract, { linearQuote: row.v, inverseContracts: row.a });
    return { volume24hUsdt, markPrice: row.m, indexPrice: row.i, lastPrice: row.c };
  });
}

/** Newest first; `hasNext` says whether older rows follow below the last id. */
export const parseFundingHistory: ParseHistory = (payload, contract, window) => {
  const { items, hasNext } = rowOf(resultOf(payload, 'funding-rate-record'), 'result');
  const rows = listOf(items, 'items');
  const prints = readPrints(rows, { symbolField: 'symbol', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.createdTime),
  }));
  const last = rows.at(-1);
  return pageByCursor(prints, window, hasNext === true && isRow(last) ? idOf(last.id) : null);
};

export const parseDepth: ParseDepth = (payload, contract) => {
  const { b, a, t } = rowOf(resultOf(payload, 'depth'), 'depth');
  return readBook(contract, { bids: b, asks: a }, 'contracts', epochMsOf(t));
};
