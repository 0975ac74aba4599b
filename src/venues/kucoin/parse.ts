import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { Batch, Contract, DayVolume, FundingQuote } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { amountOf, epochMsOf, ignore, listOf, positiveOf, type Row, readRows, textOf } from '../reading.ts';
import { usdtFromContracts } from '../units.ts';
import { dataOf } from './reply.ts';
import { ASSET_CLASS, CONTRACT_STATUS, CURRENCY_ALIASES, PERPETUAL_TYPE } from './wire.ts';

/** One call has it all: the contracts, their running rate, interval, next settlement and turnover. */
export function parseContracts(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(dataOf(payload, 'contracts'), 'contracts'), batch, 'symbol', (row, venueSymbol) => {
    if (row.type !== PERPETUAL_TYPE) return ignore('dated future');
    const contract = contractOf(row, venueSymbol, receivedAtMs);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    if (contract.status !== 'trading' && contract.status !== 'delisting') return null;
    const volume = volumeOf(row, contract);
    if (typeof volume === 'string') return volume;
    batch.dayVolumes.push(volume);
    const quote = fundingOf(row, contract, receivedAtMs);
    if (typeof quote === 'string') return quote;
    batch.fundingQuotes.push(quote);
    return null;
  });
  batch.contractList = { part: 'futures', contracts };
  return batch;
}

function contractOf(row: Row, venueSymbol: string, receivedAtMs: number): Contract | string {
  const base = baseOf(row);
  const quote = currencyOf(row.quoteCurrency);
  const settle = currencyOf(row.settleCurrency);
  if (base === null || quote === null || settle === null) return 'no base, quote or settle currency';
  // `isQuanto` is true on plain USDT contracts too, so only the currencies tell.
  if (settle !== base && settle !== quote) return ignore('quanto');
  // The multiplier of an inverse contract is negative: -1 is one dollar.
  const multiplier = decimalOrNull(row.multiplier);
  if (multiplier === null || multiplier === 0) return 'no multiplier';
  const venueStatus = textOf(row.status) ?? '';
  const status = CONTRACT_STATUS[venueStatus];
  if (status === undefined) return `unknown status ${venueStatus}`;
  const delistsAtMs = epochMsOf(row.expireDate);
  return {
    venueSymbol,
    base,
    quote,
    settle,
    isInverse: settle === base,
    contractSize: Math.abs(multiplier),
    status: status === 'trading' && delistsAtMs !== null ? 'delisting' : status,
    venueStatus,
    assetClass: ASSET_CLASS[textOf(row.assetClass) ?? ''] ?? 'crypto',
    listedAtMs: epochMsOf(row.firstOpenDate),
    delistsAtMs,
    maxLeverage: positiveOf(row.maxLeverage),
    intervalHours: intervalHoursOf(row, receivedAtMs),
  };
}

function currencyOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null ? null : (CURRENCY_ALIASES[text] ?? text);
}

/** Coins with a Chinese name are transcribed in `baseCurrency`; other venues list them by the name itself. */
function baseOf(row: Row): string | null {
  const display = textOf(row.displayBaseCurrency);
  return display !== null && /\P{ASCII}/u.test(display) ? display : currencyOf(row.baseCurrency);
}

/** `fundingRateGranularity` is the configured interval, which may start later; `current...` is the one in force. */
function intervalHoursOf(row: Row, receivedAtMs: number): number | null {
  const currentMs = positiveOf(row.currentFundingRateGranularity);
  if (currentMs !== null) return currentMs / HOUR_MS;
  const startsAtMs = epochMsOf(row.effectiveFundingRateCycleStartTime);
  if (startsAtMs !== null && startsAtMs > receivedAtMs) return null;
  const configuredMs = positiveOf(row.fundingRateGranularity);
  return configuredMs === null ? null : configuredMs / HOUR_MS;
}

/** Linear turnover is in quote units; an inverse contract counts contracts, and its turnover is negative coins. */
function volumeOf(row: Row, contract: Contract): DayVolume | string {
  const raw = amountOf(contract.isInverse ? row.volumeOf24h : row.turnoverOf24h);
  if (raw === null) return 'no volume';
  return {
    venueSymbol: contract.venueSymbol,
    volume24hUsdt: contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw,
    referencePrice: positiveOf(row.markPrice) ?? positiveOf(row.lastTradePrice),
  };
}

/** `fundingFeeRate` is what the next settlement will charge; `lastTimeFundingRate` is the settled one. */
function fundingOf(row: Row, contract: Contract, receivedAtMs: number): FundingQuote | string {
  const ratePct = percentFromFraction(row.fundingFeeRate);
  if (ratePct === null) return 'no rate';
  const nextFundingAtMs = epochMsOf(row.nextFundingRateDateTime) ?? afterCountdown(row, receivedAtMs);
  if (nextFundingAtMs === null) return 'no next settlement';
  const { venueSymbol, intervalHours } = contract;
  return { venueSymbol, ratePct, nextFundingAtMs, intervalHours, venueTimeMs: null };
}

/** `nextFundingRateTime` is the milliseconds left. The reply took a moment to arrive, so the minute is rounded. */
function afterCountdown(row: Row, receivedAtMs: number): number | null {
  const leftMs = amountOf(row.nextFundingRateTime);
  if (leftMs === null || leftMs > DAY_MS) return null;
  return Math.round((receivedAtMs + leftMs) / MINUTE_MS) * MINUTE_MS;
}
