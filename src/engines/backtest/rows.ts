import { roundPercent } from '../../base/numbers.ts';
import { msOfMinute, SIZES_USD, type SizeUsd } from '../../history/samples/model.ts';
import { type Column, Table, type TableSpec, type TextData } from '../../market/tables/table.ts';
import type { Cycle } from './cycles.ts';
import type { Backtest } from './engine.ts';
import { type Pair, sizePlace } from './pairs.ts';
import { type CycleStatistics, cycleStatistics } from './rule.ts';

const COLUMNS: readonly Column[] = [
  {
    name: 'symbol',
    type: 'text',
    nullable: false,
    description: 'COIN-QUOTE when both legs share the quote, else COIN-USD',
  },
  { name: 'coin', type: 'text', nullable: false, description: 'Ticker without multiplier' },
  { name: 'exchange_a', type: 'text', nullable: false, description: 'One venue, the first by alphabet' },
  { name: 'exchange_b', type: 'text', nullable: false, description: 'The other venue' },
  {
    name: 'est_profit_pct',
    type: 'number',
    nullable: false,
    description: 'Median profit of a round trip in percent, after the taker fees of all four trades',
  },
  {
    name: 'avg_profit_pct',
    type: 'number',
    nullable: false,
    description: 'Mean profit of a round trip in percent, after fees',
  },
  {
    name: 'fee_pct_cycle',
    type: 'number',
    nullable: false,
    description: 'Taker fees of a round trip in percent: 2 x (taker_fee_a_pct + taker_fee_b_pct)',
  },
  {
    name: 'spread_range_pct',
    type: 'number',
    nullable: false,
    description: 'P95 - P5 of the mid-price spread over the window, in percent',
  },
  {
    name: 'cycles',
    type: 'integer',
    nullable: false,
    description: 'How often the spread opened and closed in the window, both directions together',
  },
  {
    name: 'confidence',
    type: 'integer',
    nullable: false,
    description: '0 to 100: coverage x share of wins x number of cycles x evenness of profits',
  },
  { name: 'volume_a_usdt', type: 'number', nullable: false, description: '24 h turnover on venue A in USDT' },
  { name: 'volume_b_usdt', type: 'number', nullable: false, description: '24 h turnover on venue B in USDT' },
  { name: 'last_cycle_at', type: 'time', nullable: true, description: 'When the last cycle closed, UTC' },
  ...['a', 'b'].map(
    (leg): Column => ({
      name: `taker_fee_${leg}_pct`,
      type: 'number',
      nullable: false,
      description: `Taker fee on ${leg.toUpperCase()} in percent, as used in this row: the contract's own; with fees your own`,
    }),
  ),
  {
    name: 'long_a_cycles',
    type: 'integer',
    nullable: true,
    description:
      'How many of the cycles were long A and short B; the others were long B and short A. Null in results from before the field was added',
  },
];

/** One table per size, because each size is sorted, delayed and paged separately. */
export const BACKTEST_TABLES = Object.fromEntries(
  SIZES_USD.map((sizeUsd) => [
    sizeUsd,
    {
      name: `backtest-${sizeUsd}`,
      rowTitle: 'BacktestSpreadRow',
      columns: COLUMNS,
    },
  ]),
) as unknown as Readonly<Record<SizeUsd, TableSpec>>;

/** The rows of which neither leg is excluded; the table itself if that is all of them. */
export function withoutLegs(table: Table, isExcluded: (exchange: string, coin: string) => boolean): Table {
  const included: number[] = [];
  for (let row = 0; row < table.rowCount; row++) {
    const coin = table.text('coin', row);
    const legs = [table.text('exchange_a', row), table.text('exchange_b', row)];
    if (!legs.some((exchange) => isExcluded(exchange, coin))) included.push(row);
  }
  if (included.length === table.rowCount) return table;
  const numbers = new Map<string, Float64Array>();
  const texts = new Map<string, TextData>();
  for (const { name, type } of COLUMNS) {
    if (type === 'text') {
      const { codes, values } = table.texts(name);
      texts.set(name, { codes: Uint32Array.from(included, (row) => codes[row] ?? 0), values });
    } else {
      const column = table.numbers(name);
      numbers.set(
        name,
        Float64Array.from(included, (row) => column[row] ?? Number.NaN),
      );
    }
  }
  return new Table(table.spec, included.length, numbers, texts);
}

interface RowFigures extends CycleStatistics {
  /** The inputs: the figures are recomputed when a cycle is added or dropped, or the coverage changes. */
  firstCycle: Cycle;
  lastCycle: Cycle;
  coverage: number;
  longACycles: number;
}

/** Makes the rows; recomputes only those whose cycles or coverage have changed. */
export class BacktestRows {
  readonly #backtest: Backtest;
  readonly #figures = new Map<number, RowFigures>();

  constructor(backtest: Backtest) {
    this.#backtest = backtest;
  }

  /** Every pair with a closed cycle, for one size. */
  table(sizeUsd: SizeUsd): Table {
    const size = SIZES_USD.indexOf(sizeUsd);
    const { pairs } = this.#backtest.book;
    const places: number[] = [];
    for (let place = 0; place < pairs.length; place++) {
      const pair = pairs[place];
      if (pair && pair.rivals[0] === pair && this.#backtest.cycles.at(sizePlace(place, size)).length > 0)
        places.push(place);
    }
    const numbers = new Map<string, Float64Array>();
    const texts = new Map<string, { codes: Uint32Array; values: string[]; known: Map<string, number> }>();
    for (const { name, type } of COLUMNS) {
      if (type === 'text')
        texts.set(name, { codes: new Uint32Array(places.length), values: [''], known: new Map() });
      else numbers.set(name, new Float64Array(places.length));
    }
    for (const [row, place] of places.entries()) {
      const pair = pairs[place];
      if (pair) this.#fill(row, pair, place, size, numbers, texts);
    }
    return new Table(BACKTEST_TABLES[sizeUsd], places.length, numbers, texts);
  }

  #fill(
    row: number,
    pair: Pair,
    place: number,
    size: number,
    numbers: ReadonlyMap<string, Float64Array>,
    texts: ReadonlyMap<string, { codes: Uint32Array; values: string[]; known: Map<string, number> }>,
  ): void {
    const [a, b] = [pair.a.contract, pair.b.contract];
    const figures = this.#figuresAt(sizePlace(place, size), pair, size);
    const text = (name: string, value: string) => {
      const column = texts.get(name);
      if (!column) return;
      const code = column.known.get(value) ?? column.values.push(value) - 1;
      column.known.set(value, code);
      column.codes[row] = code;
    };
    const number = (name: string, value: number) => {
      const column = numbers.get(name);
      if (column) column[row] = value;
    };
    text('symbol', `${a.coin}-${a.quote === b.quote ? a.quote : 'USD'}`);
    text('coin', a.coin);
    text('exchange_a', a.exchange);
    text('exchange_b', b.exchange);
    number('est_profit_pct', figures.estProfitPct);
    number('avg_profit_pct', figures.avgProfitPct);
    number('fee_pct_cycle', roundPercent(pair.feePct));
    number('taker_fee_a_pct', pair.a.takerFeePct);
    number('taker_fee_b_pct', pair.b.takerFeePct);
    number('spread_range_pct', roundPercent(this.#backtest.figuresOf(pair).spreadRangePct));
    number('cycles', figures.cycles);
    number('confidence', figures.confidence);
    number('volume_a_usdt', Math.round(pair.a.volumeUsdt * 100) / 100);
    number('volume_b_usdt', Math.round(pair.b.volumeUsdt * 100) / 100);
    number('last_cycle_at', msOfMinute(figures.lastCycle.closeMinute));
    number('long_a_cycles', figures.longACycles);
  }

  #figuresAt(place: number, pair: Pair, size: number): RowFigures {
    const cycles = this.#backtest.cycles.at(place);
    const [firstCycle, lastCycle] = [cycles[0], cycles.at(-1)];
    if (!firstCycle || !lastCycle) throw new Error('a row needs a closed cycle');
    const coverage = this.#backtest.figuresOf(pair).coverage[size] ?? 0;
    const known = this.#figures.get(place);
    if (
      known?.firstCycle === firstCycle &&
      known.lastCycle === lastCycle &&
      known.cycles === cycles.length &&
      known.coverage === coverage
    )
      return known;
    const statistics = cycleStatistics(
      cycles.map((cycle) => cycle.profitPct),
      coverage,
      pair.feePct,
    );
    const figures = {
      ...statistics,
      estProfitPct: roundPercent(statistics.estProfitPct),
      avgProfitPct: roundPercent(statistics.avgProfitPct),
      firstCycle,
      lastCycle,
      coverage,
      longACycles: cycles.filter(({ direction }) => direction === 0).length,
    };
    this.#figures.set(place, figures);
    return figures;
  }
}
