import { LEG_CLOSED } from '../../market/session.ts';
import type { Column, TableSpec } from '../../market/tables/table.ts';
import { SIZE_COLUMNS } from '../depth/size-columns.ts';
import { HORIZONS_DAYS } from '../forecast/model.ts';
import { expectedColumn } from './forecast-cells.ts';
import { REALISED_DAYS, type RealisedDays } from './legs.ts';

const legs = (
  column: Omit<Column, 'name' | 'description'>,
  name: string,
  description: string,
): readonly Column[] =>
  ['long', 'short'].map((leg) => ({
    ...column,
    name: name.replace('*', leg),
    description: description.replace('*', leg),
  }));

export const realisedColumn = (days: RealisedDays): string => `realised_${days}d_pct`;

/** One row per coin and pair of venues, in the direction that earns at the running rates. */
export const ARBITRAGE_TABLE: TableSpec = {
  name: 'arbitrage',
  rowTitle: 'ArbitrageRow',
  columns: [
    { name: 'coin', type: 'text', nullable: false, description: 'Ticker without multiplier, e.g. PEPE' },
    {
      name: 'asset_class',
      type: 'text',
      nullable: false,
      description: 'crypto, stock, commodity, index or forex',
    },
    ...legs({ type: 'text', nullable: false }, '*_exchange', 'Venue of the * leg'),
    ...legs(
      { type: 'text', nullable: false },
      '*_symbol',
      "Contract of the * leg, BASE-QUOTE with the contract's own base",
    ),
    ...legs(
      { type: 'number', nullable: false },
      '*_rate_pct',
      'Running funding rate of the * leg in percent per settlement; positive = longs pay',
    ),
    ...legs(
      { type: 'integer', nullable: false },
      '*_interval_hours',
      'Settlement interval of the * leg in hours',
    ),
    ...legs(
      { type: 'time', nullable: true },
      '*_next_funding_at',
      'Next settlement of the * leg, UTC; null when continuous or unknown',
    ),
    {
      name: 'carry_pct_day',
      type: 'number',
      nullable: false,
      description:
        'What the pair earns a day at the running rates, in percent of the size of one leg: the short leg receives its rate, the long leg pays its own',
    },
    {
      name: 'gross_apr_pct',
      type: 'number',
      nullable: false,
      description: 'carry_pct_day times 365, before fees and prices',
    },
    {
      name: 'fee_pct_round_trip',
      type: 'number',
      nullable: false,
      description:
        'Taker fees of four fills in percent, both legs opened and closed: 2 x (long_taker_fee_pct + short_taker_fee_pct)',
    },
    {
      name: 'entry_spread_pct',
      type: 'number',
      nullable: false,
      description:
        'Price gained (positive) or paid on opening at the present tops: (bid of the short leg - ask of the long leg) / ask of the long leg, in percent',
    },
    {
      name: 'break_even_hours',
      type: 'number',
      nullable: true,
      description:
        'Hours until the settlements of both legs, at their running rates and times, have first paid cost_pct_round_trip; 0 when there is nothing to pay; null when that takes over 365 days',
    },
    {
      name: 'net_apr_pct',
      type: 'number',
      nullable: true,
      description:
        'Percent a year at the running rates, net of cost_pct_round_trip (fees, opening and closing), when held for hold_days; null only where that is',
    },
    ...REALISED_DAYS.map((days) => ({
      name: realisedColumn(days),
      type: 'number' as const,
      nullable: true,
      description: `What the pair really earned in the last ${days === 1 ? '24 hours' : `${days} days`}, in percent, from settled prints: received by the short leg minus paid by the long leg, each up to its own *_covered_until; null under 95 % coverage`,
    })),
    {
      name: 'positive_hours_30d_pct',
      type: 'number',
      nullable: true,
      description:
        'Share of the last 720 full hours in which the pair earned, in percent; each print is spread over its interval; null under 95 % coverage',
    },
    {
      name: 'worst_day_30d_pct',
      type: 'number',
      nullable: true,
      description:
        'Settled funding of the worst of the last 30 full UTC days, in percent; negative = paid. Funding only: price_gap_30d_low_pct and price_gap_30d_high_pct say how the prices moved',
    },
    {
      name: 'max_drawdown_30d_pct',
      type: 'number',
      nullable: true,
      description:
        'Largest fall of the cumulative settled funding from a peak in the last 720 full hours, in percent. Funding only: a move of the price gap comes on top',
    },
    {
      name: 'capacity_usd',
      type: 'number',
      nullable: true,
      description:
        'Largest size of each leg in USD that fills within slippage_bp of the mid prices, on both books, for opening and closing; null without a book of the last ten minutes. It is at least this where capacity_is_lower_bound is true',
    },
    {
      name: 'volume_usdt',
      type: 'number',
      nullable: false,
      description: 'Turnover of the last 24 hours in USDT, of the smaller leg',
    },
    {
      name: 'open_interest_usdt',
      type: 'number',
      nullable: true,
      description: 'Open interest in USDT, of the smaller leg; null unless both venues publish it',
    },
    {
      name: 'updated_at',
      type: 'time',
      nullable: false,
      description: 'When the older of the two quotes was received, UTC',
    },
    ...legs(
      { type: 'number', nullable: false },
      '*_taker_fee_pct',
      "Taker fee of the * leg in percent, as used in this row: the contract's own; with fees your own",
    ),
    ...legs(
      { type: 'time', nullable: true },
      '*_covered_until',
      'Last settlement up to which the prints of the * leg are complete, UTC: its part of the realised figures is over (this - N days, this]; null without any',
    ),
    {
      name: 'capacity_is_lower_bound',
      type: 'flag',
      nullable: false,
      description:
        'true = more than capacity_usd may fit: the levels that are known of the leg that limits it end before slippage_bp; false when capacity_usd is exact or null',
    },
    {
      name: 'exit_spread_pct',
      type: 'number',
      nullable: false,
      description:
        'Price gained (positive) or paid on closing at the present tops: (bid of the long leg - ask of the short leg) / ask of the long leg, in percent',
    },
    {
      name: 'cost_pct_round_trip',
      type: 'number',
      nullable: true,
      description:
        'What opening and closing cost together, in percent: fee_pct_round_trip - entry_spread_pct - exit_spread_pct. With size_usd it is fee_pct_round_trip + entry_cost_pct + exit_cost_pct, and null where these are not known; else never null',
    },
    {
      name: 'price_gap_pct',
      type: 'number',
      nullable: false,
      description:
        'How much higher the mid price of the short leg is than that of the long leg now, in percent; a pair gains what it falls by while held',
    },
    {
      name: 'price_gap_30d_low_pct',
      type: 'number',
      nullable: true,
      description:
        'Lowest price_gap_pct of the last 30 UTC days, today included, one look a minute; null when never seen. price_gap_from says since when',
    },
    {
      name: 'price_gap_30d_high_pct',
      type: 'number',
      nullable: true,
      description: 'Highest price_gap_pct of the same time',
    },
    {
      name: 'price_gap_from',
      type: 'time',
      nullable: true,
      description:
        'First look that the range of the price gap includes, UTC: later than 30 days ago if the pair has been watched for less time',
    },
    ...HORIZONS_DAYS.map((days) => ({
      name: expectedColumn(days),
      type: 'number' as const,
      nullable: true,
      description: `What the pair is expected to earn in the next ${days === 1 ? '24 hours' : `${days} days`}, in percent, before costs: a forecast from the running rates and the settled funding of 30 days, with a stated error; null under 95 % coverage`,
    })),
    {
      name: 'expected_low_pct',
      type: 'number',
      nullable: true,
      description:
        'Lower end of what the pair is expected to earn over hold_days, in percent, before costs: of past forecasts one in ten earned less, relative to how much the spread moves',
    },
    {
      name: 'expected_high_pct',
      type: 'number',
      nullable: true,
      description: 'Upper end of the same: one in ten earned more',
    },
    {
      name: 'expected_net_apr_pct',
      type: 'number',
      nullable: true,
      description: 'Percent a year that is expected, net of cost_pct_round_trip, when held for hold_days',
    },
    {
      name: 'probability_net_positive',
      type: 'number',
      nullable: true,
      description:
        'Share, from 0.01 to 0.99, of past errors with which the pair would earn more than cost_pct_round_trip over hold_days',
    },
    {
      name: 'median_hours_above_fee',
      type: 'number',
      nullable: true,
      description:
        "How long a carry above the fee lasted before: median length in hours of the times_above_fee times in the last 720 full hours in which the settled funding of each hour was more than 1/720 of four taker fills at the contracts' own fees; null with fewer than 3 times or under 95 % coverage",
    },
    {
      name: 'times_above_fee',
      type: 'integer',
      nullable: true,
      description:
        'How many such times of this direction began and ended in the last 720 full hours; null under 95 % coverage',
    },
    {
      name: 'hours_above_fee_now',
      type: 'integer',
      nullable: true,
      description:
        'Hours that the present such time has lasted, up to the last hour that both legs have settled; 0 when that hour was not above the fee; null under 95 % coverage',
    },
    {
      name: 'expected_scale_pct_day',
      type: 'number',
      nullable: true,
      description:
        'What errors of the forecast are measured in, in percent a day: the mean of the absolute hourly spread over 30 days times 24, wider by how far the pair stands from its 30 days now. Times the days and the error_quantiles of /forecasts/accuracy it gives expected_low_pct, expected_high_pct and probability_net_positive',
    },
    LEG_CLOSED,
    {
      name: 'expected_low_net_apr_pct',
      type: 'number',
      nullable: true,
      description:
        'Percent a year that the pair is likely to earn at least, net of cost_pct_round_trip, when held for hold_days: (expected_low_pct - cost_pct_round_trip) / hold_days x 365. Of past forecasts one in ten earned less; null where one of the two is',
    },
  ],
};

/** The same with what the books cost at a size. */
export const SIZED_ARBITRAGE_TABLE: TableSpec = {
  ...ARBITRAGE_TABLE,
  columns: [...ARBITRAGE_TABLE.columns, ...SIZE_COLUMNS],
};
