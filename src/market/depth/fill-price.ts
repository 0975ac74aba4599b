import type { Depth } from '../../venues/observations.ts';

export type BookSide = readonly (readonly [price: number, size: number])[];

/**
 * The average price at which an order of the given value, in quote units, fills against one side of the book, best
 * level first. Null when the side is too small, or is invalid (a price or size not above zero, or levels out of order).
 */
export function fillPrice(levels: BookSide, value: number, isBuy: boolean): number | null {
  let left = value;
  let bought = 0;
  let before = 0;
  for (const [i, [price, size]] of levels.entries()) {
    if (!(price > 0 && size > 0 && Number.isFinite(price) && Number.isFinite(size))) return null;
    if (i > 0 && (isBuy ? price < before : price > before)) return null;
    before = price;
    const here = price * size;
    if (here >= left) return i === 0 ? price : value / (bought + left / price);
    left -= here;
    bought += size;
  }
  return null;
}

/** True if bid and ask are above zero, finite and not crossed. */
export function isTradable(bidPrice: number, askPrice: number): boolean {
  return bidPrice > 0 && askPrice >= bidPrice && Number.isFinite(askPrice);
}

export function isTradableBook({ bids, asks }: Depth): boolean {
  return bids[0] !== undefined && asks[0] !== undefined && isTradable(bids[0][0], asks[0][0]);
}
