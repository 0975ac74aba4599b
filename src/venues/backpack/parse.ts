import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, Depth, Rejection, Settlement } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  epochMsOf,
  ignore,
  isoMsOf,
  isRow,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import {
  CLASS_OF_RWA,
  CONTRACT_STATUS,
  EXCHANGE_SUFFIX,
  FINAL_AFTER_MS,
  INTERVAL_UNIT_MS,
  MICROSECONDS_PER_MS,
} from './wire.ts';

/** Times come as `2026-09-12T22:00:00`, in UTC without saying so. */
function naiveIsoMsOf(value: unknown): number | null {
  const text = textOf(value);
  return text === null ? null : isoMsOf(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

export function microsecondsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number === null ? null : epochMsOf(Math.floor(number / MICROSECONDS_PER_MS));
}

/** An index on a listed ticker is a share of a fund that follows it. */
function assetClassOf(row: Row, baseSymbol: string): AssetClass {
  const found = CLASS_OF_RWA[textOf(row.rwaMarketType) ?? ''] ?? 'crypto';
  return found === 'index' && EXCHANGE_SUFFIX.test(baseSymbol) ? 'stock' : found;
}

export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(payload, 'markets'), batch, 'symbol', (row, venueSymbol) => {
    if (row.marketType !== 'PERP') return ignore(row.marketType === 'SPOT' ? 'spot' : 'not a perpetual');
    const baseSymbol = textOf(row.baseSymbol);
    const quote = textOf(row.quoteSymbol);
    if (baseSymbol === null || quote === null) return 'no base or quote symbol';
    const venueStatus = textOf(row.orderBookState) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const listedAtMs = naiveIsoMsOf(row.createdAt);
    // A market is made ready unseen: it is there, but nobody may trade it yet.
    const isAhead = row.visible === false || (listedAtMs !== null && listedAtMs > receivedAtMs);
    const intervalMs = positiveOf(row.fundingInterval);
    const margin = isRow(row.imfFunction) ? positiveOf(row.imfFunction.base) : null;
    const assetClass = assetClassOf(row, baseSymbol);
    contracts.push({
      venueSymbol,
      base: assetClass === 'stock' ? baseSymbol.replace(EXCHANGE_SUFFIX, '') : baseSymbol,
      quote,
      settle: quote,
      isInverse: false,
      contractSize: 1,
      status: isAhead && status !== 'delisted' ? 'preopen' : status,
      venueStatus,
      assetClass,
      listedAtMs,
      delistsAtMs: null,
      maxLeverage: margin === null ? null : Math.round(100 / margin) / 100,
      intervalHours: intervalMs === null ? null : intervalMs / INTERVAL_UNIT_MS,
    });
    return null;
  });
  batch.contractList = { part: 'linear', contracts };
  return batch;
}

/** `fundingRate` is that of the running interval, and paid at `nextFundingTimestamp`. */
export function parseMarkPrices(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'markPrices'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    if (contract.status === 'delisted') return ignore('not trading');
    const ratePct = percentFromFraction(row.fundingRate);
    if (ratePct === null) return 'no rate';
    const nextFundingAtMs = epochMsOf(row.nextFundingTimestamp);
    if (nextFundingAtMs === null) return 'no next settlement';
    const quote = { venueSymbol, ratePct, nextFundingAtMs, intervalHours: undefined, venueTimeMs: null };
    batch.fundingQuotes.push(quote);
    return null;
  });
  return batch;
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'tickers'), batch, 'symbol', (row, venueSymbol) => {
    if (!venueSymbol.endsWith('_PERP')) return ignore('spot');
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const volume24hUsdt = amountOf(row.quoteVolume);
    if (volume24hUsdt === null) return 'no volume';
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.lastPrice) });
    return null;
  });
  return batch;
}

export interface FundingRows {
  settlements: Settlement[];
  rejected: Rejection[];
  rows: number;
  /** Infinity when no row has a time. */
  oldestMs: number;
}

/** Newest first, and the newest is no print at all: it is the interval that is still running. */
export function parseFundingRates(
  payload: unknown,
  window: { fromMs: number; toMs: number },
  receivedAtMs: number,
): FundingRows {
  const batch = emptyBatch();
  const settlements: Settlement[] = [];
  const rows = listOf(payload, 'fundingRates');
  const lastFinalMs = Math.min(window.toMs, receivedAtMs - FINAL_AFTER_MS);
  let oldestMs = Number.POSITIVE_INFINITY;
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = naiveIsoMsOf(row.intervalEndTimestamp);
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs && settledAtMs <= lastFinalMs)
      settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  return { settlements, rejected: batch.rejected, rows: rows.length, oldestMs };
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'depth');
  return bookOf(
    contract,
    readLevels(contract, listOf(row.bids, 'bids'), 'base'),
    readLevels(contract, listOf(row.asks, 'asks'), 'base'),
    microsecondsOf(row.timestamp),
  );
}
