// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of 2026-09-23.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf } from '../../../test/support/as-sent.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseHistory, parseInstruments, parseOrderBook, parseRates, parseTickers } from './parse.ts';
import { orangex } from './venue.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);
const NEXT_MS = Date.UTC(2026, 10, 14, 16);
const result = (rows: unknown) => ({ jsonrpc: '2.0', result: rows });
const instrument = (coin: string, fields: object = {}) => ({
  instrument_name: `${coin}-USDT-PERPETUAL`,
  instrId: 28,
  kind: 'perpetual',
  is_active: true,
  base_currency: 'USDT',
  quote_currency: coin,
  creation_timestamp: String(NOW_MS - 1000),
  taker_commission: '0.0006',
  leverage: 125,
  ...fields,
});
const listing = (...rows: unknown[]) =>
  parseInstruments(result(rows), { receivedAtMs: NOW_MS, contracts: new Map() });
const contracts = contractsOf(
  listing(
    instrument('BTC'),
    instrument('1MBABYDOGE', { instrId: 2 }),
    instrument('币安人生', { instrId: 3 }),
    instrument('TSLA', { instrId: 4 }),
    instrument('XAG', { instrId: 5 }),
    instrument('OURA', { instrId: 6, creation_timestamp: String(NOW_MS + 300_000) }),
    instrument('HALT', { instrId: 7, is_active: false }),
  ),
);
const context = { receivedAtMs: NOW_MS, contracts };
const contractOf = (coin: string): Contract => {
  const contract = contracts.get(`${coin}-USDT-PERPETUAL`);
  if (!contract) throw new Error(`no ${coin}`);
  return contract;
};
const btc = contractOf('BTC');
const reasonsOf = (batch: { rejected: { reason: string }[] }) => batch.rejected.map(({ reason }) => reason);

suite('OrangeX instruments', () => {
  test('the currencies are swapped: quote_currency is the coin', () => {
    const { base, quote, settle, contractSize, venueId, maxLeverage, takerFeePct } = btc;
    assert.deepEqual(
      [base, quote, settle, contractSize, venueId, maxLeverage, takerFeePct],
      ['BTC', 'USDT', 'USDT', 1, '28', 125, 0.06],
    );
  });

  test('a contract is active before its listing: only the time tells that it is not open', () => {
    assert.equal(btc.status, 'trading');
    assert.deepEqual(
      [contractOf('OURA').status, contractOf('OURA').listedAtMs],
      ['preopen', NOW_MS + 300_000],
    );
    assert.equal(contractOf('HALT').status, 'halted');
  });

  test('multipliers and names in Chinese stay as they are', () => {
    assert.deepEqual(
      [contractOf('1MBABYDOGE').base, contractOf('币安人生').base],
      ['1MBABYDOGE', '币安人生'],
    );
  });

  test('no field has a class: shares by a table, metals by their codes', () => {
    assert.deepEqual(
      ['BTC', 'TSLA', 'XAG'].map((coin) => contractOf(coin).assetClass),
      ['crypto', 'stock', 'commodity'],
    );
  });

  test('spot is left out, and no fault', () => {
    const batch = listing(instrument('BTC', { kind: 'spot' }));
    assert.deepEqual([[...batch.ignored], batch.rejected], [[['not a perpetual', 1]], []]);
  });

  test('bad row: no number, without which no history can be requested', () => {
    assert.deepEqual(reasonsOf(listing(instrument('A', { instrId: null }))), ['no id']);
  });

  test('bad row: no status', () => {
    assert.deepEqual(reasonsOf(listing(instrument('A', { is_active: 'yes' }))), ['no status']);
  });

  test('bad row: no coin', () => {
    assert.deepEqual(reasonsOf(listing(instrument('A', { quote_currency: '' }))), ['no base or quote']);
  });

  test('a refusal has HTTP status 200 and an error: it is a bad reply, not an empty list', () => {
    const refused = { jsonrpc: '2.0', error: { code: 8000, message: 'Request params not valid!' } };
    assert.throws(() => parseInstruments(refused, context), BadReply);
    assert.throws(() => parseTickers(refused, context), BadReply);
    assert.throws(() => parseRates(refused, context), BadReply);
    assert.throws(() => parseHistory(refused, btc, { fromMs: 0, toMs: 1 }), BadReply);
    assert.throws(() => parseOrderBook(refused, btc), BadReply);
  });
});

suite('OrangeX rates', () => {
  const rate = (coin: string, fields: object = {}) => ({
    instrumentName: `${coin}-USDT-PERPETUAL`,
    capitalRate: '-0.000025',
    startTime: String(NEXT_MS - 8 * HOUR_MS),
    endTime: String(NEXT_MS),
    ...fields,
  });
  const parse = (...rows: unknown[]) => parseRates(result(rows), context);

  test('the rate of the coming settlement, which is the end of the period; the period is the interval', () => {
    const { fundingQuotes } = parse(rate('BTC'), rate('TSLA', { startTime: String(NEXT_MS - HOUR_MS) }));
    assert.deepEqual(
      fundingQuotes.map(({ ratePct, nextFundingAtMs, intervalHours }) => [
        ratePct,
        nextFundingAtMs,
        intervalHours,
      ]),
      [
        [-0.0025, NEXT_MS, 8],
        [-0.0025, NEXT_MS, 1],
      ],
    );
  });

  test('a contract that is gone has a rate, even with a current time: it is not read', () => {
    const batch = parse(rate('BLAST'));
    assert.deepEqual([batch.fundingQuotes, [...batch.ignored]], [[], [['not in the contract list', 1]]]);
  });

  test('bad row: no rate', () => {
    assert.deepEqual(reasonsOf(parse(rate('BTC', { capitalRate: null }))), ['no rate']);
  });

  test('bad row: no end of the period', () => {
    assert.deepEqual(reasonsOf(parse(rate('BTC', { endTime: '' }))), ['no next settlement']);
  });

  test('without a start the interval is unknown', () => {
    assert.equal(parse(rate('BTC', { startTime: null })).fundingQuotes[0]?.intervalHours, null);
  });
});

suite('OrangeX tickers', () => {
  const ticker = (fields: object = {}) => ({
    instrument_name: 'BTC-USDT-PERPETUAL',
    best_bid_price: 99,
    best_bid_amount: 2,
    best_ask_price: '101',
    best_ask_amount: '5',
    last_price: '100',
    mark_price: '100',
    underlying_price: '99.5',
    open_interest: '3',
    stats: { volume: '7', turnover: '700' },
    timestamp: String(NOW_MS - 1200),
    ...fields,
  });
  const parse = (fields: object = {}) => parseTickers(result([ticker(fields)]), context);

  test('sizes and open interest are coins, the turnover is USDT', () => {
    const { bookTops, dayVolumes, marketFigures } = parse();
    const [top, volume, figures] = [bookTops[0], dayVolumes[0], marketFigures[0]];
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize], [99, 2, 101, 5]);
    assert.equal(top?.venueTimeMs, NOW_MS - 1200);
    assert.deepEqual([volume?.volume24hUsdt, volume?.volumeCount], [700, 7]);
    assert.deepEqual([figures?.openInterestUsdt, figures?.indexPrice], [300, 99.5]);
  });

  test('bad row: an empty side is null; volume and figures stay', () => {
    const batch = parse({ best_ask_price: null, best_ask_amount: null });
    assert.deepEqual(reasonsOf(batch), ['no bid or ask']);
    assert.deepEqual([batch.dayVolumes.length, batch.marketFigures.length], [1, 1]);
  });

  test('bad row: no turnover', () => {
    assert.deepEqual(reasonsOf(parse({ stats: null })), ['no volume']);
  });
});

suite('OrangeX settled history', () => {
  const window = { fromMs: NEXT_MS - 400 * HOUR_MS, toMs: NEXT_MS };
  const row = (hoursAgo: number, fields: object = {}) => ({
    time: String(NEXT_MS - hoursAgo * HOUR_MS),
    rate: '0.0001',
    ...fields,
  });

  test('pages are numbered from the newest; the next one follows until the total is reached', () => {
    const page = parseHistory(result({ data: [row(8), row(16)], total: 5 }), btc, window);
    assert.deepEqual(page.settlements[1], {
      venueSymbol: btc.venueSymbol,
      ratePct: 0.01,
      settledAtMs: NEXT_MS - 16 * HOUR_MS,
    });
    assert.equal(page.next?.cursor, '2');
    const second = { ...window, cursor: '2' };
    assert.equal(parseHistory(result({ data: [row(24)], total: 2 }), btc, second).next, null);
  });

  test('an empty page is the last one, whatever the total says', () => {
    assert.equal(parseHistory(result({ data: [], total: 500 }), btc, window).next, null);
  });

  test('bad row: no time', () => {
    const page = parseHistory(result({ data: [row(8, { time: null }), row(16)], total: 2 }), btc, window);
    assert.deepEqual(reasonsOf(page), ['no rate or time']);
    assert.equal(page.settlements.length, 1);
  });

  test('is requested by the number of the contract, from the site', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: result({ data: [], total: 0 }), receivedAtMs: NOW_MS };
    };
    await orangex.settlements(btc, { ...window, cursor: '3' }, { send, contracts });
    assert.deepEqual(
      [sent[0]?.host, sent[0]?.body],
      ['site', { currentPage: 3, pageSize: 100, params: { instrId: 28 } }],
    );
  });
});

asSent('orangex', {}, (reply) => {
  const list = parseInstruments(reply('instruments'), context);
  const [sent] = contractsOf(list).values();

  test('BTC: instrument, rate and print', () => {
    assert.ok(sent);
    assert.deepEqual([sent.base, sent.quote, sent.venueId, sent.status], ['BTC', 'USDT', '28', 'trading']);
    const [quote] = parseRates(reply('rates'), { ...context, contracts: contractsOf(list) }).fundingQuotes;
    // 00:00 to 08:00 UTC on 2026-09-23
    assert.deepEqual(
      [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs],
      [-0.0025, 8, Date.UTC(2026, 8, 23, 8)],
    );
    const window = { fromMs: Date.UTC(2026, 8, 22), toMs: Date.UTC(2026, 8, 24) };
    const { settlements } = parseHistory(reply('history'), sent, window);
    assert.deepEqual(
      settlements.map(({ ratePct, settledAtMs }) => [ratePct, settledAtMs]),
      [[-0.0008, Date.UTC(2026, 8, 23)]],
    );
  });

  test('LAB: prices as numbers, sizes in coins, a mark price far from the index', () => {
    const lab = contractsOf(listing(instrument('LAB')));
    const batch = parseTickers(reply('ticker'), { ...context, contracts: lab });
    assert.deepEqual(batch.rejected, []);
    const [top] = batch.bookTops;
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice], [13.00385, 1064, 13.00585]);
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 42_342_400.9856);
    // 1,086,554 × 13.00435
    assert.equal(Math.round(batch.marketFigures[0]?.openInterestUsdt ?? 0), 14_129_929);
    assert.equal(batch.marketFigures[0]?.indexPrice, 14.13951);
  });
});
