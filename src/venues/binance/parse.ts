import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  epochMsOf,
  ignore,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import { ASSET_CLASS, CONTRACT_STATUS, NO_DELIVERY_MS, UNADJUSTED_INTERVAL_HOURS } from './wire.ts';

export type Part = 'usd-m' | 'coin-m';

export function parseExchangeInfo(payload: unknown, part: Part): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(rowOf(payload, 'exchangeInfo').symbols, 'symbols'), batch, 'symbol', (row, venueSymbol) => {
    const kind = textOf(row.contractType) ?? '';
    if (!kind.includes('PERPETUAL')) return ignore('dated future');
    const base = textOf(row.baseAsset);
    const quote = textOf(row.quoteAsset);
    const settle = textOf(row.marginAsset);
    if (base === null || quote === null || settle === null) return 'no base, quote or margin asset';
    const venueStatus = textOf(row.status) ?? textOf(row.contractStatus) ?? '';
    const contractSize = part === 'coin-m' ? positiveOf(row.contractSize) : 1;
    if (contractSize === null) return 'no contract size';
    const deliveryMs = epochMsOf(row.deliveryDate);
    const delistsAtMs = deliveryMs !== null && deliveryMs < NO_DELIVERY_MS ? deliveryMs : null;
    const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize,
      status: status === 'trading' && delistsAtMs !== null ? 'delisting' : status,
      venueStatus,
      assetClass:
        (ASSET_CLASS as Record<string, AssetClass>)[textOf(row.underlyingType) ?? 'COIN'] ?? 'crypto',
      listedAtMs: epochMsOf(row.onboardDate),
      delistsAtMs,
      maxLeverage: null,
      intervalHours: null,
    });
    return null;
  });
  batch.contractList = { part, contracts };
  return batch;
}

/** `lastFundingRate` is the running rate despite its name: it is what `nextFundingTime` will settle. */
export function parsePremiumIndex(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'premiumIndex'), batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const ratePct = percentFromFraction(row.lastFundingRate);
    if (ratePct === null) return 'no rate';
    const nextFundingAtMs = epochMsOf(row.nextFundingTime);
    if (nextFundingAtMs === null) return 'no next settlement';
    const venueTimeMs = epochMsOf(row.time);
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs,
      intervalHours: undefined,
      venueTimeMs,
    });
    return null;
  });
  return batch;
}

/** A contract that the reply does not list settles every 8 hours: that is the venue's rule, not our guess. */
export function parseFundingInfo(payload: unknown, context: ParseContext, part: Part): Batch {
  const batch = emptyBatch();
  const adjusted = new Map<string, number>();
  readRows(listOf(payload, 'fundingInfo'), batch, 'symbol', (row, venueSymbol) => {
    const hours = positiveOf(row.fundingIntervalHours);
    if (hours === null) return 'no interval';
    adjusted.set(venueSymbol, hours);
    return null;
  });
  // A row that is there and cannot be read says that the interval is not the usual one.
  const unread = new Set(batch.rejected.map((rejection) => rejection.venueSymbol));
  for (const contract of context.contracts.values()) {
    if ((part === 'coin-m') !== contract.isInverse || unread.has(contract.venueSymbol)) continue;
    const intervalHours = adjusted.get(contract.venueSymbol) ?? UNADJUSTED_INTERVAL_HOURS;
    batch.fundingSchedules.push({
      venueSymbol: contract.venueSymbol,
      intervalHours,
      nextFundingAtMs: undefined,
    });
  }
  return batch;
}

/** USDⓈ-M gives turnover in quote units; COIN-M counts contracts of a fixed USD face value. */
export function parseDayTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'ticker/24hr'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const referencePrice = positiveOf(row.lastPrice);
    const raw = amountOf(contract.isInverse ? row.volume : row.quoteVolume);
    if (raw === null) return 'no volume';
    const volume24hUsdt = contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw;
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice });
    return null;
  });
  return batch;
}

export function parseBookTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'ticker/bookTicker'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const top = readTop(
      contract,
      { bidPrice: row.bidPrice, bidSize: row.bidQty, askPrice: row.askPrice, askSize: row.askQty },
      contract.isInverse ? 'contracts' : 'base',
      epochMsOf(row.time),
    );
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  });
  return batch;
}

/** Pages are ascending and at most `limit` long; a full page continues after its last timestamp. */
export function parseFundingRates(payload: unknown, window: { toMs: number }, limit: number): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = listOf(payload, 'fundingRate');
  const batch = emptyBatch();
  let lastMs = 0;
  readRows(rows, batch, 'symbol', (row: Row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.fundingTime);
    if (settledAtMs !== null) lastMs = Math.max(lastMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  if (rows.length >= limit && lastMs > 0 && lastMs < window.toMs)
    page.next = { fromMs: lastMs + 1, toMs: window.toMs };
  return page;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'depth');
  const unit = contract.isInverse ? 'contracts' : 'base';
  return bookOf(
    contract,
    readLevels(contract, row.bids, unit),
    readLevels(contract, row.asks, unit),
    decimalOrNull(row.E),
  );
}
