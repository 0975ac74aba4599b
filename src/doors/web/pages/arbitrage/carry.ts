import { DAY_MS, HOUR_MS, isoTime } from '../../../../base/times.ts';
import { fundingHistory } from '../../../../operations/funding-history/funding-history.ts';
import { answerForPage, type Row } from '../../layout/visitor.ts';
import type { PageContext } from '../page-context.ts';
import { callerOf } from './query.ts';

/** What a pair was paid, settlement by settlement, in percent of the size of one leg. */
export interface Carry {
  fromMs: number;
  toMs: number;
  days: number;
  longPct: number;
  shortPct: number;
  /** The sum after each settlement, less what opening and closing cost. */
  points: readonly { timeMs: number; netPct: number }[];
  netPct: number;
  /** Hours from the start until the payments had covered the costs; null if they never did. */
  paidBackHours: number | null;
}

interface Settlement {
  time: string;
  rate_pct: number;
}

const MOST_DAYS = 30;

/** What opening and closing cost: at the chosen size, or at the best prices where that is not known. */
export function shownCostPct(row: Row): number {
  const { cost_pct_round_trip: cost } = row;
  if (typeof cost === 'number') return cost;
  return Number(row.fee_pct_round_trip) - Number(row.entry_spread_pct) - Number(row.exit_spread_pct);
}

/** The carry of a row over 30 days, or as many as the plan has. Null without settled payments of both legs. */
export async function loadCarry(context: PageContext, row: Row, asOf: string): Promise<Carry | null> {
  const { caller, entrance } = context;
  const days = Math.min(MOST_DAYS, caller.plan.historyDays ?? MOST_DAYS);
  const toMs = Date.parse(asOf);
  // The plan limits how far back a window starts, measured from the time of the request.
  const earliestMs = entrance.clock.nowMs() - caller.plan.delaySeconds * 1000 - days * DAY_MS;
  const fromMs = Math.max(toMs - days * DAY_MS, earliestMs);
  const settled = async (leg: 'long' | 'short') => {
    const query = new Map([
      ['coin', [String(row.coin)]],
      ['exchange', [String(row[`${leg}_exchange`])]],
      ['symbol', [String(row[`${leg}_symbol`])]],
      ['resolution', ['settlement']],
      ['from', [isoTime(fromMs)]],
      ['to', [asOf]],
    ]);
    const { data } = await answerForPage<{ series: { settlements: Settlement[] | null }[] }>(
      entrance,
      fundingHistory,
      callerOf(context),
      query,
    );
    return (data.series[0]?.settlements ?? []).filter(({ time }) => Date.parse(time) > fromMs);
  };
  const [long, short] = await Promise.all([settled('long'), settled('short')]);
  if (long.length === 0 || short.length === 0) return null;
  return carryOf(long, short, shownCostPct(row), fromMs, toMs, days);
}

export function carryOf(
  long: readonly Settlement[],
  short: readonly Settlement[],
  costPct: number,
  fromMs: number,
  toMs: number,
  days: number,
): Carry {
  const events = [
    ...long.map(({ time, rate_pct }) => ({ timeMs: Date.parse(time), pct: -rate_pct })),
    ...short.map(({ time, rate_pct }) => ({ timeMs: Date.parse(time), pct: rate_pct })),
  ].toSorted((a, b) => a.timeMs - b.timeMs);
  let netPct = -costPct;
  const points = [{ timeMs: fromMs, netPct }];
  for (const { timeMs, pct } of events) {
    netPct += pct;
    const last = points.at(-1);
    if (last?.timeMs === timeMs) last.netPct = netPct;
    else points.push({ timeMs, netPct });
  }
  const paidBack = points.find((point) => point.netPct >= 0);
  const sum = (prints: readonly Settlement[]) => prints.reduce((total, { rate_pct }) => total + rate_pct, 0);
  return {
    fromMs,
    toMs,
    days,
    longPct: -sum(long),
    shortPct: sum(short),
    points,
    netPct,
    paidBackHours: paidBack ? (paidBack.timeMs - fromMs) / HOUR_MS : null,
  };
}
