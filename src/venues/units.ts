import type { BookTop, Contract, Depth } from './observations.ts';
import { positiveOf, type Row } from './reading.ts';

/** A number of contracts as units of the contract's own base. */
export function baseSize(contract: Contract, contracts: number, price: number): number {
  return contract.isInverse ? (contracts * contract.contractSize) / price : contracts * contract.contractSize;
}

/** A turnover in contracts as USDT. An inverse contract has a face value in USD, so its price does not matter. */
export function usdtFromContracts(contract: Contract, contracts: number, price: number): number {
  return contract.isInverse ? contracts * contract.contractSize : contracts * contract.contractSize * price;
}

export type SizeUnit = 'base' | 'contracts';

export interface TopFields {
  bidPrice: unknown;
  bidSize: unknown;
  askPrice: unknown;
  askSize: unknown;
}

/** A book top from raw fields, or the reason why there is none. Sizes that are missing or 0 become null. */
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

/** One side of a book from rows of [price, size, ...] or of objects; bad levels are left out. */
export function readLevels(
  contract: Contract,
  levels: unknown,
  unit: SizeUnit,
  fields?: { price: string; size: string },
): [number, number][] {
  if (!Array.isArray(levels)) return [];
  const side: [number, number][] = [];
  for (const level of levels as unknown[]) {
    const [rawPrice, rawSize] = fields
      ? [(level as Row)[fields.price], (level as Row)[fields.size]]
      : [(level as unknown[])[0], (level as unknown[])[1]];
    const price = positiveOf(rawPrice);
    const size = positiveOf(rawSize);
    if (price !== null && size !== null)
      side.push([price, unit === 'base' ? size : baseSize(contract, size, price)]);
  }
  return side;
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
    bids: bids.toSorted((a, b) => b[0] - a[0]),
    asks: asks.toSorted((a, b) => a[0] - b[0]),
    venueTimeMs,
  };
}
