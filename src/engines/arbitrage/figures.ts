/**
 * The formulas of a pair: long on one venue, short on another. Rates are percent per settlement, positive when longs
 * pay. docs/arbitrage.md explains each figure with a worked example.
 */

import { roundPercent as percent } from '../../base/numbers.ts';

const HOURS_PER_DAY = 24;
const DAYS_PER_YEAR = 365;

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

/** The price gained (positive) or paid on opening at the present tops: buying at the ask of the long leg, selling at the bid of the short. */
export function entrySpreadPct(longAsk: number, shortBid: number): number {
  return percent(((shortBid - longAsk) / longAsk) * 100);
}

/**
 * The price gained (positive) or paid on closing at the present tops: selling the long leg at its bid, buying the short
 * one back at its ask. In percent of the same price as the entry, so that entry and exit together are the widths of both
 * books, and the gap between the venues, which has not moved, is counted on neither side.
 */
export function exitSpreadPct(longBid: number, longAsk: number, shortAsk: number): number {
  return percent(((longBid - shortAsk) / longAsk) * 100);
}

/** What opening and closing cost together: four fills, and both books crossed twice. */
export function roundTripCostPct(feePct: number, entryPct: number, exitPct: number): number {
  return percent(feePct - entryPct - exitPct);
}

/** Percent a year of a position held for so many days at the running rates, net of what opening and closing cost. */
export function netAprPct(carryDay: number, costPct: number, holdDays: number): number {
  return percent(((carryDay * holdDays - costPct) / holdDays) * DAYS_PER_YEAR);
}
