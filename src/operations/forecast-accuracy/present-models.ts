import {
  FEATURE_NAMES,
  type HorizonModel,
  type ModelKind,
  QUANTILE_LEVELS,
} from '../../engines/forecast/model.ts';
import type { ForecastModels } from '../../engines/forecast/models.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import { double, integer32, object, orNull } from './schemas.ts';

/** One of the models that present forecasts come from, with all that recomputes them. */
export interface PresentModel {
  days: number;
  model: ModelKind;
  weights: Record<string, number>;
  feature_limit: number | null;
  jump_share: number;
  error_quantiles: readonly { level: number; error: number }[];
}

export interface PresentModels {
  pairs: readonly PresentModel[];
  contracts: readonly PresentModel[];
}

export function presentModels({ pairs, legs }: ForecastModels): PresentModels {
  return { pairs: pairs.map(presentModel), contracts: legs.map(presentModel) };
}

function presentModel({
  days,
  kind,
  weights,
  quantiles,
  featureLimit,
  jumpShare,
}: HorizonModel): PresentModel {
  return {
    ...{ days, model: kind },
    weights: Object.fromEntries(FEATURE_NAMES.map((name, k) => [name, weights[k] ?? 0])),
    ...{ feature_limit: featureLimit, jump_share: jumpShare },
    error_quantiles: QUANTILE_LEVELS.map((level, i) => ({ level, error: quantiles[i] ?? 0 })),
  };
}

const model = object({
  days: { ...integer32, description: 'Horizon' },
  model: { type: 'string', enum: ['shipped', 'fitted'], description: 'Where the weights come from' },
  weights: object(
    Object.fromEntries(FEATURE_NAMES.map((name) => [name, double])),
    'Of each figure of a contract, in percent a day',
  ),
  feature_limit: orNull(
    double,
    'A figure of a contract counts up to plus or minus this times absolute_30d_pct / 30; null = in full',
  ),
  jump_share: {
    ...double,
    description:
      'The scale of errors is the mean of |hourly spread| over 30 days times 24, plus this share of the larger of |now - mean_30d| and |mean_1d - mean_30d|',
  },
  error_quantiles: {
    type: 'array',
    items: object({ level: double, error: double }),
    description:
      'Quantiles of past errors, (earned - expected) / scale a day, in the direction that was expected to earn. Those at 0.1 and 0.9 make expected_low_pct and expected_high_pct, all of them probability_net_positive',
  },
});

export const PRESENT_MODELS_SCHEMA: JsonSchema = object(
  {
    pairs: { type: 'array', items: model, description: 'Of rows of /arbitrage, for 1, 7 and 30 days' },
    contracts: {
      type: 'array',
      items: model,
      description: 'Of one contract, in rows of /funding/{coin}; the scale starts from absolute_30d_pct / 30',
    },
  },
  'What present forecasts come from: with the figures of the rows it recomputes each; /developers/forecast has a worked example',
);

export const EXAMPLE_MODEL: PresentModel = {
  days: 7,
  model: 'fitted',
  weights: { now: 0.01, mean_1d: 0.12, mean_7d: 0.14, mean_30d: 0.47 },
  feature_limit: 2,
  jump_share: 0.25,
  error_quantiles: [-1.81, -0.75, -0.53, -0.33, -0.2, -0.09, 0, 0.12, 0.23, 0.36, 0.57, 0.77, 1.71].map(
    (error, i) => ({ level: QUANTILE_LEVELS[i] ?? 0, error }),
  ),
};
