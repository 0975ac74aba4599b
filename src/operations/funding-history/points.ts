import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../../base/times.ts';
import {
  type DayWindow,
  dayPoints,
  dayPointsJson,
  type Order,
  printsJson,
} from '../../engines/funding/history-points.ts';
import { type DaySum, daySums as daySumsOf } from '../../history/settlements/days.ts';
import type { HeldContract } from '../../history/settlements/directory.ts';
import type { HistorySource, OperationContext } from '../operation.ts';
import type { SeriesContract } from './series.ts';
import type { HistoryWindow } from './window.ts';

/** A day belongs to the window in which it starts. The running day of a delayed reader is told up to its moment. */
export function dailySeries(
  contracts: readonly SeriesContract[],
  window: HistoryWindow,
  order: Order,
  limit: number,
  { data }: OperationContext,
): MaybeLater<string[]> {
  const fromDay = Math.ceil(window.fromMs / DAY_MS);
  const toDay = Math.floor(window.toMs / DAY_MS);
  const feesPct = new Map(data.venues.map(({ facts }) => [facts.exchange, facts.takerFeePct.value]));
  const held = contracts.flatMap((contract) => (contract.held ? [contract.held] : []));
  const ids = held.map((contract) => contract.id);
  const daySums = andThen(data.history.reader.days(ids, fromDay, toDay), (sums) =>
    cutRunningDay(sums, held, window.asOfMs, data.history.reader),
  );
  return andThen(daySums, (sums) => {
    const byId = new Map(ids.map((id, i) => [id, sums[i] ?? []]));
    return contracts.flatMap((contract) => {
      const days = (contract.held && byId.get(contract.held.id)) ?? [];
      // Who no longer quotes the coin is shown only with what it had.
      if (!contract.isLive && days.length === 0) return [];
      const dayWindow: DayWindow = {
        fromDay,
        toDay,
        heldSinceMs: contract.held?.heldSinceMs ?? null,
        lastPrintMs: contract.held?.lastPrintMs ?? null,
        takerFeePct: feesPct.get(contract.exchange) ?? 0,
      };
      const points = dayPointsJson(dayPoints(days, dayWindow), order, limit);
      return [entryJson(contract, `"daily":${points},"settlements":null`)];
    });
  });
}

/** A delayed reader's running day has only the prints that it may see by now. */
function cutRunningDay(
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
        const running = daySumsOf(minutes, ratesPct, intervalMinutes, 0, minutes.length);
        const before = (all[i] ?? []).filter((sum) => sum.day < day);
        all[i] = before.length < (all[i] ?? []).length ? [...before, ...running] : before;
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
): MaybeLater<string[]> {
  const [contract] = contracts;
  if (!contract) return [];
  if (!contract.held) return [entryJson(contract, '"daily":null,"settlements":[]')];
  const [fromMinute, toMinute] = [Math.ceil(window.fromMs / MINUTE_MS), Math.floor(window.toMs / MINUTE_MS)];
  return andThen(data.history.reader.prints(contract.held.id, fromMinute, toMinute), (prints) => [
    entryJson(contract, `"daily":null,"settlements":${printsJson(prints, order, limit)}`),
  ]);
}

function entryJson(
  { exchange, symbol, venueSymbol, isInverse, held }: SeriesContract,
  points: string,
): string {
  const since = held?.heldSinceMs == null ? null : isoTime(held.heldSinceMs);
  const names = JSON.stringify({
    exchange,
    symbol,
    venue_symbol: venueSymbol,
    is_inverse: isInverse,
    held_since: since,
  });
  return `${names.slice(0, -1)},${points}}`;
}
