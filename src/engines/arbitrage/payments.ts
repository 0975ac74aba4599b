import { roundPercent as percent } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import type { Pairs } from './pairs.ts';

/** When a leg settles, and at which rate. */
export interface LegSchedule {
  /** Percent per settlement; positive when longs pay. */
  ratePct: number;
  intervalHours: number;
  /** NaN where funding accrues continuously or the time is not known. */
  nextAtMs: number;
}

/** A pair that needs longer than this never breaks even. */
const BREAK_EVEN_MOST_HOURS = 365 * 24;
const HOUR_STEPS_PER_UNIT = 1e4;
/** Sums of payments are compared with a cost of eight decimals. */
const ROUNDING_PCT = 1e-9;

/**
 * Hours until the payments of both legs have first covered the cost: from `asOfMs` to a settlement, 0 if there is nothing
 * to cover. NaN if that takes more than 365 days at the running rates.
 */
export function breakEvenHours(
  costPct: number,
  long: LegSchedule,
  short: LegSchedule,
  asOfMs: number,
): number {
  if (!(costPct > 0)) return costPct <= 0 ? 0 : Number.NaN;
  const periodMs = leastCommonMultiple(long.intervalHours, short.intervalHours) * HOUR_MS;
  const first = walk(costPct, long, short, asOfMs, periodMs);
  if (first.reachedMs !== null) return withinBound(first.reachedMs);
  if (first.gainPct <= ROUNDING_PCT) return Number.NaN;
  // The same payments come again in each period, so one says how many whole ones are needed.
  const periods = Math.ceil((costPct - first.peakPct - ROUNDING_PCT) / first.gainPct);
  if (periods * periodMs > BREAK_EVEN_MOST_HOURS * HOUR_MS) return Number.NaN;
  const leftPct = Math.min(costPct - periods * first.gainPct, first.peakPct);
  const last = walk(leftPct, long, short, asOfMs, periodMs);
  return withinBound(periods * periodMs + (last.reachedMs ?? 0));
}

interface Walked {
  /** Milliseconds until the payments reached the cost; null if they did not. */
  reachedMs: number | null;
  /** The largest sum after a settlement of the period. */
  peakPct: number;
  /** The sum of a whole period. */
  gainPct: number;
}

/** Walks through one period. It starts when both legs settle within their interval, which is now unless one is late. */
function walk(
  costPct: number,
  long: LegSchedule,
  short: LegSchedule,
  asOfMs: number,
  periodMs: number,
): Walked {
  let longMs = untilFirstMs(long, asOfMs);
  let shortMs = untilFirstMs(short, asOfMs);
  const [longEveryMs, shortEveryMs] = [long.intervalHours * HOUR_MS, short.intervalHours * HOUR_MS];
  const startMs = Math.max(0, longMs - longEveryMs, shortMs - shortEveryMs);
  const gainPct = (short.ratePct * periodMs) / shortEveryMs - (long.ratePct * periodMs) / longEveryMs;
  let [peakPct, totalPct] = [Number.NEGATIVE_INFINITY, 0];
  for (let atMs = Math.min(longMs, shortMs); atMs <= startMs + periodMs; atMs = Math.min(longMs, shortMs)) {
    // Both legs may settle at the same time; then only the sum counts.
    if (shortMs === atMs) {
      totalPct += short.ratePct;
      shortMs += shortEveryMs;
    }
    if (longMs === atMs) {
      totalPct -= long.ratePct;
      longMs += longEveryMs;
    }
    if (totalPct >= costPct - ROUNDING_PCT) return { reachedMs: atMs, peakPct, gainPct };
    if (atMs > startMs) peakPct = Math.max(peakPct, totalPct);
  }
  return { reachedMs: null, peakPct, gainPct };
}

/** One settlement of the coming hours, as the pair sees it. */
interface Payment {
  atMs: number;
  leg: 'long' | 'short';
  ratePct: number;
  /** Received (positive) or paid, in percent of the size of one leg. */
  pct: number;
  /** The payments up to this one. */
  totalPct: number;
}

/** The settlements of both legs in (asOf, asOf + hours] at the running rates, in order of time. */
export function paymentsWithin(
  hours: number,
  long: LegSchedule,
  short: LegSchedule,
  asOfMs: number,
): Payment[] {
  const found: Omit<Payment, 'totalPct'>[] = [];
  for (const [leg, { ratePct, intervalHours }, firstMs] of [
    ['short', short, untilFirstMs(short, asOfMs)],
    ['long', long, untilFirstMs(long, asOfMs)],
  ] as const)
    for (let atMs = firstMs; atMs <= hours * HOUR_MS; atMs += intervalHours * HOUR_MS)
      found.push({ atMs: asOfMs + atMs, leg, ratePct, pct: leg === 'short' ? ratePct : -ratePct });
  let totalPct = 0;
  return found
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((payment) => {
      totalPct = percent(totalPct + payment.pct);
      return { ...payment, totalPct };
    });
}

/** A leg that names no coming settlement is taken to settle after each whole interval from now on: never too early. */
function untilFirstMs({ nextAtMs, intervalHours }: LegSchedule, asOfMs: number): number {
  return nextAtMs > asOfMs ? nextAtMs - asOfMs : intervalHours * HOUR_MS;
}

function withinBound(timeMs: number): number {
  const hours = Math.round((timeMs / HOUR_MS) * HOUR_STEPS_PER_UNIT) / HOUR_STEPS_PER_UNIT;
  return hours > BREAK_EVEN_MOST_HOURS ? Number.NaN : hours;
}

function leastCommonMultiple(a: number, b: number): number {
  let [divisor, rest] = [a, b];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return (a / divisor) * b;
}

/** The same for each row of a snapshot of pairs, whose opening and closing cost `cost`. */
export function breakEvenCell(
  legs: Table,
  { long, short }: Pairs,
  cost: NumberCell,
  asOfMs: number,
): NumberCell {
  const [rates, intervals, nexts] = ['rate_pct', 'interval_hours', 'next_funding_at'].map((name) =>
    legs.numbers(name),
  ) as [Float64Array, Float64Array, Float64Array];
  const scheduleOf = (leg: number): LegSchedule => ({
    ratePct: rates[leg] as number,
    intervalHours: intervals[leg] as number,
    nextAtMs: nexts[leg] as number,
  });
  return (row) =>
    breakEvenHours(cost(row), scheduleOf(long[row] as number), scheduleOf(short[row] as number), asOfMs);
}
