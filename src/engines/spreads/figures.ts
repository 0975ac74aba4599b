import { roundPercent } from '../../base/numbers.ts';
import { SECOND_MS } from '../../base/times.ts';
import { SAME_COIN_TOLERANCE } from '../../market/identity.ts';
import type { LegNumbers } from './legs.ts';

const FRESH_MS = 15 * SECOND_MS;
const STRONG_VOLUME_USDT = 1_000_000;
/** A direction is steady if it was the same in this many consecutive tables, including the newest. */
export const STEADY_PRINTS = 3;

/** The conditions that strength counts, by the column that shows each. */
export const CHECKS = [
  'covers_fees',
  'both_volumes_1m',
  'both_fresh_15s',
  'both_fill_500_usd',
  'steady_3_prints',
] as const;
const COVERS_FEES = 1;
const VOLUMES = 2;
const FRESH = 4;
const FILL = 8;
const STEADY = 16;

/** By the bits of the checks: how many hold. */
export const STRENGTHS: readonly number[] = Array.from(
  { length: 2 ** CHECKS.length },
  (_, checks) => CHECKS.filter((_, place) => checks & (1 << place)).length,
);

/** The spread less the taker fees of a round trip: both legs are opened and closed. */
export function netSpreadPct(spreadPct: number, feeAPct: number, feeBPct: number): number {
  return roundPercent(spreadPct - 2 * (feeAPct + feeBPct));
}

/** The bits of the checks that hold for a pair, without the steady direction. */
export function checksOf(
  legs: LegNumbers,
  bought: number,
  sold: number,
  spreadPct: number,
  asOfMs: number,
): number {
  const { takerFeePct, volume24hUsdt, receivedAtMs, askFills, bidFills } = legs;
  const netPct = netSpreadPct(spreadPct, takerFeePct[bought] as number, takerFeePct[sold] as number);
  const smallerVolume = Math.min(volume24hUsdt[bought] as number, volume24hUsdt[sold] as number);
  const olderMs = Math.min(receivedAtMs[bought] as number, receivedAtMs[sold] as number);
  return (
    (netPct >= 0 ? COVERS_FEES : 0) |
    (smallerVolume >= STRONG_VOLUME_USDT ? VOLUMES : 0) |
    (asOfMs - olderMs < FRESH_MS ? FRESH : 0) |
    (askFills[bought] === 1 && bidFills[sold] === 1 ? FILL : 0)
  );
}

/** The bit of the steady direction, if it has been the same for enough tables. */
export function steadyCheck(streak: number): number {
  return streak >= STEADY_PRINTS ? STEADY : 0;
}

/** Whether the prices of two legs are close enough for one coin. Other pairs have no row. */
export function isOneCoin({ bid, ask }: LegNumbers, a: number, b: number): boolean {
  const sumA = (bid[a] as number) + (ask[a] as number);
  const sumB = (bid[b] as number) + (ask[b] as number);
  return Math.abs(sumA - sumB) <= SAME_COIN_TOLERANCE * Math.min(sumA, sumB);
}

/**
 * Whether buying A and selling B is the better direction: bid B / ask A is at least bid A / ask B, and both asks are positive.
 * Spreads that are equal once they are rounded may differ here.
 */
export function isLongA({ bid, ask }: LegNumbers, a: number, b: number): boolean {
  return (bid[b] as number) * (ask[b] as number) >= (bid[a] as number) * (ask[a] as number);
}

/** The spread between the ask of the leg that is bought and the bid of the one that is sold. */
export function spreadPctOf({ bid, ask }: LegNumbers, bought: number, sold: number): number {
  const paid = ask[bought] as number;
  return roundPercent((((bid[sold] as number) - paid) / paid) * 100);
}
