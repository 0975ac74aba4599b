import { type ChangedColumn, ChangedTable } from '../../market/tables/changed-table.ts';
import { type NumberCell, Table, type TextData } from '../../market/tables/table.ts';
import type { TableSnapshot } from '../../market/timeline.ts';
import type { ForecastModels } from '../forecast/models.ts';
import { percentOf as percent } from '../spreads/figures.ts';
import { codesAt } from '../spreads/legs.ts';
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
import { RowForecasts } from './forecast-cells.ts';
import type { HistoryLookup } from './histories.ts';
import { historyCells } from './history-cells.ts';
import { capacityColumn, REALISED_DAYS, sumColumn } from './legs.ts';
import type { Pairs } from './pairs.ts';
import { breakEvenHours, type LegSchedule } from './payments.ts';
import { ARBITRAGE_TABLE, realisedColumn } from './table.ts';

/** What the figures of the rows depend on besides the market. */
export interface ArbitrageView {
  holdDays: HoldDays;
  slippageBp: SlippageBp;
  /** The caller's own taker fees in percent by venue; venues without an entry keep the default. */
  feesPct: ReadonlyMap<string, number> | null;
}

/** More than the rounding of a figure to eight decimals changes it. */
const ROUNDING_PCT = 1e-6;

type Cells = Readonly<Record<string, NumberCell>>;

/** The columns that depend on the view, and on nothing else that a request can choose. */
const VIEW_COLUMNS = new Set([
  ...['fee_pct_round_trip', 'cost_pct_round_trip', 'break_even_hours', 'net_apr_pct'],
  ...['capacity_usd', 'capacity_is_lower_bound'],
  ...['expected_low_pct', 'expected_high_pct', 'expected_net_apr_pct', 'probability_net_positive'],
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

  /** The table of a view. Views without own fees are kept as long as the snapshot. */
  table(view: ArbitrageView): Table {
    if (view.feesPct)
      return this.#withOwnFees(this.table({ ...view, feesPct: null }), view.holdDays, view.feesPct);
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
    const [carry, entry, exit] = ['carry_pct_day', 'entry_spread_pct', 'exit_spread_pct'].map((name) =>
      base.cell(name),
    ) as [NumberCell, NumberCell, NumberCell];
    const fee: NumberCell = (row) =>
      roundTripFeePct(fees[long[row] as number] as number, fees[short[row] as number] as number);
    const cost: NumberCell = (row) => roundTripCostPct(fee(row), entry(row), exit(row));
    const breakEven = this.#breakEvenCell(cost);
    // Each leg is opened and closed.
    const maxFeeChange = 4 * largestDifference + ROUNDING_PCT;
    const { net, probability } = this.#forecasts.netCells(holdDays, cost);
    const maxNetChange = grossAprPct(maxFeeChange / holdDays) + ROUNDING_PCT;
    return new ChangedTable(
      base,
      (row) => isOwn[long[row] as number] === 1 || isOwn[short[row] as number] === 1,
      new Map<string, ChangedColumn>([
        ['long_taker_fee_pct', { cell: (row) => fees[long[row] as number] as number }],
        ['short_taker_fee_pct', { cell: (row) => fees[short[row] as number] as number }],
        ['fee_pct_round_trip', { cell: fee, maxChange: maxFeeChange }],
        ['cost_pct_round_trip', { cell: cost, maxChange: maxFeeChange }],
        ['break_even_hours', { cell: breakEven }],
        [
          'net_apr_pct',
          { cell: (row) => netAprPct(carry(row), cost(row), holdDays), maxChange: maxNetChange },
        ],
        ['expected_net_apr_pct', { cell: net, maxChange: maxNetChange }],
        ['probability_net_positive', { cell: probability }],
      ]),
    );
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
      break_even_hours: this.#breakEvenCell(cost),
      net_apr_pct: (row) => netAprPct(carry(row), cost(row), view.holdDays),
      ...this.#realisedCells(),
      ...this.#history,
      capacity_usd: smaller(capacityColumn(view.slippageBp), cents),
      volume_usdt: smaller('volume_24h_usdt', cents),
      open_interest_usdt: smaller('open_interest_usdt', cents),
      updated_at: smaller('received_at', (timeMs) => timeMs),
      long_taker_fee_pct: of('taker_fee_pct', long),
      short_taker_fee_pct: of('taker_fee_pct', short),
      long_covered_until: of('covered_until', long),
      short_covered_until: of('covered_until', short),
      capacity_is_lower_bound: this.#lowerBoundCell(view.slippageBp),
      exit_spread_pct: exit,
      cost_pct_round_trip: cost,
      ...this.#forecasts.carryCells(),
      ...this.#forecasts.intervalCells(view.holdDays),
      expected_net_apr_pct: expected.net,
      probability_net_positive: expected.probability,
    };
  }

  #breakEvenCell(cost: NumberCell): NumberCell {
    const { long, short } = this.#pairs;
    const [rates, intervals, nexts] = ['rate_pct', 'interval_hours', 'next_funding_at'].map((name) =>
      this.#legs.numbers(name),
    ) as [Float64Array, Float64Array, Float64Array];
    const scheduleOf = (leg: number): LegSchedule => ({
      ratePct: rates[leg] as number,
      intervalHours: intervals[leg] as number,
      nextAtMs: nexts[leg] as number,
    });
    return (row) =>
      breakEvenHours(
        cost(row),
        scheduleOf(long[row] as number),
        scheduleOf(short[row] as number),
        this.#asOfMs,
      );
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

  #realisedCells(): Cells {
    const { long, short } = this.#pairs;
    return Object.fromEntries(
      REALISED_DAYS.map((days) => {
        const sums = this.#legs.numbers(sumColumn(days));
        const cell: NumberCell = (row) =>
          percent((sums[short[row] as number] as number) - (sums[long[row] as number] as number));
        return [realisedColumn(days), cell];
      }),
    );
  }
}

const TEXT_SOURCES: Readonly<Record<string, readonly [column: string, leg: 'long' | 'short']>> = {
  coin: ['coin', 'long'],
  asset_class: ['asset_class', 'long'],
  long_exchange: ['exchange', 'long'],
  short_exchange: ['exchange', 'short'],
  long_symbol: ['symbol', 'long'],
  short_symbol: ['symbol', 'short'],
};

interface LegFees {
  fees: Float64Array;
  /** 1 for each leg whose fee is the caller's own. */
  isOwn: Uint8Array;
  largestDifference: number;
}

/** The taker fee of each leg: the caller's own where it is given, else that of the contract. */
function feesOf(legs: Table, own: ReadonlyMap<string, number>): LegFees {
  const fees = legs.numbers('taker_fee_pct').slice();
  const isOwn = new Uint8Array(fees.length);
  const { codes, values } = legs.texts('exchange');
  const byCode = Float64Array.from(values, (exchange) => own.get(exchange) ?? Number.NaN);
  let largestDifference = 0;
  for (let leg = 0; leg < fees.length; leg++) {
    const fee = byCode[codes[leg] as number] as number;
    if (Number.isNaN(fee)) continue;
    largestDifference = Math.max(largestDifference, Math.abs(fee - (fees[leg] as number)));
    fees[leg] = fee;
    isOwn[leg] = 1;
  }
  return { fees, isOwn, largestDifference };
}

function cents(value: number): number {
  return Math.round(value * 100) / 100;
}
