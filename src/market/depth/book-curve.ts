import type { BookTop, Depth } from '../../venues/observations.ts';
import { isTradable } from './fill-price.ts';
import { SideCurve } from './side-curve.ts';

/** What a book costs to trade against, in quote units of the contract's own base. */
export interface BookCurve {
  mid: number;
  /** Best ask less best bid, in percent of the mid. */
  spreadPct: number;
  /** Where a seller's order fills. */
  bids: SideCurve;
  /** Where a buyer's order fills. */
  asks: SideCurve;
}

/** The curve of a book that was received at a time. */
export interface DatedCurve {
  curve: BookCurve;
  atMs: number;
  /** How often a newer one is fetched. */
  periodMs: number;
}

/** Null without both sides: an empty, one-sided, crossed or invalid book has no mid. */
export function curveOf({ bids, asks }: Pick<Depth, 'bids' | 'asks'>): BookCurve | null {
  const [bid, ask] = [bids[0]?.[0] ?? 0, asks[0]?.[0] ?? 0];
  if (!isTradable(bid, ask)) return null;
  const mid = bid / 2 + ask / 2;
  const [bidCurve, askCurve] = [SideCurve.of(bids, mid, false), SideCurve.of(asks, mid, true)];
  if (!bidCurve || !askCurve) return null;
  return { mid, spreadPct: ((ask - bid) / mid) * 100, bids: bidCurve, asks: askCurve };
}

/** The best bid and ask as a book of one level; null without their sizes. */
export function curveOfTop({ bidPrice, bidSize, askPrice, askSize }: BookTop): BookCurve | null {
  if (bidSize === null || askSize === null) return null;
  return curveOf({ bids: [[bidPrice, bidSize]], asks: [[askPrice, askSize]] });
}
