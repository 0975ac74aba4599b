// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of September 2026.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import {
  parseBestOffers,
  parseBook,
  parseFunding,
  parseInstruments,
  parseStatistics,
  parseTickers,
} from './parse.ts';
import { polymarket } from './venue.ts';

const NEXT_MS = Date.UTC(2026, 10, 14, 10);
const instrument = (symbol: string, fields: object = {}) => ({
  instrument_id: symbol.length,
  instrument_type: 'perpetual',
  category: 'crypto',
  symbol,
  base_asset: symbol.split('-')[0],
  quote_asset: 'pUSD',
  funding_interval: '1h',
  max_leverage: 20,
  ...fields,
});
const listed = parseInstruments([
  instrument('BTC-USD', { instrument_id: 6 }),
  instrument('GOOG-USD', { instrument_id: 17, category: 'equity', base_asset: 'GOOGL', max_leverage: 10 }),
  instrument('KPEPE-USD', { instrument_id: 35 }),
  instrument('KAS-USD', { instrument_id: 36 }),
  instrument('PONS-USD', { instrument_id: 69, category: 'equity' }),
  instrument('GOLD-USD', { instrument_id: 2, category: 'commodity' }),
  instrument('SP500-USD', { instrument_id: 1, category: 'index' }),
  instrument('NEW-USD', { instrument_id: 70, category: 'rates' }),
]);
const contracts = contractsOf(listed);
const context = { receivedAtMs: NEXT_MS - 60_000, contracts };
const contractOf = (symbol: string): Contract => {
  const contract = contracts.get(symbol);
  if (!contract) throw new Error(`no ${symbol}`);
  return contract;
};
const btc = contractOf('BTC-USD');
const reasonsOf = (batch: { rejected: { reason: string }[] }) => batch.rejected.map(({ reason }) => reason);

suite('Polymarket instruments', () => {
  test('quoted in dollars, settled in pUSD, counted in base units, hourly', () => {
    const { base, quote, settle, contractSize, venueId, intervalHours, maxLeverage, status } = btc;
    assert.deepEqual(
      [base, quote, settle, contractSize, venueId, intervalHours, maxLeverage, status],
      ['BTC', 'USD', 'pUSD', 1, '6', 1, 20, 'trading'],
    );
  });

  test('the base is the declared one: GOOG-USD is on GOOGL', () => {
    assert.equal(contractOf('GOOG-USD').base, 'GOOGL');
  });

  test('a capital K is a thousand in front of PEPE, and a letter of KAS', () => {
    assert.equal(contractOf('KPEPE-USD').base, 'kPEPE');
    assert.equal(contractOf('KAS-USD').base, 'KAS');
  });

  test('classes follow the category, but for coins that are filed as equity; an unknown one is traditional', () => {
    assert.deepEqual(
      ['BTC', 'GOOG', 'PONS', 'GOLD', 'SP500', 'NEW'].map((name) => contractOf(`${name}-USD`).assetClass),
      ['crypto', 'stock', 'crypto', 'commodity', 'index', 'stock'],
    );
  });

  test('another type is left out, and no fault', () => {
    const batch = parseInstruments([instrument('BTC-USD', { instrument_type: 'option' })]);
    assert.deepEqual([[...batch.ignored], batch.rejected], [[['not a perpetual', 1]], []]);
  });

  test('bad row: no interval, or one in another form', () => {
    for (const funding_interval of [null, '', 'hourly'])
      assert.deepEqual(reasonsOf(parseInstruments([instrument('A-USD', { funding_interval })])), [
        'no interval',
      ]);
  });

  test('bad row: no base', () => {
    assert.deepEqual(reasonsOf(parseInstruments([instrument('A-USD', { base_asset: '' })])), [
      'no base or id',
    ]);
  });

  test('bad row: no id, without which no history can be requested', () => {
    const rows = [instrument('A-USD', { instrument_id: null })];
    assert.deepEqual(reasonsOf(parseInstruments(rows)), ['no base or id']);
  });

  test('another shape is a bad reply, not an empty list', () => {
    assert.throws(() => parseInstruments({ error: 'x' }), BadReply);
    assert.throws(() => parseTickers({ data: [] }, context), BadReply);
    assert.throws(() => parseFunding([], btc, { fromMs: 0, toMs: 1 }), BadReply);
  });
});

suite('Polymarket figures', () => {
  const ticker = (symbol: string, fields: object = {}) => ({
    symbol,
    funding_rate: '0.0000125',
    next_funding: NEXT_MS,
    mark_price: '100',
    index_price: '99',
    open_interest: '3',
    timestamp: NEXT_MS - 61_000,
    ...fields,
  });

  test('the rate is a fraction of one hour, and zero is a rate', () => {
    const { fundingQuotes } = parseTickers(
      [ticker('BTC-USD'), ticker('KAS-USD', { funding_rate: '0' })],
      context,
    );
    assert.deepEqual(fundingQuotes, [
      {
        venueSymbol: 'BTC-USD',
        ratePct: 0.00125,
        nextFundingAtMs: NEXT_MS,
        intervalHours: 1,
        venueTimeMs: NEXT_MS - 61_000,
      },
      {
        venueSymbol: 'KAS-USD',
        ratePct: 0,
        nextFundingAtMs: NEXT_MS,
        intervalHours: 1,
        venueTimeMs: NEXT_MS - 61_000,
      },
    ]);
  });

  test('open interest is in base units', () => {
    const [figures] = parseTickers([ticker('BTC-USD')], context).marketFigures;
    assert.deepEqual([figures?.openInterestUsdt, figures?.markPrice, figures?.indexPrice], [300, 100, 99]);
  });

  test('bad row: no rate; the others stay', () => {
    const batch = parseTickers([ticker('BTC-USD', { funding_rate: null }), ticker('KAS-USD')], context);
    assert.deepEqual(reasonsOf(batch), ['no rate']);
    assert.equal(batch.fundingQuotes.length, 1);
  });

  test('bad row: a next settlement in seconds is none', () => {
    const batch = parseTickers([ticker('BTC-USD', { next_funding: NEXT_MS / 1000 })], context);
    assert.deepEqual(reasonsOf(batch), ['no next settlement']);
  });

  test('the volume is in dollars already; 0 is a volume', () => {
    const rows = [
      { symbol: 'BTC-USD', volume: '1853965.19' },
      { symbol: 'KAS-USD', volume: '0' },
    ];
    assert.deepEqual(
      parseStatistics(rows, context).dayVolumes.map(({ volume24hUsdt }) => volume24hUsdt),
      [1_853_965.19, 0],
    );
  });

  test('bad row: no volume', () => {
    assert.deepEqual(reasonsOf(parseStatistics([{ symbol: 'BTC-USD' }], context)), ['no volume']);
  });
});

suite('Polymarket best offers', () => {
  const offer = (instrument_id: unknown, fields: object = {}) => ({
    instrument_id,
    bid_price: '99',
    bid_quantity: '2',
    ask_price: '101',
    ask_quantity: '5',
    timestamp: NEXT_MS,
    ...fields,
  });

  test('a row names its contract by number; sizes are base units', () => {
    const [top] = parseBestOffers([offer(6)], context).bookTops;
    assert.deepEqual(top, {
      venueSymbol: 'BTC-USD',
      bidPrice: 99,
      bidSize: 2,
      askPrice: 101,
      askSize: 5,
      venueTimeMs: NEXT_MS,
    });
  });

  test('a number of no contract is one that the list does not have yet', () => {
    const batch = parseBestOffers([offer(999)], context);
    assert.deepEqual([[...batch.ignored], batch.rejected], [[['not in the contract list', 1]], []]);
  });

  test('bad rows: no number, an empty side, a crossed book', () => {
    const rows = [offer(null), offer(6, { ask_price: '0' }), offer(6, { bid_price: '102' })];
    assert.deepEqual(reasonsOf(parseBestOffers(rows, context)), [
      'no symbol',
      'no bid or ask',
      'crossed book',
    ]);
  });
});

suite('Polymarket settled history', () => {
  const window = { fromMs: NEXT_MS - 10 * HOUR_MS, toMs: NEXT_MS };
  const row = (hoursAgo: number, fields: object = {}) => ({
    funding_rate: '-0.0000125',
    timestamp: NEXT_MS - hoursAgo * HOUR_MS + 60,
    ...fields,
  });

  test('a page with more before it continues before its oldest row', () => {
    const page = parseFunding({ data: [row(1), row(2)], more: true }, btc, window);
    assert.deepEqual(page.settlements[0], {
      venueSymbol: 'BTC-USD',
      ratePct: -0.00125,
      settledAtMs: NEXT_MS - HOUR_MS + 60,
    });
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: NEXT_MS - 2 * HOUR_MS + 59 });
    assert.equal(parseFunding({ data: [row(1)], more: false }, btc, window).next, null);
  });

  test('bad row: no rate', () => {
    const page = parseFunding({ data: [row(1, { funding_rate: '' })], more: false }, btc, window);
    assert.deepEqual(reasonsOf(page), ['no rate or time']);
  });

  test('history and book are requested by number', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: { data: [], more: false }, receivedAtMs: NEXT_MS };
    };
    await polymarket.settlements(btc, window, { send, contracts });
    await polymarket.depth?.(btc, { send, contracts });
    assert.deepEqual(
      sent.map(({ query }) => query),
      [
        { instrument_id: '6', start_timestamp: window.fromMs, end_timestamp: window.toMs },
        { instrument_id: '6', depth: 100 },
      ],
    );
  });
});

asSent('polymarket', {}, (reply) => {
  const list = parseInstruments(reply('instruments'));
  const sent = { receivedAtMs: Date.UTC(2026, 8, 13, 22, 26), contracts: contractsOf(list) };

  test('the list: an index, oil, a share under another name, a thousand PEPE, a coin filed as a share', () => {
    assert.deepEqual(
      [...contractsOf(list).values()].map(({ base, assetClass }) => [base, assetClass]),
      [
        ['SP500', 'index'],
        ['WTIOIL', 'commodity'],
        ['BTC', 'crypto'],
        ['GOOGL', 'stock'],
        ['kPEPE', 'crypto'],
        ['PONS', 'crypto'],
      ],
    );
    assert.deepEqual(list.rejected, []);
  });

  test('rates and figures', () => {
    const batch = parseTickers(reply('tickers'), sent);
    assert.equal(rowOfSymbol(batch.fundingQuotes, 'BTC-USD').ratePct, 0.00125);
    assert.equal(rowOfSymbol(batch.fundingQuotes, 'WTIOIL-USD').ratePct, -0.012796);
    assert.equal(batch.fundingQuotes[0]?.nextFundingAtMs, Date.UTC(2026, 8, 13, 23));
    // 114.13806 × 76,770
    const { openInterestUsdt } = rowOfSymbol(batch.marketFigures, 'BTC-USD');
    assert.equal(Math.round(openInterestUsdt ?? 0), 8_762_379);
    const [volume] = parseStatistics(reply('statistics'), sent).dayVolumes;
    assert.equal(volume?.volume24hUsdt, 1_853_965.1945999996);
  });

  test('best offer, prints and book of SP500', () => {
    const [top] = parseBestOffers(reply('bbo'), sent).bookTops;
    assert.deepEqual([top?.venueSymbol, top?.bidPrice, top?.askSize], ['SP500-USD', 7681.6, 19.90711]);
    const sp500 = sent.contracts.get('SP500-USD');
    assert.ok(sp500);
    const window = { fromMs: Date.UTC(2026, 8, 30), toMs: Date.UTC(2026, 8, 31) };
    const { settlements } = parseFunding(reply('funding'), sp500, window);
    assert.deepEqual(
      settlements.map(({ ratePct, settledAtMs }) => [ratePct, new Date(settledAtMs).toISOString()]),
      [
        [0.000625, '2026-09-30T09:00:00.019Z'],
        [0.000625, '2026-09-30T08:00:00.032Z'],
        [0.000625, '2026-09-30T07:00:00.013Z'],
      ],
    );
    const book = parseBook(reply('book'), sp500);
    assert.deepEqual(
      [book.bids.length, book.bids[0], book.asks[0]],
      [10, [7681.6, 1.03204], [7681.7, 19.90711]],
    );
  });
});
