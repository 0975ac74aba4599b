import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply, type Row } from '../reading.ts';
import { parseContracts, parseDepth, parseFundingHistory, parseMarkPrices, parseTops } from './parse.ts';
import { ondo } from './venue.ts';
import { HISTORY_PAGE_ROWS } from './wire.ts';

const NOW_MS = Date.UTC(2026, 8, 13, 22, 20);
const ROW = {
  ...{ market: 'AAPL-USD.P', productType: 'perpetual', baseCurrency: 'AAPL', quoteCurrency: 'USD' },
  ...{ disabled: false, isClosed: true, tags: ['Stock'], takerFee: '0.00025', lastPrice: '330' },
  ...{ usdVolume: '1000', openInterest: '2', openInterestUsd: '660', fundingRate: '0.0000063' },
  ...{ nextFundingRate: '0.0000125', nextFundingRateTimestamp: '2026-09-13T23:00:00Z' },
};
const ok = (result: unknown) => ({ success: true, result });
const read = (row: object) => parseContracts(ok([row]));
const faultOf = (changes: object) => read({ ...ROW, ...changes }).rejected[0]?.reason;
const aapl = read(ROW).contractList?.contracts[0] as Contract;
const context = { receivedAtMs: NOW_MS, contracts: new Map([['AAPL-USD.P', aapl]]) };

suite('Ondo contracts', () => {
  test('quoted in dollars, settled in USDC; the class is that of the tag', () => {
    assert.deepEqual(
      [aapl.base, aapl.quote, aapl.settle, aapl.assetClass, aapl.takerFeePct, aapl.intervalHours],
      ['AAPL', 'USD', 'USDC', 'stock', 0.025, 1],
    );
  });

  test('a tag that nobody knows, or none, is no coin', () => {
    for (const tags of [['Weather'], [], null, [7]])
      assert.equal(read({ ...ROW, tags }).contractList?.contracts[0]?.assetClass, 'stock');
  });

  test('a disabled contract stays in the list without figures', () => {
    const batch = read({ ...ROW, disabled: true });
    assert.equal(batch.contractList?.contracts[0]?.status, 'halted');
    assert.deepEqual([batch.fundingQuotes, batch.dayVolumes, batch.rejected], [[], [], []]);
  });

  test('other products are left out', () => {
    assert.equal(read({ ...ROW, productType: 'spot' }).ignored.get('not a perpetual'), 1);
  });

  test('the estimate of the running hour is read, not the rate last paid', () => {
    assert.equal(read(ROW).fundingQuotes[0]?.ratePct, 0.00125);
  });

  test('the venue’s flag says whether the market of a share is closed; a coin has no market', () => {
    const flagOf = (changes: object) => read({ ...ROW, ...changes }).marketFigures[0]?.isMarketClosed;
    assert.deepEqual(
      [flagOf({}), flagOf({ isClosed: false }), flagOf({ isClosed: 'no' }), flagOf({ tags: ['Crypto'] })],
      [true, false, undefined, undefined],
    );
  });

  test('bad row: no market', () => assert.equal(faultOf({ market: '' }), 'no market'));
  test('bad row: no base', () => assert.equal(faultOf({ baseCurrency: null }), 'no base or quote'));
  test('bad row: no word on whether it can be traded', () =>
    assert.match(faultOf({ disabled: undefined }) ?? '', /^unknown status/));
  test('bad row: no rate', () => assert.equal(faultOf({ nextFundingRate: '' }), 'no rate'));
  test('bad row: no next settlement', () =>
    assert.equal(faultOf({ nextFundingRateTimestamp: 'soon' }), 'no next settlement'));
  test('bad row: no volume', () => assert.equal(faultOf({ usdVolume: null }), 'no volume'));

  test('a reply without success fails the poll', () => {
    assert.throws(() => parseContracts({ success: false, error: 'too_many_requests' }), BadReply);
    assert.throws(() => parseContracts(ok({})), BadReply);
  });
});

suite('Ondo mark prices', () => {
  const read = (row: object) => parseMarkPrices(ok({ a: row }), context);

  test('bad row: no mark price, but its oracle price is read', () => {
    const batch = read({ market: 'AAPL-USD.P', markPrice: '0', oraclePrice: '330' });
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'AAPL-USD.P', reason: 'no mark price' }]);
    assert.equal(batch.marketFigures[0]?.indexPrice, 330);
  });

  test('a missing oracle price is no fault', () => {
    assert.deepEqual(read({ market: 'AAPL-USD.P', markPrice: '331' }).rejected, []);
  });
});

suite('Ondo tops and books', () => {
  const top = {
    market: 'AAPL-USD.P',
    time: '2026-09-13T22:19:59.5Z',
    bids: [['330.2', '4']],
    asks: [['330.4', '5']],
  };
  const update = (row: object) => parseTops({ type: 'update', data: [row] }, context);

  test('one subscription is for the tops of all markets', () => {
    const [stream] = ondo.streams;
    assert.deepEqual(stream?.open([aapl]).opening, ['{"op":"subscribe","channel":"topOfBooksPerps"}']);
  });

  test('an acknowledgement, a pong and another channel have no tops', () => {
    const session = ondo.streams[0]?.open([aapl]);
    const messages: Row[] = [
      { type: 'subscribed', channel: 'topOfBooksPerps' },
      { type: 'pong' },
      { type: 'update', channel: 'tradesPerps', data: [top] },
    ];
    for (const message of messages) assert.deepEqual(session?.receive(message, context).batch.bookTops, []);
  });

  test('bad row: a side without orders', () => {
    assert.equal(update({ ...top, asks: [] }).rejected[0]?.reason, 'no bid or ask');
  });

  test('bad row: a crossed book', () => {
    assert.equal(update({ ...top, asks: [['330.1', '5']] }).rejected[0]?.reason, 'crossed book');
  });

  test('an update without a list fails', () => {
    assert.throws(() => parseTops({ type: 'update', data: top }, context), BadReply);
  });

  test('a book of another contract fails the call', () => {
    assert.throws(() => parseDepth(ok({ ...top, market: 'MU-USD.P' }), aapl), BadReply);
    assert.deepEqual(parseDepth(ok(top), aapl).asks, [[330.4, 5]]);
  });
});

suite('Ondo prints', () => {
  const toMs = Date.UTC(2026, 8, 13, 23);
  const print = (time: string) => ({ market: 'AAPL-USD.P', time, fundingRate: '0.00001' });

  test('a full page continues before its oldest print', () => {
    const times = Array.from({ length: HISTORY_PAGE_ROWS }, (_, i) => toMs - i * HOUR_MS + 37);
    const rows = times.map((atMs) => print(new Date(atMs).toISOString()));
    const window = { fromMs: 0, toMs: toMs + HOUR_MS };
    const oldestMs = toMs - (HISTORY_PAGE_ROWS - 1) * HOUR_MS + 37;
    assert.deepEqual(parseFundingHistory(ok(rows), aapl, window).next, { fromMs: 0, toMs: oldestMs - 1 });
    assert.equal(parseFundingHistory(ok(rows.slice(1)), aapl, window).next, null);
  });

  test('bad rows: no time, no rate, another contract', () => {
    const good = print('2026-09-13T20:00:00.01Z');
    const rows = [
      { ...good, time: '' },
      { ...good, fundingRate: 'x' },
      { ...good, market: 'MU-USD.P' },
    ];
    const page = parseFundingHistory(ok(rows), aapl, { fromMs: 0, toMs });
    assert.deepEqual([page.settlements.length, page.rejected.length], [0, 3]);
  });
});

asSent('ondo', {}, (sent) => {
  const list = () => parseContracts(sent('contracts'));

  test('contracts with their classes; WTI is joined with CL by its price elsewhere', () => {
    const { contractList, rejected } = list();
    assert.deepEqual(rejected, []);
    assert.deepEqual(
      contractList?.contracts.map(({ base, assetClass, status, takerFeePct }) => [
        base,
        assetClass,
        status,
        takerFeePct,
      ]),
      [
        ['BTC', 'crypto', 'trading', 0.025],
        ['AAPL', 'stock', 'trading', 0.025],
        ['SPY', 'stock', 'trading', 0.025],
        ['WTI', 'commodity', 'trading', 0.025],
        ['US500', 'index', 'trading', 0.025],
        ['USDJPY', 'forex', 'trading', 0.025],
        ['EURUSD', 'forex', 'halted', 0.035],
      ],
    );
  });

  test('rates of the coming hour, volumes, open interest and sessions', () => {
    const batch = list();
    const quote = rowOfSymbol(batch.fundingQuotes, 'BTC-USD.P');
    assert.deepEqual([quote.ratePct, quote.nextFundingAtMs], [-0.00359, Date.UTC(2026, 8, 13, 23)]);
    assert.equal(rowOfSymbol(batch.dayVolumes, 'WTI-USD.P').volume24hUsdt, 3_664_949.57);
    const figures = rowOfSymbol(batch.marketFigures, 'AAPL-USD.P');
    assert.deepEqual(
      [figures.openInterestUsdt, figures.openInterestCount, figures.isMarketClosed],
      [1_283_748.95, 3885.13, true],
    );
  });

  test('the index is the oracle price beside the mark', () => {
    const batch = parseMarkPrices(sent('markPrices'), {
      receivedAtMs: NOW_MS,
      contracts: contractsOf(list()),
    });
    const { markPrice, indexPrice } = rowOfSymbol(batch.marketFigures, 'BTC-USD.P');
    assert.deepEqual([markPrice, indexPrice], [76_717.784222, 76_789.54693666]);
  });

  test('a top of the stream', () => {
    const batch = parseTops(sent('tops') as Row, { receivedAtMs: NOW_MS, contracts: contractsOf(list()) });
    assert.deepEqual(batch.bookTops, [
      {
        ...{ venueSymbol: 'AAPL-USD.P', bidPrice: 227.4, bidSize: 100, askPrice: 227.6, askSize: 80 },
        venueTimeMs: Date.UTC(2025, 2, 5, 14, 30),
      },
    ]);
  });

  test('settled rates, a few milliseconds after the hour', () => {
    const btc = rowOfSymbol(list().contractList?.contracts ?? [], 'BTC-USD.P');
    const page = parseFundingHistory(sent('fundingHistory'), btc, { fromMs: 0, toMs: NOW_MS });
    assert.deepEqual(
      page.settlements.map(({ ratePct, settledAtMs }) => [ratePct, settledAtMs]),
      [
        [-0.00338, Date.UTC(2026, 8, 13, 22, 0, 0, 37)],
        [-0.0054, Date.UTC(2026, 8, 13, 21, 0, 0, 38)],
        [-0.00177, Date.UTC(2026, 8, 13, 20, 0, 0, 11)],
      ],
    );
  });
});
