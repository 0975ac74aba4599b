import { perSnapshot } from '../../base/per-snapshot.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { type BookCurve, curveOfTop, type DatedCurve } from '../../market/depth/book-curve.ts';
import { LIMIT_SLACK_BP, type SideCurve } from '../../market/depth/side-curve.ts';
import type { BookTop } from '../../venues/observations.ts';

export const SLIPPAGES_BP = [2, 5, 10] as const;
export type SlippageBp = (typeof SLIPPAGES_BP)[number];

/** Older books and tops are not used. */
const MAX_AGE_MS = 10 * MINUTE_MS;

interface Quoted {
  top: BookTop | null;
  topAtMs: number;
}

export interface Capacities {
  /** For each slippage, in quote units. */
  values: readonly number[];
  /** How far from the mid the known levels reach, in basis points, on the side where they reach less far. */
  reachBp: number;
}

/** The capacity of a contract from its book, or from its top as a book of one level; null if both are old or invalid. */
export function capacityOf(
  dated: DatedCurve | undefined,
  { top, topAtMs }: Quoted,
  nowMs: number,
): Capacities | null {
  if (dated && nowMs - dated.atMs <= MAX_AGE_MS) return ofCurve(dated.curve);
  return top && nowMs - topAtMs <= MAX_AGE_MS ? ofTop(top) : null;
}

// A book or top lasts for many snapshots.
const ofCurve = perSnapshot(capacities);
const ofTop = perSnapshot((top: BookTop) => {
  const curve = curveOfTop(top);
  return curve && capacities(curve);
});

/** True if more than the value may fit, because the levels end before the slippage does. */
export function isLowerBound(reachBp: number, slippageBp: SlippageBp): boolean {
  return reachBp <= slippageBp + LIMIT_SLACK_BP;
}

/**
 * For each slippage the value that can be bought and can be sold within so many basis points of the mid: the smaller of
 * both sides, because a position is opened on one and closed on the other.
 */
export function capacities({ bids, asks }: BookCurve): Capacities {
  return {
    values: SLIPPAGES_BP.map((bp) => Math.min(knownWithin(asks, bp), knownWithin(bids, bp))),
    reachBp: Math.min(asks.reachBp, bids.reachBp),
  };
}

/** What rests there at least: all that was received, if the levels received end before. */
function knownWithin(side: SideCurve, slippageBp: SlippageBp): number {
  const value = side.valueWithin(slippageBp);
  return Number.isNaN(value) ? side.receivedValue : value;
}
