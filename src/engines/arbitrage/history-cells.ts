import { roundPercent as percent } from '../../base/numbers.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import type { HistoryLookup } from './histories.ts';
import { REALISED_DAYS, sumColumn } from './legs.ts';
import type { Pairs } from './pairs.ts';
import { priceGapPct, reversedGapPct } from './price-gaps.ts';
import { realisedColumn } from './table.ts';

const unknown: NumberCell = () => Number.NaN;

/**
 * The 30-day figures of the rows: settled funding, and the price gap beside it. They are stored for long A, short B, where A
 * comes first; the other direction has the opposite figures. `mean_absolute_pct` is no column: forecasts are scaled with it.
 */
export function historyCells(
  legs: Table,
  { long, short }: Pairs,
  histories: HistoryLookup | null,
): Readonly<Record<string, NumberCell> & { mean_absolute_pct: NumberCell }> {
  const [bids, asks] = [legs.numbers('bid'), legs.numbers('ask')];
  const mid = (leg: number) => ((bids[leg] as number) + (asks[leg] as number)) / 2;
  const gap: NumberCell = (row) => percent(priceGapPct(mid(long[row] as number), mid(short[row] as number)));
  if (!histories)
    return {
      mean_absolute_pct: unknown,
      positive_hours_30d_pct: unknown,
      worst_day_30d_pct: unknown,
      max_drawdown_30d_pct: unknown,
      price_gap_pct: gap,
      price_gap_30d_low_pct: unknown,
      price_gap_30d_high_pct: unknown,
      price_gap_from: unknown,
      median_hours_above_fee: unknown,
      times_above_fee: unknown,
      hours_above_fee_now: unknown,
    };
  const { codes, values } = legs.texts('contract');
  const codeOfText = Uint32Array.from(values, (text) => histories.codeOf(text));
  const code = (leg: number) => codeOfText[codes[leg] as number] as number;
  const figure = (forward: string, backward: string, reversed: (value: number) => number): NumberCell => {
    const [along, against] = [histories.table.numbers(forward), histories.table.numbers(backward)];
    return (row) => {
      const [a, b] = [long[row] as number, short[row] as number];
      const there = a < b ? histories.rowOf(code(a), code(b)) : histories.rowOf(code(b), code(a));
      if (there < 0) return Number.NaN;
      return a < b ? (along[there] as number) : reversed(against[there] as number);
    };
  };
  const same = (value: number) => value;
  const rounded =
    (cell: NumberCell): NumberCell =>
    (row) =>
      percent(cell(row));
  const [low, high] = [
    figure('gapLowPct', 'gapHighPct', reversedGapPct),
    figure('gapHighPct', 'gapLowPct', reversedGapPct),
  ];
  const nowHours = figure('nowHours', 'nowHours', (value) => -value);
  return {
    mean_absolute_pct: figure('meanAbsolutePct', 'meanAbsolutePct', same),
    positive_hours_30d_pct: rounded(figure('positivePct', 'negativePct', same)),
    worst_day_30d_pct: rounded(figure('worstDayPct', 'bestDayPct', (value) => -value)),
    max_drawdown_30d_pct: rounded(figure('maxDrawdownPct', 'maxRisePct', same)),
    price_gap_pct: gap,
    // The stored range is some minutes old, so the present gap may lie outside it.
    price_gap_30d_low_pct: (row) => Math.min(percent(low(row)), gap(row)),
    price_gap_30d_high_pct: (row) => Math.max(percent(high(row)), gap(row)),
    price_gap_from: figure('gapFromMs', 'gapFromMs', same),
    median_hours_above_fee: figure('medianHours', 'medianHoursReversed', same),
    times_above_fee: figure('times', 'timesReversed', same),
    hours_above_fee_now: (row) => Math.max(0, nowHours(row)),
  };
}

/** The times above the fee of one direction. NaN: too little is known. */
export interface DirectionTimes {
  medianHours: number;
  times: number;
  nowHours: number;
}

/** The same figures for two contracts without a row; null if they are no pair. */
export function directionTimes(
  histories: HistoryLookup,
  longContract: string,
  shortContract: string,
): DirectionTimes | null {
  const [long, short] = [histories.codeOf(longContract), histories.codeOf(shortContract)];
  const forward = histories.rowOf(long, short);
  const row = forward < 0 ? histories.rowOf(short, long) : forward;
  if (long === 0 || short === 0 || row < 0) return null;
  const figure = (name: string) => histories.table.numbers(name)[row] as number;
  return forward < 0
    ? {
        medianHours: figure('medianHoursReversed'),
        times: figure('timesReversed'),
        nowHours: Math.max(0, -figure('nowHours')),
      }
    : {
        medianHours: figure('medianHours'),
        times: figure('times'),
        nowHours: Math.max(0, figure('nowHours')),
      };
}

/** What the pairs earned from settled prints: received by the short leg less paid by the long leg. */
export function realisedCells(legs: Table, { long, short }: Pairs): Readonly<Record<string, NumberCell>> {
  return Object.fromEntries(
    REALISED_DAYS.map((days) => {
      const sums = legs.numbers(sumColumn(days));
      const cell: NumberCell = (row) =>
        percent((sums[short[row] as number] as number) - (sums[long[row] as number] as number));
      return [realisedColumn(days), cell];
    }),
  );
}
