import { PairHistoryBook } from '../../src/engines/arbitrage/history-book.ts';
import type { PrintSource } from '../../src/engines/arbitrage/history-rebuild.ts';
import { LegTables } from '../../src/engines/arbitrage/legs.ts';
import { PairMaker } from '../../src/engines/arbitrage/pairs.ts';
import { breakEvenHours } from '../../src/engines/arbitrage/payments.ts';
import { ArbitrageRows } from '../../src/engines/arbitrage/rows.ts';
import { DEFAULT_VIEW } from '../../src/engines/arbitrage/source.ts';
import { LegBook } from '../../src/engines/spreads/book.ts';
import type { Table } from '../../src/market/tables/table.ts';
import { encodeTable } from '../../src/market/tables/table-codec.ts';
import { orderOf } from '../../src/query/sorting.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';
import { BenchMarket } from '../spreads/market.ts';
import { ARBITRAGE_ROWS } from '../support/arbitrage-tables.ts';
import type { Scenario } from '../support/rest-measure.ts';
import { measureScenarios } from './rest.ts';

const SCENARIOS: readonly Scenario[] = [
  {
    name: `/arbitrage at ${ARBITRAGE_ROWS} rows, the same URL`,
    path: '/api/v1/arbitrage',
    endpoint: null,
    target: 0.7,
  },
  {
    name: `/arbitrage at ${ARBITRAGE_ROWS} rows, another filter each time`,
    path: '/api/v1/arbitrage',
    endpoint: 'arbitrage',
    target: 0.3,
    hasNaive: true,
  },
  {
    name: `/arbitrage at ${ARBITRAGE_ROWS} rows, other fees each time`,
    path: '/api/v1/arbitrage',
    endpoint: 'arbitrage with fees',
    target: 0.1,
    hasNaive: true,
  },
];

const ROUNDS = sized(15, 5, 1);
const NAIVE_ROUNDS = sized(5, 2, 1);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const NET_APR = { column: 'net_apr_pct', direction: 'desc' } as const;
const PAGE_ROWS = 100;
/** What the issue allows one refresh, and one rebuild of the 30-day figures. */
const REFRESH_MS = 30;
const REBUILD_MS = 150;

const PRINT_STEPS_HOURS = [1, 4, 8, 8];

/** Prints of the last 33 days at intervals of 1, 4 and 8 hours. */
function madePrints(asOfMs: number): PrintSource & { settle(): void } {
  let version = 1;
  let nowMs = asOfMs;
  return {
    settle: () => {
      version++;
      nowMs += HOUR_MS;
    },
    versionOf: () => version,
    gapOf: (keyA, keyB) => ({ lowPct: -keyA.length, highPct: keyB.length, fromMs: nowMs }),
    printsOf: (key) => {
      let seed = 0;
      for (let i = 0; i < key.length; i++) seed = (seed * 31 + key.charCodeAt(i)) | 0;
      const stepMinutes = (PRINT_STEPS_HOURS[Math.abs(seed) % PRINT_STEPS_HOURS.length] ?? 8) * 60;
      const endMinute = Math.floor(nowMs / MINUTE_MS / stepMinutes) * stepMinutes;
      const count = Math.floor((33 * 24 * 60) / stepMinutes);
      const minutes = new Uint32Array(count);
      const ratesPct = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        minutes[i] = endMinute - (count - 1 - i) * stepMinutes;
        ratesPct[i] = Math.sin(seed + (minutes[i] ?? 0) / 3000) * 0.01;
      }
      return { minutes, ratesPct, intervalMinutes: new Uint16Array(count).fill(stepMinutes) };
    },
  };
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (samples: number[]) => samples.sort((a, b) => a - b)[samples.length >> 1] ?? 0;

async function engineResults(): Promise<BenchResult[]> {
  const market = new BenchMarket();
  const book = new LegBook();
  const tables = new LegTables();
  const maker = new PairMaker();
  const facts = {
    isShown: () => true,
    sumsOf: () => [0.01, 0.07, 0.3, 0.9],
    coveredUntilMsOf: () => market.nowMs,
    capacitiesOf: () => ({ values: [1000, 2000, 3000], reachBp: 20 }),
    openInterestUsdtOf: () => 1e6,
  };
  const makeLegs = (): Table => {
    book.refresh(market.made.freezer.statesAt(market.nowMs), market.made.freezer.identities, market.nowMs);
    return tables.make(book, facts);
  };
  /** As the service does it with each snapshot: legs, stored frame, pairs. */
  let made = { legs: makeLegs(), pairs: maker.pairsOf(makeLegs()) };
  const refresh = () => {
    const legs = makeLegs();
    encodeTable(legs);
    made = { legs, pairs: maker.pairsOf(legs) };
  };
  /** The first request after it: the order of the default sort, and a page. */
  let rows = 0;
  const firstPage = () => {
    const table = new ArbitrageRows({ asOfMs: market.nowMs, table: made.legs }, made.pairs, null).table(
      DEFAULT_VIEW,
    );
    rows = table.rowCount;
    for (const row of orderOf(table, 'net_apr_desc', NET_APR, []).subarray(0, PAGE_ROWS)) table.rowJson(row);
  };
  const naive = () => naiveRows(makeLegs(), market.nowMs);
  const [refreshes, pages, naives]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    market.move(10_000);
    refreshes.push(cpuMs(refresh));
    pages.push(cpuMs(firstPage));
  }
  // Afterwards: collecting the garbage of the naive way would be counted as part of a refresh.
  for (let round = 0; round < NAIVE_ROUNDS; round++) {
    market.move(10_000);
    naives.push(cpuMs(naive));
  }
  const histories = new PairHistoryBook();
  const prints = madePrints(market.nowMs);
  const legs = makeLegs();
  const pairs = maker.pairsOf(legs);
  const [rebuilds, quiet]: [number[], number[]] = [[], []];
  let asOfMs = market.nowMs;
  histories.refresh(legs, pairs, prints, asOfMs);
  for (let round = 0; round < 5; round++) {
    quiet.push(cpuMs(() => histories.refresh(legs, pairs, prints, asOfMs)));
    prints.settle();
    asOfMs += HOUR_MS;
    rebuilds.push(cpuMs(() => histories.refresh(legs, pairs, prints, asOfMs)));
  }
  const size = `${market.contracts} contracts, ${rows} pairs`;
  return [
    result({
      name: `CPU of the running figures with one snapshot, with the stored frame and the first page (${size})`,
      value: median(refreshes) + median(pages),
      unit: 'ms',
      baseline: 'the naive way: an object for each pair, all sorted and serialised',
      baselineValue: median(naives),
      target: { at: 'most', ratio: 0.1 },
    }),
    result({
      name: 'the same without the first page, beside what one snapshot may take',
      value: median(refreshes),
      unit: 'ms',
      baseline: 'allowed',
      baselineValue: REFRESH_MS,
      target: { at: 'most', ratio: 1 },
    }),
    result({
      name: 'CPU of the 30-day figures in the minute after every contract has settled',
      value: median(rebuilds),
      unit: 'ms',
      baseline: 'allowed',
      baselineValue: REBUILD_MS,
    }),
    result({
      name: 'CPU of the 30-day figures in a minute without new prints',
      value: median(quiet),
      unit: 'ms',
      baseline: 'allowed',
      baselineValue: REBUILD_MS,
      target: { at: 'most', ratio: 1 },
    }),
  ];
}

/** Objects for every pair of legs of a coin, sorted and serialised whole. */
function naiveRows(legs: Table, asOfMs: number): string {
  const byCoin = new Map<string, Record<string, number | string>[]>();
  for (let leg = 0; leg < legs.rowCount; leg++) {
    const row: Record<string, number | string> = {};
    for (const { name, type } of legs.spec.columns)
      row[name] = type === 'text' ? legs.text(name, leg) : (legs.numbers(name)[leg] ?? 0);
    const coin = String(row.coin);
    byCoin.set(coin, [...(byCoin.get(coin) ?? []), row]);
  }
  const rows: { net: number }[] = [];
  const daily = (leg: Record<string, number | string>) =>
    (Number(leg.rate_pct) * 24) / Number(leg.interval_hours);
  const scheduleOf = (leg: Record<string, number | string>) => ({
    ratePct: Number(leg.rate_pct),
    intervalHours: Number(leg.interval_hours),
    nextAtMs: Number(leg.next_funding_at),
  });
  for (const [coin, group] of byCoin)
    for (const [i, a] of group.entries())
      for (const b of group.slice(i + 1)) {
        if (a.exchange === b.exchange) continue;
        const [long, short] = daily(a) <= daily(b) ? [a, b] : [b, a];
        const carry = daily(short) - daily(long);
        const fee = 2 * (Number(long.taker_fee_pct) + Number(short.taker_fee_pct));
        const entry = ((Number(short.bid) - Number(long.ask)) / Number(long.ask)) * 100;
        const exit = ((Number(long.bid) - Number(short.ask)) / Number(long.ask)) * 100;
        const cost = fee - entry - exit;
        rows.push({
          coin,
          long,
          short,
          carry,
          fee,
          entry,
          exit,
          cost,
          breakEven: breakEvenHours(cost, scheduleOf(long), scheduleOf(short), asOfMs),
          net: ((carry * 30 - cost) / 30) * 365,
        } as unknown as { net: number });
      }
  return JSON.stringify(rows.sort((a, b) => b.net - a.net));
}

export const cases: BenchCase[] = [
  { name: 'arbitrage', isOneCore: true, run: engineResults },
  // Its targets leave room for what a neighbour costs it, up to 0.06 of a ratio.
  { name: 'arbitrage over REST', hasRoom: true, run: () => measureScenarios(SCENARIOS) },
];
