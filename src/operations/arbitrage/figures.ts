import { expectedColumn } from '../../engines/arbitrage/forecast-cells.ts';
import { REALISED_DAYS } from '../../engines/arbitrage/legs.ts';
import { realisedColumn } from '../../engines/arbitrage/table.ts';
import { HORIZONS_DAYS } from '../../engines/forecast/model.ts';
import { atLeast, atMost } from '../../query/filter-kinds.ts';
import type { ListFilter } from '../../query/filter-set.ts';
import type { Sort, Sorts } from '../../query/sorting.ts';

/** The names of bounds and sorts of each figure: the column without its unit. */
const FIGURES: Readonly<Record<string, { column: string; words: string }>> = {
  net_apr: { column: 'net_apr_pct', words: 'net_apr_pct, in percent a year' },
  gross_apr: { column: 'gross_apr_pct', words: 'gross_apr_pct, in percent a year' },
  carry_day: { column: 'carry_pct_day', words: 'carry_pct_day, in percent a day' },
  entry_spread: { column: 'entry_spread_pct', words: 'entry_spread_pct, in percent' },
  exit_spread: { column: 'exit_spread_pct', words: 'exit_spread_pct, in percent' },
  ...Object.fromEntries(
    HORIZONS_DAYS.map((days) => [
      `expected_${days}d`,
      { column: expectedColumn(days), words: `${expectedColumn(days)}, in percent` },
    ]),
  ),
  expected_low: { column: 'expected_low_pct', words: 'expected_low_pct, in percent' },
  expected_high: { column: 'expected_high_pct', words: 'expected_high_pct, in percent' },
  expected_low_net: {
    column: 'expected_low_net_apr_pct',
    words: 'expected_low_net_apr_pct, in percent a year',
  },
  expected_net: { column: 'expected_net_apr_pct', words: 'expected_net_apr_pct, in percent a year' },
  probability: { column: 'probability_net_positive', words: 'probability_net_positive, from 0 to 1' },
  fee: { column: 'fee_pct_round_trip', words: 'fee_pct_round_trip, in percent' },
  cost: { column: 'cost_pct_round_trip', words: 'cost_pct_round_trip, in percent' },
  ...Object.fromEntries(
    REALISED_DAYS.map((days) => [
      `realised_${days}d`,
      { column: realisedColumn(days), words: `${realisedColumn(days)}, in percent` },
    ]),
  ),
  positive_hours: { column: 'positive_hours_30d_pct', words: 'positive_hours_30d_pct, in percent' },
  worst_day: { column: 'worst_day_30d_pct', words: 'worst_day_30d_pct, in percent' },
  max_drawdown: { column: 'max_drawdown_30d_pct', words: 'max_drawdown_30d_pct, in percent' },
  hours_above_fee: { column: 'median_hours_above_fee', words: 'median_hours_above_fee' },
  break_even: { column: 'break_even_hours', words: 'break_even_hours' },
  capacity: { column: 'capacity_usd', words: 'capacity_usd, in USD' },
  volume: { column: 'volume_usdt', words: "the smaller leg's 24 h volume, in USDT" },
  open_interest: { column: 'open_interest_usdt', words: "the smaller leg's open interest, in USDT" },
};

/** `min_net_apr_pct`, `max_net_apr_pct` and so on: the bounds carry the name of the column. */
export const BOUNDS: Record<string, ListFilter> = Object.fromEntries(
  Object.values(FIGURES).flatMap(({ column, words: figure }) => [
    [`min_${column}`, atLeast(column, `Lowest ${figure}`)],
    [`max_${column}`, atMost(column, `Highest ${figure}`)],
  ]),
);

export const SORTS: Sorts = {
  ...Object.fromEntries(
    Object.entries(FIGURES).flatMap(([name, { column }]): [string, Sort][] => [
      [`${name}_desc`, { column, direction: 'desc' }],
      [`${name}_asc`, { column, direction: 'asc' }],
    ]),
  ),
  // Rows without a forecast come last, by the rates now.
  expected_net_desc: {
    column: 'expected_net_apr_pct',
    direction: 'desc',
    thenBy: { column: 'gross_apr_pct', direction: 'desc' },
  },
  expected_low_net_desc: {
    column: 'expected_low_net_apr_pct',
    direction: 'desc',
    thenBy: { column: 'gross_apr_pct', direction: 'desc' },
  },
  updated_desc: { column: 'updated_at', direction: 'desc' },
  coin_asc: { column: 'coin', direction: 'asc' },
};
