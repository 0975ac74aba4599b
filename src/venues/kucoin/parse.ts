import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { ownValue } from '../../base/own-value.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, epochNanosecondsOf, positiveOf, textOf } from '../fields.ts';
import { addMarket, readMarket } from '../market-rows.ts';
import { type Batch, type Contract, contractWith, type Depth, isLive, withEnd } from '../observations.ts';
import { goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { readBook, turnoverUsdt } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { ASSET_CLASS, CONTRACT_STATUS, CURRENCY_ALIASES, GOOD_CODE, PERPETUAL_TYPE } from './wire.ts';

/** The `data` of a good reply. */
export function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'code', GOOD_CODE).data;
}

/** One call has the contracts, their running rate, interval, next settlement, turnover and open interest in lots. */
export function parseContracts(payload: unknown, receivedAtMs: number): Batch {
  return readContracts(
    listOf(dataOf(payload, 'contracts'), 'contracts'),
    'symbol',
    'futures',
    (row, venueSymbol) =>
      row.type === PERPETUAL_TYPE ? contractOf(row, venueSymbol, receivedAtMs) : ignore('dated future'),
    (row, contract, batch) => {
      if (!isLive(contract)) return null;
      return addMarket(batch, contract, {
        // `lastTimeFundingRate` is the settled rate.
        ratePct: percentFromFraction(row.fundingFeeRate),
        nextFundingAtMs: epochMsOf(row.nextFundingRateDateTime) ?? afterCountdown(row, receivedAtMs),
        intervalHours: contract.intervalHours,
        volume24hUsdt: turnoverUsdt(contract, {
          linearQuote: row.turnoverOf24h,
          inverseContracts: row.volumeOf24h,
        }),
        markPrice: row.markPrice,
        lastPrice: row.lastTradePrice,
        indexPrice: row.indexPrice,
        openInterest: { amount: row.openInterest, unit: 'contracts' },
      });
    },
  );
}

function contractOf(row: Row, venueSymbol: string, receivedAtMs: number): Contract | string {
  const base = baseOf(row);
  const quote = currencyOf(row.quoteCurrency);
  const settle = currencyOf(row.settleCurrency);
  if (base === null || quote === null || settle === null) return 'no base, quote or settle currency';
  // `isQuanto` is true on plain USDT contracts too, so the currencies decide.
  if (settle !== base && settle !== quote) return ignore('quanto');
  // The multiplier of an inverse contract is negative: -1 is one dollar.
  const multiplier = decimalOrNull(row.multiplier);
  if (multiplier === null || multiplier === 0) return 'no multiplier';
  const venueStatus = textOf(row.status) ?? '';
  const status = CONTRACT_STATUS[venueStatus];
  if (status === undefined) return `unknown status ${venueStatus}`;
  const delistsAtMs = epochMsOf(row.expireDate);
  return contractWith({
    venueSymbol,
    base,
    quote,
    settle,
    isInverse: settle === base,
    contractSize: Math.abs(multiplier),
    status: withEnd(status, delistsAtMs),
    venueStatus,
    assetClass: assetClassOf(base, ASSET_CLASS[textOf(row.assetClass) ?? ''] ?? 'crypto'),
    listedAtMs: epochMsOf(row.firstOpenDate),
    delistsAtMs,
    maxLeverage: positiveOf(row.maxLeverage),
    intervalHours: intervalHoursOf(row, receivedAtMs),
  });
}

function currencyOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null ? null : (ownValue(CURRENCY_ALIASES, text) ?? text);
}

/** `baseCurrency` transcribes Chinese names; other venues list such coins by the name itself. */
function baseOf(row: Row): string | null {
  const display = textOf(row.displayBaseCurrency);
  return display !== null && /\P{ASCII}/u.test(display) ? display : currencyOf(row.baseCurrency);
}

/** `fundingRateGranularity` is the configured interval, which may start later; `current...` is the interval in force. */
function intervalHoursOf(row: Row, receivedAtMs: number): number | null {
  const currentMs = positiveOf(row.currentFundingRateGranularity);
  if (currentMs !== null) return currentMs / HOUR_MS;
  const startsAtMs = epochMsOf(row.effectiveFundingRateCycleStartTime);
  if (startsAtMs !== null && startsAtMs > receivedAtMs) return null;
  const configuredMs = positiveOf(row.fundingRateGranularity);
  return configuredMs === null ? null : configuredMs / HOUR_MS;
}

/** `nextFundingRateTime` is the time left in milliseconds. Rounding to the minute removes the reply's latency. */
function afterCountdown(row: Row, receivedAtMs: number): number | null {
  const leftMs = amountOf(row.nextFundingRateTime);
  if (leftMs === null || leftMs > DAY_MS) return null;
  return Math.round((receivedAtMs + leftMs) / MINUTE_MS) * MINUTE_MS;
}

/** Market data carries nanoseconds; the documentation's samples still show milliseconds. */
function venueTimeOf(value: unknown): number | null {
  return epochMsOf(value) ?? epochNanosecondsOf(value);
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'allTickers'), 'allTickers');
  return readMarket(rows, 'symbol', context, (row) => ({
    top: {
      bidPrice: row.bestBidPrice,
      bidSize: row.bestBidSize,
      askPrice: row.bestAskPrice,
      askSize: row.bestAskSize,
      unit: 'contracts',
    },
    venueTimeMs: venueTimeOf(row.ts),
  }));
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, ts } = rowOf(dataOf(payload, 'depth'), 'depth');
  return readBook(contract, { bids, asks }, 'contracts', venueTimeOf(ts));
}
