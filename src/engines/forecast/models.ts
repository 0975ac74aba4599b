import { listOf, nullable, number, objectOf, oneOf, text, withDefault } from '../../base/parsing.ts';
import { perSnapshot } from '../../base/per-snapshot.ts';
import type { Table, TableSpec } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { FEATURE_NAMES, HORIZONS_DAYS, type HorizonModel, type ModelKind, QUANTILE_LEVELS } from './model.ts';
import { SHIPPED_MODELS } from './shipped.ts';

/** The models of all horizons at one time. */
export interface ForecastModels {
  /** Of the form of the model; another form has another version. */
  version: string;
  /** When the weights were fitted. */
  atMs: number;
  /** For pairs: short minus long. */
  pairs: readonly HorizonModel[];
  /** For one contract against holding nothing, as its short receives. */
  legs: readonly HorizonModel[];
}

export const SHIPPED: ForecastModels = {
  version: SHIPPED_MODELS.version,
  atMs: Date.parse(SHIPPED_MODELS.date),
  pairs: SHIPPED_MODELS.pairs,
  legs: SHIPPED_MODELS.legs,
};

const WEIGHT_COLUMNS = FEATURE_NAMES.map((name) => `weight_${name}`);
const QUANTILE_COLUMNS = QUANTILE_LEVELS.map((level) => `quantile_${Math.round(level * 100)}`);

/** The stored form: one row for each horizon of pairs and of legs. */
export const FORECAST_MODELS_TABLE: TableSpec = {
  name: 'forecast-models',
  columns: [
    { name: 'of', type: 'text', nullable: false, description: 'pairs or legs' },
    { name: 'days', type: 'integer', nullable: false, description: 'Horizon' },
    { name: 'kind', type: 'text', nullable: false, description: 'shipped or fitted' },
    { name: 'version', type: 'text', nullable: false, description: 'Form of the model' },
    { name: 'at', type: 'time', nullable: false, description: 'When the weights were fitted' },
    ...[...WEIGHT_COLUMNS, ...QUANTILE_COLUMNS].map((name) => ({
      name,
      type: 'number' as const,
      nullable: false,
      description: 'Of the model',
    })),
    // Models of version 1 have neither.
    { name: 'feature_limit', type: 'number', nullable: true, description: 'In means of the absolute rate' },
    { name: 'jump_share', type: 'number', nullable: true, description: 'Share of a jump in the scale' },
  ],
};

export function modelsTable({ version, atMs, pairs, legs }: ForecastModels): Table {
  const builder = new TableBuilder(FORECAST_MODELS_TABLE);
  for (const [of, models] of Object.entries({ pairs, legs }))
    for (const { days, kind, weights, quantiles, featureLimit, jumpShare } of models)
      builder.add({
        ...{ of, days, kind, version, at: atMs },
        ...Object.fromEntries(WEIGHT_COLUMNS.map((name, i) => [name, weights[i] ?? 0])),
        ...Object.fromEntries(QUANTILE_COLUMNS.map((name, i) => [name, quantiles[i] ?? 0])),
        ...{ feature_limit: featureLimit, jump_share: jumpShare },
      });
  return builder.build();
}

/** The models of a table; the shipped ones without a table. */
export function modelsOf(table: Table | undefined): ForecastModels {
  return table ? readModels(table) : SHIPPED;
}

const readModels = perSnapshot((table: Table): ForecastModels => {
  const rowsOf = (of: string) =>
    HORIZONS_DAYS.flatMap((days) => {
      for (let row = 0; row < table.rowCount; row++)
        if (table.text('of', row) === of && table.numbers('days')[row] === days)
          return [modelAt(table, row, days)];
      return [];
    });
  return {
    version: table.text('version', 0),
    atMs: table.numbers('at')[0] as number,
    pairs: rowsOf('pairs'),
    legs: rowsOf('legs'),
  };
});

function modelAt(table: Table, row: number, days: HorizonModel['days']): HorizonModel {
  const at = (name: string) => table.numbers(name)[row] as number;
  return {
    days,
    kind: table.text('kind', row) as ModelKind,
    weights: WEIGHT_COLUMNS.map(at),
    quantiles: QUANTILE_COLUMNS.map(at),
    featureLimit: Number.isNaN(at('feature_limit')) ? null : at('feature_limit'),
    jumpShare: at('jump_share') || 0,
  };
}

const parseHorizon = objectOf<HorizonModel>({
  days: oneOf(...HORIZONS_DAYS),
  kind: oneOf('shipped', 'fitted'),
  weights: listOf(number),
  quantiles: listOf(number),
  featureLimit: withDefault(nullable(number), null),
  jumpShare: withDefault(number, 0),
});

export const parseModels = objectOf<ForecastModels>({
  version: text,
  atMs: number,
  pairs: listOf(parseHorizon),
  legs: listOf(parseHorizon),
});
