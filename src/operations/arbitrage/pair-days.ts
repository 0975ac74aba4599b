import { roundPercent } from '../../base/numbers.ts';
import { dayText } from '../../engines/funding/history-points.ts';
import type { DaySum } from '../../history/settlements/days.ts';
import { coveredMinutesByDay, cutCurrentDay } from '../funding-history/points.ts';
import type { SeriesContract } from '../funding-history/series.ts';
import type { OperationContext } from '../operation.ts';

const MINUTES_PER_DAY = 1440;
/** A day is complete if prints of both legs cover this share of it. */
const LEAST_COVERAGE = 0.95;

export interface PairDay {
  day: string;
  long_pct: number | null;
  short_pct: number | null;
  net_pct: number | null;
  cumulative_pct: number;
  is_complete: boolean;
}

/** A day of a leg, and how many minutes of it its prints are for. */
interface LegDay extends DaySum {
  clockMinutes: number;
}

/** The days of each leg, up to what the caller may see. */
export async function daysOfLegs(
  contracts: readonly SeriesContract[],
  fromDay: number,
  toDay: number,
  visibleMs: number,
  { data }: OperationContext,
): Promise<LegDay[][]> {
  const held = contracts.flatMap((contract) => (contract.held ? [contract.held] : []));
  const { reader } = data.history;
  const sums = await reader.days(
    held.map(({ id }) => id),
    fromDay,
    toDay,
  );
  await cutCurrentDay(sums, held, visibleMs, reader);
  const legs: LegDay[][] = [];
  for (const contract of contracts) {
    const days = sums[held.findIndex(({ id }) => id === contract.held?.id)] ?? [];
    const names = days.map(({ day }) => day);
    const minutes =
      contract.held && names.length > 0
        ? await coveredMinutesByDay(contract.held.id, names, visibleMs, reader)
        : new Map<number, number>();
    legs.push(days.map((sum) => ({ ...sum, clockMinutes: minutes.get(sum.day) ?? 0 })));
  }
  return legs;
}

/** The days of both legs together, oldest first. */
export function pairDays(
  paid: readonly LegDay[],
  received: readonly LegDay[],
  fromDay: number,
  toDay: number,
): PairDay[] {
  const [paidOn, receivedOn] = [byDay(paid), byDay(received)];
  const found: PairDay[] = [];
  let cumulativePct = 0;
  for (let day = fromDay; day <= toDay; day++) {
    const [long, short] = [paidOn.get(day), receivedOn.get(day)];
    const netPct = long && short ? short.sumPct - long.sumPct : null;
    cumulativePct += netPct ?? 0;
    found.push({
      day: dayText(day),
      long_pct: long ? roundPercent(-long.sumPct) : null,
      short_pct: short ? roundPercent(short.sumPct) : null,
      net_pct: netPct === null ? null : roundPercent(netPct),
      cumulative_pct: roundPercent(cumulativePct),
      is_complete: isComplete(long) && isComplete(short),
    });
  }
  return found;
}

function isComplete(leg: LegDay | undefined): boolean {
  return leg !== undefined && leg.clockMinutes >= MINUTES_PER_DAY * LEAST_COVERAGE;
}

function byDay(sums: readonly LegDay[]): Map<number, LegDay> {
  return new Map(sums.map((sum) => [sum.day, sum]));
}
