import type { Table } from '../../../../market/tables/table.ts';
import type { Row } from '../../layout/visitor.ts';
import { signedPercent } from '../../markup/format.ts';
import { bestCarry, type CarryLeg, tradedLegs } from '../funding/best-carry.ts';

/** One contract with its rate per hour, in which contracts of unlike intervals compare. */
export interface HourlyRate {
  row: Row;
  perHourPct: number;
}

/** The contracts on which a short earns most and a long pays least, per hour. */
export interface CoinComparison {
  short: HourlyRate;
  long: HourlyRate;
  /** What both legs together pay a year, before costs; null with fewer than two venues on time. */
  carryAprPct: number | null;
}

export function perHourPct({ rate_pct: rate, interval_hours: hours }: Row): number | null {
  return typeof rate === 'number' && typeof hours === 'number' && hours > 0 ? rate / hours : null;
}

/** Of each venue the linear contract with the largest volume. */
function largestOf(rates: readonly Row[], oldMinutes: (row: Row) => number | undefined) {
  const legs = new Map<string, HourlyRate & CarryLeg>();
  for (const row of rates) {
    const perHour = perHourPct(row);
    const volumeUsdt = Number(row.volume_24h_usdt) || 0;
    const known = legs.get(String(row.exchange));
    if (row.is_inverse === true || perHour === null || (known && known.volumeUsdt >= volumeUsdt)) continue;
    legs.set(String(row.exchange), {
      row,
      perHourPct: perHour,
      volumeUsdt,
      oldMinutes: oldMinutes(row) ?? null,
    });
  }
  return legs;
}

/**
 * Compares the largest linear contracts of the venues. Old rates are left out unless all are old. Null if no interval is
 * known.
 */
export function compareRates(
  rates: readonly Row[],
  oldMinutes: (row: Row) => number | undefined,
): CoinComparison | null {
  const legs = largestOf(rates, oldMinutes);
  const traded = tradedLegs(legs);
  const candidates = [...(traded.size > 0 ? traded : legs).values()];
  if (candidates.length === 0) return null;
  const best = (sign: 1 | -1) =>
    candidates.reduce((found, one) => (sign * one.perHourPct > sign * found.perHourPct ? one : found));
  return { short: best(1), long: best(-1), carryAprPct: bestCarry(traded)?.aprPct ?? null };
}

/**
 * What opening and closing the two legs at the present tops gains (positive) or costs, without fees, in percent; null if
 * /arbitrage does not pair these contracts now. Its table has a row for each pair of venues of the coin.
 */
export function crossingPct(coin: string, { long, short }: CoinComparison, pairs: Table): number | null {
  const { codes, values } = pairs.texts('coin');
  const code = values.indexOf(coin);
  const isLeg = (row: number, side: 'long' | 'short', leg: HourlyRate) =>
    pairs.text(`${side}_exchange`, row) === leg.row.exchange &&
    pairs.text(`${side}_symbol`, row) === leg.row.symbol;
  const row = codes.findIndex(
    (one, place) => one === code && isLeg(place, 'long', long) && isLeg(place, 'short', short),
  );
  if (code < 0 || row < 0) return null;
  return pairs.cell('entry_spread_pct')(row) + pairs.cell('exit_spread_pct')(row);
}

export function comparisonSentence(comparison: CoinComparison | null, rates: readonly Row[]): string {
  if (!comparison) {
    return rates.some((row) => row.is_inverse !== true)
      ? 'No venue publishes the settlement interval, so the rates cannot be compared per hour.'
      : 'No venue that fits these filters quotes a linear perpetual on it.';
  }
  const said = ({ row, perHourPct: rate }: HourlyRate) =>
    `${String(row.exchange)} (${signedPercent(rate)}/h, every ${String(row.interval_hours)} h: ${rate >= 0 ? 'longs' : 'shorts'} pay)`;
  const { short, long } = comparison;
  return `The highest rate is on ${said(short)}, the lowest on ${said(long)}.`;
}
