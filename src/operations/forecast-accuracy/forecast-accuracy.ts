import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { FEATURE_NAMES, type ModelKind } from '../../engines/forecast/model.ts';
import { modelsOf } from '../../engines/forecast/models.ts';
import { ORDERS, PLACES } from '../../engines/forecast/orders.ts';
import { integer } from '../../query/kinds.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import type { ObjectAnswer } from '../answer/answer.ts';
import { metaOf } from '../answer/meta.ts';
import { defineOperation, type OperationContext } from '../operation.ts';
import { knownScores } from './known-scores.ts';
import { DEFAULT_DAYS } from './no-better.ts';
import { CONTRACTS_PER_VENUE, loadPredictions, PREDICTION_DAYS } from './predictions.ts';
import { EXAMPLE_MODEL, PRESENT_MODELS_SCHEMA, type PresentModels, presentModels } from './present-models.ts';
import { double, integer32, object, orNull } from './schemas.ts';
import type { GroupAccuracy, HorizonAccuracy } from './summary.ts';

const MAX_DAYS = 365;
/** Scores change a few times a day. */
const FRESH_MS = 5 * MINUTE_MS;

const numberOrNull = (description: string) => orNull(double, description);
const group: Record<string, JsonSchema> = {
  observations: { ...integer32, description: 'Forecasts with a known outcome: one per pair and day' },
  mean_error_bp: object(
    {
      expected: numberOrNull('Of the forecast'),
      now: numberOrNull('If the running rates had stayed'),
      mean_7d: numberOrNull('If the mean of the last 7 days had stayed'),
      mean_30d: numberOrNull('If the mean of the last 30 days had stayed'),
      zero: numberOrNull('If nothing had been expected'),
    },
    'Mean absolute difference from what was earned over the horizon, in basis points of one leg; null without observations',
  ),
  bias_bp: numberOrNull('Mean of earned minus expected, in basis points, in the direction of the row'),
  coverage_pct: numberOrNull('Share of outcomes inside the interval, in percent; 80 is the aim'),
  is_worse_than_zero: orNull(
    { type: 'boolean' },
    'true = expecting nothing would have had a smaller error than the forecast',
  ),
};
const order = object({
  picks: { ...integer32, description: 'Pairs followed: up to ten a day' },
  promised_apr_pct: numberOrNull('Mean of the figure that they were chosen by, in percent a year'),
  earned_pct: numberOrNull('Mean of what they earned over the horizon, in percent of one leg, before costs'),
  earned_apr_pct: numberOrNull('The same in percent a year'),
  cost_pct: numberOrNull('Mean of cost_pct_round_trip when they were chosen'),
});
const place = object({
  picks: { ...integer32, description: 'Pairs followed whose outcome is known' },
  promised_bp: numberOrNull(
    'Mean of what they promised over the horizon before costs, in basis points of one leg: at the running rates, at those of 30 days, or the forecast, as the order has it',
  ),
  earned_bp: numberOrNull('Mean of what they earned'),
  inside_pct: numberOrNull(
    'Share of outcomes inside the interval of the forecast, in percent; 80 is the aim',
  ),
  below_costs_pct: numberOrNull('Share that earned less than cost_pct_round_trip, in percent'),
});
const list = (name: string, description: string): JsonSchema => ({
  type: 'array',
  items: object({ [name]: { type: 'string', description: 'Name' }, ...group }),
  description,
});
const horizon = object({
  days: { ...integer32, description: 'Horizon of the forecast' },
  forecast_days: { ...integer32, description: 'Days whose forecasts are scored' },
  first_day: orNull({ type: 'string', format: 'date' }, 'First of them, UTC'),
  last_day: orNull({ type: 'string', format: 'date' }, 'Last of them, UTC'),
  ...group,
  by_exchange: list('exchange', 'The same by venue; a pair counts for both of its venues'),
  by_asset_class: list('asset_class', 'The same by kind of underlying'),
  top_ten: object(
    Object.fromEntries(ORDERS.map((name) => [name, order])),
    'What the ten best pairs of each day earned, by the order they were chosen by: net_apr_pct, realised_30d_pct, expected_net_apr_pct or what is likely to be earned at least: expected_low_pct less costs',
  ),
  by_place: object(
    Object.fromEntries(
      ORDERS.map((name) => [name, object(Object.fromEntries(PLACES.map((one) => [one.name, place])))]),
    ),
    'The same by place in each order, best first: the first pair of each day, the first ten, the first hundred, and all after them. Null for scores of versions that did not keep it',
  ),
  model: { type: 'string', enum: ['shipped', 'fitted'], description: 'Where the present weights come from' },
  weights: object(
    Object.fromEntries(FEATURE_NAMES.map((name) => [name, double])),
    'Present weights: the forecast is days times the sum of each with its figure, short minus long, in percent a day',
  ),
});

const runningRates = object({
  exchange: { type: 'string', description: 'Venue name' },
  hours_before: {
    type: 'array',
    items: object({
      hours: { ...integer32, description: 'How long before the settlement' },
      compared: { ...integer32, description: 'Payments that were compared' },
      mean_error_bp: numberOrNull(
        'Mean absolute difference between the running rate and the payment, in basis points',
      ),
      close_pct: numberOrNull(
        'Share of rates that were off by at most 10 % of the payment or 0.1 bp, in percent',
      ),
    }),
    description: 'For 1, 4 and 8 hours',
  },
});

/** Of the present weights of a horizon. */
interface PresentWeights {
  model: ModelKind;
  weights: Record<string, number>;
}

export interface ForecastAccuracy {
  from: string;
  to: string;
  model_version: string;
  models: PresentModels;
  model_date: string;
  horizons: readonly (HorizonAccuracy & PresentWeights)[];
  running_rates: readonly RunningRates[] | null;
}

/** How well the running rates of a venue predicted its payments. */
interface RunningRates {
  exchange: string;
  hours_before: readonly {
    hours: number;
    compared: number;
    mean_error_bp: number | null;
    close_pct: number | null;
  }[];
}

async function runningRatesOf({ data, nowMs }: OperationContext): Promise<RunningRates[] | null> {
  const rounded = (value: number | null) => (value === null ? null : Number(value.toFixed(4)));
  const venues = await loadPredictions(data, nowMs);
  return (
    venues?.map(({ exchange, figures }) => ({
      exchange,
      hours_before: figures.map(({ hours, compared, meanErrorBp, closePct }) => ({
        ...{ hours, compared, mean_error_bp: rounded(meanErrorBp), close_pct: rounded(closePct) },
      })),
    })) ?? null
  );
}

const EXAMPLE_GROUP: GroupAccuracy = {
  observations: 61_204,
  mean_error_bp: { expected: 6.0696, now: 15.1022, mean_7d: 6.7114, mean_30d: 6.6512, zero: 8.8103 },
  bias_bp: -0.2104,
  coverage_pct: 81.4,
  is_worse_than_zero: false,
};
const exampleOrder = (promised_apr_pct: number, earned_apr_pct: number) => ({
  picks: 300,
  promised_apr_pct,
  earned_pct: Number(((earned_apr_pct * 7) / 365).toFixed(6)),
  earned_apr_pct,
  cost_pct: 0.254,
});

const examplePlace = (picks: number, promised_bp: number, earned_bp: number) => ({
  ...{ picks, promised_bp, earned_bp, inside_pct: 82.3, below_costs_pct: 8.4 },
});
const EXAMPLE_PLACES = {
  first: examplePlace(30, 21.4, 20.2),
  first_10: examplePlace(300, 19.2, 19.3),
  first_100: examplePlace(3000, 14.1, 14.6),
  rest: examplePlace(57_874, 3.1, 3.3),
};

export const forecastAccuracy = defineOperation({
  id: 'forecast-accuracy',
  operationId: 'getForecastAccuracy',
  path: '/forecasts/accuracy',
  scope: 'funding:read',
  summary: 'How right the forecasts of /arbitrage were',
  description:
    'Every day the forecasts of all pairs are stored as they were published. Half a day after a horizon has ended they are compared with what settled, once, beside four simple guesses on the same pairs: the running rates, the means of the last 7 and 30 days, and nothing. Figures are of funding, before costs, in the direction of the row. Null where nothing is scored yet: the first scores of a new service are a day and a half old, those of 30 days a month. meta.as_of is when the last score was made; before the first one, the day of the weights. The weights are the present ones; the page /developers/forecast says how they are fitted and how to check them on prints of your own.',
  parameters: {
    days: integer(
      'days',
      { min: 1, max: MAX_DAYS },
      `Forecasts that were published in the last so many days count; default ${DEFAULT_DAYS}`,
    ),
  },
  freshness: (_data, _delaySeconds, nowMs) => Math.floor(nowMs / FRESH_MS) * FRESH_MS,
  data: {
    ...object({
      from: { type: 'string', format: 'date', description: 'First day whose forecasts count, UTC' },
      to: { type: 'string', format: 'date', description: 'Last day whose forecasts count, UTC' },
      model_version: { type: 'string', description: 'Version of the form of the present model' },
      models: PRESENT_MODELS_SCHEMA,
      model_date: { type: 'string', format: 'date', description: 'Day of the present weights, UTC' },
      horizons: { type: 'array', items: horizon, description: 'For 1, 7 and 30 days' },
      running_rates: orNull(
        { type: 'array', items: runningRates },
        `How well the running rate before a settlement predicted the payment, per venue, by name: the ${PREDICTION_DAYS} UTC days before today, whatever days is, and the ${CONTRACTS_PER_VENUE} most traded contracts. Null while they cannot be read`,
      ),
    }),
    title: 'ForecastAccuracy',
  },
  tableRows: ['horizons'],
  shortRows: {
    leading: [
      'days',
      'observations',
      'mean_error_bp.expected',
      'mean_error_bp.now',
      'coverage_pct',
      'bias_bp',
      'mean_error_bp.mean_7d',
      'mean_error_bp.mean_30d',
      'mean_error_bp.zero',
    ],
  },
  example: {
    from: '2026-08-17',
    to: '2026-11-15',
    model_version: '2',
    models: { pairs: [EXAMPLE_MODEL], contracts: [EXAMPLE_MODEL] },
    model_date: '2026-11-15',
    horizons: [
      {
        days: 7,
        forecast_days: 30,
        first_day: '2026-10-08',
        last_day: '2026-11-07',
        ...EXAMPLE_GROUP,
        by_exchange: [{ exchange: 'Bybit', ...EXAMPLE_GROUP }],
        by_asset_class: [{ asset_class: 'crypto', ...EXAMPLE_GROUP }],
        top_ten: {
          net_apr: exampleOrder(36.5, 4.3),
          realised_30d: exampleOrder(9.1, 6.2),
          expected_net: exampleOrder(6.3, 7.1),
          expected_low_net: exampleOrder(4.2, 6.8),
        },
        by_place: Object.fromEntries(ORDERS.map((name) => [name, EXAMPLE_PLACES])),
        model: 'fitted',
        weights: { now: 0.01, mean_1d: 0.12, mean_7d: 0.14, mean_30d: 0.47 },
      },
    ],
    running_rates: [
      {
        exchange: 'Bybit',
        hours_before: [
          { hours: 1, compared: 1204, mean_error_bp: 0.0413, close_pct: 91.2 },
          { hours: 4, compared: 1198, mean_error_bp: 0.1742, close_pct: 74.6 },
          { hours: 8, compared: 1176, mean_error_bp: 0.3125, close_pct: 61.3 },
        ],
      },
    ],
  },
  run: async ({ days = DEFAULT_DAYS }, context): Promise<ObjectAnswer<ForecastAccuracy>> => {
    const { data, plan, nowMs } = context;
    const visibleMs = nowMs - plan.delaySeconds * SECOND_MS;
    const today = Math.floor(visibleMs / DAY_MS);
    const fromDay = today - days;
    const known = await knownScores(data.forecastScores, fromDay, Math.floor(visibleMs / MINUTE_MS));
    const models = modelsOf(data.forecastModels.at(plan.delaySeconds, nowMs)?.table);
    const dayText = (timeMs: number) => isoTime(timeMs).slice(0, 'YYYY-MM-DD'.length);
    const fields: ForecastAccuracy = {
      from: dayText(fromDay * DAY_MS),
      to: dayText(today * DAY_MS),
      model_version: models.version,
      models: presentModels(models),
      model_date: dayText(models.atMs),
      horizons: known.horizons.map((horizon, i) => ({
        ...horizon,
        model: models.pairs[i]?.kind ?? 'shipped',
        weights: Object.fromEntries(FEATURE_NAMES.map((name, k) => [name, models.pairs[i]?.weights[k] ?? 0])),
      })),
      running_rates: await runningRatesOf(context),
    };
    const asOfMs = known.lastMinute === null ? models.atMs : known.lastMinute * MINUTE_MS;
    // The page always shows the default window.
    const meta = metaOf(asOfMs, '/accuracy/forecasts', { ...context, sent: new Map() });
    return { fields, rows: null, meta };
  },
});
