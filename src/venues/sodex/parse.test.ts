// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of 2026-09-13.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { BadReply } from '../reading.ts';
import { parseBook, parseSymbols, parseTickers } from './parse.ts';
import { sodex } from './venue.ts';

const RECEIVED_AT_MS = Date.UTC(2026, 10, 14, 9, 20);
const NEXT_MS = Date.UTC(2026, 10, 14, 10);

const reply = (data: unknown) => ({ code: 0, timestamp: RECEIVED_AT_MS - 200, data });
const symbol = (name: string, fields: object = {}) => ({
  name,
  baseCoin: name.split('-')[0],
  quoteCoin: 'vUSDC',
  maxLeverage: 40,
  fundingInterval: 3600,
  takerFee: '0.0004',
  status: 'TRADING',
  ...fields,
});
const ticker = (name: string, fields: object = {}) => ({
  symbol: name,
  volume: '50',
  quoteVolume: '5010.5',
  ...{ askPx: '100.1', askSz: '3', bidPx: '99.9', bidSz: '2' },
  fundingRate: '0.0000125',
  nextFundingTime: NEXT_MS,
  indexPrice: '99.5',
  markPrice: '100',
  openInterest: '3',
  ...fields,
});
const list = (...rows: unknown[]) => parseSymbols(reply(rows));
const contracts = contractsOf(
  list(symbol('BTC-USD'), symbol('GOOD-USD'), symbol('TON-USD', { status: 'HALT' })),
);
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };
const read = (...rows: unknown[]) => parseTickers(reply(rows), context);
const bitcoin = contracts.get('BTC-USD');
assert.ok(bitcoin);

suite('SoDEX contracts', () => {
  test('they are quoted and settled in USDC, hourly, with the fee and leverage of the list', () => {
    const { base, quote, settle, maxLeverage, takerFeePct, intervalHours, status } = bitcoin;
    assert.deepEqual(
      [base, quote, settle, maxLeverage, takerFeePct, intervalHours, status],
      ['BTC', 'USDC', 'USDC', 40, 0.04, 1, 'trading'],
    );
  });

  test('a discount of the rate marks a traditional asset; the gold token has one and is a coin', () => {
    const classOf = (base: string, fields: object = { fundingDiscount: '0.5' }) =>
      contractsOf(list(symbol('A-USD', { baseCoin: base, ...fields }))).get('A-USD')?.assetClass;
    assert.deepEqual(
      ['TSLA', 'SILVER', 'CL', 'US500', 'USTECH100', 'XAUt'].map((base) => classOf(base)),
      ['stock', 'commodity', 'commodity', 'index', 'index', 'crypto'],
    );
    assert.equal(classOf('BTC', {}), 'crypto');
  });

  test('XAUt is written as elsewhere; 1000PEPE keeps its multiplier', () => {
    const byName = contractsOf(list(symbol('XAUT-USD', { baseCoin: 'XAUt' }), symbol('1000PEPE-USD')));
    assert.deepEqual([byName.get('XAUT-USD')?.base, byName.get('1000PEPE-USD')?.base], ['XAUT', '1000PEPE']);
  });

  const reasonOf = (bad: unknown) => {
    const batch = list(symbol('GOOD-USD'), bad);
    assert.ok(contractsOf(batch).has('GOOD-USD'));
    return batch.rejected.map(({ reason }) => reason);
  };

  test('an interval of another length is refused: nobody knows of which time its rate would be', () => {
    assert.deepEqual(reasonOf(symbol('X-USD', { fundingInterval: 14400 })), ['unknown interval']);
    assert.deepEqual(reasonOf(symbol('X-USD', { fundingInterval: null })), ['unknown interval']);
  });

  test('another quote coin, an unknown status and a missing name are rejected by name', () => {
    assert.deepEqual(reasonOf(symbol('X-USD', { quoteCoin: 'vUSDT' })), ['unknown quote coin']);
    assert.deepEqual(reasonOf(symbol('X-USD', { status: 'SETTLING' })), ['unknown status SETTLING']);
    assert.deepEqual(reasonOf(symbol('X-USD', { baseCoin: null })), ['no base or quote']);
    assert.deepEqual(reasonOf(symbol('X-USD', { name: '' })), ['no name']);
  });
});

suite('SoDEX tickers and books', () => {
  test('the running rate is of one hour; zero is a value', () => {
    const [quote] = read(ticker('BTC-USD')).fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours, quote?.venueTimeMs],
      [0.00125, NEXT_MS, 1, RECEIVED_AT_MS - 200],
    );
    assert.equal(read(ticker('BTC-USD', { fundingRate: '0' })).fundingQuotes[0]?.ratePct, 0);
  });

  test('sizes and open interest are in coins, volume in dollars', () => {
    const { bookTops, marketFigures, dayVolumes } = read(ticker('BTC-USD'));
    const [top] = bookTops;
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize], [99.9, 2, 100.1, 3]);
    const [figures] = marketFigures;
    assert.deepEqual([figures?.markPrice, figures?.indexPrice, figures?.openInterestUsdt], [100, 99.5, 300]);
    assert.equal(dayVolumes[0]?.volume24hUsdt, 5010.5);
  });

  test('a halted contract keeps a settlement of June and prices of 0: its row is not read', () => {
    const june = { nextFundingTime: Date.UTC(2026, 5, 18), askPx: '0', bidPx: '0' };
    const batch = read(ticker('TON-USD', june), ticker('BTC-USD'));
    assert.deepEqual([...batch.ignored], [['halted', 1]]);
    assert.deepEqual(
      batch.fundingQuotes.map(({ venueSymbol }) => venueSymbol),
      ['BTC-USD'],
    );
  });

  test('a bad row is rejected with its reason and costs no other', () => {
    const reasonOf = (fields: object) => {
      const batch = read(ticker('GOOD-USD'), ticker('BTC-USD', fields));
      assert.equal(rowOfSymbol(batch.fundingQuotes, 'GOOD-USD').ratePct, 0.00125);
      return batch.rejected.map(({ reason }) => reason);
    };
    assert.deepEqual(reasonOf({ fundingRate: null }), ['no rate']);
    assert.deepEqual(reasonOf({ bidPx: '0' }), ['no bid or ask']);
    assert.deepEqual(reasonOf({ bidPx: '101' }), ['crossed book']);
    assert.deepEqual(reasonOf({ symbol: null }), ['no symbol']);
  });

  test('a book is [price, size] in coins', () => {
    const { bids, asks } = parseBook(reply({ bids: [['99', '1.5']], asks: [['101', '2']] }), bitcoin);
    assert.deepEqual([bids, asks], [[[99, 1.5]], [[101, 2]]]);
  });

  test('a code that is not 0 is a bad reply, not an empty list', () => {
    const error = { code: -1, timestamp: RECEIVED_AT_MS, error: 'too many requests' };
    assert.throws(() => parseSymbols(error), BadReply);
    assert.throws(() => parseTickers(error, context), BadReply);
    assert.throws(() => parseBook(error, bitcoin), BadReply);
  });

  test('there is no settled history, and the facts say why', async () => {
    const window = { fromMs: 0, toMs: RECEIVED_AT_MS };
    const send = async () => assert.fail('nothing is fetched');
    assert.deepEqual(await sodex.settlements(bitcoin, window, { send, contracts }), {
      ...{ settlements: [], rejected: [], next: null },
    });
    assert.match(sodex.facts.noHistory ?? '', /no settled funding/);
  });
});

asSent('sodex', {}, (sent) => {
  const listed = parseSymbols(sent('symbols'));
  const byName = contractsOf(listed);
  const batch = parseTickers(sent('tickers'), {
    receivedAtMs: Date.UTC(2026, 8, 13, 22, 12, 35),
    contracts: byName,
  });

  test('BTC, a multiplied coin, the gold token, silver, a share and two that are halted', () => {
    assert.deepEqual(listed.rejected, []);
    assert.deepEqual(
      [...byName.values()].map(({ base, assetClass, status }) => [base, assetClass, status]),
      [
        ['1000PEPE', 'crypto', 'trading'],
        ['BASED', 'crypto', 'halted'],
        ['SILVER', 'commodity', 'trading'],
        ['TSLA', 'stock', 'trading'],
        ['TON', 'crypto', 'halted'],
        ['BTC', 'crypto', 'trading'],
        ['XAUT', 'crypto', 'trading'],
      ],
    );
  });

  test('rates of an hour, half of them on traditional assets; dollars and coins', () => {
    assert.deepEqual([...batch.ignored], [['halted', 2]]);
    assert.deepEqual(batch.rejected, []);
    const [btc, pepe, silver] = rowsOf(batch.fundingQuotes, 'BTC-USD', '1000PEPE-USD', 'SILVER-USD');
    assert.deepEqual([btc?.ratePct, pepe?.ratePct, silver?.ratePct], [0.00074662435927, 0.00125, 0.000625]);
    assert.equal(btc?.nextFundingAtMs, Date.UTC(2026, 8, 13, 23));
    // 772.14798 × 76,922
    assert.equal(Math.round(rowOfSymbol(batch.marketFigures, 'BTC-USD').openInterestUsdt ?? 0), 59_395_167);
    assert.equal(rowOfSymbol(batch.dayVolumes, 'BTC-USD').volume24hUsdt, 108_497_684.26855);
    assert.equal(rowOfSymbol(batch.bookTops, 'BTC-USD').bidSize, 1.87019);
  });
});
