import { Table, type TableSpec, type TextData } from '../../market/tables/table.ts';
import {
  errorScalePctDay,
  FEATURE_COUNT,
  FEATURE_NAMES,
  type HorizonModel,
  intervalOf,
  LEAST_SCALE_PCT,
  legExpectedPct,
} from './model.ts';

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
    // Days of version 1 have none.
    {
      name: 'absolute_pct_day',
      type: 'number',
      nullable: true,
      description: 'Mean of the absolute rate over 30 days',
    },
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

/** The pairs of a stored day with what was known of each. */
export class PublishedDay {
  readonly contracts: Table;
  readonly pairs: Table;
  readonly #features: Float64Array;
  readonly #absolutes: Float64Array;

  constructor(contracts: Table, pairs: Table) {
    this.contracts = contracts;
    this.pairs = pairs;
    this.#features = new Float64Array(contracts.rowCount * FEATURE_COUNT);
    for (const [k, name] of FEATURE_NAMES.entries())
      for (const [contract, value] of contracts.numbers(name).entries())
        this.#features[contract * FEATURE_COUNT + k] = value;
    this.#absolutes = contracts.numbers('absolute_pct_day');
  }

  /** The forecasts of all pairs with a model, in percent of one leg over its horizon. */
  forecasts(model: HorizonModel): { expected: Float64Array; low: Float64Array; high: Float64Array } {
    const [longs, shorts] = [this.pairs.numbers('long'), this.pairs.numbers('short')];
    const scales = this.pairs.numbers('scale_pct_day');
    const legs = this.#absolutes.map((absolute, contract) =>
      legExpectedPct(model, this.#features, absolute, contract * FEATURE_COUNT),
    );
    const x = new Float64Array(FEATURE_COUNT);
    const column = () => new Float64Array(this.pairs.rowCount);
    const [expected, low, high] = [column(), column(), column()];
    for (let row = 0; row < expected.length; row++) {
      const pct = (legs[shorts[row] as number] as number) - (legs[longs[row] as number] as number);
      this.readFeatures(row, x);
      const spread = Math.max(scales[row] as number, LEAST_SCALE_PCT);
      const interval = intervalOf(model, pct, errorScalePctDay(model.jumpShare, spread, x));
      [expected[row], low[row], high[row]] = [pct, interval.lowPct, interval.highPct];
    }
    return { expected, low, high };
  }

  /** Writes the features of a pair, short minus long. */
  readFeatures(row: number, into: Float64Array): void {
    const [long, short] = [
      this.pairs.numbers('long')[row] as number,
      this.pairs.numbers('short')[row] as number,
    ];
    for (let k = 0; k < FEATURE_COUNT; k++)
      into[k] =
        (this.#features[short * FEATURE_COUNT + k] as number) -
        (this.#features[long * FEATURE_COUNT + k] as number);
  }
}

export interface PublishedPairs {
  long: Int32Array;
  short: Int32Array;
  scalesPctDay: Float64Array;
  costsPct: Float64Array;
  netAprsPct: Float64Array;
}

/** `features` has FEATURE_COUNT numbers for each leg. */
export function publishedContracts(
  legs: Table,
  features: Float64Array,
  absolutesPctDay: Float64Array,
): Table {
  const columns = FEATURE_NAMES.map((name, k): [string, Float64Array] => [
    name,
    Float64Array.from({ length: legs.rowCount }, (_, leg) => features[leg * FEATURE_COUNT + k] as number),
  ]);
  const texts = ['contract', 'exchange', 'asset_class'].map((name): [string, TextData] => [
    name,
    legs.texts(name),
  ]);
  return new Table(
    FORECAST_CONTRACTS_TABLE,
    legs.rowCount,
    new Map([...columns, ['absolute_pct_day', absolutesPctDay]]),
    new Map(texts),
  );
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
