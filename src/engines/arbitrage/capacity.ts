import type { BookTop, Depth } from '../../venues/observations.ts';
import { type BookSide, isTradable, isTradableBook } from '../depth/fill-price.ts';

export const SLIPPAGES_BP = [2, 5, 10] as const;
export type SlippageBp = (typeof SLIPPAGES_BP)[number];

const BP_PER_UNIT = 10_000;
/** Larger than the rounding of a limit, so that a price exactly at the limit counts. */
const LIMIT_SLACK_BP = 1e-6;

/**
 * For each slippage the value, in quote units, that can be bought and can be sold within so many basis points of the
 * best price: the smaller of both sides, because a position is opened on one and closed on the other. Null without a
 * valid book. A top with sizes counts as a book of one level.
 */
export function capacities(depth: Depth | null, top: BookTop | null): readonly number[] | null {
  const book = depth && isTradableBook(depth) ? depth : topBook(top);
  if (!book) return null;
  return SLIPPAGES_BP.map((slippageBp) =>
    Math.min(valueWithin(book.asks, slippageBp, true), valueWithin(book.bids, slippageBp, false)),
  );
}

type Sides = Pick<Depth, 'bids' | 'asks'>;

function topBook(top: BookTop | null): Sides | null {
  if (!top || top.bidSize === null || top.askSize === null) return null;
  if (!isTradable(top.bidPrice, top.askPrice)) return null;
  return { bids: [[top.bidPrice, top.bidSize]], asks: [[top.askPrice, top.askSize]] };
}

function valueWithin(levels: BookSide, slippageBp: number, isBuy: boolean): number {
  const best = levels[0]?.[0] ?? 0;
  const limit = best * (1 + ((isBuy ? 1 : -1) * (slippageBp + LIMIT_SLACK_BP)) / BP_PER_UNIT);
  let value = 0;
  for (const [price, size] of levels) {
    if (isBuy ? price > limit : price < limit) break;
    value += price * size;
  }
  return value;
}
