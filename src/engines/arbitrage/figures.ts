/**
 * The formulas of a pair: long on one venue, short on another. Rates are percent per settlement, positive when longs
 * pay. docs/arbitrage.md explains each figure with a worked example.
 */

import { percentOf as percent } from '../spreads/figures.ts';

const HOURS_PER_DAY = 24;
const DAYS_PER_YEAR = 365;
const HOUR_STEPS_PER_UNIT = 1e4;

export const HOLD_DAYS = [7, 30, 90] as const;
export type HoldDays = (typeof HOLD_DAYS)[number];

/** What a position earns or pays a day at the running rate. */
export function ratePctDay(ratePct: number, intervalHours: number): number {
  return (ratePct * HOURS_PER_DAY) / intervalHours;
}

/** What the pair earns a day: the short leg receives its rate, the long leg pays its own. */
export function carryPctDay(shortPctDay: number, longPctDay: number): number {
  return percent(shortPctDay - longPctDay);
}

export function grossAprPct(carryDay: number): number {
  return percent(carryDay * DAYS_PER_YEAR);
}

/** Four fills: each leg is opened and closed at its taker fee. */
export function roundTripFeePct(longFeePct: number, shortFeePct: number): number {
  return percent(2 * (longFeePct + shortFeePct));
}

/** The price gained (positive) or paid on opening: buying at the ask of the long leg, selling at the bid of the short. */
export function entrySpreadPct(longAsk: number, shortBid: number): number {
  return percent(((shortBid - longAsk) / longAsk) * 100);
}

/** Hours until the carry has paid fees and entry. NaN when it never does. */
export function breakEvenHours(feePct: number, entryPct: number, carryDay: number): number {
  const costPct = percent(feePct - entryPct);
  if (costPct <= 0) return 0;
  if (carryDay <= 0) return Number.NaN;
  return Math.round(((costPct * HOURS_PER_DAY) / carryDay) * HOUR_STEPS_PER_UNIT) / HOUR_STEPS_PER_UNIT;
}

/** Percent a year of a position held for so many days at the running rates, net of fees and entry. */
export function netAprPct(carryDay: number, feePct: number, entryPct: number, holdDays: number): number {
  return percent(((carryDay * holdDays - feePct + entryPct) / holdDays) * DAYS_PER_YEAR);
}
