import { isoTime } from '../../base/times.ts';
import { SLIPPAGES_BP, type SlippageBp } from '../../engines/arbitrage/capacity.ts';
import { HOLD_DAYS, type HoldDays } from '../../engines/arbitrage/figures.ts';
import { modelFor } from '../../engines/arbitrage/forecast-cells.ts';
import { DEFAULT_VIEW } from '../../engines/arbitrage/source.ts';
import { SIZED_ARBITRAGE_TABLE } from '../../engines/arbitrage/table.ts';
import { equals, filter } from '../../query/filter-kinds.ts';
import { flag, integerChoice, number } from '../../query/kinds.ts';
import { dropAll, keepOnly } from '../../query/row-bits.ts';
import type { AssetClass } from '../../venues/observations.ts';
import { percent, yearly } from '../answer/row-words.ts';
import { perInterval } from '../answer/words.ts';
import { defineList } from '../list/list.ts';
import { legClosed, pairFilters } from '../list/pair-filters.ts';
import { SIZE_FILTERS, SIZE_SORTS, sizeParameter } from '../size.ts';
import { feesByVenue, feesParameter } from '../taker-fees.ts';
import { ARBITRAGE_EXAMPLE } from './example.ts';
import { BOUNDS, SORTS } from './figures.ts';
import { bestRows, sameIntervalRows, TIES } from './row-sets.ts';

const ASSET_CLASSES: readonly AssetClass[] = ['crypto', 'stock', 'commodity', 'index', 'forex'];

export const arbitrage = defineList({
  id: 'arbitrage',
  operationId: 'listArbitrage',
  path: '/arbitrage',
  scope: 'funding:read',
  summary: 'Funding arbitrage: what a long on one venue and a short on another earn, net of fees',
  description:
    'One row per coin and pair of venues, in the direction that earns at the running rates: hold a long on long_exchange and a short of the same size on short_exchange. Figures are percent of the size of one leg. carry_pct_day and gross_apr_pct are before costs; net_apr_pct is net of cost_pct_round_trip, for a position held hold_days: four taker fills, opening at the present tops and closing at them. The realised figures are what the pair really earned from settled prints; worst_day_30d_pct and max_drawdown_30d_pct are of funding only, and the price_gap fields say how far the prices moved. capacity_usd is the size that fits into both books; where capacity_is_lower_bound is true, at least that size. Linear contracts only, identified as in /spreads. Rates change, and a high figure of the running rates rarely lasts: choose pairs by expected_low_net_apr_pct (sort expected_low_net_desc), what they are likely to earn at least after costs; expected_net_apr_pct (sort expected_net_desc) is the expectation, whose highest values are most often too high, between expected_low_pct and expected_high_pct; median_hours_above_fee says how long such a carry lasted before; use net_apr_pct for what would be earned if the rates stayed, and the realised figures for what was earned. A forecast is an expectation with a stated error, not advice: /forecasts/accuracy has its score, and the page /developers/forecast its formula. Every formula is on the page /developers/arbitrage.',
  table: SIZED_ARBITRAGE_TABLE,
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
        'long_taker_fee_pct and short_taker_fee_pct show them; fee_pct_round_trip, cost_pct_round_trip, break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow.',
      ),
      size_usd: sizeParameter(
        'It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds, and cost_pct_round_trip counts these costs instead of the widths of the best prices; break_even_hours, net_apr_pct, expected_net_apr_pct, expected_low_net_apr_pct and probability_net_positive follow. All are null where the books do not fill it.',
      ),
    },
    defaults: { hold_days: DEFAULT_VIEW.holdDays, slippage_bp: DEFAULT_VIEW.slippageBp },
    of: (snapshot, { hold_days, slippage_bp, fees, size_usd }, context) => {
      const feesPct = feesByVenue(fees as readonly string[] | undefined, context);
      const holdDays = hold_days as HoldDays;
      const slippageBp = slippage_bp as SlippageBp;
      const sizeUsd = (size_usd as number | undefined) ?? null;
      return context.data.arbitrage.view(snapshot, { holdDays, slippageBp, feesPct, sizeUsd });
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
    leg_closed: legClosed,
    asset_class: equals('asset_class', ASSET_CLASSES, 'Kind of underlying'),
    same_interval: filter(
      (name) => flag(name, 'true: both legs settle at the same interval; false: they differ'),
      ['long_interval_hours', 'short_interval_hours'],
      (isSame, { table }) => ({
        keep: (bits) => (isSame ? keepOnly : dropAll)(bits, sameIntervalRows(table)),
      }),
    ),
    ...BOUNDS,
    ...SIZE_FILTERS,
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
  sorts: { ...SORTS, ...SIZE_SORTS },
  defaultSort: 'net_apr_desc',
  sortNote:
    ', the running rates: what pays most this hour; expected_low_net_desc is for choosing pairs to hold, by what is likely to be earned at least after costs; expected_net_desc is by the expectation',
  ties: TIES,
  withheld: (table, { plan }) => (plan.delaySeconds > 0 ? bestRows(table) : null),
  object: {
    title: 'ArbitragePairs',
    rowsField: 'pairs',
    properties: {
      withheld_top: {
        type: 'integer',
        format: 'int32',
        description:
          'How many rows with the highest net_apr_pct at the default figures are withheld on the Demo plan; 0 on paid plans',
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
  example: ARBITRAGE_EXAMPLE,
});
