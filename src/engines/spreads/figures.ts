import { SECOND_MS } from '../../base/times.ts';
import { SAME_COIN_TOLERANCE } from '../../market/identity.ts';
import type { LegNumbers } from './legs.ts';

export const FRESH_MS = 15 * SECOND_MS;
export const STRONG_VOLUME_USDT = 1_000_000;
/** A direction is steady if it was the same in this many consecutive prints, including the newest. */
export const STEADY_PRINTS = 3;
/** Larger than the floating-point error of a sum of fees. */
const FEE_SLACK_PCT = 1e-9;
/** The same eight decimals as `roundPercent`, but faster: prints round tens of thousands of rows every few seconds. */
const PERCENT_STEPS_PER_UNIT = 1e8;

/** The computed figures of each pair, by column. */
export interface PairFigures {
  longAShortBPct: Float64Array;
  shortALongBPct: Float64Array;
  /** 1: long A and short B is the better direction. */
  isLongA: Uint8Array;
  updatedAtMs: Float64Array;
  /** How many conditions of strength are met, without the steady direction. */
  strengthNow: Uint8Array;
  /** Consecutive prints with this direction, at most STEADY_PRINTS. 0: no row. */
  streak: Uint8Array;
}

export function newPairFigures(count: number): PairFigures {
  return {
    longAShortBPct: new Float64Array(count),
    shortALongBPct: new Float64Array(count),
    isLongA: new Uint8Array(count),
    updatedAtMs: new Float64Array(count),
    strengthNow: new Uint8Array(count),
    streak: new Uint8Array(count),
  };
}

export function strengthOf(figures: PairFigures, pair: number): number {
  return (figures.strengthNow[pair] as number) + ((figures.streak[pair] as number) >= STEADY_PRINTS ? 1 : 0);
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
  const feesPct = 2 * ((legs.takerFeePct[a] as number) + (legs.takerFeePct[b] as number));
  const smallerVolume = Math.min(legs.volume24hUsdt[a] as number, legs.volume24hUsdt[b] as number);
  const bought = isLongA ? a : b;
  const sold = isLongA ? b : a;

  let strength = 0;
  if (spreadPct >= feesPct - FEE_SLACK_PCT) strength++;
  if (smallerVolume >= STRONG_VOLUME_USDT) strength++;
  if (asOfMs - olderMs < FRESH_MS) strength++;
  if (legs.askFills[bought] === 1 && legs.bidFills[sold] === 1) strength++;

  figures.longAShortBPct[pair] = longPct;
  figures.shortALongBPct[pair] = shortPct;
  figures.isLongA[pair] = isLongA ? 1 : 0;
  figures.updatedAtMs[pair] = olderMs;
  figures.strengthNow[pair] = strength;
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
