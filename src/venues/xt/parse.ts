import { percentFromFraction } from '../../base/numbers.ts';
import { classByName } from '../asset-class.ts';
import { type Batch, type Contract, contractWith, type Depth, isLive } from '../observations.ts';
import { pageByCursor, readPrints } from '../prints.ts';
import {
  epochMsOf,
  goodReply,
  idOf,
  ignore,
  isRow,
  listOf,
  positiveOf,
  type Row,
  rowOf,
  textOf,
} from '../reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  readContracts,
  readListed,
} from '../row-readers.ts';
import { readBook, readTop, turnoverUsdt } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { TAKER_FEE_PCT } from './wire.ts';

const SECONDS_PER_HOUR = 3600;
const NOT_TRADING = ignore('not trading');

/** Errors arrive with HTTP 200 and `returnCode` 1. */
function resultOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'returnCode', 0).result;
}

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
    const [base, quote] = [row.baseCoin, row.quoteCoin].map((coin) => textOf(coin)?.toUpperCase());
    if (base === undefined || quote === undefined) return 'no base or quote coin';
    const contractSize = positiveOf(row.contractSize);
    if (contractSize === null) return 'no contract size';
    if (row.underlyingType !== 'U_BASED' && row.underlyingType !== 'COIN_BASED')
      return 'unknown underlying type';
    const isInverse = row.underlyingType === 'COIN_BASED';
    return contractWith({
      venueSymbol,
      base,
      quote,
      settle: isInverse ? base : quote,
      isInverse,
      contractSize,
      ...statusOf(row, receivedAtMs),
      assetClass: classByName(base, new Set()),
      ...feeOf(row),
    });
  });
}

/** `state` is 0 on every row, and `isOpenApi` stays true on delisted contracts: only `tradeSwitch` says what trades. */
function statusOf(row: Row, receivedAtMs: number): Pick<Contract, 'status' | 'venueStatus' | 'listedAtMs'> {
  const listedAtMs = epochMsOf(row.onboardDate);
  const trades = row.tradeSwitch === true;
  const isAhead = listedAtMs !== null && listedAtMs > receivedAtMs;
  const status = isAhead ? 'preopen' : trades ? 'trading' : 'delisted';
  return { status, venueStatus: `tradeSwitch ${trades}`, listedAtMs };
}

function feeOf(row: Row): { takerFeePct?: number } {
  const takerFeePct = percentFromFraction(row.takerFee);
  return takerFeePct === null || takerFeePct === TAKER_FEE_PCT ? {} : { takerFeePct };
}

/** Hours in the calls for the running rate, seconds in that for the settled ones; no interval has 3,600 hours. */
export function intervalHoursOf(value: unknown): number | null {
  const interval = positiveOf(value);
  return interval !== null && interval >= SECONDS_PER_HOUR ? interval / SECONDS_PER_HOUR : interval;
}

/** The bare list that CoinGecko reads. `next_funding_rate` repeats `funding_rate`, the estimate of the next settlement. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(isRow(payload) ? resultOf(payload, 'cg/contracts') : payload, 'cg/contracts');
  return readListed(rows, 'symbol', context, (row, contract, batch) =>
    addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.funding_rate),
      nextFundingAtMs: epochMsOf(row.next_funding_rate_timestamp),
      intervalHours: intervalHoursOf(row.collection_internal),
      venueTimeMs: null,
    }),
  );
}

export function parseBooks(payload: unknown, context: ParseContext): Batch {
  return readListed(
    listOf(resultOf(payload, 'ticker/books'), 'books'),
    's',
    context,
    (row, contract, batch) => {
      if (!isLive(contract)) return NOT_TRADING;
      const fields = { bidPrice: row.bp, bidSize: row.bq, askPrice: row.ap, askSize: row.aq };
      return addTop(batch, readTop(contract, fields, 'contracts', epochMsOf(row.t)));
    },
  );
}

/** `v` is the turnover in quote units, `a` the number of contracts. Delisted contracts stay in the reply, frozen. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(
    listOf(resultOf(payload, 'agg-tickers'), 'tickers'),
    's',
    context,
    (row, contract, batch) => {
      if (!isLive(contract)) return NOT_TRADING;
      const markPrice = positiveOf(row.m);
      addFigures(batch, contract, { markPrice, indexPrice: positiveOf(row.i) });
      const turnover = turnoverUsdt(contract, { linearQuote: row.v, inverseContracts: row.a });
      return addVolume(batch, contract, turnover, markPrice ?? positiveOf(row.c));
    },
  );
}

/** Newest first; `hasNext` says whether older rows follow below the last id. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const { items, hasNext } = rowOf(resultOf(payload, 'funding-rate-record'), 'result');
  const rows = listOf(items, 'items');
  const prints = readPrints(rows, { symbolField: 'symbol', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.createdTime),
  }));
  const last = rows.at(-1);
  return pageByCursor(prints, window, hasNext === true && isRow(last) ? idOf(last.id) : null);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { b, a, t } = rowOf(resultOf(payload, 'depth'), 'depth');
  return readBook(contract, { bids: b, asks: a }, 'contracts', epochMsOf(t));
}
