import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, isoMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  type Depth,
  emptyBatch,
  linearContract,
} from '../observations.ts';
import { type PrintRows, readPrints } from '../prints.ts';
import { ignore, isRow, listOf, NOT_LISTED, type Row, readRows, rowOf } from '../reading.ts';
import { addVolume } from '../row-readers.ts';
import { leverageOf, readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import {
  CLASS_OF_RWA,
  CONTRACT_STATUS,
  EXCHANGE_SUFFIX,
  FINAL_AFTER_MS,
  INTERVAL_UNIT_MS,
  MICROSECONDS_PER_MS,
} from './wire.ts';

/** Times come as `2026-09-12T22:00:00`, in UTC but without a zone. */
function naiveIsoMsOf(value: unknown): number | null {
  const text = textOf(value);
  return text === null ? null : isoMsOf(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

export function microsecondsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number === null ? null : epochMsOf(Math.floor(number / MICROSECONDS_PER_MS));
}

/** An index on a listed ticker is a share of a fund that follows it. */
function labelledClassOf(row: Row, baseSymbol: string): AssetClass {
  const found = CLASS_OF_RWA[textOf(row.rwaMarketType) ?? ''] ?? 'crypto';
  return found === 'index' && EXCHANGE_SUFFIX.test(baseSymbol) ? 'stock' : found;
}

export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  return readContracts(listOf(payload, 'markets'), 'symbol', 'linear', (row, venueSymbol) => {
    if (row.marketType !== 'PERP') return ignore(row.marketType === 'SPOT' ? 'spot' : 'not a perpetual');
    const baseSymbol = textOf(row.baseSymbol);
    const quote = textOf(row.quoteSymbol);
    if (baseSymbol === null || quote === null) return 'no base or quote symbol';
    const venueStatus = textOf(row.orderBookState) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const listedAtMs = naiveIsoMsOf(row.createdAt);
    // The venue prepares a market while it is hidden: it is in the list, but does not trade yet.
    const isAhead = row.visible === false || (listedAtMs !== null && listedAtMs > receivedAtMs);
    const intervalMs = positiveOf(row.fundingInterval);
    const assetClass = assetClassOf(baseSymbol, labelledClassOf(row, baseSymbol));
    return linearContract({
      venueSymbol,
      base: assetClass === 'stock' ? baseSymbol.replace(EXCHANGE_SUFFIX, '') : baseSymbol,
      quote,
      status: isAhead && status !== 'delisted' ? 'preopen' : status,
      venueStatus,
      assetClass,
      listedAtMs,
      maxLeverage: isRow(row.imfFunction) ? leverageOf(row.imfFunction.base) : null,
      intervalHours: intervalMs === null ? null : intervalMs / INTERVAL_UNIT_MS,
    });
  });
}

/** `fundingRate` is that of the running interval and is paid at `nextFundingTimestamp`. */
export function parseMarkPrices(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'markPrices'), 'symbol', context, (row, contract) => {
    if (contract.status === 'delisted') return ignore('not trading');
    return {
      ratePct: percentFromFraction(row.fundingRate),
      nextFundingAtMs: epochMsOf(row.nextFundingTimestamp),
      markPrice: row.markPrice,
      indexPrice: row.indexPrice,
    };
  });
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'tickers'), batch, 'symbol', (row, venueSymbol) => {
    if (!venueSymbol.endsWith('_PERP')) return ignore('spot');
    const contract = context.contracts.get(venueSymbol);
    return contract
      ? addVolume(batch, contract, amountOf(row.quoteVolume), positiveOf(row.lastPrice))
      : NOT_LISTED;
  });
  return batch;
}

/**
 * Newest first. The newest row of a live contract is not a print: its interval is still running. Where it is on the page
 * (`hasRunning`) it is left out whatever the time is, because our clock may be wrong.
 */
export function parseFundingRates(
  payload: unknown,
  window: { fromMs: number; toMs: number },
  receivedAtMs: number,
  hasRunning = true,
): PrintRows {
  const rows = listOf(payload, 'fundingRates');
  const [newest] = rows;
  const runningMs = hasRunning && isRow(newest) ? naiveIsoMsOf(newest.intervalEndTimestamp) : null;
  const finalMs = Math.min(receivedAtMs - FINAL_AFTER_MS, (runningMs ?? Number.POSITIVE_INFINITY) - 1);
  const finalWindow = { fromMs: window.fromMs, toMs: Math.min(window.toMs, finalMs) };
  return readPrints(rows, { symbolField: 'symbol' }, finalWindow, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: naiveIsoMsOf(row.intervalEndTimestamp),
  }));
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'depth');
  const sides = { bids: listOf(row.bids, 'bids'), asks: listOf(row.asks, 'asks') };
  return readBook(contract, sides, 'base', microsecondsOf(row.timestamp));
}
