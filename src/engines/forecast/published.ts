import { Table, type TableSpec, type TextData } from '../../market/tables/table.ts';
import { FEATURE_COUNT, FEATURE_NAMES } from './model.ts';

/** What was known of each contract when the forecasts of a day were published. */
export const FORECAST_CONTRACTS_TABLE: TableSpec = {
  name: 'forecast-contracts',
  columns: [
    { name: 'contract', type: 'text', nullable: false, description: 'Key of the contract' },
    { name: 'exchange', type: 'text', nullable: false, description: 'Venue' },
    { name: 'asset_class', type: 'text', nullable: false, description: 'Kind of underlying' },
    ...FEATURE_NAMES.map((name) => ({
      name,
      type: 'number' as const,
      nullable: true,
      description: 'Percent a day: the running rate, or a mean of settled funding',
    })),
  ],
};

/** The pairs of the day. Together with the contracts and the models they give every forecast. */
export const FORECAST_PAIRS_TABLE: TableSpec = {
  name: 'forecast-pairs',
  columns: [
    { name: 'long', type: 'integer', nullable: false, description: 'Row of the contract of the long leg' },
    { name: 'short', type: 'integer', nullable: false, description: 'Row of the contract of the short leg' },
    {
      name: 'scale_pct_day',
      type: 'number',
      nullable: true,
      description: 'Mean of the absolute hourly spread over 30 days, times 24',
    },
    { name: 'cost_pct', type: 'number', nullable: false, description: 'Of opening and closing' },
    {
      name: 'net_apr_pct',
      type: 'number',
      nullable: false,
      description: 'At the running rates, for 30 days',
    },
  ],
};

export interface PublishedPairs {
  long: Int32Array;
  short: Int32Array;
  scalesPctDay: Float64Array;
  costsPct: Float64Array;
  netAprsPct: Float64Array;
}

/** `features` has FEATURE_COUNT numbers for each leg. */
export function publishedContracts(legs: Table, features: Float64Array): Table {
  const columns = FEATURE_NAMES.map((name, k): [string, Float64Array] => [
    name,
    Float64Array.from({ length: legs.rowCount }, (_, leg) => features[leg * FEATURE_COUNT + k] as number),
  ]);
  const texts = ['contract', 'exchange', 'asset_class'].map((name): [string, TextData] => [
    name,
    legs.texts(name),
  ]);
  return new Table(FORECAST_CONTRACTS_TABLE, legs.rowCount, new Map(columns), new Map(texts));
}

/** Only the pairs that have a forecast. */
export function publishedPairs(pairs: PublishedPairs, expected: Float64Array): Table {
  const rows: number[] = [];
  for (let row = 0; row < expected.length; row++) if (!Number.isNaN(expected[row])) rows.push(row);
  const at = (column: ArrayLike<number>) => Float64Array.from(rows, (row) => column[row] as number);
  return new Table(
    FORECAST_PAIRS_TABLE,
    rows.length,
    new Map([
      ['long', at(pairs.long)],
      ['short', at(pairs.short)],
      ['scale_pct_day', at(pairs.scalesPctDay)],
      ['cost_pct', at(pairs.costsPct)],
      ['net_apr_pct', at(pairs.netAprsPct)],
    ]),
    new Map(),
  );
}
