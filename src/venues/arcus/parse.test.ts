// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of 2026-09-14.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { BadReply } from '../reading.ts';
import { parseBook, parseFundingRates, parseMarkets } from './parse.ts';
import { arcus } from './venue.ts';

const NEXT_S = Date.UTC(2026, 10, 14, 10) / 1000;
const RECEIVED_AT_MS = Date.UTC(2026, 10, 14, 9, 20);

const market = (name: string, fields: object = {}) => ({
  marketDisplayName: name,
  status: 'ONLINE',
  baseAsset: name.split('-')[0],
  quoteAsset: 'USD',
  oraclePrice: '99.5',
  markPrice: '100',
  fundingRate: '0.00009',
  nextFundingRate: '0.0000125',
  nextFundingAt: NEXT_S,
  volume24h: '50',
  volume24hNotional: '5010.5',
  openInterest: '3',
  initialMarginFraction: '0.025',
  isOutsideRth: false,
  type: 'PERPETUAL',
  category: 'CRYPTO',
  addedTimestamp: 1_778_786_860,
  ...fields,
});
const parse = (...markets: unknown[]) => parseMarkets({ markets });
const contracts = contractsOf(parse(market('BTC-USD')));
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };
const bitcoin = contracts.get('BTC-USD');
assert.ok(bitcoin);
const reasonOf = (bad: unknown) => {
  const batch = parse(market('GOOD-USD'), bad);
  assert.equal(batch.fundingQuotes.filter(({ venueSymbol }) => venueSymbol === 'GOOD-USD').length, 1);
  return batch.rejected.map(({ reason }) => reason);
};

suite('Arcus markets', () => {
  test('the rate is the forecast of the coming hour, not what was charged last; the time is in seconds', () => {
    const [quote] = parse(market('BTC-USD')).fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours],
      [0.00125, NEXT_S * 1000, 1],
    );
  });

  test('prices are in dollars although it settles in USDG; leverage is 1 / margin', () => {
    const { base, quote, settle, maxLeverage, listedAtMs, status } = bitcoin;
    assert.deepEqual(
      [base, quote, settle, maxLeverage, listedAtMs, status],
      ['BTC', 'USD', 'USDG', 40, 1_778_786_860_000, 'trading'],
    );
  });

  test('open interest is in coins, volume in dollars', () => {
    const { marketFigures, dayVolumes } = parse(market('BTC-USD'));
    const [figures] = marketFigures;
    assert.deepEqual([figures?.markPrice, figures?.indexPrice, figures?.openInterestUsdt], [100, 99.5, 300]);
    assert.equal(dayVolumes[0]?.volume24hUsdt, 5010.5);
  });

  test('a market that is offline is halted, and its rate and prices of 0 are not read', () => {
    const batch = parse(market('F-USD', { status: 'OFFLINE', markPrice: '0', nextFundingRate: '0' }));
    assert.equal(contractsOf(batch).get('F-USD')?.status, 'halted');
    assert.deepEqual([batch.fundingQuotes, batch.marketFigures, batch.dayVolumes], [[], [], []]);
    assert.deepEqual(batch.rejected, []);
  });

  test('funds on goods and indices are shares; gold and an index under their own names are not', () => {
    const classOf = (base: string, category: string) =>
      contractsOf(parse(market(`${base}-USD`, { category }))).get(`${base}-USD`)?.assetClass;
    assert.deepEqual(
      [classOf('GLD', 'COMMODITIES'), classOf('SPY', 'INDICES'), classOf('AMD', 'EQUITIES')],
      ['stock', 'stock', 'stock'],
    );
    assert.deepEqual(
      [classOf('XAU', 'COMMODITIES'), classOf('US500', 'INDICES'), classOf('EURUSD', 'FOREX')],
      ['commodity', 'index', 'forex'],
    );
    assert.equal(classOf('CASHCAT', 'CRYPTO'), 'crypto');
  });

  test('isOutsideRth says that the market of a share is closed, and nothing of a coin', () => {
    const flagOf = (category: string, isOutsideRth: unknown) =>
      parse(market('A-USD', { category, isOutsideRth })).marketFigures[0]?.isMarketClosed;
    assert.deepEqual(
      [
        flagOf('EQUITIES', true),
        flagOf('EQUITIES', false),
        flagOf('EQUITIES', null),
        flagOf('CRYPTO', false),
      ],
      [true, false, undefined, undefined],
    );
  });

  test('another type is left out', () => {
    const batch = parse(market('BTC-USD', { type: 'SPOT' }));
    assert.deepEqual([...batch.ignored], [['no perpetual', 1]]);
  });

  test('a bad row is rejected with its reason and costs no other', () => {
    assert.deepEqual(reasonOf(market('X-USD', { status: 'PAUSED' })), ['unknown status PAUSED']);
    assert.deepEqual(reasonOf(market('X-USD', { category: null })), ['no category']);
    assert.deepEqual(reasonOf(market('X-USD', { baseAsset: '' })), ['no base or quote']);
    assert.deepEqual(reasonOf(market('X-USD', { nextFundingRate: null })), ['no rate']);
    assert.deepEqual(reasonOf(market('X-USD', { marketDisplayName: null })), ['no marketDisplayName']);
    assert.equal(reasonOf(market('X-USD', { volume24hNotional: 'x' })).length, 1);
  });

  test('a reply of another shape is a bad reply', () => {
    assert.throws(() => parseMarkets({ error: { type: 'RateLimited', retryAfterMs: 100 } }), BadReply);
    assert.throws(() => parseMarkets([]), BadReply);
  });
});

suite('Arcus tops, prints and books', () => {
  const session = arcus.streams[0]?.open([bitcoin]);
  assert.ok(session);
  const contents = { bestBid: ['99.9', '2'], bestAsk: ['100.1', '3'], timestamp: RECEIVED_AT_MS * 1000 };
  const received = (message: object) => session.receive(message, context).batch;

  test('a subscription names its market', () => {
    assert.deepEqual(session.opening, ['{"type":"subscribe","channel":"bbo","id":"BTC-USD"}']);
  });

  test('the acknowledgement has the first top; its time is in microseconds', () => {
    for (const type of ['subscribed', 'channel_data'])
      assert.deepEqual(received({ type, channel: 'bbo', id: 'BTC-USD', contents }).bookTops, [
        {
          ...{ venueSymbol: 'BTC-USD', bidPrice: 99.9, bidSize: 2, askPrice: 100.1, askSize: 3 },
          venueTimeMs: RECEIVED_AT_MS,
        },
      ]);
  });

  test('a top without a side, another channel and an error give no top', () => {
    const oneSided = received({
      ...{ type: 'channel_data', channel: 'bbo', id: 'BTC-USD' },
      contents: { ...contents, bestAsk: null },
    });
    assert.deepEqual(oneSided.rejected, [{ venueSymbol: 'BTC-USD', reason: 'no bid or ask' }]);
    assert.deepEqual(
      received({ type: 'channel_data', channel: 'trades', id: 'BTC-USD', contents }).bookTops,
      [],
    );
    const error = received({ type: 'error', message: 'Invalid market' });
    assert.deepEqual([error.bookTops, error.rejected.length], [[], 1]);
  });

  test('prints are times in microseconds; a full page goes on before its oldest row', () => {
    const fundingRates = Array.from({ length: 1000 }, (_, i) => ({
      ...{ marketDisplayName: 'BTC-USD', fundingRate: '-0.0000125' },
      time: (NEXT_S - 3600 * (i + 1)) * 1e6,
    }));
    const window = { fromMs: 0, toMs: NEXT_S * 1000 };
    const page = parseFundingRates({ fundingRates }, bitcoin, window);
    assert.deepEqual(page.settlements[0], {
      ...{ venueSymbol: 'BTC-USD', ratePct: -0.00125, settledAtMs: (NEXT_S - 3600) * 1000 },
    });
    assert.deepEqual(page.next, { fromMs: 0, toMs: (NEXT_S - 3600 * 1000) * 1000 - 1 });
    assert.equal(parseFundingRates({ fundingRates: [] }, bitcoin, window).next, null);
    const other = [{ ...fundingRates[0], marketDisplayName: 'ETH-USD' }];
    assert.equal(parseFundingRates({ fundingRates: other }, bitcoin, window).settlements.length, 0);
    assert.throws(() => parseFundingRates({}, bitcoin, window), BadReply);
  });

  test('a book is [price, size] in coins', () => {
    const { bids, asks } = parseBook({ bids: [['99', '1.5']], asks: [['101', '2']] }, bitcoin);
    assert.deepEqual([bids, asks], [[[99, 1.5]], [[101, 2]]]);
  });
});

asSent('arcus', {}, (reply) => {
  const batch = parseMarkets(reply('markets'));

  test('BTC at rest, a coin above it, a share outside its hours, a fund and one that is offline', () => {
    assert.deepEqual(batch.rejected, []);
    const [btc, cat, amd] = rowsOf(batch.fundingQuotes, 'BTC-USD', 'CASHCAT-USD', 'AMD-USD');
    assert.deepEqual(
      [btc?.ratePct, cat?.ratePct, amd?.ratePct],
      [0.00125, 0.009867686245265628, 0.000474537037037],
    );
    assert.equal(btc?.nextFundingAtMs, Date.UTC(2026, 8, 13, 23));
    const byName = contractsOf(batch);
    assert.deepEqual(
      ['BTC-USD', 'GLD-USD', 'F-USD'].map((name) => byName.get(name)?.status),
      ['trading', 'trading', 'halted'],
    );
    assert.deepEqual(
      ['BTC-USD', 'AMD-USD', 'SPY-USD'].map((name) => byName.get(name)?.maxLeverage),
      [40, 10, 50],
    );
    assert.equal(rowOfSymbol(batch.marketFigures, 'AMD-USD').isMarketClosed, true);
    // 60.0595314 × 77,119.6
    assert.equal(Math.round(rowOfSymbol(batch.marketFigures, 'BTC-USD').openInterestUsdt ?? 0), 4_631_767);
  });

  test('the newest print is an hour before the next settlement', () => {
    const contract = contractsOf(batch).get('BTC-USD');
    assert.ok(contract);
    const window = { fromMs: Date.UTC(2026, 8, 13), toMs: Date.UTC(2026, 8, 14) };
    const { settlements } = parseFundingRates(reply('fundingRates'), contract, window);
    assert.deepEqual(
      settlements.map(({ ratePct, settledAtMs }) => [ratePct, settledAtMs]),
      [
        [0.00125, Date.UTC(2026, 8, 13, 22)],
        [0.00125, Date.UTC(2026, 8, 13, 21)],
      ],
    );
  });
});
