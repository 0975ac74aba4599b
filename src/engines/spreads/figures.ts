import { SECOND_MS } from '../../base/times.ts';
import { SAME_COIN_TOLERANCE } from '../../market/identity.ts';
import type { LegNumbers } from './legs.ts';

export const FRESH_MS = 15 * SECOND_MS;
const STRONG_VOLUME_USDT = 1_000_000;
/** A direction is steady if it was the same in this many consecutive tables, including the newest. */
export const STEADY_PRINTS = 3;
/** The same eight decimals as `roundPercent`, but faster: a table rounds tens of thousands of rows every few seconds. */
const PERCENT_STEPS_PER_UNIT = 1e8;

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

/** The computed figures of each pair, by column. */
export interface PairFigures {
  longAShortBPct: Float64Array;
  shortALongBPct: Float64Array;
  /** 1: long A and short B is the better direction. */
  isLongA: Uint8Array;
  updatedAtMs: Float64Array;
  /** A bit for each of CHECKS that holds, without the steady direction. */
  checksNow: Uint8Array;
  /** Consecutive tables with this direction, at most STEADY_PRINTS. 0: no row. */
  streak: Uint8Array;
}

export function newPairFigures(count: number): PairFigures {
  return {
    longAShortBPct: new Float64Array(count),
    shortALongBPct: new Float64Array(count),
    isLongA: new Uint8Array(count),
    updatedAtMs: new Float64Array(count),
    checksNow: new Uint8Array(count),
    streak: new Uint8Array(count),
  };
}

/** A bit for each of CHECKS that holds. */
export function checksOf(figures: PairFigures, pair: number): number {
  return (
    (figures.checksNow[pair] as number) | ((figures.streak[pair] as number) >= STEADY_PRINTS ? STEADY : 0)
  );
}

/** By the bits of the checks: how many hold. */
export const STRENGTHS: readonly number[] = Array.from(
  { length: 2 ** CHECKS.length },
  (_, checks) => CHECKS.filter((_, place) => checks & (1 << place)).length,
);

/** The spread less the taker fees of a round trip: both legs are opened and closed. */
export function netSpreadPct(spreadPct: number, feeAPct: number, feeBPct: number): number {
  return percentOf(spreadPct - 2 * (feeAPct + feeBPct));
}

/** Computes one pair from its legs. Returns false, for no row, if the prices differ too much for one coin. */
export function computePair(
  legs: LegNumbers,
  a: number,
  b: number,
  asOfMs: number,
  figures: PairFigures,
  pair: number,
): boolean {
  const bidA = legs.bid[a] as number;
  const askA = legs.ask[a] as number;
  const bidB = legs.bid[b] as number;
  const askB = legs.ask[b] as number;
  const sumA = bidA + askA;
  const sumB = bidB + askB;
  if (Math.abs(sumA - sumB) > SAME_COIN_TOLERANCE * Math.min(sumA, sumB)) return false;

  const longPct = percent((bidB - askA) / askA);
  const shortPct = percent((bidA - askB) / askB);
  const isLongA = longPct >= shortPct;
  const spreadPct = isLongA ? longPct : shortPct;
  const receivedA = legs.receivedAtMs[a] as number;
  const receivedB = legs.receivedAtMs[b] as number;
  const olderMs = Math.min(receivedA, receivedB);
  const netPct = netSpreadPct(spreadPct, legs.takerFeePct[a] as number, legs.takerFeePct[b] as number);
  const smallerVolume = Math.min(legs.volume24hUsdt[a] as number, legs.volume24hUsdt[b] as number);
  const bought = isLongA ? a : b;
  const sold = isLongA ? b : a;

  let checks = 0;
  if (netPct >= 0) checks |= COVERS_FEES;
  if (smallerVolume >= STRONG_VOLUME_USDT) checks |= VOLUMES;
  if (asOfMs - olderMs < FRESH_MS) checks |= FRESH;
  if (legs.askFills[bought] === 1 && legs.bidFills[sold] === 1) checks |= FILL;

  figures.longAShortBPct[pair] = longPct;
  figures.shortALongBPct[pair] = shortPct;
  figures.isLongA[pair] = isLongA ? 1 : 0;
  figures.updatedAtMs[pair] = olderMs;
  figures.checksNow[pair] = checks;
  return true;
}

function percent(fraction: number): number {
  return percentOf(fraction * 100);
}

/** A percent with eight decimals. */
export function percentOf(value: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(value * PERCENT_STEPS_PER_UNIT) / PERCENT_STEPS_PER_UNIT + 0;
}
