import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { HOUR_MS, MINUTE_MS } from '../base/times.ts';
import {
  type Batch,
  type BookTop,
  type Contract,
  emptyBatch,
  type FundingQuote,
} from '../venues/observations.ts';
import { VENUES } from '../venues/registry.ts';
import { Freezer } from './freeze.ts';
import { ROW_MAX_AGE_MS } from './interval.ts';
import { LatestMarket } from './latest.ts';

const START = Date.UTC(2026, 10, 14, 9, 30);
const NEXT = Date.UTC(2026, 10, 14, 16);

function contract(venueSymbol: string, extra: Partial<Contract> = {}): Contract {
  return {
    venueSymbol,
    base: venueSymbol,
    quote: 'USDT',
    settle: 'USDT',
    isInverse: false,
    contractSize: 1,
    status: 'trading',
    venueStatus: 'TRADING',
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: null,
    intervalHours: 8,
    ...extra,
  };
}

function set(...contracts: Contract[]) {
  const [venue] = VENUES;
  assert.ok(venue);
  const metrics = createMetrics();
  const market = new LatestMarket(metrics, createLog('silent'));
  const freezer = new Freezer(market, metrics, createLog('silent'));
  const known = new Map(contracts.map((one) => [one.venueSymbol, one]));
  const accept = (part: Partial<Batch>, atMs: number) =>
    market.accept(venue, { ...emptyBatch(), ...part }, atMs, known);
  accept({ contractList: { part: 'all', contracts } }, START);
  accept(
    {
      dayVolumes: contracts.map((one) => ({
        venueSymbol: one.venueSymbol,
        volume24hUsdt: 1000,
        referencePrice: 10,
      })),
    },
    START,
  );
  return { market, freezer, accept, metrics, known };
}

function quote(venueSymbol: string, ratePct: number, extra: Partial<FundingQuote> = {}): FundingQuote {
  return {
    venueSymbol,
    ratePct,
    nextFundingAtMs: NEXT,
    intervalHours: undefined,
    venueTimeMs: null,
    ...extra,
  };
}

function top(venueSymbol: string, bidPrice: number, venueTimeMs: number | null = null): BookTop {
  return { venueSymbol, bidPrice, bidSize: 1, askPrice: bidPrice * 1.001, askSize: 1, venueTimeMs };
}

suite('the newest of each contract', () => {
  test('a row needs a rate and a volume, and carries both', () => {
    const { freezer, accept } = set(contract('A'), contract('B'));
    accept({ fundingQuotes: [quote('A', 0.01)] }, START);
    const rows = freezer.freeze(START + 1000).contracts;
    assert.deepEqual(
      rows.map((row) => [row.venueSymbol, row.ratePct, row.intervalHours, row.nextFundingAtMs]),
      [['A', 0.01, 8, NEXT]],
    );
  });

  test('a rate above the cap of the venue is quarantined and counted, the last good one stays', async () => {
    const { freezer, accept, metrics } = set(contract('A'));
    accept({ fundingQuotes: [quote('A', 0.5)] }, START);
    accept({ fundingQuotes: [quote('A', 40)] }, START + 1000);
    assert.equal(freezer.freeze(START + 2000).contracts[0]?.ratePct, 0.5);
    assert.match(
      await metrics.registry.metrics(),
      /rows_quarantined_total\{.*rate above the cap of the venue.*\} 1/,
    );
  });

  test('an interval that does not exist is ignored', () => {
    const { freezer, accept } = set(contract('A'));
    accept(
      {
        fundingQuotes: [quote('A', 0.5)],
        fundingSchedules: [{ venueSymbol: 'A', intervalHours: 5, nextFundingAtMs: undefined }],
      },
      START,
    );
    assert.equal(freezer.freeze(START).contracts[0]?.intervalHours, 8);
  });

  test('a row leaves ten minutes after its last good rate', () => {
    const { freezer, accept } = set(contract('A'));
    accept({ fundingQuotes: [quote('A', 0.5)] }, START);
    assert.equal(freezer.freeze(START + ROW_MAX_AGE_MS).contracts.length, 1);
    assert.equal(freezer.freeze(START + ROW_MAX_AGE_MS + 1).contracts.length, 0);
  });

  for (const [status, isPublished] of [
    ['trading', true],
    ['delisting', true],
    ['preopen', false],
    ['halted', false],
    ['delisted', false],
  ] as const) {
    test(`a contract that is ${status} is ${isPublished ? '' : 'not '}published`, () => {
      const { freezer, accept } = set(contract('A', { status }));
      accept({ fundingQuotes: [quote('A', 0.5)] }, START);
      assert.equal(freezer.freeze(START).contracts.length, isPublished ? 1 : 0);
    });
  }

  test('a contract that left the list leaves the snapshot', () => {
    const { freezer, accept, known } = set(contract('A'), contract('B'));
    accept({ fundingQuotes: [quote('A', 0.5), quote('B', 0.5)] }, START);
    known.delete('B');
    accept({ contractList: { part: 'all', contracts: [...known.values()] } }, START + 1000);
    assert.deepEqual(
      freezer.freeze(START + 1000).contracts.map((row) => row.venueSymbol),
      ['A'],
    );
  });

  test('a reply that repeats the last one in every row does not count as new', () => {
    const names = Array.from({ length: 12 }, (_, i) => `C${i}`);
    const { market, accept } = set(...names.map((name) => contract(name)));
    accept({ bookTops: names.map((name) => top(name, 10, START)) }, START);
    accept({ bookTops: names.map((name) => top(name, 10, START)) }, START + 60_000);
    assert.equal(market.states()[0]?.topAtMs, START);
    accept({ bookTops: names.map((name, i) => top(name, i === 3 ? 11 : 10, START)) }, START + 90_000);
    assert.equal(market.states()[0]?.topAtMs, START + 90_000, 'one row that moved proves the venue alive');
  });

  test('an observed step between two settlements is the interval where the venue gives none', () => {
    const { freezer, accept } = set(contract('A', { intervalHours: null }));
    const hour = 3_600_000;
    accept({ fundingQuotes: [quote('A', 0.5, { nextFundingAtMs: START + hour / 2 })] }, START);
    assert.equal(freezer.freeze(START).contracts[0]?.intervalHours, null);
    accept(
      { fundingQuotes: [quote('A', 0.5, { nextFundingAtMs: START + hour / 2 + 4 * hour })] },
      START + hour,
    );
    assert.equal(freezer.freeze(START + hour).contracts[0]?.intervalHours, 4);
  });
});

suite('identity', () => {
  test('a multiplier is known by its price in any dollar, also in USD1, which forms no spread', () => {
    const [here, elsewhere] = VENUES;
    assert.ok(here && elsewhere);
    const metrics = createMetrics();
    const market = new LatestMarket(metrics, createLog('silent'));
    const freezer = new Freezer(market, metrics, createLog('silent'));
    for (const [venue, one, price] of [
      [here, contract('1000PEPEUSD1', { base: '1000PEPE', quote: 'USD1', settle: 'USD1' }), 0.01],
      [elsewhere, contract('PEPEUSDT', { base: 'PEPE' }), 0.00001],
    ] as const) {
      const { venueSymbol } = one;
      const batch: Batch = {
        ...emptyBatch(),
        contractList: { part: 'all', contracts: [one] },
        fundingQuotes: [quote(venueSymbol, 0.01)],
        dayVolumes: [{ venueSymbol, volume24hUsdt: 1000, referencePrice: price }],
      };
      market.accept(venue, batch, START, new Map([[venueSymbol, one]]));
    }
    assert.deepEqual(
      freezer.freeze(START).contracts.map(({ symbol, coin, multiplier }) => [symbol, coin, multiplier]),
      [
        ['1000PEPE-USD1', 'PEPE', 1000],
        ['PEPE-USDT', 'PEPE', 1],
      ],
    );
  });
});

suite('the interval while clocks disagree', () => {
  const HOURLY = contract('ETH', { intervalHours: null });
  /** How far the clocks of the machine and of the venue are off, by the minute of the test. */
  interface Clocks {
    machineMs(minute: number): number;
    venueMs(minute: number): number;
  }

  /** The intervals published in six hours in which the venue settles every `hours` and is read every two minutes. */
  function publishedIntervals({ machineMs, venueMs }: Clocks, hours: number, statesInterval: boolean) {
    const { market, freezer, accept } = set(HOURLY);
    const published = new Set<number | null | undefined>();
    const settlesEveryMs = hours * HOUR_MS;
    for (let minute = 2; minute <= 360; minute += 2) {
      const trueMs = START + minute * MINUTE_MS;
      const nowMs = trueMs + machineMs(minute);
      const stepMs = machineMs(minute) - machineMs(minute - 2);
      if (stepMs !== 0) market.shiftTimes(stepMs, nowMs);
      const venueNowMs = trueMs + venueMs(minute);
      const nextFundingAtMs = (Math.floor(venueNowMs / settlesEveryMs) + 1) * settlesEveryMs;
      const intervalHours = statesInterval ? hours : undefined;
      accept({ fundingQuotes: [quote('ETH', minute / 1e4, { nextFundingAtMs, intervalHours })] }, nowMs);
      // A venue that states no interval shows it with its second settlement.
      if (statesInterval || minute > 2 * hours * 60)
        published.add(freezer.freeze(nowMs).contracts[0]?.intervalHours);
    }
    return [...published];
  }

  const right = () => 0;
  const fast = (minute: number) => (minute > 100 ? 10 * MINUTE_MS : 0);
  const hourBack = (minute: number) => (minute > 70 && minute < 250 ? -HOUR_MS : 0);
  const cases: [string, Clocks][] = [
    ['the venue’s clock is ten minutes fast', { machineMs: right, venueMs: fast }],
    ['the machine’s clock is set back an hour', { machineMs: hourBack, venueMs: right }],
    [
      'the machine’s clock is set back an hour and the venue’s is fast',
      { machineMs: hourBack, venueMs: fast },
    ],
  ];
  for (const [name, clocks] of cases) {
    test(`an hourly contract stays hourly while ${name}`, () => {
      assert.deepEqual(publishedIntervals(clocks, 1, true), [1]);
    });
    test(`and so it does where the venue states no interval, while ${name}`, () => {
      assert.deepEqual(publishedIntervals(clocks, 1, false), [1]);
    });
  }
});
