import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
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
export function dailySeries(
  contracts: readonly SeriesContract[],
  window: HistoryWindow,
  order: Order,
  limit: number,
  { data }: OperationContext,
): MaybeLater<HistorySeries[]> {
  const { fromDay, toDay } = daysOf(window);
  const held = contracts.flatMap((contract) => (contract.held ? [contract.held] : []));
  const ids = held.map((contract) => contract.id);
  const daySums = andThen(data.history.reader.days(ids, fromDay, toDay), (sums) =>
    cutCurrentDay(sums, held, window.asOfMs, data.history.reader),
  );
  const checked = andThen(daySums, (sums) =>
    andThen(completeShortDays(sums, held, window.asOfMs, data.history.reader), (complete) => ({
      sums,
      complete,
    })),
  );
  return andThen(checked, ({ sums, complete }) => {
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
  });
}

/** By contract the short days of which no print is missing. Such days are rare, so prints are read for them alone. */
function completeShortDays(
  sums: readonly DaySum[][],
  contracts: readonly HeldContract[],
  asOfMs: number,
  reader: HistorySource['reader'],
): MaybeLater<Map<number, Set<number>>> {
  let found: MaybeLater<Map<number, Set<number>>> = new Map();
  for (const [i, { id }] of contracts.entries()) {
    const days = (sums[i] ?? []).filter(isShort).map(({ day }) => day);
    if (days.length === 0) continue;
    found = andThen(found, (all) =>
      andThen(coveredMinutesByDay(id, days, asOfMs, reader), (covered) =>
        all.set(id, new Set(days.filter((day) => covered.get(day) === DAY_MINUTES))),
      ),
    );
  }
  return found;
}

/** The minutes that prints are for, of each of the days that have ended; 0 for the current one. */
export function coveredMinutesByDay(
  contractId: number,
  days: readonly number[],
  asOfMs: number,
  reader: HistorySource['reader'],
): MaybeLater<Map<number, number>> {
  const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
  const fromMinute = Math.min(...days) * DAY_MINUTES;
  // The first print after a day is at most a day later.
  const toMinute = Math.min((Math.max(...days) + 2) * DAY_MINUTES, asOfMinute);
  return andThen(
    reader.prints(contractId, fromMinute, toMinute),
    ({ minutes, intervalMinutes }) =>
      new Map(
        days.map((day) => [
          day,
          (day + 1) * DAY_MINUTES <= asOfMinute ? coveredMinutesOf(minutes, intervalMinutes, day) : 0,
        ]),
      ),
  );
}

/** For delayed callers, recomputes the current day from the prints that they may see by now. */
export function cutCurrentDay(
  sums: DaySum[][],
  contracts: readonly HeldContract[],
  asOfMs: number,
  reader: HistorySource['reader'],
): MaybeLater<DaySum[][]> {
  const day = Math.floor(asOfMs / DAY_MS);
  const [fromMinute, toMinute] = [(day * DAY_MS) / MINUTE_MS, Math.floor(asOfMs / MINUTE_MS)];
  let cut: MaybeLater<DaySum[][]> = sums;
  for (const [i, { id, lastPrintMs }] of contracts.entries()) {
    if (lastPrintMs === null || lastPrintMs <= asOfMs) continue;
    cut = andThen(cut, (all) =>
      andThen(reader.prints(id, fromMinute, toMinute), ({ minutes, ratesPct, intervalMinutes }) => {
        const current = daySumsOf(minutes, ratesPct, intervalMinutes, 0, minutes.length);
        const earlier = (all[i] ?? []).filter((sum) => sum.day < day);
        all[i] = earlier.length < (all[i] ?? []).length ? [...earlier, ...current] : earlier;
        return all;
      }),
    );
  }
  return cut;
}

export function settlementSeries(
  contracts: readonly SeriesContract[],
  window: HistoryWindow,
  order: Order,
  limit: number,
  { data }: OperationContext,
): MaybeLater<HistorySeries[]> {
  const [contract] = contracts;
  if (!contract) return [];
  if (!contract.held) return [seriesOf(contract, { daily: null, settlements: [] })];
  const [fromMinute, toMinute] = [Math.ceil(window.fromMs / MINUTE_MS), Math.floor(window.toMs / MINUTE_MS)];
  return andThen(data.history.reader.prints(contract.held.id, fromMinute, toMinute), (prints) => [
    seriesOf(contract, { daily: null, settlements: printPoints(prints, order, limit) }),
  ]);
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
