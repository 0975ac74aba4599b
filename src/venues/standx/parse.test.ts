import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { DAY_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import {
  parseDepth,
  parseFundingRates,
  parseIndexPrice,
  parseOverview,
  parseSymbols,
  parseTop,
  requestEndMs,
} from './parse.ts';

const NOW_MS = Date.UTC(2026, 8, 13, 22, 12, 34);
const SYMBOL = { symbol: 'BTC-USD', base_asset: 'BTC', quote_asset: 'DUSD', status: 'trading' };
const ROW = { symbol: 'BTC-USD', funding_rate: '0.00001', mark_price: '100', volume_quote_24h: '5' };
const btc = parseSymbols([SYMBOL]).contractList?.contracts[0] as Contract;
const context = { receivedAtMs: NOW_MS, contracts: new Map([['BTC-USD', btc]]) };
const overviewOf = (row: object) => parseOverview({ symbols: [row] }, context);
const symbolFault = (row: object) => parseSymbols([row]).rejected[0]?.reason;

suite('StandX contracts', () => {
  test('quoted in dollars, settled in DUSD', () => {
    assert.deepEqual([btc.base, btc.quote, btc.settle, btc.intervalHours], ['BTC', 'USD', 'DUSD', 1]);
  });

  test('a list without caps has none, and 0 is no cap', () => {
    assert.equal(btc.rateCapPct, undefined);
    const [contract] = parseSymbols([{ ...SYMBOL, funding_rate_cap: '0' }]).contractList?.contracts ?? [];
    assert.equal(contract?.rateCapPct, undefined);
  });

  test('bad row: a status that nobody has seen', () => {
    assert.equal(symbolFault({ ...SYMBOL, status: 'paused' }), 'unknown status paused');
  });

  test('bad row: no symbol', () => {
    assert.equal(symbolFault({ ...SYMBOL, symbol: null }), 'no symbol');
  });

  test('bad row: no base', () => {
    assert.equal(symbolFault({ ...SYMBOL, base_asset: '' }), 'no base or quote');
  });

  test('bad row: no settle currency', () => {
    assert.equal(symbolFault({ ...SYMBOL, quote_asset: null }), 'no settle currency');
  });

  test('a reply that is no list fails the poll', () => {
    assert.throws(() => parseSymbols({ code: 400, message: 'invalid' }), BadReply);
  });
});

suite('StandX figures', () => {
  test('the next payment is at the full hour after the reply', () => {
    const [quote] = overviewOf(ROW).fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs],
      [0.001, 1, Date.UTC(2026, 8, 13, 23)],
    );
  });

  test('bad row: no rate, but its volume is read', () => {
    const batch = overviewOf({ ...ROW, funding_rate: null });
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC-USD', reason: 'no rate' }]);
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 5);
  });

  test('bad row: a negative volume', () => {
    assert.equal(overviewOf({ ...ROW, volume_quote_24h: '-1' }).rejected[0]?.reason, 'no volume');
  });

  test('a contract that is in no list yet waits for the list', () => {
    const batch = overviewOf({ ...ROW, symbol: 'NEW-USD' });
    assert.deepEqual([batch.fundingQuotes.length, batch.rejected.length], [0, 0]);
  });

  test('the index price comes from the call of one contract; without one the row is bad', () => {
    const batch = parseIndexPrice({ symbol: 'BTC-USD', index_price: '99.5', mark_price: '100' }, btc);
    assert.equal(batch.marketFigures[0]?.indexPrice, 99.5);
    const none = parseIndexPrice({ symbol: 'BTC-USD', index_price: '0' }, btc);
    assert.deepEqual(none.rejected, [{ venueSymbol: 'BTC-USD', reason: 'no index price' }]);
  });

  test('a price of another contract fails the call', () => {
    assert.throws(() => parseIndexPrice({ symbol: 'ETH-USD', index_price: '1' }, btc), BadReply);
  });
});

suite('StandX books', () => {
  const bids = [
    ['99.1', '2'],
    ['99.4', '1'],
    ['bad', '1'],
    ['99.2', '0'],
  ];
  const asks = [
    ['100.6', '3'],
    ['100.2', '4'],
  ];

  test('levels come in any order; bad ones are left out', () => {
    assert.deepEqual(parseDepth({ symbol: 'BTC-USD', bids, asks }, btc).bids, [
      [99.4, 1],
      [99.1, 2],
    ]);
  });

  test('the top is the best of each side', () => {
    const [top] = parseTop({ symbol: 'BTC-USD', bids, asks }, btc).bookTops;
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize], [99.4, 1, 100.2, 4]);
  });

  test('bad row: a book with one side', () => {
    const batch = parseTop({ symbol: 'BTC-USD', bids, asks: [] }, btc);
    assert.deepEqual([batch.bookTops.length, batch.rejected[0]?.reason], [0, 'no bid or ask']);
  });

  test('a book of another contract fails the call', () => {
    assert.throws(() => parseDepth({ symbol: 'ETH-USD', bids, asks }, btc), BadReply);
  });
});

suite('StandX prints', () => {
  const print = (time: unknown, rate: unknown = '0.00001') => ({
    symbol: 'BTC-USD',
    funding_rate: rate,
    time,
  });
  const toMs = Date.UTC(2026, 8, 13, 22);

  test('a window is requested in parts of 30 days', () => {
    const window = { fromMs: toMs - 40 * DAY_MS, toMs };
    const endMs = toMs - 10 * DAY_MS;
    assert.equal(requestEndMs(window), endMs);
    assert.deepEqual(parseFundingRates([], btc, window).next, { fromMs: endMs + 1, toMs });
    assert.equal(parseFundingRates([], btc, { fromMs: endMs + 1, toMs }).next, null);
  });

  test('bad rows: without a time, without a rate, of another contract', () => {
    const rows = [
      print(null),
      print('2026-09-13T20:00:00Z', ''),
      { ...print('2026-09-13T20:00:00Z'), symbol: 'ETH-USD' },
    ];
    const page = parseFundingRates(rows, btc, { fromMs: toMs - DAY_MS, toMs });
    assert.deepEqual(
      page.rejected.map(({ reason }) => reason),
      ['no rate or time', 'no rate or time', 'row of another contract'],
    );
    assert.deepEqual(page.settlements, []);
  });

  test('an error in words fails the call', () => {
    assert.throws(() => parseFundingRates('missing field `start_time`', btc, { fromMs: 0, toMs }), BadReply);
  });
});

asSent('standx', {}, (sent) => {
  test('contracts with class, leverage, fee and cap', () => {
    const { contractList, rejected } = parseSymbols(sent('symbols'));
    assert.deepEqual(rejected, []);
    assert.deepEqual(
      contractList?.contracts.map((one) => [
        one.base,
        one.assetClass,
        one.maxLeverage,
        one.takerFeePct,
        one.rateCapPct,
      ]),
      [
        ['BTC', 'crypto', 40, 0.04, 0.0375],
        ['CL', 'commodity', 40, 0.04, 0.125],
        ['TSLA', 'stock', 20, 0.04, 0.25],
        ['XAU', 'commodity', 40, 0.04, 0.125],
      ],
    );
  });

  test('rates of an hour, volume and open interest', () => {
    const contracts = contractsOf(parseSymbols(sent('symbols')));
    const batch = parseOverview(sent('overview'), { receivedAtMs: NOW_MS, contracts });
    assert.deepEqual(batch.rejected, []);
    assert.deepEqual(
      batch.fundingQuotes.map(({ ratePct }) => ratePct),
      [0.000838, -0.009846, 0],
    );
    assert.equal(batch.fundingQuotes[0]?.venueTimeMs, Date.UTC(2026, 8, 13, 22, 12, 33, 169));
    const figures = rowOfSymbol(batch.marketFigures, 'BTC-USD');
    // 384.2412 × 76,938.01, as open_interest_notional says.
    assert.equal(figures.openInterestUsdt?.toFixed(6), '29562753.288012');
    assert.equal(rowOfSymbol(batch.dayVolumes, 'BTC-USD').volume24hUsdt, 264_001_802.08615625);
  });

  test('settled rates, one an hour', () => {
    const window = { fromMs: Date.UTC(2026, 8, 13), toMs: Date.UTC(2026, 8, 14) };
    const page = parseFundingRates(sent('fundingRates'), btc, window);
    assert.deepEqual(
      page.settlements.map(({ ratePct, settledAtMs }) => [ratePct, settledAtMs]),
      [
        [0.001222, Date.UTC(2026, 8, 13, 20)],
        [0.00125, Date.UTC(2026, 8, 13, 21)],
      ],
    );
  });
});
