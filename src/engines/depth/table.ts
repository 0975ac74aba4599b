import { roundPercent } from '../../base/numbers.ts';
import { SECOND_MS } from '../../base/times.ts';
import { costPctAt, sizePlace } from '../../history/depth/cost-codec.ts';
import type { CostFigures } from '../../history/depth/figures.ts';
import type { DatedCurve } from '../../market/depth/book-curve.ts';
import { BANDS_BP, type BandBp, type SideCurve } from '../../market/depth/side-curve.ts';
import { DOLLAR_QUOTES, type FrozenContract, type FrozenMarket } from '../../market/freeze.ts';
import { type ChangedColumn, ChangedTable, everyRow } from '../../market/tables/changed-table.ts';
import type { Cell, Column, Table, TableSpec } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { CURVE_COLUMNS, putCurve } from './curve-columns.ts';
import { DAY_COLUMNS, DAY_FIGURES, putDay } from './day-columns.ts';
import { BUY, MEDIAN, NOW, orderCosts, SELL, WORST } from './order-costs.ts';

const SIDES = ['bid', 'ask'] as const;
type Side = (typeof SIDES)[number];

/** USDT for one unit of the quote, by which the USD figures of the row were converted; rows do not show it. */
export const USDT_PER_QUOTE = 'usdt_per_quote';

export const bandColumn = (side: Side, bandBp: BandBp): string => `${side}_${bandBp}bp_usd`;

/** The costs of the last 24 hours that a row shows. */
const DAY_COSTS = (['buy', 'sell'] as const).flatMap((what) =>
  DAY_FIGURES.map((figure) => ({ what, figure, name: `${what}_cost_24h_${figure}_pct` })),
);

/** Enough for any price, and few enough to remove the rounding noise of a mean. */
const PRICE_DIGITS = 12;

/** One row per linear contract whose order book is known. */
export const DEPTH_TABLE: TableSpec = {
  name: 'depth',
  rowTitle: 'DepthItem',
  columns: [
    { name: 'exchange', type: 'text', nullable: false, description: 'Venue name as /exchanges spells it' },
    {
      name: 'symbol',
      type: 'text',
      nullable: false,
      description: "Contract symbol BASE-QUOTE with the contract's own base, e.g. 1000PEPE-USDT",
    },
    {
      name: 'venue_symbol',
      type: 'text',
      nullable: false,
      description: "The venue's own spelling of the contract",
    },
    { name: 'coin', type: 'text', nullable: false, description: 'Ticker without multiplier, e.g. PEPE' },
    {
      name: 'asset_class',
      type: 'text',
      nullable: false,
      description: 'crypto, stock, commodity, index or forex',
    },
    {
      name: 'mid_price',
      type: 'number',
      nullable: false,
      description: "Mean of best bid and best ask, in quote units for one unit of the contract's own base",
    },
    {
      name: 'bid_ask_spread_pct',
      type: 'number',
      nullable: false,
      description: 'Best ask less best bid, in percent of mid_price',
    },
    ...SIDES.flatMap((side) => [
      ...BANDS_BP.map((bp): Column => {
        const words =
          side === 'bid' ? 'bought by the bids: what can be sold' : 'offered by the asks: what can be bought';
        return {
          name: bandColumn(side, bp),
          type: 'number',
          nullable: true,
          description: `USD ${words} within ${bp} basis points of mid_price; null where the levels that the venue sent end before`,
        };
      }),
      {
        name: `${side}_received_usd`,
        type: 'number' as const,
        nullable: false,
        description: `USD of all ${side} levels that the venue sent; more may rest beyond them`,
      },
      {
        name: `${side}_reach_bp`,
        type: 'number' as const,
        nullable: false,
        description: `How far from mid_price these ${side} levels reach, in basis points`,
      },
    ]),
    ...(['buy', 'sell'] as const).map(
      (what): Column => ({
        name: `${what}_cost_pct`,
        type: 'number',
        nullable: true,
        description: `By how much the average price of an order of size_usd to ${what} is worse than mid_price now, in percent, before fees; null where the levels that the venue sent do not fill it`,
      }),
    ),
    ...DAY_COSTS.map(
      ({ name, what, figure }): Column => ({
        name,
        type: 'number',
        nullable: true,
        description: `${what}_cost_pct of the last 24 hours, sampled every five minutes and read once an hour: the ${figure === 'median' ? 'median' : 'cost that was exceeded in at most 5 % of the samples'}; null where so many samples did not fill the size, and in the first minutes of the service`,
      }),
    ),
    {
      name: 'volume_24h_usdt',
      type: 'number',
      nullable: false,
      description: 'Turnover of the last 24 hours in USDT',
    },
    { name: 'book_at', type: 'time', nullable: false, description: 'When the book was received, UTC' },
    {
      name: 'book_age_seconds',
      type: 'number',
      nullable: false,
      description: 'Age of the book at meta.as_of, in seconds',
    },
    {
      name: 'period_seconds',
      type: 'integer',
      nullable: false,
      description:
        'How often the book is fetched, in seconds: 60 for the most traded third of a venue and where it comes over a stream, 300 for others, 1800 without trades; longer where the request limits of the venue do not allow it',
    },
  ],
  internalColumns: [...CURVE_COLUMNS, ...DAY_COLUMNS, USDT_PER_QUOTE],
};

/** The size of the costs that frames carry. */
export const DEFAULT_SIZE_USD = 20_000;
const DEFAULT_PLACE = sizePlace(DEFAULT_SIZE_USD);

/** The same rows with the costs of another size. */
export function withSize(table: Table, sizeUsd: number): ChangedTable {
  const costsOf = orderCosts(table, sizeUsd);
  const cell = (place: number): ChangedColumn => ({
    cell: (row) => roundPercent(costsOf(row)[place] as number),
  });
  return new ChangedTable(
    table,
    everyRow,
    new Map<string, ChangedColumn>([
      ['buy_cost_pct', cell(NOW + BUY)],
      ['sell_cost_pct', cell(NOW + SELL)],
      ...DAY_COSTS.map(({ name, what, figure }): [string, ChangedColumn] => [
        name,
        cell((figure === 'median' ? MEDIAN : WORST) + (what === 'buy' ? BUY : SELL)),
      ]),
    ]),
  );
}

export function hasDepth({ isInverse, quote }: FrozenContract): boolean {
  return !isInverse && DOLLAR_QUOTES.has(quote);
}

/** `usdtPerQuote` has USDT for one unit of each quote. */
export function depthTable(
  { asOfMs, contracts, curves }: FrozenMarket,
  usdtPerQuote: ReadonlyMap<string, number>,
  dayOf: (contract: FrozenContract) => CostFigures | undefined,
): Table {
  const builder = new TableBuilder(DEPTH_TABLE, curves.size);
  const internal = new Float64Array(CURVE_COLUMNS.length + DAY_COLUMNS.length + 1);
  for (const contract of contracts) {
    const dated = curves.get(contract.key);
    if (!dated || !hasDepth(contract)) continue;
    const { curve, atMs, periodMs } = dated;
    const day = dayOf(contract);
    const usdt = usdtPerQuote.get(contract.quote) ?? 1;
    internal.fill(Number.NaN);
    putCurve(curve, usdt, internal);
    if (day) putDay(day, internal.subarray(CURVE_COLUMNS.length));
    internal[internal.length - 1] = usdt;
    const row = {
      exchange: contract.exchange,
      symbol: contract.symbol,
      venue_symbol: contract.venueSymbol,
      coin: contract.coin,
      asset_class: contract.assetClass,
      mid_price: Number(curve.mid.toPrecision(PRICE_DIGITS)),
      bid_ask_spread_pct: roundPercent(curve.spreadPct),
      ...sidesOf(dated, usdt),
      buy_cost_pct: costPct(curve.asks, DEFAULT_SIZE_USD / usdt),
      sell_cost_pct: costPct(curve.bids, DEFAULT_SIZE_USD / usdt),
      ...dayCosts(day),
      volume_24h_usdt: toCents(contract.volume24hUsdt),
      book_at: atMs,
      book_age_seconds: Math.max(0, Math.round((asOfMs - atMs) / 100) / 10),
      period_seconds: Math.round(periodMs / SECOND_MS),
    };
    builder.add(row, internal);
  }
  return builder.build();
}

function sidesOf({ curve }: DatedCurve, usdtPerQuote: number): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (const side of SIDES) {
    const known = side === 'bid' ? curve.bids : curve.asks;
    for (const bp of BANDS_BP) {
      const value = known.valueWithin(bp);
      cells[bandColumn(side, bp)] = Number.isNaN(value) ? null : toCents(value * usdtPerQuote);
    }
    cells[`${side}_received_usd`] = toCents(known.receivedValue * usdtPerQuote);
    cells[`${side}_reach_bp`] = Math.round(known.reachBp * 1000) / 1000;
  }
  return cells;
}

function dayCosts(figures: CostFigures | undefined): Record<string, number | null> {
  return Object.fromEntries(
    DAY_COSTS.map(({ name, what, figure }) => {
      const costsPct = figure === 'median' ? figures?.medianPct : figures?.worstPct;
      const pct = costsPct ? costPctAt(costsPct, DEFAULT_PLACE, what === 'buy') : Number.NaN;
      return [name, Number.isNaN(pct) ? null : roundPercent(pct)];
    }),
  );
}

function costPct(side: SideCurve, value: number): number | null {
  const pct = side.costPct(value);
  return Number.isNaN(pct) ? null : roundPercent(pct);
}

function toCents(usd: number): number {
  return Math.round(usd * 100) / 100;
}
