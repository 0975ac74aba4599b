import { MAX_PRICE, MAX_SIZE } from './bounds.ts';
import { amountOf, positiveOf } from './fields.ts';
import type { BookTop, Contract, Depth } from './observations.ts';
import { isRow } from './reading.ts';

/** Base and quote of a symbol that joins them: BTC-USDT. Empty texts if it does not. */
export function splitSymbol(venueSymbol: string, separator: string): { base: string; quote: string } {
  const at = venueSymbol.lastIndexOf(separator);
  return { base: venueSymbol.slice(0, Math.max(0, at)), quote: venueSymbol.slice(at + 1) };
}

/** The leverage that an initial margin allows: a margin of 0.02 is a leverage of 50. */
export function leverageOf(initialMargin: unknown): number | null {
  const margin = positiveOf(initialMargin);
  return margin === null ? null : Math.round(100 / margin) / 100;
}

/** A number of contracts as units of the contract's own base. */
export function baseSize(contract: Contract, contracts: number, price: number): number {
  return contract.isInverse ? (contracts * contract.contractSize) / price : contracts * contract.contractSize;
}

/** A turnover in contracts as USDT. An inverse contract has a face value in USD, so its price is not needed. */
export function usdtFromContracts(contract: Contract, contracts: number, price: number): number {
  return contract.isInverse ? contracts * contract.contractSize : contracts * contract.contractSize * price;
}

/** Turnover in USDT where the venue gives only a number of contracts. Null without the number or the price. */
export function turnoverOfContracts(contract: Contract, amount: unknown, lastPrice: unknown): number | null {
  const [contracts, price] = [amountOf(amount), positiveOf(lastPrice)];
  return contracts === null || price === null ? null : usdtFromContracts(contract, contracts, price);
}

/**
 * Turnover in USDT where linear contracts give it in quote units and inverse ones only as a number of contracts (their
 * turnover in quote units, if any, is in coins).
 */
export function turnoverUsdt(
  contract: Contract,
  fields: { linearQuote: unknown; inverseContracts: unknown },
): number | null {
  if (!contract.isInverse) return amountOf(fields.linearQuote);
  const contracts = amountOf(fields.inverseContracts);
  return contracts === null ? null : usdtFromContracts(contract, contracts, 1);
}

/** Open interest in USDT from the venue's unit. Null without an amount, or without the price that the unit needs. */
export function openInterestUsdt(
  contract: Contract,
  amount: unknown,
  unit: SizeUnit | 'quote',
  markPrice: number | null,
): number | null {
  const units = amountOf(amount);
  if (units === null || unit === 'quote') return units;
  // The face value of an inverse contract is in USD already.
  if (unit === 'contracts' && contract.isInverse) return usdtFromContracts(contract, units, 1);
  if (markPrice === null) return null;
  return unit === 'base' ? units * markPrice : usdtFromContracts(contract, units, markPrice);
}

export type SizeUnit = 'base' | 'contracts';

/** The unit of sizes at venues that count linear contracts in base units and inverse ones in contracts. */
export function sizeUnitOf(contract: Contract): SizeUnit {
  return contract.isInverse ? 'contracts' : 'base';
}

export interface TopFields {
  bidPrice: unknown;
  bidSize: unknown;
  askPrice: unknown;
  askSize: unknown;
}

/** A book top from raw fields, or the reason why there is none. A missing or zero size becomes null. */
export function readTop(
  contract: Contract,
  fields: TopFields,
  unit: SizeUnit,
  venueTimeMs: number | null,
): BookTop | string {
  const bidPrice = positiveOf(fields.bidPrice);
  const askPrice = positiveOf(fields.askPrice);
  if (bidPrice === null || askPrice === null) return 'no bid or ask';
  if (bidPrice >= askPrice) return 'crossed book';
  const size = (value: unknown, price: number) => {
    const number = positiveOf(value);
    if (number === null) return null;
    return unit === 'base' ? number : baseSize(contract, number, price);
  };
  return {
    venueSymbol: contract.venueSymbol,
    bidPrice,
    bidSize: size(fields.bidSize, bidPrice),
    askPrice,
    askSize: size(fields.askSize, askPrice),
    venueTimeMs,
  };
}

/** The field names of a level that is an object. Without them a level is a list: [price, size, ...]. */
interface LevelFields {
  price: string;
  size: string;
}

/** One side of a book. Bad levels are left out. */
export function readLevels(
  contract: Contract,
  levels: unknown,
  unit: SizeUnit,
  fields?: LevelFields,
): [number, number][] {
  if (!Array.isArray(levels)) return [];
  const side: [number, number][] = [];
  for (const level of levels as unknown[]) {
    const [rawPrice, rawSize] = rawLevel(level, fields);
    const price = positiveOf(rawPrice);
    const size = positiveOf(rawSize);
    if (price === null || size === null || price > MAX_PRICE) continue;
    const units = unit === 'base' ? size : baseSize(contract, size, price);
    if (units <= MAX_SIZE) side.push([price, units]);
  }
  return side;
}

function rawLevel(level: unknown, fields?: LevelFields): unknown[] {
  if (fields) return isRow(level) ? [level[fields.price], level[fields.size]] : [];
  return Array.isArray(level) ? level : [];
}

/** A book from the two sides of a reply. */
export function readBook(
  contract: Contract,
  sides: { bids: unknown; asks: unknown },
  unit: SizeUnit,
  venueTimeMs: number | null,
  fields?: LevelFields,
): Depth {
  return bookOf(
    contract,
    readLevels(contract, sides.bids, unit, fields),
    readLevels(contract, sides.asks, unit, fields),
    venueTimeMs,
  );
}

/** The top of a book in base units, or the reason why it has none. */
export function topOfBook(contract: Contract, { bids, asks, venueTimeMs }: Depth): BookTop | string {
  const [bid, ask] = [bids[0], asks[0]];
  const fields = { bidPrice: bid?.[0], bidSize: bid?.[1], askPrice: ask?.[0], askSize: ask?.[1] };
  return readTop(contract, fields, 'base', venueTimeMs);
}

/** A book with each side best first, whatever order the venue sends. */
export function bookOf(
  contract: Contract,
  bids: [number, number][],
  asks: [number, number][],
  venueTimeMs: number | null,
): Depth {
  return {
    venueSymbol: contract.venueSymbol,
    bids: ascending(bids, -1),
    asks: ascending(asks, 1),
    venueTimeMs,
  };
}

/** Nearly all sides come sorted: to sort them again would allocate a number for every comparison. */
function ascending(levels: [number, number][], sign: 1 | -1): [number, number][] {
  let before = Number.NEGATIVE_INFINITY;
  for (const [price] of levels) {
    if (sign * price < before) return levels.toSorted((a, b) => sign * (a[0] - b[0]));
    before = sign * price;
  }
  return levels;
}
