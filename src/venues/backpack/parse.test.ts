import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { BadReply } from '../reading.ts';
import type { SendRequest, SettlementPage, SettlementWindow } from '../venue.ts';
import { parseDepth, parseFundingRates, parseMarkets, parseMarkPrices, parseTickers } from './parse.ts';
import { bookTickerStream } from './stream.ts';
import { backpack } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const AT_MS = Date.UTC(2026, 10, 14, 22, 20, 5);
const listed = parseMarkets(fixture('markets'), AT_MS);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: AT_MS, contracts };
const btc = contracts.get('BTC_USDC_PERP');
assert.ok(btc);

suite('Backpack contracts', () => {
  test('perpetuals are linear in USDC; times without a zone are UTC', () => {
    assert.deepEqual(
      [btc.base, btc.quote, btc.settle, btc.contractSize, btc.maxLeverage, btc.listedAtMs],
      ['BTC', 'USDC', 'USDC', 1, 50, Date.UTC(2025, 0, 21, 6, 34, 54, 691)],
    );
    assert.equal(contracts.get('XAU_USDC_PERP')?.listedAtMs, Date.UTC(2026, 5, 1));
  });

  test('A1, C4: the interval is in milliseconds and differs by market; one that is not given is null, never 8', () => {
    assert.deepEqual(
      ['BTC', 'kBONK', 'US500'].map((base) => contracts.get(`${base}_USDC_PERP`)?.intervalHours),
      [1, 8, null],
    );
  });

  test('F1, F3: kBONK keeps its prefix, a share loses its country, and no share is taken for a coin', () => {
    assert.deepEqual(
      ['BTC', 'kBONK', 'NVDA.US', 'QQQ.US', 'US500', 'XAU'].map((name) => {
        const contract = contracts.get(`${name}_USDC_PERP`);
        return [contract?.base, contract?.assetClass];
      }),
      [
        ['BTC', 'crypto'],
        ['kBONK', 'crypto'],
        ['NVDA', 'stock'],
        ['QQQ', 'stock'],
        ['US500', 'index'],
        ['XAU', 'commodity'],
      ],
    );
  });

  test('status: closed is delisted, unseen or not yet due is preopen, a book without matching is halted', () => {
    assert.deepEqual(
      ['BTC', 'kBONK', 'QQQ.US', 'SOON', 'LATER', 'GONE'].map(
        (name) => contracts.get(`${name}_USDC_PERP`)?.status,
      ),
      ['trading', 'trading', 'halted', 'preopen', 'preopen', 'delisted'],
    );
  });

  test('spot and other markets are ignored, bad rows rejected with a reason', () => {
    assert.deepEqual(
      [...listed.ignored],
      [
        ['spot', 1],
        ['not a perpetual', 1],
      ],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST_USDC_PERP', reason: 'unknown status Sleeping' },
      { venueSymbol: 'ODD_USDC_PERP', reason: 'no base or quote symbol' },
    ]);
  });

  test('an error body is a bad reply, not an empty list', () => {
    assert.throws(() => parseMarkets({ code: 'INTERNAL_ERROR', message: 'x' }, AT_MS), BadReply);
    assert.throws(() => parseMarkPrices({ code: 'TOO_MANY_REQUESTS' }, context), BadReply);
  });
});

suite('Backpack funding', () => {
  const quoted = parseMarkPrices(fixture('mark-prices'), context);

  test('B1, C7: the running rate of the interval, a fraction given in percent; zero is a value', () => {
    assert.deepEqual(
      quoted.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct, quote.nextFundingAtMs]),
      [
        ['BTC_USDC_PERP', 0.00125, 1_794_697_200_000],
        ['kBONK_USDC_PERP', -0.005374123456789013, 1_794_700_800_000],
        ['XAU_USDC_PERP', 0, 1_794_697_200_000],
      ],
    );
    assert.equal(quoted.fundingQuotes[0]?.intervalHours, undefined);
  });

  test('G1: a closed market is not quoted; a bad row and a new symbol cost no other row', () => {
    assert.deepEqual(
      [...quoted.ignored],
      [
        ['not trading', 1],
        ['not in the contract list', 1],
      ],
    );
    assert.deepEqual(quoted.rejected, [
      { venueSymbol: 'NVDA.US_USDC_PERP', reason: 'no rate' },
      { venueSymbol: 'US500_USDC_PERP', reason: 'no next settlement' },
    ]);
  });

  const row = (intervalEndTimestamp: string, fundingRate = '0.0000125') => ({
    symbol: 'BTC_USDC_PERP',
    intervalEndTimestamp,
    fundingRate,
  });
  const window = { fromMs: Date.UTC(2026, 10, 14, 20), toMs: AT_MS };

  test('B3: the row of the running interval is no print, nor is one that may still change', () => {
    const rows = [
      row('2026-11-14T23:00:00', '0.9'),
      row('2026-11-14T22:00:00', '-0.0001'),
      row('2026-11-14T21:00:00', '0'),
      row('2026-11-14T19:00:00'),
      row('soon'),
    ];
    const found = parseFundingRates(rows, window, AT_MS);
    assert.deepEqual(
      found.settlements.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [-0.01, Date.UTC(2026, 10, 14, 22)],
        [0, Date.UTC(2026, 10, 14, 21)],
      ],
    );
    assert.deepEqual(found.rejected, [{ venueSymbol: 'BTC_USDC_PERP', reason: 'no rate or time' }]);
    assert.equal(found.oldestMs, Date.UTC(2026, 10, 14, 19));
    const early = parseFundingRates(rows, window, Date.UTC(2026, 10, 14, 22, 4, 59));
    assert.equal(early.settlements[0]?.settledAtMs, Date.UTC(2026, 10, 14, 21));
  });

  test('the row of the running interval is no print either while our clock is an hour ahead', () => {
    const rows = [row('2026-11-14T23:00:00', '0.9'), row('2026-11-14T22:00:00', '-0.0001')];
    const aheadMs = Date.UTC(2026, 10, 14, 23, 40);
    const wide = { ...window, toMs: aheadMs };
    const times = (hasRunning: boolean) =>
      parseFundingRates(rows, wide, aheadMs, hasRunning).settlements.map((print) => print.settledAtMs);
    assert.deepEqual(times(true), [Date.UTC(2026, 10, 14, 22)]);
    assert.equal(times(false).length, 2, 'a later page, or a contract that has ended');
  });

  test('E3: the walk continues by offset until a returned time is older than the window', async () => {
    const requested: unknown[] = [];
    const send: SendRequest = async ({ query }) => {
      requested.push([query?.limit, query?.offset]);
      const [limit, offset] = [Number(query?.limit), Number(query?.offset)];
      // One row an hour back from 23:00, a thousand of them.
      const rows = Array.from({ length: 1000 }, (_, i) =>
        row(new Date(Date.UTC(2026, 10, 14, 23 - i)).toISOString().slice(0, 19)),
      );
      return { payload: rows.slice(offset, offset + limit), receivedAtMs: AT_MS };
    };
    const old = { fromMs: Date.UTC(2026, 10, 10), toMs: Date.UTC(2026, 10, 10, 5) };
    const first = await backpack.settlements(btc, old, { send, contracts });
    assert.deepEqual([first.settlements, first.next], [[], { ...old, cursor: '13' }]);
    const second = await backpack.settlements(btc, first.next ?? old, { send, contracts });
    assert.equal(second.settlements.length, 6);
    assert.equal(second.next, null);
    assert.deepEqual(requested, [
      [13, 0],
      [1000, 13],
    ]);
  });

  test('a history of 2,500 hours is walked in pages of 1,000, also when the venue cuts longer ones', async () => {
    const all = Array.from({ length: 2500 }, (_, i) =>
      row(new Date(Date.UTC(2026, 10, 14, 23 - i)).toISOString().slice(0, 19)),
    );
    const send: SendRequest = async ({ query }) => {
      const [limit, offset] = [Math.min(1000, Number(query?.limit)), Number(query?.offset)];
      return { payload: all.slice(offset, offset + limit), receivedAtMs: AT_MS };
    };
    const found = new Set<number>();
    let next: SettlementWindow | null = { fromMs: AT_MS - 2400 * 3_600_000, toMs: AT_MS };
    while (next) {
      const page: SettlementPage = await backpack.settlements(btc, next, { send, contracts });
      for (const print of page.settlements) found.add(print.settledAtMs);
      next = page.next;
    }
    assert.equal(found.size, 2400);
  });

  test('an empty history ends the walk', async () => {
    const send: SendRequest = async () => ({ payload: [], receivedAtMs: AT_MS });
    const page = await backpack.settlements(btc, window, { send, contracts });
    assert.deepEqual([page.settlements, page.next], [[], null]);
  });
});

suite('Backpack prices and volumes', () => {
  test('volume is the quote volume; spot is ignored, a missing volume rejected', () => {
    const batch = parseTickers(
      [
        { symbol: 'BTC_USDC_PERP', lastPrice: '96400', volume: '10', quoteVolume: '964000.5' },
        { symbol: 'kBONK_USDC_PERP', lastPrice: '0.0189', volume: '0', quoteVolume: '0' },
        { symbol: 'XAU_USDC_PERP', lastPrice: '4100', volume: '1' },
        { symbol: 'SOL_USDC', lastPrice: '187', volume: '1', quoteVolume: '187' },
      ],
      context,
    );
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTC_USDC_PERP', volume24hUsdt: 964_000.5, referencePrice: 96_400 },
      { venueSymbol: 'kBONK_USDC_PERP', volume24hUsdt: 0, referencePrice: 0.0189 },
    ]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'XAU_USDC_PERP', reason: 'no volume' }]);
    assert.equal(batch.ignored.get('spot'), 1);
  });

  test('a book is put best first, with its time from microseconds', () => {
    const depth = parseDepth(
      {
        asks: [
          ['22.1', '3'],
          ['21.9', '5'],
        ],
        bids: [
          ['20.12', '2'],
          ['20.5', '4'],
        ],
        lastUpdateId: '1',
        timestamp: AT_MS * 1000 + 123,
      },
      btc,
    );
    assert.deepEqual([depth.asks[0], depth.bids[0], depth.venueTimeMs], [[21.9, 5], [20.5, 4], AT_MS]);
  });
});

suite('Backpack stream', () => {
  const ticker = (fields: object) => ({
    stream: 'bookTicker.BTC_USDC_PERP',
    data: {
      e: 'bookTicker',
      E: AT_MS * 1000,
      s: 'BTC_USDC_PERP',
      a: '96400.6',
      A: '1.2',
      b: '96400.1',
      B: '0.51',
      u: '1',
      T: (AT_MS - 5) * 1000 + 7,
      ...fields,
    },
  });

  test('one message subscribes to every market; a top has sizes in base units and time in microseconds', () => {
    const session = bookTickerStream.open([btc]);
    assert.deepEqual(session.opening, ['{"method":"SUBSCRIBE","params":["bookTicker.BTC_USDC_PERP"]}']);
    assert.deepEqual(session.receive(ticker({}), context).batch.bookTops, [
      {
        venueSymbol: 'BTC_USDC_PERP',
        bidPrice: 96_400.1,
        bidSize: 0.51,
        askPrice: 96_400.6,
        askSize: 1.2,
        venueTimeMs: AT_MS - 5,
      },
    ]);
  });

  test('F7: a top belongs to the symbol in its payload', () => {
    const session = bookTickerStream.open([btc]);
    const batch = session.receive(ticker({ s: 'XAU_USDC_PERP' }), context).batch;
    assert.equal(batch.bookTops[0]?.venueSymbol, 'XAU_USDC_PERP');
    assert.equal(session.receive(ticker({ s: 'NEW_USDC_PERP' }), context).batch.ignored.size, 1);
  });

  test('crossed and empty tops are rejected by name and not repeated', () => {
    const session = bookTickerStream.open([btc]);
    session.receive(ticker({}), context);
    const crossed = session.receive(ticker({ b: '96401' }), context).batch;
    assert.deepEqual(crossed.rejected, [{ venueSymbol: 'BTC_USDC_PERP', reason: 'crossed book' }]);
    const later = { ...context, receivedAtMs: AT_MS + 60_000 };
    const empty = session.receive(ticker({ b: '0' }), later).batch;
    assert.deepEqual([empty.rejected[0]?.reason, empty.bookTops], ['no bid or ask', []]);
  });

  test('a quiet top is repeated while other messages prove that the socket is alive', () => {
    const session = bookTickerStream.open([btc]);
    session.receive(ticker({}), context);
    const later = { ...context, receivedAtMs: AT_MS + 15_000 };
    const tops = session.receive(ticker({ s: 'XAU_USDC_PERP' }), later).batch.bookTops;
    assert.ok(tops.some((top) => top.venueSymbol === 'BTC_USDC_PERP'));
  });

  test('a market that never speaks after its subscription is reported and subscribed to again', () => {
    const xau = contracts.get('XAU_USDC_PERP');
    assert.ok(xau);
    const session = bookTickerStream.open([btc, xau]);
    const at = (minutes: number) => ({ ...context, receivedAtMs: AT_MS + minutes * 60_000 });
    for (const minutes of [0, 5, 9.9]) {
      const { batch, replies } = session.receive(ticker({}), at(minutes));
      assert.deepEqual([batch.rejected, replies], [[], []]);
    }
    const { batch, replies } = session.receive(ticker({}), at(10));
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'XAU_USDC_PERP', reason: 'no message since the subscription' },
    ]);
    assert.deepEqual(replies, ['{"method":"SUBSCRIBE","params":["bookTicker.XAU_USDC_PERP"]}']);
    session.receive(ticker({ s: 'XAU_USDC_PERP' }), at(11));
    assert.deepEqual(session.receive(ticker({}), at(20)).replies, []);
  });

  test('a refusal ends the connection, so that the next one subscribes to the list of that time', () => {
    const session = bookTickerStream.open([btc]);
    const refusal = { id: null, error: { code: 4005, message: 'Invalid market' } };
    assert.throws(() => session.receive(refusal, context), /Invalid market/);
  });
});

asSent('backpack', {}, (sent) => {
  const list = parseMarkets(sent('markets'), AT_MS);

  test('markets: 28,800,000 ms are 8 hours, a margin of 0.02 a leverage of 50; spot is ignored', () => {
    const sol = rowOfSymbol(list.contractList?.contracts ?? [], 'SOL_USDC_PERP');
    assert.deepEqual(
      [sol.base, sol.quote, sol.status, sol.intervalHours, sol.maxLeverage, sol.listedAtMs],
      ['SOL', 'USDC', 'trading', 8, 50, Date.UTC(2025, 0, 21, 6, 34, 54, 691)],
    );
    assert.equal(list.ignored.get('spot'), 1);
  });

  test('mark prices carry the running rate and its settlement', () => {
    const { fundingQuotes, marketFigures } = parseMarkPrices(sent('markPrices'), context);
    const [quote] = fundingQuotes;
    assert.deepEqual([quote?.ratePct, quote?.nextFundingAtMs], [0.01, Date.UTC(2025, 6, 21, 16)]);
    assert.deepEqual(
      [marketFigures[0]?.markPrice, marketFigures[0]?.indexPrice],
      [118_343.51853741, 118_333.18643195],
    );
  });

  test('tickers of spot markets are no volume of a perpetual', () => {
    const batch = parseTickers(sent('tickers'), context);
    assert.deepEqual([batch.dayVolumes, batch.ignored.get('spot')], [[], 1]);
  });

  test('the newest print of a live market is still running', () => {
    const window = { fromMs: 0, toMs: AT_MS };
    assert.deepEqual(parseFundingRates(sent('fundingRates'), window, AT_MS).settlements, []);
    assert.deepEqual(parseFundingRates(sent('fundingRates'), window, AT_MS, false).settlements, [
      { venueSymbol: 'BTC_USDC_PERP', ratePct: 0.01, settledAtMs: Date.UTC(2025, 6, 22) },
    ]);
  });

  test('a book: bids come with the best last, the time in microseconds', () => {
    const depth = parseDepth(sent('depth'), btc);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0], depth.venueTimeMs],
      [[12.9, 1], [118_318.3, 0.00633], 1_753_102_447_307],
    );
  });
});
