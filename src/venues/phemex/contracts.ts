import type { AssetClass, Batch, Contract, ContractStatus } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { epochMsOf, ignore, listOf, positiveOf, type Row, readRows, rowOf, textOf } from '../reading.ts';
import { dataOf } from './replies.ts';
import { COMMODITIES, INDEXES, USUAL_PRICE_SCALE } from './wire.ts';

/** What the other calls of the venue need to know of a product; it travels with the contract. */
export interface PhemexContract extends Contract {
  /** Decimals of scaled integer prices; only coin-margined contracts have such prices. */
  priceScale: number;
  /** The venue's name of the settled rates. */
  fundingSymbol: string;
}

function hasWireFacts(contract: Contract): contract is PhemexContract {
  return 'priceScale' in contract && 'fundingSymbol' in contract;
}

export function priceScaleOf(contract: Contract): number {
  return hasWireFacts(contract) ? contract.priceScale : USUAL_PRICE_SCALE;
}

export function fundingSymbolOf(contract: Contract): string {
  return hasWireFacts(contract)
    ? contract.fundingSymbol
    : usualFundingSymbol(contract.venueSymbol, contract.isInverse);
}

/** `.BTCUSDTFR8H`, `.BTCFR8H` for BTCUSD and `.cETHFR8H` for cETHUSD, whatever the interval really is. */
function usualFundingSymbol(venueSymbol: string, isInverse: boolean): string {
  return `.${isInverse ? venueSymbol.replace(/USD$/, '') : venueSymbol}FR8H`;
}

export function parseProducts(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: PhemexContract[] = [];
  const data = rowOf(dataOf(payload, 'products-plus'), 'data');
  const rows = [...listOf(data.perpProductsV2, 'perpProductsV2'), ...listOf(data.products, 'products')];
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const type = textOf(row.type);
    if (type !== 'PerpetualV2' && type !== 'Perpetual') return ignore(type ?? 'no type');
    if (row.status === 'Delisted') return ignore('delisted');
    const contract = contractOf(row, venueSymbol, type === 'Perpetual', receivedAtMs);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    return null;
  });
  batch.contractList = { part: 'perpetuals', contracts };
  return batch;
}

function contractOf(
  row: Row,
  venueSymbol: string,
  isCoinMargined: boolean,
  receivedAtMs: number,
): PhemexContract | string {
  const quote = textOf(row.quoteCurrency);
  const settle = textOf(row.settleCurrency);
  if (quote === null || settle === null) return 'no quote or settlement currency';
  // The old model also had contracts settled in USD; their sizes and values are scaled in yet another way.
  if (isCoinMargined && settle === quote) return ignore('old model settled in USD');
  // A multiplied base is spelled with a space: "1000 PEPE".
  const base = isCoinMargined ? settle : (textOf(row.baseCurrency)?.replaceAll(' ', '') ?? null);
  if (base === null) return 'no base';
  const contractSize = isCoinMargined ? faceValueOf(row.contractSize) : 1;
  if (contractSize === null) return 'no contract size';
  const venueStatus = textOf(row.status) ?? '';
  if (venueStatus !== 'Listed') return `unknown status ${venueStatus}`;
  const timeline = Array.isArray(row.timeline) ? row.timeline : [];
  const listedAtMs = epochMsOf(timeline[1]) ?? epochMsOf(row.listTime);
  const delistsAtMs = epochMsOf(timeline[3]);
  return {
    venueSymbol,
    base,
    quote,
    settle,
    isInverse: isCoinMargined,
    contractSize,
    status: statusOf(listedAtMs, delistsAtMs, receivedAtMs),
    venueStatus,
    assetClass: assetClassOf(row, base),
    listedAtMs,
    delistsAtMs,
    maxLeverage: null,
    // The list has hours in some rows and seconds in others; the funding call has the one in force.
    intervalHours: null,
    priceScale: positiveOf(row.priceScale) ?? USUAL_PRICE_SCALE,
    fundingSymbol: textOf(row.fundingRate8hSymbol) ?? usualFundingSymbol(venueSymbol, isCoinMargined),
  };
}

/** "1 USD", or the bare number. */
function faceValueOf(value: unknown): number | null {
  return positiveOf(typeof value === 'string' ? value.split(' ')[0] : value);
}

function statusOf(
  listedAtMs: number | null,
  delistsAtMs: number | null,
  receivedAtMs: number,
): ContractStatus {
  if (delistsAtMs !== null && delistsAtMs <= receivedAtMs) return 'delisted';
  if (listedAtMs !== null && listedAtMs > receivedAtMs) return 'preopen';
  return delistsAtMs === null ? 'trading' : 'delisting';
}

function assetClassOf(row: Row, base: string): AssetClass {
  if (row.perpProductSubType !== 'TradFi') return 'crypto';
  if (COMMODITIES.has(base)) return 'commodity';
  return INDEXES.has(base) ? 'index' : 'stock';
}
