import { isoTime } from '../../base/times.ts';
import { SLIPPAGES_BP, type SlippageBp } from '../../engines/arbitrage/capacity.ts';
import { HOLD_DAYS, type HoldDays } from '../../engines/arbitrage/figures.ts';
import { expectedColumn, modelFor } from '../../engines/arbitrage/forecast-cells.ts';
import { REALISED_DAYS } from '../../engines/arbitrage/legs.ts';
import { DEFAULT_VIEW } from '../../engines/arbitrage/source.ts';
import { ARBITRAGE_TABLE, realisedColumn } from '../../engines/arbitrage/table.ts';
import { HORIZONS_DAYS } from '../../engines/forecast/model.ts';
import type { Table } from '../../market/tables/table.ts';
import { atLeast, atMost, equals, filter } from '../../query/filter-kinds.ts';
import type { ListFilter } from '../../query/filter-set.ts';
import { flag, integerChoice, number } from '../../query/kinds.ts';
import { dropAll, keepOnly, type RowBits, setRow, wordsFor } from '../../query/row-bits.ts';
import { orderOf, type Sort, type Sorts } from '../../query/sorting.ts';
import type { AssetClass } from '../../venues/observations.ts';
import { percent, yearly } from '../answer/row-words.ts';
import { perInterval } from '../answer/words.ts';
import { defineList } from '../list/list.ts';
import { pairFilters } from '../list/pair-filters.ts';
import { feesByVenue, feesParameter } from '../taker-fees.ts';

const ASSET_CLASSES: readonly AssetClass[] = ['crypto', 'stock', 'commodity', 'index', 'forex'];
const TIES = ['coin', 'long_exchange', 'short_exchange'];
/** Number of best rows that callers with delayed data do not get. */
export const WITHHELD_ROWS = 5;

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
  break_even: { column: 'break_even_hours', words: 'break_even_hours' },
  capacity: { column: 'capacity_usd', words: 'capacity_usd, in USD' },
  volume: { column: 'volume_usdt', words: "the smaller leg's 24 h volume, in USDT" },
  open_interest: { column: 'open_interest_usdt', words: "the smaller leg's open interest, in USDT" },
};

/** `min_net_apr_pct`, `max_net_apr_pct` and so on: the bounds carry the name of the column. */
const bounds: Record<string, ListFilter> = Object.fromEntries(
  Object.values(FIGURES).flatMap(({ column, words: figure }) => [
    [`min_${column}`, atLeast(column, `Lowest ${figure}`)],
    [`max_${column}`, atMost(column, `Highest ${figure}`)],
  ]),
);

const SORTS: Sorts = {
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
  updated_desc: { column: 'updated_at', direction: 'desc' },
  coin_asc: { column: 'coin', direction: 'asc' },
};
const BEST: Sort = { column: 'net_apr_pct', direction: 'desc' };

export const arbitrage = defineList({
  id: 'arbitrage',
  operationId: 'listArbitrage',
  path: '/arbitrage',
  scope: 'funding:read',
  summary: 'Funding arbitrage: what a long on one venue and a short on another earn, net of fees',
  description:
    'One row per coin and pair of venues, in the direction that earns at the running rates: hold a long on long_exchange and a short of the same size on short_exchange. Figures are percent of the size of one leg. carry_pct_day and gross_apr_pct are before costs; net_apr_pct is net of cost_pct_round_trip, for a position held hold_days: four taker fills, opening at the present tops and closing at them. The realised figures are what the pair really earned from settled prints; worst_day_30d_pct and max_drawdown_30d_pct are of funding only, and the price_gap fields say how far the prices moved. capacity_usd is the size that fits into both books; where capacity_is_lower_bound is true, at least that size. Linear contracts only, identified as in /spreads. Rates change, and a high figure of the running rates rarely lasts: choose pairs by expected_net_apr_pct (sort expected_net_desc), which forecasts what they will earn, with expected_low_pct and expected_high_pct around it; use net_apr_pct for what would be earned if the rates stayed, and the realised figures for what was earned. A forecast is an expectation with a stated error, not advice: /forecasts/accuracy has its score, and the page /developers/forecast its formula. Every formula is on the page /developers/arbitrage.',
  table: ARBITRAGE_TABLE,
  source: (data) => data.arbitrage,
  view: {
    parameters: {
      hold_days: integerChoice(
        'hold_days',
        HOLD_DAYS,
        'Days over which net_apr_pct and expected_net_apr_pct spread cost_pct_round_trip, and which expected_low_pct and expected_high_pct are for; default 30. For 90 the forecast is three times that of 30',
      ),
      slippage_bp: integerChoice(
        'slippage_bp',
        SLIPPAGES_BP,
        'Basis points from the mid price within which capacity_usd fills; default 5',
      ),
      fees: feesParameter(
        'long_taker_fee_pct and short_taker_fee_pct show them; fee_pct_round_trip, cost_pct_round_trip, break_even_hours, net_apr_pct, expected_net_apr_pct and probability_net_positive follow.',
      ),
    },
    defaults: { hold_days: DEFAULT_VIEW.holdDays, slippage_bp: DEFAULT_VIEW.slippageBp },
    of: (snapshot, { hold_days, slippage_bp, fees }, context) => {
      const feesPct = feesByVenue(fees as readonly string[] | undefined, context);
      const holdDays = hold_days as HoldDays;
      const slippageBp = slippage_bp as SlippageBp;
      return context.data.arbitrage.view(snapshot, { holdDays, slippageBp, feesPct });
    },
  },
  identity: ['coin', 'long_exchange', 'short_exchange'],
  shortRows: {
    leading: [
      'coin',
      'long_exchange',
      'short_exchange',
      'net_apr_pct',
      'gross_apr_pct',
      'break_even_hours',
      'realised_30d_pct',
      'capacity_usd',
    ],
    intervals: { long_rate_pct: 'long_interval_hours', short_rate_pct: 'short_interval_hours' },
  },
  words: {
    subject: ({ coin, long_exchange, short_exchange }) =>
      `${coin} arbitrage, long on ${long_exchange} and short on ${short_exchange},`,
    state: ({ net_apr_pct, gross_apr_pct }) =>
      `earns ${yearly(gross_apr_pct)} a year at the running rates (${yearly(net_apr_pct)} after costs)`,
    stateFigures: ['net_apr_pct', 'gross_apr_pct'],
    figures: {
      long_rate_pct: (row) =>
        `funding on ${row.long_exchange} is ${percent(row.long_rate_pct)} ${perInterval(row.long_interval_hours)}`,
      short_rate_pct: (row) =>
        `funding on ${row.short_exchange} is ${percent(row.short_rate_pct)} ${perInterval(row.short_interval_hours)}`,
      carry_pct_day: ({ carry_pct_day }) => `carry is ${percent(carry_pct_day)} a day`,
    },
  },
  filters: {
    ...pairFilters(['long_exchange', 'short_exchange']),
    asset_class: equals('asset_class', ASSET_CLASSES, 'Kind of underlying'),
    same_interval: filter(
      (name) => flag(name, 'true: both legs settle at the same interval; false: they differ'),
      ['long_interval_hours', 'short_interval_hours'],
      (isSame, { table }) => ({
        keep: (bits) => (isSame ? keepOnly : dropAll)(bits, sameIntervalRows(table)),
      }),
    ),
    ...bounds,
    min_possible_capacity_usd: filter(
      (name) =>
        number(
          name,
          'Lowest capacity_usd, in USD, that also keeps pairs where it is a lower bound: drops what is known to take less. min_capacity_usd is a bound on the stated figure',
        ),
      ['capacity_usd', 'capacity_is_lower_bound'],
      (least, { table }) => {
        const [fits, isLower] = [table.numbers('capacity_usd'), table.numbers('capacity_is_lower_bound')];
        return (row) => (fits[row] as number) >= least || isLower[row] === 1;
      },
    ),
  },
  sorts: SORTS,
  defaultSort: 'net_apr_desc',
  sortNote: ', the running rates; expected_net_desc is by what is expected',
  ties: TIES,
  withheld: (table, { plan }) => (plan.delaySeconds > 0 ? bestRows(table) : null),
  object: {
    title: 'ArbitragePairs',
    rowsField: 'pairs',
    properties: {
      withheld_top: {
        type: 'integer',
        format: 'int32',
        description: 'How many of the best rows are withheld on the Demo plan; 0 on paid plans',
      },
      hold_days: { type: 'integer', format: 'int32', description: 'Holding time of net_apr_pct in days' },
      slippage_bp: {
        type: 'integer',
        format: 'int32',
        description: 'Slippage of capacity_usd in basis points',
      },
      model: {
        type: 'string',
        enum: ['shipped', 'fitted'],
        description:
          'Where the weights of the expected figures for hold_days come from: fitted on the prints of this service, or shipped with it while there is too little history',
      },
      model_version: { type: 'string', description: 'Version of the form of the model' },
      model_date: {
        type: 'string',
        format: 'date',
        description: 'UTC day up to which prints were used for the weights',
      },
    },
    fields: ({ hold_days, slippage_bp }, withheld_top, asOfMs, { data }) => {
      const models = data.arbitrage.modelsAt(asOfMs);
      return {
        withheld_top,
        hold_days,
        slippage_bp,
        model: modelFor(models, hold_days as HoldDays).kind,
        model_version: models.version,
        model_date: isoTime(models.atMs).slice(0, 'YYYY-MM-DD'.length),
      };
    },
  },
  example: {
    withheld_top: 0,
    hold_days: 30,
    slippage_bp: 5,
    model: 'fitted',
    model_version: '1',
    model_date: '2026-11-15',
    pairs: [
      {
        coin: 'SOL',
        asset_class: 'crypto',
        long_exchange: 'OKX',
        short_exchange: 'Bybit',
        long_symbol: 'SOL-USDT',
        short_symbol: 'SOL-USDT',
        long_rate_pct: 0.005,
        short_rate_pct: 0.02,
        long_interval_hours: 8,
        short_interval_hours: 8,
        long_next_funding_at: '2026-11-15T16:00:00Z',
        short_next_funding_at: '2026-11-15T16:00:00Z',
        carry_pct_day: 0.045,
        gross_apr_pct: 16.425,
        fee_pct_round_trip: 0.21,
        entry_spread_pct: -0.02,
        break_even_hours: 132,
        net_apr_pct: 13.33466667,
        realised_1d_pct: 0.041,
        realised_7d_pct: 0.262,
        realised_30d_pct: 0.914,
        realised_90d_pct: null,
        positive_hours_30d_pct: 78.88888889,
        worst_day_30d_pct: -0.031,
        max_drawdown_30d_pct: 0.084,
        capacity_usd: 184230.5,
        volume_usdt: 311204998.1,
        open_interest_usdt: 402118233.4,
        updated_at: '2026-11-15T11:59:58Z',
        long_taker_fee_pct: 0.05,
        short_taker_fee_pct: 0.055,
        long_covered_until: '2026-11-15T08:00:00Z',
        short_covered_until: '2026-11-15T08:00:00Z',
        capacity_is_lower_bound: false,
        exit_spread_pct: -0.024,
        cost_pct_round_trip: 0.254,
        price_gap_pct: 0.002,
        price_gap_30d_low_pct: -0.071,
        price_gap_30d_high_pct: 0.118,
        price_gap_from: '2026-10-17T00:00:00Z',
        expected_carry_1d_pct: 0.031,
        expected_carry_7d_pct: 0.204,
        expected_carry_30d_pct: 0.712,
        expected_low_pct: 0.18,
        expected_high_pct: 1.334,
        expected_net_apr_pct: 5.57233333,
        probability_net_positive: 0.84,
      },
    ],
  },
});

const sameIntervals = new WeakMap<Float64Array, RowBits>();

/** The rows whose legs settle at the same interval; found once per snapshot. */
function sameIntervalRows(table: Table): RowBits {
  const [long, short] = [table.numbers('long_interval_hours'), table.numbers('short_interval_hours')];
  let rows = sameIntervals.get(long);
  if (!rows) {
    rows = new Uint32Array(wordsFor(table.rowCount));
    for (let row = 0; row < table.rowCount; row++) if (long[row] === short[row]) setRow(rows, row);
    sameIntervals.set(long, rows);
  }
  return rows;
}

const best = new WeakMap<Table, ReadonlySet<number>>();

/** The best rows of the whole table at the default figures: chosen before any filter, so that no filter reveals them. */
function bestRows(table: Table): ReadonlySet<number> {
  let rows = best.get(table);
  if (!rows) {
    rows = new Set(orderOf(table, 'net_apr_desc', BEST, TIES).subarray(0, WITHHELD_ROWS));
    best.set(table, rows);
  }
  return rows;
}
