import { DAY_MS, isoTime, MINUTE_MS } from '../../base/times.ts';
import {
  type DayPoint,
  type DayWindow,
  dayPoints,
  dayText,
  isShort,
  type Order,
  ordered,
  type PrintPoint,
  printPoints,
} from '../../engines/funding/history-points.ts';
import { coveredMinutesOf, type DaySum, daySums as daySumsOf } from '../../history/settlements/days.ts';
import type { HeldContract } from '../../history/settlements/directory.ts';
import { DAY_MINUTES } from '../../history/settlements/times.ts';
import type { HistorySource, OperationContext } from '../operation.ts';
import type { SeriesContract } from './series.ts';
import type { HistoryWindow } from './window.ts';

/** One venue's entry of `series`. */
export interface HistorySeries {
  exchange: string;
  symbol: string;
  venue_symbol: string;
  is_inverse: boolean;
  price_outlier: boolean;
  taker_fee_pct: number;
  held_since: string | null;
  daily: { day: string; apr_pct: number | null }[] | null;
  settlements: PrintPoint[] | null;
}

/** The days that start in [from, to): the day that starts at `to` belongs to the window after it. */
export function daysOf({ fromMs, toMs }: Pick<HistoryWindow, 'fromMs' | 'toMs'>): {
  fromDay: number;
  toDay: number;
} {
  return { fromDay: Math.ceil(fromMs / DAY_MS), toDay: Math.ceil(toMs / DAY_MS) - 1 };
}

/** For delayed callers the current day ends at their as_of. */
export async function dailySeries(
  contracts: readonly SeriesContract[],
  window: HistoryWindow,
  order: Order,
  limit: number,
  { data }: OperationContext,
): Promise<HistorySeries[]> {
  const { reader } = data.history;
  const { fromDay, toDay } = daysOf(window);
  const held = contracts.flatMap((contract) => (contract.held ? [contract.held] : []));
  const ids = held.map((contract) => contract.id);
  const sums = await reader.days(ids, fromDay, toDay);
  await cutCurrentDay(sums, held, window.asOfMs, reader);
  const complete = await completeShortDays(sums, held, window.asOfMs, reader);
  const byId = new Map(ids.map((id, i) => [id, sums[i] ?? []]));
  return contracts.flatMap((contract) => {
    const days = (contract.held && byId.get(contract.held.id)) ?? [];
    // A venue that no longer quotes the coin appears only if it has points in the window.
    if (!contract.isLive && days.length === 0) return [];
    const dayWindow: DayWindow = {
      fromDay,
      toDay,
      heldSinceMs: contract.held?.heldSinceMs ?? null,
      lastPrintMs: contract.held?.lastPrintMs ?? null,
      takerFeePct: contract.takerFeePct,
      completeDays: complete.get(contract.held?.id ?? 0) ?? new Set(),
    };
    const points = ordered(dayPoints(days, dayWindow), order, limit);
    return [seriesOf(contract, { daily: points.map(dayEntry), settlements: null })];
  });
}

/** By contract the short days of which no print is missing. Such days are rare, so prints are read for them alone. */
async function completeShortDays(
  sums: readonly DaySum[][],
  contracts: readonly HeldContract[],
  asOfMs: number,
  reader: HistorySource['reader'],
): Promise<Map<number, Set<number>>> {
  const found = new Map<number, Set<number>>();
  for (const [i, { id }] of contracts.entries()) {
    const days = (sums[i] ?? []).filter(isShort).map(({ day }) => day);
    if (days.length === 0) continue;
    const covered = await coveredMinutesByDay(id, days, asOfMs, reader);
    found.set(id, new Set(days.filter((day) => covered.get(day) === DAY_MINUTES)));
  }
  return found;
}

/** The minutes that prints are for, of each of the days that have ended; 0 for the current one. */
export async function coveredMinutesByDay(
  contractId: number,
  days: readonly number[],
  asOfMs: number,
  reader: HistorySource['reader'],
): Promise<Map<number, number>> {
  const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
  const fromMinute = Math.min(...days) * DAY_MINUTES;
  // The first print after a day is at most a day later.
  const toMinute = Math.min((Math.max(...days) + 2) * DAY_MINUTES, asOfMinute);
  const { minutes, intervalMinutes } = await reader.prints(contractId, fromMinute, toMinute);
  return new Map(
    days.map((day) => [
      day,
      (day + 1) * DAY_MINUTES <= asOfMinute ? coveredMinutesOf(minutes, intervalMinutes, day) : 0,
    ]),
  );
}

/** For delayed callers, recomputes the current day in `sums` from the prints that they may see by now. */
export async function cutCurrentDay(
  sums: DaySum[][],
  contracts: readonly HeldContract[],
  asOfMs: number,
  reader: HistorySource['reader'],
): Promise<void> {
  const day = Math.floor(asOfMs / DAY_MS);
  const [fromMinute, toMinute] = [(day * DAY_MS) / MINUTE_MS, Math.floor(asOfMs / MINUTE_MS)];
  for (const [i, { id, lastPrintMs }] of contracts.entries()) {
    if (lastPrintMs === null || lastPrintMs <= asOfMs) continue;
    const { minutes, ratesPct, intervalMinutes } = await reader.prints(id, fromMinute, toMinute);
    const current = daySumsOf(minutes, ratesPct, intervalMinutes, 0, minutes.length);
    const all = sums[i] ?? [];
    const earlier = all.filter((sum) => sum.day < day);
    sums[i] = earlier.length < all.length ? [...earlier, ...current] : earlier;
  }
}

export async function settlementSeries(
  contracts: readonly SeriesContract[],
  window: HistoryWindow,
  order: Order,
  limit: number,
  { data }: OperationContext,
): Promise<HistorySeries[]> {
  const [contract] = contracts;
  if (!contract) return [];
  if (!contract.held) return [seriesOf(contract, { daily: null, settlements: [] })];
  const [fromMinute, toMinute] = [Math.ceil(window.fromMs / MINUTE_MS), Math.floor(window.toMs / MINUTE_MS)];
  const prints = await data.history.reader.prints(contract.held.id, fromMinute, toMinute);
  return [seriesOf(contract, { daily: null, settlements: printPoints(prints, order, limit) })];
}

function dayEntry({ day, aprPct }: DayPoint): { day: string; apr_pct: number | null } {
  return { day: dayText(day), apr_pct: aprPct };
}

function seriesOf(
  { exchange, symbol, venueSymbol, isInverse, isOutlier, takerFeePct, held }: SeriesContract,
  points: Pick<HistorySeries, 'daily' | 'settlements'>,
): HistorySeries {
  return {
    exchange,
    symbol,
    venue_symbol: venueSymbol,
    is_inverse: isInverse,
    price_outlier: isOutlier,
    taker_fee_pct: takerFeePct,
    held_since: held?.heldSinceMs == null ? null : isoTime(held.heldSinceMs),
    ...points,
  };
}
