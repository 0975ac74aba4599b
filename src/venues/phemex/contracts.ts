import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import type { AssetClass, Batch, Contract, ContractStatus } from '../observations.ts';
import { goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { COMMODITIES, INDEXES, USUAL_PRICE_SCALE } from './wire.ts';

/** A contract with the facts that the venue's other calls need. */
interface PhemexContract extends Contract {
  /** Decimals of scaled integer prices; only coin-margined contracts have such prices. */
  priceScale: number;
  /** The symbol under which the venue publishes the settled rates. */
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

/** Everything but market data answers with a code. */
export function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'code', 0).data;
}

export function parseProducts(payload: unknown, receivedAtMs: number): Batch {
  const data = rowOf(dataOf(payload, 'products-plus'), 'data');
  const rows = [...listOf(data.perpProductsV2, 'perpProductsV2'), ...listOf(data.products, 'products')];
  return readContracts(rows, 'symbol', 'perpetuals', (row, venueSymbol) => {
    const type = textOf(row.type);
    if (type !== 'PerpetualV2' && type !== 'Perpetual') return ignore(type ?? 'no type');
    if (row.status === 'Delisted') return ignore('delisted');
    return contractOf(row, venueSymbol, type === 'Perpetual', receivedAtMs);
  });
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
  // The old model also has contracts settled in USD, whose sizes and values are scaled in another way.
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
    assetClass: assetClassOf(base, labelledClassOf(row, base)),
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

function labelledClassOf(row: Row, base: string): AssetClass {
  // Both pre-market products of 2026-09-23 are on companies before their listing.
  if (row.perpProductSubType === 'PreMarket') return 'stock';
  if (row.perpProductSubType !== 'TradFi') return 'crypto';
  if (COMMODITIES.has(base)) return 'commodity';
  return INDEXES.has(base) ? 'index' : traditionalClassOf(base);
}
