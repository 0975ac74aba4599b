import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, ccxtReplies } from '../../../test/support/recordings.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseMarkets, parseNotices, parseOrderbook, parseSummaries } from './parse.ts';
import { parseIndexReading, printTimes, settlementsOf } from './parse-funding.ts';
import { paradex } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const AT_MS = 1_794_697_205_500;
const listed = parseMarkets(fixture('markets'), AT_MS);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: AT_MS, contracts };
const btc = contracts.get('BTC-USD-PERP');
assert.ok(btc);

suite('Paradex contracts', () => {
  test('F5: perpetuals are quoted in USD and settled in USDC, which makes them linear', () => {
    assert.deepEqual(
      [btc.base, btc.quote, btc.settle, btc.isInverse, btc.contractSize, btc.maxLeverage, btc.listedAtMs],
      ['BTC', 'USD', 'USDC', false, 1, 50, 1_698_756_879_745],
    );
  });

  test('options, spot and dated futures are ignored, bad rows rejected with a reason', () => {
    assert.deepEqual(
      [...listed.ignored],
      [
        ['option', 2],
        ['spot', 1],
        ['dated future', 1],
      ],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST-USD-PERP', reason: 'unknown kind SWAPTION' },
      { venueSymbol: 'ODD-USD-PERP', reason: 'no base, quote or settlement currency' },
    ]);
  });

  test('F1: the base keeps its multiplier as the venue spells it', () => {
    assert.equal(contracts.get('kPEPE-USD-PERP')?.base, 'kPEPE');
  });

  test('F3: markets with half the funding multiplier are no coins', () => {
    assert.deepEqual(
      ['BTC', 'XAG', 'MSFT', 'EUR', 'US500'].map((base) => contracts.get(`${base}-USD-PERP`)?.assetClass),
      ['crypto', 'commodity', 'stock', 'forex', 'index'],
    );
  });

  test('a market opens at open_at; one for requested quotes only is halted', () => {
    assert.deepEqual(
      ['BTC', 'SOON', 'US500'].map((base) => contracts.get(`${base}-USD-PERP`)?.status),
      ['trading', 'preopen', 'halted'],
    );
  });

  test('an error body is a bad reply, not an empty list', () => {
    assert.throws(() => parseMarkets({ error: 'INTERNAL_ERROR', message: 'x' }, AT_MS), BadReply);
    assert.throws(() => parseSummaries({ error: 'NOT_FOUND' }, context), BadReply);
  });
});

suite('Paradex rates, prices and volumes', () => {
  const batch = parseSummaries(fixture('summary'), context);

  test('C3: the rate is for eight hours, as on all 63 perpetuals of 2026-09-11, and has no next settlement', () => {
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [
        quote.venueSymbol,
        quote.ratePct,
        quote.intervalHours,
        quote.nextFundingAtMs,
      ]),
      [
        ['BTC-USD-PERP', 0.012345678912, 8, null],
        ['kPEPE-USD-PERP', 0, 8, null],
        ['XAG-USD-PERP', -0.01, 8, null],
        ['EUR-USD-PERP', 0.01, 8, null],
        ['US500-USD-PERP', 0.01, 8, null],
      ],
    );
  });

  test('the rate of a market with another period is scaled to eight hours', () => {
    const row = { symbol: 'kPEPE-USD-PERP', volume_24h: '1', funding_rate: '0.0000125', bid: '1', ask: '2' };
    const [quote] = parseSummaries({ results: [row] }, context).fundingQuotes;
    assert.deepEqual([quote?.ratePct, quote?.intervalHours], [0.01, 8]);
  });

  test('50 calls a second and a list of 4 MB: every call spends both budgets, the list is read four times an hour', async () => {
    assert.deepEqual(paradex.budgets.second, { capacity: 37, windowSeconds: 1 });
    const seen: unknown[] = [];
    const send = (request: VenueRequest) => {
      seen.push(request.budget);
      return Promise.resolve({ payload: { results: [], bids: [], asks: [] }, receivedAtMs: AT_MS });
    };
    for (const poll of paradex.polls) if (poll.kind === 'bulk') await poll.collect({ send, contracts });
    await paradex.depth?.(btc, { send, contracts });
    await paradex.settlements(btc, { fromMs: AT_MS - 86_400_000, toMs: AT_MS }, { send, contracts });
    assert.ok(seen.length > 4);
    assert.ok(seen.every((budget) => String(budget) === 'minute,second'));
    const list = paradex.polls.find((poll) => poll.gives.includes('contracts'));
    assert.ok((list?.everySeconds ?? 0) >= 900);
  });

  test('a market that has opened since the list was read asks for a new list', () => {
    const soon = contracts.get('SOON-USD-PERP');
    const receivedAtMs = (soon?.listedAtMs ?? 0) + 1;
    const rows = { results: [{ symbol: 'SOON-USD-PERP' }] };
    assert.deepEqual([...parseSummaries(rows, context).ignored], [['not open yet', 1]]);
    assert.deepEqual(
      [...parseSummaries(rows, { receivedAtMs, contracts }).ignored],
      [['not in the contract list', 1]],
    );
  });

  test('one reply gives tops with sizes in base units and volume in USD; zero volume is a value', () => {
    assert.deepEqual(batch.bookTops[0], {
      venueSymbol: 'BTC-USD-PERP',
      bidPrice: 96_400.1,
      bidSize: 0.51,
      askPrice: 96_400.6,
      askSize: 1.2,
      venueTimeMs: 1_794_697_205_000,
    });
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 51_000_000.25);
    assert.equal(batch.dayVolumes[1]?.volume24hUsdt, 0);
  });

  test('what is wrong with a row costs only that; options and unopened markets are left out', () => {
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'XAG-USD-PERP', reason: 'no bid or ask' },
      { venueSymbol: 'MSFT-USD-PERP', reason: 'no rate' },
      { venueSymbol: 'EUR-USD-PERP', reason: 'crossed book' },
      { venueSymbol: 'US500-USD-PERP', reason: 'no volume' },
    ]);
    assert.ok(batch.bookTops.some((top) => top.venueSymbol === 'MSFT-USD-PERP'));
    assert.deepEqual(
      [...batch.ignored],
      [
        ['not open yet', 1],
        ['not in the contract list', 1],
        ['not a perpetual', 1],
      ],
    );
  });
});

suite('Paradex settled prints', () => {
  const hour = (h: number) => Date.UTC(2026, 10, 14, h);
  const reading = (index: string, createdAtMs: number, rate = '0.0001', premium = '9.64') => ({
    results: [
      {
        market: 'BTC-USD-PERP',
        funding_index: index,
        funding_premium: premium,
        funding_rate: rate,
        funding_rate_8h: rate,
        funding_period_hours: 8,
        created_at: createdAtMs,
      },
    ],
  });

  test('times are 00:00, 08:00 and 16:00 UTC in the window, with the one before the first', () => {
    const times = printTimes({ fromMs: hour(1), toMs: hour(17) }, null);
    assert.deepEqual(times, { atMs: [hour(0), hour(8), hour(16)], next: null });
    assert.deepEqual(printTimes({ fromMs: hour(1), toMs: hour(7) }, null), { atMs: [], next: null });
  });

  test('a long window is walked in pages without hole or overlap', () => {
    const toMs = hour(17);
    const seen: number[] = [];
    let window: { fromMs: number; toMs: number } | null = { fromMs: hour(1) - 100 * 86_400_000, toMs };
    while (window) {
      const { atMs, next }: ReturnType<typeof printTimes> = printTimes(window, null);
      seen.push(...atMs.slice(1));
      window = next;
    }
    assert.equal(seen.length, 302);
    assert.equal(new Set(seen).size, 302);
  });

  test('nothing is counted before the market has been open for a whole period', () => {
    assert.deepEqual(printTimes({ fromMs: hour(0), toMs: hour(17) }, hour(3)).atMs, [hour(8), hour(16)]);
  });

  test('B3: a print is what the index grew, in percent of the price, never a sample of the rate', () => {
    const times = printTimes({ fromMs: hour(1), toMs: hour(17) }, null);
    // 9.64 USDC on 96,400 USDC is 0.01 %, whatever the rate says at the end.
    const readings = [
      parseIndexReading(reading('1000', hour(0)), hour(0)),
      parseIndexReading(reading('1009.64', hour(8) - 900, '0.5', '48200'), hour(8)),
      parseIndexReading(reading('1004.82', hour(16)), hour(16)),
    ];
    assert.deepEqual(settlementsOf(btc, times, readings).settlements, [
      { venueSymbol: 'BTC-USD-PERP', ratePct: 0.01, settledAtMs: hour(8) },
      { venueSymbol: 'BTC-USD-PERP', ratePct: -0.005, settledAtMs: hour(16) },
    ]);
  });

  test('the price is premium over rate; a rate of zero hides it, then the previous reading has it', () => {
    const times = printTimes({ fromMs: hour(1), toMs: hour(9) }, null);
    const hidden = parseIndexReading(reading('1009.64', hour(8), '0', '0'), hour(8));
    const shown = parseIndexReading(reading('1000', hour(0)), hour(0));
    assert.equal(settlementsOf(btc, times, [shown, hidden]).settlements[0]?.ratePct, 0.01);
    const before = parseIndexReading(reading('1000', hour(0), '0', '0'), hour(0));
    assert.deepEqual(settlementsOf(btc, times, [before, hidden]).rejected, [
      { venueSymbol: 'BTC-USD-PERP', reason: 'no price to relate the payment to' },
    ]);
    assert.equal(settlementsOf(btc, times, [before, before]).settlements[0]?.ratePct, 0);
  });

  test('E5: a reading that is missing, too old or too new leaves a gap, not a zero', () => {
    assert.equal(parseIndexReading({ results: [] }, hour(8)), null);
    assert.equal(parseIndexReading(reading('1', hour(8) - 61_000), hour(8)), null);
    assert.equal(parseIndexReading(reading('1', hour(8) + 1), hour(8)), null);
    const times = printTimes({ fromMs: hour(1), toMs: hour(17) }, null);
    const good = parseIndexReading(reading('1', hour(0)), hour(0));
    assert.deepEqual(settlementsOf(btc, times, [good, null, good]).settlements, []);
  });

  test('an error body is a bad reply', () => {
    assert.throws(() => parseIndexReading({ error: 'BINDING_ERROR' }, hour(8)), BadReply);
  });
});

suite('Paradex notices', () => {
  test('kind, title, text and time are read; time and title make the id; a bad one is rejected', () => {
    const results = [
      {
        title: 'SOON-USD-PERP listing',
        content: 'Opens soon',
        kind: 'LISTING',
        visible_at: 1_794_600_000_000,
      },
      { title: '', kind: 'UPDATE', visible_at: 1_794_600_000_000 },
      { title: 'No time', kind: 'UPDATE' },
    ];
    const batch = parseNotices({ results });
    assert.deepEqual(batch.announcements, [
      {
        id: '1794600000000 SOON-USD-PERP listing',
        title: 'SOON-USD-PERP listing',
        body: 'Opens soon',
        category: 'LISTING',
        url: null,
        publishedAtMs: 1_794_600_000_000,
      },
    ]);
    assert.equal(batch.rejected.length, 2);
  });
});

const recordedReply = (method: string) => () => ccxtReplies('paradex', method)[0]?.httpResponse;

asSent(
  'paradex',
  {
    markets: () => ({ results: ccxtInstruments('paradex') }),
    summary: recordedReply('fetchTickers'),
    orderbook: recordedReply('fetchOrderBook'),
  },
  (sent) => {
    test('markets: settled in USDC, a leverage of 1 / imf_base; expiry_at 0 is no end', () => {
      const batch = parseMarkets(sent('markets'), AT_MS);
      assert.deepEqual(batch.rejected, []);
      assert.deepEqual(
        rowsOf(batch.contractList?.contracts ?? [], 'BTC-USD-PERP', 'TON-USD-PERP').map((c) => [
          c.settle,
          c.isInverse,
          c.status,
          c.maxLeverage,
          c.delistsAtMs,
          c.intervalHours,
        ]),
        // 1 / 0.02 and 1 / 0.1.
        [
          ['USDC', false, 'trading', 50, null, 8],
          ['USDC', false, 'trading', 10, null, 8],
        ],
      );
    });

    test('summary: a fraction of eight hours that accrues without a settlement; volume in USD, no sizes then', () => {
      const batch = parseSummaries(sent('summary'), context);
      assert.deepEqual(batch.rejected, []);
      const [quote] = batch.fundingQuotes;
      assert.deepEqual(
        [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs, quote?.venueTimeMs],
        [0.749938923192, 8, null, 1_718_377_962_698],
      );
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 2_611_476.262600002);
      const [top] = batch.bookTops;
      assert.deepEqual([top?.bidPrice, top?.askPrice, top?.bidSize], [66_821.1, 67_643.2, null]);
      // 152.777 BTC × 67,307.7225876.
      assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(2), '10283071.93');
    });

    test('a book', () => {
      const depth = parseOrderbook(sent('orderbook'), btc);
      assert.deepEqual(
        [depth.bids[0], depth.asks[0], depth.venueTimeMs],
        [[66_810, 0.078], [67_643.2, 3.734], 1_718_377_985_388],
      );
    });

    test('funding data: the premium is the rate times the price', () => {
      const reading = parseIndexReading(sent('fundingData'), 1_764_160_328_000);
      // -6.04646651485986656 / -0.00006992598926 = 86,469.517.
      assert.deepEqual([reading?.index, reading?.price?.toFixed(3)], [20_511.936_082_340_446, '86469.517']);
    });
  },
);
