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
import type { AnsweredWindow, HistoryWindow } from './window.ts';

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

/** The window that is answered, and the newest time that the caller may see. */
type DataWindow = Pick<AnsweredWindow, 'fromMs' | 'toMs'> & Pick<HistoryWindow, 'visibleMs'>;

/** A contract that settles has a print within this time. */
const PRINT_WITHIN_MINUTES = 2 * DAY_MINUTES;

/** When the newest print of some contracts settled that is in the window; null if none is held. */
export async function newestPrintMs(
  contracts: readonly SeriesContract[],
  { toMs, isOpen }: Pick<HistoryWindow, 'toMs' | 'isOpen'>,
  { data }: Pick<OperationContext, 'data'>,
): Promise<number | null> {
  let newestMs: number | null = null;
  for (const { held } of contracts) {
    if (!held || held.lastPrintMs === null) continue;
    let lastMs: number | undefined = held.lastPrintMs;
    if (lastMs > toMs) {
      // A window that has ended is complete.
      if (!isOpen) return toMs;
      const toMinute = Math.floor(toMs / MINUTE_MS);
      const { minutes } = await data.history.reader.prints(
        held.id,
        toMinute - PRINT_WITHIN_MINUTES,
        toMinute,
      );
      const last = minutes.at(-1);
      lastMs = last === undefined ? undefined : last * MINUTE_MS;
    }
    if (lastMs !== undefined) newestMs = Math.max(newestMs ?? lastMs, lastMs);
  }
  return newestMs;
}

/** The days that start in [from, to): the day that starts at `to` belongs to the window after it. */
export function daysOf({ fromMs, toMs }: Pick<AnsweredWindow, 'fromMs' | 'toMs'>): {
  fromDay: number;
  toDay: number;
} {
  return { fromDay: Math.ceil(fromMs / DAY_MS), toDay: Math.ceil(toMs / DAY_MS) - 1 };
}

/** For delayed callers the current day ends at their as_of. */
export async function dailySeries(
  contracts: readonly SeriesContract[],
  window: DataWindow,
  order: Order,
  limit: number,
  { data }: OperationContext,
): Promise<HistorySeries[]> {
  const { reader } = data.history;
  const { fromDay, toDay } = daysOf(window);
  const held = contracts.flatMap((contract) => (contract.held ? [contract.held] : []));
  const ids = held.map((contract) => contract.id);
  const sums = await reader.days(ids, fromDay, toDay);
  await cutCurrentDay(sums, held, window.visibleMs, reader);
  const complete = await completeShortDays(sums, held, window.visibleMs, reader);
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
  visibleMs: number,
  reader: HistorySource['reader'],
): Promise<Map<number, Set<number>>> {
  const found = new Map<number, Set<number>>();
  for (const [i, { id }] of contracts.entries()) {
    const days = (sums[i] ?? []).filter(isShort).map(({ day }) => day);
    if (days.length === 0) continue;
    const covered = await coveredMinutesByDay(id, days, visibleMs, reader);
    found.set(id, new Set(days.filter((day) => covered.get(day) === DAY_MINUTES)));
  }
  return found;
}

/** The minutes that prints are for, of each of the days that have ended; 0 for the current one. */
export async function coveredMinutesByDay(
  contractId: number,
  days: readonly number[],
  visibleMs: number,
  reader: HistorySource['reader'],
): Promise<Map<number, number>> {
  const visibleMinute = Math.floor(visibleMs / MINUTE_MS);
  const fromMinute = Math.min(...days) * DAY_MINUTES;
  // The first print after a day is at most a day later.
  const toMinute = Math.min((Math.max(...days) + 2) * DAY_MINUTES, visibleMinute);
  const { minutes, intervalMinutes } = await reader.prints(contractId, fromMinute, toMinute);
  return new Map(
    days.map((day) => [
      day,
      (day + 1) * DAY_MINUTES <= visibleMinute ? coveredMinutesOf(minutes, intervalMinutes, day) : 0,
    ]),
  );
}

/** For delayed callers, recomputes the current day in `sums` from the prints that they may see by now. */
export async function cutCurrentDay(
  sums: DaySum[][],
  contracts: readonly HeldContract[],
  visibleMs: number,
  reader: HistorySource['reader'],
): Promise<void> {
  const day = Math.floor(visibleMs / DAY_MS);
  const [fromMinute, toMinute] = [(day * DAY_MS) / MINUTE_MS, Math.floor(visibleMs / MINUTE_MS)];
  for (const [i, { id, lastPrintMs }] of contracts.entries()) {
    if (lastPrintMs === null || lastPrintMs <= visibleMs) continue;
    const { minutes, ratesPct, intervalMinutes } = await reader.prints(id, fromMinute, toMinute);
    const current = daySumsOf(minutes, ratesPct, intervalMinutes, 0, minutes.length);
    const all = sums[i] ?? [];
    const earlier = all.filter((sum) => sum.day < day);
    sums[i] = earlier.length < all.length ? [...earlier, ...current] : earlier;
  }
}

export async function settlementSeries(
  contracts: readonly SeriesContract[],
  window: DataWindow,
  order: Order,
  limit: number,
  { data }: OperationContext,
): Promise<{ series: HistorySeries[]; firstMs: number | null }> {
  const [contract] = contracts;
  if (!contract) return { series: [], firstMs: null };
  if (!contract.held)
    return { series: [seriesOf(contract, { daily: null, settlements: [] })], firstMs: null };
  const [fromMinute, toMinute] = [Math.ceil(window.fromMs / MINUTE_MS), Math.floor(window.toMs / MINUTE_MS)];
  const prints = await data.history.reader.prints(contract.held.id, fromMinute, toMinute);
  const [first] = prints.minutes;
  return {
    series: [seriesOf(contract, { daily: null, settlements: printPoints(prints, order, limit) })],
    firstMs: first === undefined ? null : first * MINUTE_MS,
  };
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
