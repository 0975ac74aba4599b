import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import { type AssetClass, type Batch, type Contract, type Depth, emptyBatch } from '../observations.ts';
import { pageForward, readPrints } from '../prints.ts';
import { ignore, listOf, type Row, readRows, rowOf } from '../reading.ts';
import { readBook, sizeUnitOf, turnoverUsdt } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import {
  ASSET_CLASS,
  CONTRACT_STATUS,
  NO_DELIVERY_MS,
  TRADITIONAL_TYPE,
  UNADJUSTED_INTERVAL_HOURS,
} from './wire.ts';

export type Part = 'usd-m' | 'coin-m';

export function parseExchangeInfo(payload: unknown, part: Part): Batch {
  const rows = listOf(rowOf(payload, 'exchangeInfo').symbols, 'symbols');
  return readContracts(rows, 'symbol', part, (row, venueSymbol) => {
    const kind = textOf(row.contractType) ?? '';
    if (!kind.includes('PERPETUAL')) return ignore('dated future');
    const settle = textOf(row.marginAsset);
    const deliveryMs = epochMsOf(row.deliveryDate);
    return listedContract({
      venueSymbol,
      base: row.baseAsset,
      quote: row.quoteAsset,
      settle,
      isInverse: settle === row.baseAsset,
      contractSize: part === 'coin-m' ? positiveOf(row.contractSize) : 1,
      ...statusFrom(CONTRACT_STATUS, textOf(row.status) ?? row.contractStatus),
      assetClass: (base) => classOf(row, kind, base),
      listedAtMs: epochMsOf(row.onboardDate),
      delistsAtMs: deliveryMs !== null && deliveryMs < NO_DELIVERY_MS ? deliveryMs : null,
    });
  });
}

function classOf(row: Row, contractType: string, base: string): AssetClass {
  const labelled = ASSET_CLASS[textOf(row.underlyingType) ?? 'COIN'];
  if (labelled !== undefined) return assetClassOf(base, labelled);
  return contractType === TRADITIONAL_TYPE ? traditionalClassOf(base) : assetClassOf(base, 'crypto');
}

/** `lastFundingRate` is the running rate despite its name: it is what `nextFundingTime` will settle. */
export function parsePremiumIndex(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'premiumIndex'), 'symbol', context, (row) => ({
    ratePct: percentFromFraction(row.lastFundingRate),
    nextFundingAtMs: epochMsOf(row.nextFundingTime),
    venueTimeMs: epochMsOf(row.time),
    markPrice: row.markPrice,
    indexPrice: row.indexPrice,
  }));
}

/** A contract that the reply does not list settles every 8 hours: that is the venue's rule, not a guess. */
export function parseFundingInfo(payload: unknown, context: ParseContext, part: Part): Batch {
  const batch = emptyBatch();
  const adjusted = new Map<string, number>();
  readRows(listOf(payload, 'fundingInfo'), batch, 'symbol', (row, venueSymbol) => {
    const hours = positiveOf(row.fundingIntervalHours);
    if (hours === null) return 'no interval';
    adjusted.set(venueSymbol, hours);
    return null;
  });
  // A row that is present but unreadable means that the interval was adjusted, to an unknown value.
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
  return readMarket(listOf(payload, 'ticker/24hr'), 'symbol', context, (row, contract) => ({
    volume24hUsdt: turnoverUsdt(contract, { linearQuote: row.quoteVolume, inverseContracts: row.volume }),
    lastPrice: row.lastPrice,
  }));
}

export function parseBookTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'ticker/bookTicker'), 'symbol', context, (row, contract) => ({
    top: {
      bidPrice: row.bidPrice,
      bidSize: row.bidQty,
      askPrice: row.askPrice,
      askSize: row.askQty,
      unit: sizeUnitOf(contract),
    },
    venueTimeMs: epochMsOf(row.time),
  }));
}

/** Pages are ascending and at most `limit` long. */
export function parseFundingRates(payload: unknown, window: { toMs: number }, limit: number): SettlementPage {
  const prints = readPrints(listOf(payload, 'fundingRate'), { symbolField: 'symbol' }, {}, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageForward(prints, { toMs: window.toMs }, prints.rowCount >= limit);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, E } = rowOf(payload, 'depth');
  return readBook(contract, { bids, asks }, sizeUnitOf(contract), decimalOrNull(E));
}
