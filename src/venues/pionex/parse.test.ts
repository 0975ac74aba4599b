// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of 2026-09-14.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import {
  parseBookTickers,
  parseDepth,
  parseFundingRates,
  parseIndexes,
  parseInterval,
  parseSymbols,
  parseTickers,
} from './parse.ts';
import { pionex } from './venue.ts';

const listed = parseSymbols(JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/symbols.json`, 'utf8')));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

const reply = (name: string, ...rows: unknown[]) => ({
  result: true,
  data: { [name]: rows },
  timestamp: 1_794_697_200_000,
});
const noInterest = reply('openInterests');
const btc = contractOf('BTC_USDT_PERP');

suite('Pionex contracts', () => {
  test('perpetuals are taken, spot ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 10);
    assert.equal(listed.ignored.get('not a perpetual'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST_USDT_PERP', reason: 'unknown status SLEEPING' },
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
    assert.equal(contractOf('GONE_USDC_PERP').status, 'halted');
  });

  test('contracts that are priced in a coin (BTC_ETH_PERP, USDT_BTC_PERP) are left out', () => {
    assert.equal(listed.ignored.get('priced in a coin'), 2);
  });

  test('the base is the one in the symbol: 0G and LIT, not the codes ZEROG and LIGHTER', () => {
    assert.deepEqual(
      ['0G_USDT_PERP', 'LIT_USDT_PERP', 'WTI_USDT_PERP'].map((symbol) => contractOf(symbol).base),
      ['0G', 'LIT', 'WTI'],
    );
  });

  test('F1: small coins are traded under their own name, in base units', () => {
    const { base, contractSize, quote, settle } = contractOf('PEPE_USDT_PERP');
    assert.deepEqual([base, contractSize, quote, settle], ['PEPE', 1, 'USDT', 'USDT']);
  });

  test('F3: a share has an X after its ticker; AVAX is a coin; metals and fuels are known by name', () => {
    assert.deepEqual(
      ['AVAX', 'AAX', 'XYZX', 'XAU', 'WTI', 'LIT'].map((base) => contractOf(`${base}_USDT_PERP`).assetClass),
      ['crypto', 'stock', 'stock', 'commodity', 'commodity', 'crypto'],
    );
  });

  test('a refusal with HTTP 200 is a bad reply, not an empty list', () => {
    const refusal = { result: false, code: 'MARKET_PARAMETER_ERROR', message: 'symbol error' };
    assert.throws(() => parseSymbols(refusal), BadReply);
    assert.throws(() => parseIndexes({ indexes: refusal, interest: noInterest }, context), BadReply);
    // What `status=OFFLINE` answers when no contract is offline.
    assert.throws(() => parseSymbols({ result: true, data: { symbols: null } }), BadReply);
  });
});

suite('Pionex funding', () => {
  const nextMs = 1_794_700_800_000;

  test('nextFundingRate is the running rate, in percent without float noise; zero is a value; no interval is assumed (A7)', () => {
    const row = (symbol: string, nextFundingRate: string, nextFundingTime: unknown = nextMs) => ({
      symbol,
      nextFundingRate,
      nextFundingTime,
      updateTime: 1_794_697_199_800,
    });
    const batch = parseIndexes(
      {
        indexes: reply(
          'indexes',
          row('BTC_USDT_PERP', '0.0000807965'),
          row('AAX_USDT_PERP', '0'),
          row('0G_USDT_PERP', ''),
          row('LIT_USDT_PERP', '0.0001', 0),
          row('BTC_ETH_PERP', '0.0001'),
        ),
        interest: noInterest,
      },
      context,
    );
    assert.deepEqual(batch.fundingQuotes, [
      {
        venueSymbol: 'BTC_USDT_PERP',
        ratePct: 0.00807965,
        nextFundingAtMs: nextMs,
        intervalHours: undefined,
        venueTimeMs: 1_794_697_199_800,
      },
      {
        venueSymbol: 'AAX_USDT_PERP',
        ratePct: 0,
        nextFundingAtMs: nextMs,
        intervalHours: undefined,
        venueTimeMs: 1_794_697_199_800,
      },
    ]);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: '0G_USDT_PERP', reason: 'no rate' },
      { venueSymbol: 'LIT_USDT_PERP', reason: 'no next settlement' },
    ]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  const prints = (...times: number[]) => ({
    result: true,
    data: {
      symbol: 'BTC_USDT_PERP',
      rates: times.map((fundingTime) => ({ fundingRate: '0.00005', fundingTime })),
    },
  });
  const intervalAt = (nowMs: number, ...times: number[]) =>
    parseInterval(
      prints(...times),
      reply('indexes', { symbol: 'BTC_USDT_PERP', nextFundingTime: nextMs }),
      btc,
      nowMs,
    ).fundingSchedules.map((schedule) => schedule.intervalHours);
  const hoursBefore = (hours: number) => nextMs - hours * HOUR_MS;

  test('the interval comes from the prints: from the newest one to the next settlement, 8, 4 and 1 hours', () => {
    for (const hours of [8, 4, 1])
      assert.deepEqual(intervalAt(nextMs - 60_000, hoursBefore(hours), hoursBefore(2 * hours)), [hours]);
  });

  test('A3: after a change the first half of the new interval already has it, in either direction', () => {
    assert.deepEqual(intervalAt(hoursBefore(3.9), hoursBefore(4), hoursBefore(12)), [4]);
    assert.deepEqual(intervalAt(hoursBefore(7.9), hoursBefore(8), hoursBefore(12)), [8]);
  });

  test('a settlement that has no print yet does not double the interval', () => {
    // Four-hourly: the settlement of four hours before the next one is just over, its print is not written.
    assert.deepEqual(intervalAt(hoursBefore(4) + 5_000, hoursBefore(8), hoursBefore(12)), []);
    assert.deepEqual(intervalAt(hoursBefore(1) + 5_000, hoursBefore(2)), []);
  });

  test('a new contract: none without a print, from its first one afterwards', () => {
    assert.deepEqual(intervalAt(nextMs - 60_000), []);
    assert.deepEqual(intervalAt(hoursBefore(7), hoursBefore(8)), [8]);
  });

  test('a print that is written some seconds late still counts; a time between the hours does not', () => {
    assert.deepEqual(intervalAt(hoursBefore(7), hoursBefore(8) + 21_000), [8]);
    assert.deepEqual(intervalAt(hoursBefore(7), hoursBefore(8) + 20 * 60_000), []);
  });

  test('F7: prints and settlement of another contract are not used', () => {
    const other = reply('indexes', { symbol: 'ETH_USDT_PERP', nextFundingTime: nextMs });
    assert.deepEqual(parseInterval(prints(hoursBefore(8)), other, btc, hoursBefore(7)).fundingSchedules, []);
    const eth = { ...btc, venueSymbol: 'ETH_USDT_PERP' };
    assert.deepEqual(parseInterval(prints(hoursBefore(8)), other, eth, hoursBefore(7)).fundingSchedules, []);
  });

  test('the interval of a contract costs two small calls, of two prints and of one settlement', async () => {
    const poll = pionex.polls.find((one) => one.name === 'intervals');
    assert.ok(poll?.kind === 'each');
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      const isIndex = request.path.endsWith('indexes');
      const payload = isIndex
        ? reply('indexes', { symbol: 'BTC_USDT_PERP', nextFundingTime: nextMs })
        : prints(hoursBefore(8));
      return { payload, receivedAtMs: hoursBefore(7) };
    };
    const { fundingSchedules } = await poll.collect(btc, { send, contracts });
    assert.equal(fundingSchedules[0]?.intervalHours, 8);
    assert.deepEqual(
      sent.map(({ path, query }) => [path, query]),
      [
        ['/api/v1/market/fundingRates', { symbol: 'BTC_USDT_PERP', limit: 2 }],
        ['/api/v1/market/indexes', { symbol: 'BTC_USDT_PERP' }],
      ],
    );
  });

  test('E3: a full page of 100 prints continues before its oldest row, a shorter one ends', () => {
    const newestMs = hoursBefore(1);
    const hourly = (count: number) => Array.from({ length: count }, (_, i) => newestMs - i * HOUR_MS);
    const window = { fromMs: newestMs - 1000 * HOUR_MS, toMs: newestMs };
    const full = parseFundingRates(prints(...hourly(100)), btc, window);
    assert.deepEqual(full.settlements[0], {
      venueSymbol: 'BTC_USDT_PERP',
      ratePct: 0.005,
      settledAtMs: newestMs,
    });
    assert.deepEqual(full.next, { fromMs: window.fromMs, toMs: newestMs - 99 * HOUR_MS - 1 });
    assert.equal(parseFundingRates(prints(...hourly(99)), btc, window).next, null);
  });

  test('E1: startTime is ignored by the venue, so rows before the window are dropped and end the walk', () => {
    const window = { fromMs: hoursBefore(3), toMs: nextMs };
    const times = Array.from({ length: 100 }, (_, i) => hoursBefore(i + 1));
    const page = parseFundingRates(prints(...times), btc, window);
    assert.deepEqual([page.settlements.length, page.next], [3, null]);
  });
});

suite('Pionex prices, sizes and volumes', () => {
  test('sizes of the tops are base units; a side with empty texts and a crossed book are rejected by name', () => {
    const top = { bidPrice: '77102.8', bidSize: '10.4160', askPrice: '77102.9', askSize: '10.6274' };
    const batch = parseBookTickers(
      reply(
        'tickers',
        { symbol: 'BTC_USDT_PERP', ...top, timestamp: 1_794_697_200_000 },
        { symbol: 'AAX_USDT_PERP', bidPrice: '', bidSize: '', askPrice: '58.20', askSize: '0.03' },
        { symbol: 'XAU_USDT_PERP', ...top, askPrice: '1' },
      ),
      context,
    );
    assert.deepEqual(batch.bookTops, [
      {
        venueSymbol: 'BTC_USDT_PERP',
        bidPrice: 77102.8,
        bidSize: 10.416,
        askPrice: 77102.9,
        askSize: 10.6274,
        venueTimeMs: 1_794_697_200_000,
      },
    ]);
    assert.deepEqual(
      batch.rejected.map(({ reason }) => reason),
      ['no bid or ask', 'crossed book'],
    );
  });

  test('F8: amount is the turnover in USDT, volume is in base units', () => {
    const batch = parseTickers(
      reply(
        'tickers',
        { symbol: 'BTC_USDT_PERP', close: '77094.2', volume: '2', amount: '154000' },
        { symbol: 'AAX_USDT_PERP', close: '48.26', volume: '0', amount: '0' },
        { symbol: 'XAU_USDT_PERP', close: '4341', volume: '5' },
      ),
      context,
    );
    assert.deepEqual(
      batch.dayVolumes.map((row) => [row.volume24hUsdt, row.referencePrice]),
      [
        [154_000, 77_094.2],
        [0, 48.26],
      ],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'XAU_USDT_PERP', reason: 'no volume' }]);
  });

  test('open interest is in base units and is valued at the mark price; without it or without a row it is unknown', () => {
    const index = (symbol: string, markPrice: string) => ({ symbol, markPrice, indexPrice: '99' });
    const { marketFigures } = parseIndexes(
      {
        indexes: reply(
          'indexes',
          index('BTC_USDT_PERP', '100'),
          index('XAU_USDT_PERP', ''),
          index('AAX_USDT_PERP', '50'),
        ),
        interest: reply(
          'openInterests',
          { symbol: 'BTC_USDT_PERP', openInterest: '1335.5' },
          { symbol: 'XAU_USDT_PERP', openInterest: '7' },
          null,
        ),
      },
      context,
    );
    assert.deepEqual(
      marketFigures.map((row) => [row.markPrice, row.indexPrice, row.openInterestUsdt]),
      [
        [100, 99, 133_550],
        [null, 99, null],
        [50, 99, null],
      ],
    );
  });

  test('a book comes out best first, and a level of size 0 at its top is dropped', () => {
    const depth = parseDepth(
      {
        result: true,
        data: {
          bids: [
            ['99', '2'],
            ['100', '1'],
          ],
          asks: [
            ['100.5', '0'],
            ['101', '3'],
          ],
          updateTime: 1_794_697_200_000,
        },
      },
      btc,
    );
    assert.deepEqual(depth.bids, [
      [100, 1],
      [99, 2],
    ]);
    assert.deepEqual(depth.asks, [[101, 3]]);
    assert.equal(depth.venueTimeMs, 1_794_697_200_000);
  });
});

asSent('pionex', {}, (sent) => {
  const list = parseSymbols(sent('symbols'));
  const known = { receivedAtMs: Date.UTC(2026, 8, 13, 22), contracts: contractsOf(list) };

  test('contracts: ZEROG is 0G, and what is priced in a coin is left out', () => {
    assert.deepEqual(
      [...known.contracts.values()].map((c) => c.base),
      ['0G', 'AAX', 'ACT'],
    );
    assert.equal(list.ignored.get('priced in a coin'), 1);
  });

  test('indexes: the rate of the next settlement, zero among them; open interest counts coins', () => {
    const replies = { indexes: sent('indexes'), interest: sent('openInterests') };
    const batch = parseIndexes(replies, known);
    assert.deepEqual(
      rowsOf(batch.fundingQuotes, '0G_USDT_PERP', 'AAX_USDT_PERP').map((q) => [q.ratePct, q.nextFundingAtMs]),
      [
        [0.005, Date.UTC(2026, 8, 14)],
        [0, Date.UTC(2026, 8, 13, 23)],
      ],
    );
    // 72,318 × 0.2020543 and 47.55 × 48.26.
    assert.deepEqual(
      rowsOf(batch.marketFigures, '0G_USDT_PERP', 'AAX_USDT_PERP').map((f) => f.openInterestUsdt?.toFixed(2)),
      ['14612.16', '2294.76'],
    );
  });

  test('the interval is what lies between the prints: 4 hours', () => {
    const act = rowOfSymbol([...known.contracts.values()], 'ACT_USDT_PERP');
    const index = sent('indexes') as { data: { indexes: { symbol: string }[] } };
    const own = index.data.indexes.filter(({ symbol }) => symbol === 'ACT_USDT_PERP');
    const reply = { ...index, data: { indexes: own } };
    // Prints at 16:00 and 20:00, the next at midnight; received at 22:00.
    const { fundingSchedules } = parseInterval(sent('fundingRates'), reply, act, known.receivedAtMs);
    assert.equal(fundingSchedules[0]?.intervalHours, 4);
    const window = { fromMs: 1_789_000_000_000, toMs: known.receivedAtMs };
    assert.deepEqual(
      parseFundingRates(sent('fundingRates'), act, window).settlements.map((p) => [p.ratePct, p.settledAtMs]),
      [
        [0.005, Date.UTC(2026, 8, 13, 20)],
        [0.005, Date.UTC(2026, 8, 13, 16)],
      ],
    );
  });

  test('tickers and tops: a contract without trades has volume 0, one without bids no top', () => {
    const { dayVolumes } = parseTickers(sent('tickers'), known);
    assert.deepEqual(
      dayVolumes.map((v) => v.volume24hUsdt),
      [107_990.368, 0],
    );
    const { bookTops } = parseBookTickers(sent('bookTickers'), known);
    assert.deepEqual(
      bookTops.map((top) => [top.venueSymbol, top.bidPrice, top.bidSize, top.askPrice, top.askSize]),
      [['0G_USDT_PERP', 0.2018, 4124, 0.2019, 9788]],
    );
  });
});
