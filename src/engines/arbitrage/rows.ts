import { LRUCache } from 'lru-cache';
import { type ChangedColumn, ChangedTable, everyRow } from '../../market/tables/changed-table.ts';
import { type NumberCell, Table, type TextData } from '../../market/tables/table.ts';
import type { TableSnapshot } from '../../market/timeline.ts';
import { depthRows } from '../depth/order-costs.ts';
import { addedColumns, ofLastRow, pairCosts, sizeCells } from '../depth/pair-costs.ts';
import type { ForecastModels } from '../forecast/models.ts';
import { closedCell, codesAt } from '../spreads/legs.ts';
import { isLowerBound, type SlippageBp } from './capacity.ts';
import {
  carryPctDay,
  entrySpreadPct,
  exitSpreadPct,
  grossAprPct,
  type HoldDays,
  netAprPct,
  roundTripCostPct,
  roundTripFeePct,
} from './figures.ts';
import { lowNetCell, RowForecasts } from './forecast-cells.ts';
import type { HistoryLookup } from './histories.ts';
import { historyCells, realisedCells } from './history-cells.ts';
import { capacityColumn } from './legs.ts';
import { feesOf } from './own-fees.ts';
import { type Pairs, TEXT_SOURCES } from './pairs.ts';
import { breakEvenCell } from './payments.ts';
import { ARBITRAGE_TABLE } from './table.ts';

/** What the figures of the rows depend on besides the market. */
export interface ArbitrageView {
  holdDays: HoldDays;
  slippageBp: SlippageBp;
  /** The caller's own taker fees in percent by venue; venues without an entry keep the default. */
  feesPct: ReadonlyMap<string, number> | null;
  /** The size of each leg in USD, at which net figures count what the books cost; null for the best prices. */
  sizeUsd: number | null;
}

/** More than the rounding of a figure to eight decimals changes it. */
const ROUNDING_PCT = 1e-6;

type Cells = Readonly<Record<string, NumberCell>>;

/** The forecast and its lower end before costs, which rows do not show: no net figure at any size exceeds them. */
const EXPECTED_GROSS = 'expected_gross_apr_pct';
const LOW_GROSS = 'expected_low_gross_apr_pct';

/** The columns that depend on the view, and on nothing else that a request can choose. */
const VIEW_COLUMNS = new Set([
  ...['fee_pct_round_trip', 'cost_pct_round_trip', 'break_even_hours', 'net_apr_pct'],
  ...['capacity_usd', 'capacity_is_lower_bound'],
  ...['expected_low_pct', 'expected_high_pct', 'expected_net_apr_pct', 'probability_net_positive'],
  ...['expected_scale_pct_day', 'expected_low_net_apr_pct', LOW_GROSS, EXPECTED_GROSS],
]);

/** The rows of one snapshot. Columns are built when a sort or a filter needs them; a page reads single cells. */
export class ArbitrageRows {
  readonly #legs: Table;
  readonly #asOfMs: number;
  readonly #pairs: Pairs;
  readonly #history: ReturnType<typeof historyCells>;
  readonly #forecasts: RowForecasts;
  readonly #texts = new Map<string, TextData>();
  /** Number columns that are the same in every view. */
  readonly #shared = new Map<string, Float64Array>();
  readonly #views = new Map<string, Table>();
  /** Those of the last sizes: one page reads its table several times. */
  readonly #sized = new LRUCache<string, Table>({ max: 4 });

  constructor(
    { asOfMs, table }: TableSnapshot,
    pairs: Pairs,
    histories: HistoryLookup | null,
    models: ForecastModels,
  ) {
    this.#legs = table;
    this.#asOfMs = asOfMs;
    this.#pairs = pairs;
    this.#history = historyCells(table, pairs, histories);
    this.#forecasts = new RowForecasts(table, pairs, models, this.#history.mean_absolute_pct);
  }

  /** Mean of the absolute hourly spread of a row over 30 days, times 24; NaN if it is not known. */
  scalePctDay(row: number): number {
    return this.#history.mean_absolute_pct(row) * 24;
  }

  /**
   * The table of a view; `depth` has what the books hold. Views without own fees and without a size are kept as long as
   * the snapshot.
   */
  table(view: ArbitrageView, depth: Table | null = null): Table {
    if (view.feesPct || view.sizeUsd !== null) {
      const base = this.table({ ...view, feesPct: null, sizeUsd: null });
      const priced = view.feesPct ? this.#withOwnFees(base, view.holdDays, view.feesPct) : base;
      if (view.sizeUsd === null) return priced;
      const name = `${view.holdDays} ${view.slippageBp} ${view.sizeUsd}`;
      const known = view.feesPct ? undefined : this.#sized.get(name);
      const table = known ?? this.#withSize(priced, base, view, view.sizeUsd, depth);
      if (!view.feesPct) this.#sized.set(name, table);
      return table;
    }
    const name = `${view.holdDays} ${view.slippageBp}`;
    let table = this.#views.get(name);
    if (!table) {
      table = this.#tableOf(view);
      this.#views.set(name, table);
    }
    return table;
  }

  #tableOf(view: ArbitrageView): Table {
    const cells = this.#cells(view);
    const own = new Map<string, Float64Array>();
    const numbers = (name: string): Float64Array | undefined => {
      const built = VIEW_COLUMNS.has(name) ? own : this.#shared;
      const known = built.get(name);
      const cell = cells[name];
      if (known || !cell) return known;
      const column = new Float64Array(this.#pairs.count);
      for (let row = 0; row < column.length; row++) column[row] = cell(row);
      built.set(name, column);
      return column;
    };
    return new Table(
      ARBITRAGE_TABLE,
      this.#pairs.count,
      { get: numbers },
      { get: (name) => this.#textsOf(name) },
      { numbers: { get: (name) => cells[name] } },
    );
  }

  #withOwnFees(base: Table, holdDays: HoldDays, feesPct: ReadonlyMap<string, number>): ChangedTable {
    const { long, short } = this.#pairs;
    const { fees, isOwn, largestDifference } = feesOf(this.#legs, feesPct);
    const [entry, exit] = [base.cell('entry_spread_pct'), base.cell('exit_spread_pct')];
    const fee: NumberCell = (row) =>
      roundTripFeePct(fees[long[row] as number] as number, fees[short[row] as number] as number);
    const cost: NumberCell = (row) => roundTripCostPct(fee(row), entry(row), exit(row));
    // Each leg is opened and closed.
    const maxFeeChange = 4 * largestDifference + ROUNDING_PCT;
    const net = { maxChange: grossAprPct(maxFeeChange / holdDays) + ROUNDING_PCT };
    return new ChangedTable(
      base,
      (row) => isOwn[long[row] as number] === 1 || isOwn[short[row] as number] === 1,
      new Map<string, ChangedColumn>([
        ['long_taker_fee_pct', { cell: (row) => fees[long[row] as number] as number }],
        ['short_taker_fee_pct', { cell: (row) => fees[short[row] as number] as number }],
        ['fee_pct_round_trip', { cell: fee, maxChange: maxFeeChange }],
        ['cost_pct_round_trip', { cell: cost, maxChange: maxFeeChange }],
        ...this.#costChanges(base, holdDays, cost, { net, expected: net, low: net }),
      ]),
    );
  }

  /** What the books cost at the size takes the place of the widths of the best prices. */
  #withSize(
    priced: Table,
    base: Table,
    { holdDays }: ArbitrageView,
    sizeUsd: number,
    depth: Table | null,
  ): ChangedTable {
    const { long, short } = this.#pairs;
    const { codes, values } = this.#legs.texts('contract');
    const rows = depth && depthRows(depth, values);
    const rowOf = (legs: Int32Array) => (row: number) => rows?.[codes[legs[row] as number] as number] ?? -1;
    const costs = pairCosts(depth, sizeUsd, { bought: rowOf(long), sold: rowOf(short) }, this.#asOfMs);
    const fee = priced.cell('fee_pct_round_trip');
    const cost = ofLastRow((row) => roundTripCostPct(fee(row), -costs.entryPct(row), -costs.exitPct(row)));
    return new ChangedTable(
      base,
      everyRow,
      new Map<string, ChangedColumn>([
        ...(priced instanceof ChangedTable ? priced.changes : []),
        ...sizeCells(costs),
        ['cost_pct_round_trip', { cell: cost }],
        ...this.#costChanges(base, holdDays, cost, {
          net: { atMost: 'gross_apr_pct' },
          expected: { atMost: EXPECTED_GROSS },
          low: { atMost: LOW_GROSS },
        }),
      ]),
      addedColumns(costs),
    );
  }

  /** The figures that follow from what opening and closing cost, and what bounds those that lists are ordered by. */
  #costChanges(
    base: Table,
    holdDays: HoldDays,
    cost: NumberCell,
    bounds: Readonly<Record<'net' | 'expected' | 'low', Omit<ChangedColumn, 'cell'>>>,
  ): readonly (readonly [string, ChangedColumn])[] {
    const carry = base.cell('carry_pct_day');
    const { net, probability } = this.#forecasts.netCells(holdDays, cost);
    return [
      ['break_even_hours', { cell: breakEvenCell(this.#legs, this.#pairs, cost, this.#asOfMs) }],
      ['net_apr_pct', { cell: (row) => netAprPct(carry(row), cost(row), holdDays), ...bounds.net }],
      ['expected_net_apr_pct', { cell: net, ...bounds.expected }],
      [
        'expected_low_net_apr_pct',
        { cell: lowNetCell(base.cell('expected_low_pct'), cost, holdDays), ...bounds.low },
      ],
      ['probability_net_positive', { cell: probability }],
    ];
  }

  #textsOf(name: string): TextData | undefined {
    const known = this.#texts.get(name);
    const source = TEXT_SOURCES[name];
    if (known || !source) return known;
    const [column, leg] = source;
    const { codes, values } = this.#legs.texts(column);
    const texts = { codes: codesAt(codes, this.#pairs[leg]), values };
    this.#texts.set(name, texts);
    return texts;
  }

  #cells(view: ArbitrageView): Cells {
    const legs = this.#legs;
    const { long, short, pctDay } = this.#pairs;
    const of = (column: string, leg: Int32Array): NumberCell => {
      const data = legs.numbers(column);
      return (row) => data[leg[row] as number] as number;
    };
    const smaller = (column: string, round: (value: number) => number): NumberCell => {
      const data = legs.numbers(column);
      return (row) =>
        round(Math.min(data[long[row] as number] as number, data[short[row] as number] as number));
    };
    const fees = legs.numbers('taker_fee_pct');
    const [shortBid, shortAsk] = [of('bid', short), of('ask', short)];
    const [longBid, longAsk] = [of('bid', long), of('ask', long)];
    const carry: NumberCell = (row) =>
      carryPctDay(pctDay[short[row] as number] as number, pctDay[long[row] as number] as number);
    const fee: NumberCell = (row) =>
      roundTripFeePct(fees[long[row] as number] as number, fees[short[row] as number] as number);
    const entry: NumberCell = (row) => entrySpreadPct(longAsk(row), shortBid(row));
    const exit: NumberCell = (row) => exitSpreadPct(longBid(row), longAsk(row), shortAsk(row));
    const cost: NumberCell = (row) => roundTripCostPct(fee(row), entry(row), exit(row));
    const expected = this.#forecasts.netCells(view.holdDays, cost);
    const interval = this.#forecasts.intervalCells(view.holdDays);
    return {
      long_rate_pct: of('rate_pct', long),
      short_rate_pct: of('rate_pct', short),
      long_interval_hours: of('interval_hours', long),
      short_interval_hours: of('interval_hours', short),
      long_next_funding_at: of('next_funding_at', long),
      short_next_funding_at: of('next_funding_at', short),
      carry_pct_day: carry,
      gross_apr_pct: (row) => grossAprPct(carry(row)),
      fee_pct_round_trip: fee,
      entry_spread_pct: entry,
      break_even_hours: breakEvenCell(this.#legs, this.#pairs, cost, this.#asOfMs),
      net_apr_pct: (row) => netAprPct(carry(row), cost(row), view.holdDays),
      ...realisedCells(legs, this.#pairs),
      ...this.#history,
      capacity_usd: smaller(capacityColumn(view.slippageBp), cents),
      volume_usdt: smaller('volume_24h_usdt', cents),
      open_interest_usdt: smaller('open_interest_usdt', cents),
      updated_at: smaller('received_at', (timeMs) => timeMs),
      leg_closed: closedCell(legs, long, short),
      long_taker_fee_pct: of('taker_fee_pct', long),
      short_taker_fee_pct: of('taker_fee_pct', short),
      long_covered_until: of('covered_until', long),
      short_covered_until: of('covered_until', short),
      capacity_is_lower_bound: this.#lowerBoundCell(view.slippageBp),
      exit_spread_pct: exit,
      cost_pct_round_trip: cost,
      ...this.#forecasts.carryCells(),
      expected_low_pct: interval.low,
      expected_high_pct: interval.high,
      expected_scale_pct_day: interval.scalePctDay,
      [LOW_GROSS]: lowNetCell(interval.low, () => 0, view.holdDays),
      expected_low_net_apr_pct: lowNetCell(interval.low, cost, view.holdDays),
      [EXPECTED_GROSS]: this.#forecasts.netCells(view.holdDays, () => 0).net,
      expected_net_apr_pct: expected.net,
      probability_net_positive: expected.probability,
    };
  }

  /** 1 if the leg that limits the size may take more. A limit that one leg is known to have is exact. */
  #lowerBoundCell(slippageBp: SlippageBp): NumberCell {
    const { long, short } = this.#pairs;
    const fits = this.#legs.numbers(capacityColumn(slippageBp));
    const reach = this.#legs.numbers('book_reach_bp');
    const isOpen = (leg: number) => isLowerBound(reach[leg] as number, slippageBp);
    return (row) => {
      const [a, b] = [long[row] as number, short[row] as number];
      const difference = (fits[a] as number) - (fits[b] as number);
      if (Number.isNaN(difference)) return 0;
      const isLower = difference === 0 ? isOpen(a) && isOpen(b) : isOpen(difference < 0 ? a : b);
      return isLower ? 1 : 0;
    };
  }
}

function cents(value: number): number {
  return Math.round(value * 100) / 100;
}
