// There are no recorded replies of BTSE beside the checkout. The rows marked below are those of 2026-08-13 that ccxt shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import { BadReply } from '../reading.ts';
import { parseFundingHistory, parseMarkets, parseOrderbook, parsePrices, parseTickers } from './parse.ts';
import { btse } from './venue.ts';

const listed = parseMarkets(JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/markets.json`, 'utf8')));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const NOW_MS = 1_790_133_974_000;
const context = { receivedAtMs: NOW_MS, contracts };
const contractOf = (venueSymbol: string) => {
  const contract = contracts.get(venueSymbol);
  assert.ok(contract, venueSymbol);
  return contract;
};
const reply = (data: unknown) => ({ data, code: 1, msg: 'Success', success: true, time: NOW_MS });
const by = <T extends { venueSymbol: string }>(rows: T[]) =>
  new Map(rows.map((row) => [row.venueSymbol, row]));

const ticker = (symbol: string, fields: object = {}) => ({
  symbol,
  lastPrice: '86000',
  amount: '1000',
  volume: '860',
  openTime: 1_790_047_574,
  closeTime: 1_790_133_974,
  bidPrice: '85999.9',
  bidQty: '222000',
  askPrice: '86000.1',
  askQty: '255355',
  openInterest: '29489680',
  fundingRate: '0.00006072',
  nextFundingTime: 1_790_150_400_000,
  fundingIntervalMinutes: 480,
  ...fields,
});

suite('BTSE contracts', () => {
  test('perpetuals are taken, dated futures ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 8);
    assert.deepEqual([...listed.ignored], [['not a perpetual', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODD-PERP-USDT', reason: 'unknown category WEATHER' },
      { venueSymbol: 'BARE-PERP-USDT', reason: 'no contract size' },
      { venueSymbol: 'BTCPFC', reason: 'no base or quote' },
    ]);
  });

  test('the base is that of the symbol: 1KPEPE keeps its multiplier, TRUMPSOL is TRUMP', () => {
    assert.equal(contractOf('1KPEPE-PERP-USDT').base, '1KPEPE');
    assert.equal(contractOf('TRUMP-PERP-USDT').base, 'TRUMP');
  });

  test('GAS is natural gas and QNT a company: category tells them from the coins of that name', () => {
    const classes = ['GAS', 'QNT', 'PAXG', 'BTC'].map((base) => contractOf(`${base}-PERP-USDT`).assetClass);
    assert.deepEqual(classes, ['commodity', 'stock', 'crypto', 'crypto']);
  });

  test('a contract that is not active is halted', () => {
    assert.equal(contractOf('HALT-PERP-USDT').status, 'halted');
    assert.equal(contractOf('BTC-PERP-USDT').status, 'trading');
  });

  test('an error in the body is no empty list', () => {
    const error = { code: 10010004, msg: 'Invalid json format', success: false, data: [] };
    assert.throws(() => parseMarkets(error), BadReply);
    assert.throws(() => parseTickers(error, context), BadReply);
  });
});

suite('BTSE tickers', () => {
  const batch = parseTickers(
    reply([
      ticker('BTC-PERP-USDT'),
      ticker('1KPEPE-PERP-USDT', { fundingRate: '-0.00125256', fundingIntervalMinutes: 240, bidPrice: '' }),
      ticker('TRUMP-PERP-USDT', { fundingRate: '0', lastPrice: '0' }),
      ticker('ETH-PERP-USDT', { nextFundingTime: 0 }),
      ticker('NEW-PERP-USDT'),
    ]),
    context,
  );
  const quotes = by(batch.fundingQuotes);

  test('the rate is the estimate of its own interval, in minutes; 0 is a rate', () => {
    assert.deepEqual(
      ['BTC-PERP-USDT', '1KPEPE-PERP-USDT', 'TRUMP-PERP-USDT'].map((name) => [
        quotes.get(name)?.ratePct,
        quotes.get(name)?.intervalHours,
      ]),
      [
        [0.006072, 8],
        [-0.125256, 4],
        [0, 8],
      ],
    );
  });

  test('nextFundingTime is milliseconds beside openTime and closeTime in seconds; 0 is none', () => {
    assert.equal(quotes.get('BTC-PERP-USDT')?.nextFundingAtMs, Date.UTC(2026, 8, 23, 8));
    assert.deepEqual(batch.rejected, [
      { venueSymbol: '1KPEPE-PERP-USDT', reason: 'no bid or ask' },
      { venueSymbol: 'ETH-PERP-USDT', reason: 'no next settlement' },
    ]);
  });

  test('sizes are contracts: 222,000 of 0.00001 are 2.22 coins', () => {
    const top = by(batch.bookTops).get('BTC-PERP-USDT');
    assert.ok(top?.bidSize && top.askSize);
    assert.ok(Math.abs(top.bidSize - 2.22) < 1e-9 && Math.abs(top.askSize - 2.55355) < 1e-9);
  });

  test('open interest is contracts at the last price, and unknown without one; mark and index come from another call', () => {
    const figures = by(batch.marketFigures);
    const { openInterestUsdt, markPrice } = figures.get('BTC-PERP-USDT') ?? {};
    assert.ok(Math.abs((openInterestUsdt ?? 0) - 294.8968 * 86_000) < 1e-3);
    assert.equal(markPrice, null);
    assert.equal(figures.get('TRUMP-PERP-USDT'), undefined);
  });

  test('real rows of 2026-08-13: volume is the turnover in USDT of amount contracts', () => {
    const rows = [
      { ...ticker('ETH-PERP-USDT'), lastPrice: '1896.17', amount: '1937140691', volume: '366459222.269293' },
      { ...ticker('BTC-PERP-USDT'), lastPrice: '63790.1', amount: '789198764', volume: '502595131.844331' },
    ];
    const volumes = by(parseTickers(reply(rows), context).dayVolumes);
    for (const { symbol, amount, lastPrice } of rows) {
      const byContracts = Number(amount) * contractOf(symbol).contractSize * Number(lastPrice);
      const { volume24hUsdt = 0 } = volumes.get(symbol) ?? {};
      assert.ok(
        Math.abs(volume24hUsdt / byContracts - 1) < 0.02,
        `${symbol} ${volume24hUsdt} ${byContracts}`,
      );
    }
  });

  test('mark and index: the older API drops the quote from the symbol, and a mark of 0 is none', () => {
    const { marketFigures, rejected, ignored } = parsePrices(
      [
        { symbol: 'BTC-PERP', indexPrice: 86_010.5, lastPrice: 86_000, markPrice: 86_001 },
        { symbol: 'ETH-PERP', indexPrice: 2000.25, lastPrice: 2000, markPrice: 0 },
        { symbol: '1KPEPE-PERP', indexPrice: 0, lastPrice: 0, markPrice: 0 },
        { symbol: 'BTC-261225', indexPrice: 86_010.5, lastPrice: 88_000, markPrice: 88_000 },
        null,
      ],
      context,
    );
    assert.deepEqual(marketFigures, [
      { venueSymbol: 'BTC-PERP-USDT', markPrice: 86_001, indexPrice: 86_010.5, openInterestUsdt: null },
      { venueSymbol: 'ETH-PERP-USDT', markPrice: null, indexPrice: 2000.25, openInterestUsdt: null },
    ]);
    assert.deepEqual(rejected, [
      { venueSymbol: '1KPEPE-PERP-USDT', reason: 'no price' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
    assert.equal(ignored.get('not in the contract list'), 1);
  });
});

suite('BTSE history and books', () => {
  test('asks come with the best last, and the book has the best first', () => {
    const book = {
      timestamp: 1_786_605_670_799,
      bids: [
        ['1896.11', '150'],
        ['1896.10', '20'],
      ],
      asks: [
        ['1897', '10'],
        ['1896.75', '30'],
        ['1896.74', '9450'],
      ],
    };
    const depth = parseOrderbook(reply(book), contractOf('ETH-PERP-USDT'));
    assert.deepEqual(
      depth.asks.map(([price]) => price),
      [1896.74, 1896.75, 1897],
    );
    assert.deepEqual(depth.asks[0]?.[1], 9450 * 0.0001);
    assert.deepEqual([depth.bids[0]?.[0], depth.venueTimeMs], [1896.11, 1_786_605_670_799]);
  });

  test('a print keeps its odd milliseconds, and one outside of the window is left out', () => {
    const window = { fromMs: 1_786_000_000_000, toMs: 1_786_010_000_000 };
    const rows = [
      { timestamp: 1_786_032_000_350, rate: '0.0001' },
      { timestamp: 1_786_003_200_911, rate: '0.0000152' },
      { timestamp: 1_786_003_200_911, rate: '' },
    ];
    assert.deepEqual(parseFundingHistory(reply(rows), contractOf('ETH-PERP-USDT'), window), {
      settlements: [{ venueSymbol: 'ETH-PERP-USDT', ratePct: 0.00152, settledAtMs: 1_786_003_200_911 }],
      rejected: [{ venueSymbol: 'ETH-PERP-USDT', reason: 'no rate or time' }],
      next: null,
    });
  });

  test('history is requested by its longest period, which is as far as the venue keeps it', async () => {
    let query: Record<string, unknown> | undefined;
    const send = async (request: { query?: Record<string, unknown> }) => {
      query = request.query;
      return { payload: reply([]), receivedAtMs: NOW_MS };
    };
    await btse.settlements(contractOf('ETH-PERP-USDT'), { fromMs: 0, toMs: NOW_MS }, { send, contracts });
    assert.deepEqual(query, { symbol: 'ETH-PERP-USDT', period: '1M' });
    assert.equal(btse.settlementDepthDays, 30);
  });
});

asSent('btse', {}, (sent) => {
  test('markets: 0.00001 BTC each; spot and dated futures are ignored', () => {
    const { contractList, ignored } = parseMarkets(sent('markets'));
    assert.deepEqual(
      contractList?.contracts.map((c) => [c.venueSymbol, c.base, c.contractSize, c.status]),
      [['BTC-PERP-USDT', 'BTC', 0.00001, 'trading']],
    );
    assert.equal(ignored.get('not a perpetual'), 2);
  });

  test('a ticker of contracts of 0.0001 ETH', () => {
    const eth = { ...fakeContract('ETH-PERP-USDT'), contractSize: 0.0001 };
    const batch = parseTickers(sent('ticker24hr'), {
      receivedAtMs: NOW_MS,
      contracts: new Map([[eth.venueSymbol, eth]]),
    });
    assert.deepEqual(batch.rejected, []);
    const [quote] = batch.fundingQuotes;
    // 480 minutes.
    assert.deepEqual(
      [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs],
      [0.006016, 8, Date.UTC(2026, 7, 13, 8)],
    );
    // volume agrees with amount: 1,937,140,691 × 0.0001 ETH at about 1,892.
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 366_459_222.269293);
    // 19,344,237 × 0.0001 × 1,896.17; 105 and 11,354 × 0.0001.
    assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(2), '3667996.19');
    const [top] = batch.bookTops;
    assert.deepEqual([top?.bidSize?.toFixed(4), top?.askSize?.toFixed(4)], ['0.0105', '1.1354']);
  });

  test('a settled rate keeps its odd milliseconds', () => {
    const window = { fromMs: 1_786_000_000_000, toMs: NOW_MS };
    const { settlements } = parseFundingHistory(
      sent('recentFundingHistory'),
      fakeContract('BTC-PERP-USDT'),
      window,
    );
    assert.deepEqual(settlements, [
      { venueSymbol: 'BTC-PERP-USDT', ratePct: 0.00152, settledAtMs: Date.UTC(2026, 7, 6, 8, 0, 0, 911) },
    ]);
  });
});
