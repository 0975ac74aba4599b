import type { BookTop, Depth } from '../../venues/observations.ts';
import { type BookSide, isTradable, isTradableBook } from '../depth/fill-price.ts';

export const SLIPPAGES_BP = [2, 5, 10] as const;
export type SlippageBp = (typeof SLIPPAGES_BP)[number];

const BP_PER_UNIT = 10_000;
/** Larger than the rounding of a limit, so that a price exactly at the limit counts. */
const LIMIT_SLACK_BP = 1e-6;

export interface Capacities {
  /** For each slippage, in quote units. */
  values: readonly number[];
  /** How far from the best price the known levels reach, in basis points, on the side where they reach less far. */
  reachBp: number;
}

/**
 * For each slippage the value that can be bought and can be sold within so many basis points of the best price: the
 * smaller of both sides, because a position is opened on one and closed on the other. Null without a valid book. A top
 * with sizes counts as a book of one level.
 */
export function capacities(depth: Depth | null, top: BookTop | null): Capacities | null {
  const book = depth && isTradableBook(depth) ? depth : topBook(top);
  if (!book) return null;
  const values = SLIPPAGES_BP.map((slippageBp) =>
    Math.min(valueWithin(book.asks, slippageBp, true), valueWithin(book.bids, slippageBp, false)),
  );
  return { values, reachBp: Math.min(reachBp(book.asks), reachBp(book.bids)) };
}

/** True if more than the value may fit, because the levels end before the slippage does, as the top alone does. */
export function isLowerBound(reachBp: number, slippageBp: SlippageBp): boolean {
  return reachBp <= slippageBp + LIMIT_SLACK_BP;
}

function reachBp(levels: BookSide): number {
  const [best, last] = [levels[0]?.[0] ?? 0, levels.at(-1)?.[0] ?? 0];
  return (Math.abs(last - best) / best) * BP_PER_UNIT;
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
