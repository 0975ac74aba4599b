import { numberColumn, roundPercent as percent } from '../../base/numbers.ts';
import { ChangedTable, everyRow } from '../../market/tables/changed-table.ts';
import { type NumberCell, Table, type TableSpec } from '../../market/tables/table.ts';
import { depthRow } from '../depth/order-costs.ts';
import { addedColumns, positionCosts, sizeCells } from '../depth/pair-costs.ts';
import { POSITION_COLUMNS } from '../depth/size-columns.ts';
import { FUNDING_TABLE } from '../funding/table.ts';
import { errorScalePctDay, HORIZONS_DAYS, intervalOf, legExpectedPct } from './model.ts';
import type { ForecastModels } from './models.ts';

const HOURS_PER_DAY = 24;
const RANGE_DAYS = 30;

/** The rows of one coin: those of /funding, and what each contract is expected to pay. */
export const COIN_RATES_TABLE: TableSpec = {
  name: 'coin-rates',
  rowTitle: 'CoinFundingRate',
  columns: [
    ...FUNDING_TABLE.columns,
    {
      name: 'sum_1d_pct',
      type: 'number',
      nullable: true,
      description:
        'Sum of the settled rates of 24 hours, in percent, over (covered_until - 1 day, covered_until]; null under 95 % coverage',
    },
    {
      name: 'absolute_30d_pct',
      type: 'number',
      nullable: true,
      description:
        'Sum of the absolute settled rates of 30 days, in percent: forecasts limit what stands far from it, and scale their range with it; null where sum_30d_pct is',
    },
    ...HORIZONS_DAYS.map((days) => ({
      name: `expected_${days}d_pct`,
      type: 'number' as const,
      nullable: true,
      description: `What a short is expected to receive, and a long to pay, in the next ${days === 1 ? '24 hours' : `${days} days`}, in percent: a forecast from the running rate and the settled funding of 30 days; null under 95 % coverage`,
    })),
    {
      name: 'expected_30d_low_pct',
      type: 'number',
      nullable: true,
      description: 'Lower end of the range around expected_30d_pct that four of five past outcomes fell into',
    },
    {
      name: 'expected_30d_high_pct',
      type: 'number',
      nullable: true,
      description: 'Upper end of the same range',
    },
  ],
};

/** The same with what the books cost at a size. */
export const SIZED_COIN_RATES_TABLE: TableSpec = {
  ...COIN_RATES_TABLE,
  columns: [...COIN_RATES_TABLE.columns, ...POSITION_COLUMNS],
};

const known = new WeakMap<Table, { models: ForecastModels; table: Table }>();

/** Everything but the forecasts is read from the rows of /funding. */
export function coinRatesTable(funding: Table, models: ForecastModels): Table {
  const found = known.get(funding);
  if (found?.models === models) return found.table;
  const cells = forecastCells(funding, models);
  const table = new Table(
    COIN_RATES_TABLE,
    funding.rowCount,
    {
      get: (name) => {
        const cell = cells[name];
        return cell ? numberColumn(funding.rowCount, cell) : funding.numbers(name);
      },
    },
    { get: (name) => funding.texts(name) },
    { numbers: { get: (name) => cells[name] } },
  );
  known.set(funding, { models, table });
  return table;
}

/** The same rows at a size of the position, in USD. `apr_pct` is net of what the book costs too. */
export function withSize(rates: Table, sizeUsd: number, depth: Table | null, asOfMs: number): Table {
  const rowOf = (row: number) =>
    depth ? depthRow(depth, `${rates.text('exchange', row)}/${rates.text('venue_symbol', row)}`) : -1;
  const [rate, gross, fee] = [
    rates.cell('rate_pct'),
    rates.cell('gross_apr_pct'),
    rates.cell('taker_fee_pct'),
  ];
  const costs = positionCosts(depth, sizeUsd, rowOf, (row) => rate(row) > 0, asOfMs);
  const apr: NumberCell = (row) => {
    const cost = 2 * fee(row) + costs.entryPct(row) + costs.exitPct(row);
    return percent(Math.sign(rate(row)) * Math.max(0, Math.abs(gross(row)) - cost));
  };
  return new ChangedTable(
    rates,
    everyRow,
    new Map([...sizeCells(costs), ['apr_pct', { cell: apr }]]),
    addedColumns(costs, POSITION_COLUMNS),
  );
}

function forecastCells(funding: Table, { legs }: ForecastModels): Readonly<Record<string, NumberCell>> {
  const [rates, intervals, sum1d, sum7d, sum30d, absolute] = [
    'rate_pct',
    'interval_hours',
    'sum_1d_pct',
    'sum_7d_pct',
    'sum_30d_pct',
    'absolute_30d_pct',
  ].map((name) => funding.cell(name)) as [
    NumberCell,
    NumberCell,
    NumberCell,
    NumberCell,
    NumberCell,
    NumberCell,
  ];
  const features = (row: number) => [
    (rates(row) * HOURS_PER_DAY) / intervals(row),
    sum1d(row),
    sum7d(row) / 7,
    sum30d(row) / RANGE_DAYS,
  ];
  const absolutePctDay = (row: number) => absolute(row) / RANGE_DAYS;
  const longest = legs.at(-1);
  const range = (row: number) => {
    if (!longest) return { lowPct: Number.NaN, highPct: Number.NaN };
    const [x, moves] = [features(row), absolutePctDay(row)];
    const scale = errorScalePctDay(longest.jumpShare, moves, x);
    return intervalOf(longest, legExpectedPct(longest, x, moves), scale);
  };
  return {
    ...Object.fromEntries(
      legs.map((model) => [
        `expected_${model.days}d_pct`,
        (row: number) => percent(legExpectedPct(model, features(row), absolutePctDay(row))),
      ]),
    ),
    expected_30d_low_pct: (row) => percent(range(row).lowPct),
    expected_30d_high_pct: (row) => percent(range(row).highPct),
  };
}
