import { PLANS } from '../../src/accounts/plans.ts';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { BACKTEST_TABLES } from '../../src/engines/backtest/rows.ts';
import { DEPTH_TABLE } from '../../src/engines/depth/table.ts';
import { modelsTable, SHIPPED } from '../../src/engines/forecast/models.ts';
import { COINS_TABLE, EXCHANGES_TABLE } from '../../src/engines/funding/catalogue.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { LISTINGS_TABLE } from '../../src/engines/listings/table.ts';
import { SPREADS_TABLE } from '../../src/engines/spreads/table.ts';
import { LISTING_SOURCES, LISTING_STATUSES } from '../../src/history/listings/model.ts';
import { SIZES_USD } from '../../src/history/samples/model.ts';
import { daySums } from '../../src/history/settlements/days.ts';
import type { HeldContract } from '../../src/history/settlements/directory.ts';
import { TapeSeries } from '../../src/history/tape/series.ts';
import type { Cell, Column, Table, TableSpec } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import type { TableSource } from '../../src/market/timeline.ts';
import { Entrance, type EntranceOptions } from '../../src/operations/access/entrance.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { VENUES } from '../../src/venues/registry.ts';

import { madeArbitrage } from './made-arbitrage.ts';
import { madeCurve, madeCurveCells } from './made-depth.ts';

/** Tables with made rows for every operation, and an entrance to call them without a server. */
export const AS_OF_MS = Date.UTC(2026, 10, 15, 12);
export const COINS = ['BTC', 'ETH', 'PEPE'];
export const EXCHANGES = ['Binance', 'Bybit', 'OKX'];
const ROWS = 60;
const PRINT_HOURS = 8;
const PRINT_DAYS = 60;

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  coin: COINS,
  exchange: EXCHANGES,
  exchange_a: EXCHANGES,
  exchange_b: EXCHANGES,
  kind: ['listing', 'delisting'],
  status: LISTING_STATUSES,
  source: LISTING_SOURCES,
  direction: ['long_a_short_b', 'short_a_long_b'],
  session: ['open', 'closed', ''],
};
const NUMBERS = [-2, -0.5, -0.01, 0, 0.005, 0.02, 0.3, 1, 7, 40, 5e3, 2e6];
const INTEGERS = [0, 1, 2, 4, 8, 3];
const AGES_MS = [-20 * DAY_MS, -2 * DAY_MS, -HOUR_MS, -20_000, 5 * MINUTE_MS, 6 * HOUR_MS, 3 * DAY_MS];

/** Lists of different lengths repeat with different periods, so that columns are independent of each other. */
function cellOf({ name, type }: Column, row: number, shift: number): Cell {
  const pick = <T>(list: readonly T[]): T => list[(row * 7 + shift * 5 + (row >> 2)) % list.length] as T;
  if (type === 'texts') return EXCHANGES.slice(row % 2, 1 + ((row + shift) % EXCHANGES.length));
  if (type === 'text') return TEXTS[name] ? pick(TEXTS[name]) : `${name} ${row}`;
  if (type === 'flag') return (row + shift) % 3 === 0;
  if (type === 'time') return AS_OF_MS + pick(AGES_MS) + row;
  return type === 'integer' ? pick(INTEGERS) : pick(NUMBERS);
}

export function madeTable(
  spec: TableSpec,
  variant = 0,
  also: (row: number, cells: Readonly<Record<string, Cell>>) => Readonly<Record<string, Cell>> = () => ({}),
): Table {
  const builder = new TableBuilder(spec);
  for (let row = 0; row < ROWS; row++) {
    const cells = {
      ...Object.fromEntries((spec.internalColumns ?? []).map((name) => [name, 0.05])),
      ...Object.fromEntries(spec.columns.map((column, i) => [column.name, cellOf(column, row + variant, i)])),
    };
    builder.add({ ...cells, ...also(row, cells) });
  }
  return builder.build();
}

const ALL_COINS = [...COINS, 'SOL', 'XRP', 'DOGE'];
const ALL_EXCHANGES = [...EXCHANGES, 'Gate', 'KuCoin', 'MEXC'];

/** Books of most contracts that the made pairs are of; some hold little. */
function madeDepth(): Table {
  return madeTable(DEPTH_TABLE, 0, (row) => {
    const coin = ALL_COINS[row % ALL_COINS.length] ?? '';
    const exchange = ALL_EXCHANGES[Math.floor(row / ALL_COINS.length)] ?? `closed ${row}`;
    return {
      ...{ coin, exchange, venue_symbol: `${coin}USDT` },
      ...madeCurveCells(madeCurve(row % 7 === 3 ? 60 : 4_000 * (1 + (row % 5)))),
    };
  });
}

const madeSpreads = () =>
  madeTable(SPREADS_TABLE, 0, (_, { coin, exchange_a, exchange_b, spread_pct }) => ({
    contract_a: `${exchange_a}/${coin}USDT`,
    contract_b: `${exchange_b}/${coin}USDT`,
    mid_gap_pct: Number(spread_pct) + 0.02,
  }));

function sourceOf(table: Table): TableSource {
  const snapshot = { asOfMs: AS_OF_MS, table };
  return {
    at: () => snapshot,
    exactly: (asOfMs) => (asOfMs === AS_OF_MS ? snapshot : null),
    after: () => null,
  };
}

/** Two contracts on BTC at each venue, with a print every eight hours. */
function madeHistory(): DataSources['history'] {
  const contracts = EXCHANGES.flatMap((exchange, venue) =>
    ['USDT', 'USD'].map(
      (quote, i): HeldContract => ({
        id: venue * 2 + i,
        exchange,
        venueSymbol: `BTC${quote}`,
        symbol: `BTC-${quote}`,
        coin: 'BTC',
        isInverse: quote === 'USD',
        listedAtMs: null,
        walkedFromMs: null,
        walkedToMs: null,
        heldSinceMs: AS_OF_MS - PRINT_DAYS * DAY_MS,
        lastPrintMs: AS_OF_MS,
        printCount: 0,
        revision: 1,
      }),
    ),
  );
  const prints = (id: number, fromMinute: number, toMinute: number) => {
    const step = (PRINT_HOURS * HOUR_MS) / MINUTE_MS;
    const minutes: number[] = [];
    for (let minute = Math.ceil(fromMinute / step) * step; minute <= toMinute; minute += step)
      if (minute * MINUTE_MS >= AS_OF_MS - PRINT_DAYS * DAY_MS) minutes.push(minute);
    return {
      minutes,
      ratesPct: minutes.map((minute) => (id + 1) * 0.001 + (minute % 7) * 0.0001),
      intervalMinutes: Float64Array.from(minutes, () => step),
    };
  };
  return {
    changes: 1,
    directory: {
      size: contracts.length,
      find: (exchange: string, venueSymbol: string) =>
        contracts.find((one) => one.exchange === exchange && one.venueSymbol === venueSymbol),
      ofCoin: (coin: string) => contracts.filter((one) => one.coin === coin),
      coins: () => ['BTC'],
    },
    reader: {
      prints,
      days: (ids: readonly number[], fromDay: number, toDay: number) =>
        ids.map((id) => {
          const found = prints(id, (fromDay * DAY_MS) / MINUTE_MS, ((toDay + 1) * DAY_MS) / MINUTE_MS - 1);
          return daySums(found.minutes, found.ratesPct, found.intervalMinutes, 0, found.minutes.length);
        }),
    },
  } as unknown as DataSources['history'];
}

export function madeData(): DataSources {
  return {
    venues: VENUES,
    funding: sourceOf(madeTable(FUNDING_TABLE)),
    spreads: sourceOf(madeSpreads()),
    backtest: Object.fromEntries(
      SIZES_USD.map((size, i) => [size, sourceOf(madeTable(BACKTEST_TABLES[size], i))]),
    ) as unknown as DataSources['backtest'],
    arbitrage: madeArbitrage({
      ...{ coins: ALL_COINS, exchanges: ALL_EXCHANGES, asOfMs: AS_OF_MS },
      depth: madeDepth(),
    }),
    depth: sourceOf(madeDepth()),
    forecastModels: sourceOf(modelsTable(SHIPPED)),
    depthCosts: { series: async () => [] },
    tape: {
      series: async (_contract, from, to, columns) =>
        new TapeSeries(from, Math.max(1, to - from + 1), columns),
    },
    forecastScores: { scored: async () => null, scores: async () => [] },
    listings: sourceOf(madeTable(LISTINGS_TABLE)),
    coins: sourceOf(madeTable(COINS_TABLE)),
    exchanges: sourceOf(madeTable(EXCHANGES_TABLE)),
    history: madeHistory(),
    prices: { series: async () => [] },
  };
}

const UNUSED = { limit: 600, used: 1, remaining: 599, resetsAtMs: AS_OF_MS + MINUTE_MS, resetSeconds: 60 };
export const STATES = { minute: UNUSED, month: UNUSED };
export const CALLER = {
  accountId: 'made',
  plan: PLANS.business,
  scopes: SCOPES,
  keyPrefix: 'pw_test_',
  keyId: 'made',
  slotId: 'made',
};

/** The real entrance on made data. Only `run` and `freshness` work: there are no keys and no windows. */
export function madeEntrance(data: DataSources = madeData()): Entrance {
  return new Entrance({
    clock: new ManualClock(AS_OF_MS),
    baseUrl: 'https://perpwire.example',
    isApiEnabled: true,
    data,
  } as unknown as EntranceOptions);
}
