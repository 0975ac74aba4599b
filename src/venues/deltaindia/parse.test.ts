import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf } from '../../../test/support/as-sent.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseBook, parseFundingCandles, parseProducts, parseTickers } from './parse.ts';
import { deltaindia } from './venue.ts';

const RECEIVED_AT_MS = Date.UTC(2026, 10, 14, 21, 20, 7, 400);
const HOUR_MS = 3_600_000;
const ok = (result: unknown) => ({ success: true, result });
const refusal = { success: false, error: { code: 'bad_schema' } };

const product = (base: string, more: object = {}) => ({
  symbol: `${base}USD`,
  contract_type: 'perpetual_futures',
  state: 'live',
  trading_status: 'operational',
  contract_value: '0.001',
  underlying_asset: { symbol: base },
  quoting_asset: { symbol: 'USD' },
  settling_asset: { symbol: 'USD' },
  taker_commission_rate: '0.0005',
  initial_margin: '2',
  launch_time: '2024-01-02T03:04:05Z',
  product_specs: { rate_exchange_interval: 28_800 },
  ...more,
});
const list = parseProducts(
  ok([
    product('BTC'),
    product('ETH', { product_specs: { rate_exchange_interval: 14_400 }, taker_commission_rate: '0.0002' }),
    product('XAU'),
    product('SOON', { state: 'upcoming' }),
    product('OLD', { state: 'expired' }),
    product('PAUSED', { trading_status: 'disrupted_post_only' }),
    product('NOTIME', { product_specs: null, launch_time: null, initial_margin: null }),
    product('ODD', { state: 'frozen' }),
    product('BARE', { contract_value: '0' }),
    product('NAMELESS', { underlying_asset: null }),
    product('QUANTO', { settling_asset: { symbol: 'BTC' } }),
    product('CALL', { contract_type: 'call_options' }),
    { contract_type: 'perpetual_futures' },
  ]),
);
const contracts = contractsOf(list);
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };

function contractOf(base: string): Contract {
  const contract = contracts.get(`${base}USD`);
  if (!contract) throw new Error(`no ${base} in the list`);
  return contract;
}
const bitcoin = contractOf('BTC');

suite('DeltaIndia contracts', () => {
  test('perpetuals are taken, options and quanto ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 7);
    assert.deepEqual(
      [...list.ignored],
      [
        ['not settled in its quote', 1],
        ['not a perpetual', 1],
      ],
    );
    assert.deepEqual(list.rejected, [
      { venueSymbol: 'ODDUSD', reason: 'unknown status frozen' },
      { venueSymbol: 'BAREUSD', reason: 'no contract size' },
      { venueSymbol: 'NAMELESSUSD', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('a contract is some coins, settled in USD; the interval is in seconds, the margin in percent', () => {
    const { quote, settle, contractSize, intervalHours, maxLeverage, listedAtMs } = bitcoin;
    assert.deepEqual(
      [quote, settle, contractSize, intervalHours, maxLeverage, listedAtMs],
      ['USD', 'USD', 0.001, 8, 50, Date.UTC(2024, 0, 2, 3, 4, 5)],
    );
    assert.equal(contractOf('ETH').intervalHours, 4);
  });

  test('a fee that is not the usual one is the contract’s own', () => {
    assert.deepEqual([bitcoin.takerFeePct, contractOf('ETH').takerFeePct], [undefined, 0.02]);
  });

  test('a live contract that is disrupted is halted; one to come is not open; an expired one has ended', () => {
    assert.deepEqual(
      ['BTC', 'PAUSED', 'SOON', 'OLD'].map((base) => contractOf(base).status),
      ['trading', 'halted', 'preopen', 'delisted'],
    );
    assert.equal(contractOf('PAUSED').venueStatus, 'live disrupted_post_only');
  });

  test('what a row lacks is unknown; gold is known by name', () => {
    const { intervalHours, maxLeverage, listedAtMs } = contractOf('NOTIME');
    assert.deepEqual([intervalHours, maxLeverage, listedAtMs], [null, null, null]);
    assert.equal(contractOf('XAU').assetClass, 'commodity');
  });

  test('an error with success false is a bad reply', () => {
    assert.throws(() => parseProducts(refusal), BadReply);
    assert.throws(() => parseTickers(refusal, context), BadReply);
    assert.throws(() => parseFundingCandles(refusal, bitcoin, { fromMs: 0, toMs: RECEIVED_AT_MS }), BadReply);
    assert.throws(() => parseBook(refusal, bitcoin), BadReply);
  });
});

suite('DeltaIndia tickers', () => {
  const row = {
    symbol: 'BTCUSD',
    funding_rate: '0.00602961',
    mark_price: '76922.3',
    spot_price: '76956.9',
    oi: '412.5',
    size: 1_226_303,
    turnover_usd: 37_392_218.5,
    quotes: { best_bid: '76922', bid_size: '196', best_ask: '76922.5', ask_size: '965' },
    timestamp: (RECEIVED_AT_MS - 3000) * 1000,
  };
  const read = (...rows: object[]) => parseTickers(ok(rows), context);

  test('the rate is a percent already; the time is in microseconds', () => {
    const [quote] = read(row).fundingQuotes;
    assert.deepEqual([quote?.ratePct, quote?.venueTimeMs], [0.00602961, RECEIVED_AT_MS - 3000]);
  });

  test('the next settlement is on the grid of the contract’s interval from midnight', () => {
    const quotes = read(row, { ...row, symbol: 'ETHUSD' }).fundingQuotes;
    assert.deepEqual(
      quotes.map(({ intervalHours, nextFundingAtMs }) => [intervalHours, nextFundingAtMs]),
      [
        [8, Date.UTC(2026, 10, 15)],
        [4, Date.UTC(2026, 10, 15)],
      ],
    );
    const early = { ...row, symbol: 'ETHUSD', timestamp: Date.UTC(2026, 10, 14, 17) * 1000 };
    assert.equal(read(early).fundingQuotes[0]?.nextFundingAtMs, Date.UTC(2026, 10, 14, 20));
  });

  test('a row computed before a settlement keeps that settlement, even if it arrives after it', () => {
    const late = { ...row, timestamp: Date.UTC(2026, 10, 14, 15, 59, 59) * 1000 };
    assert.equal(read(late).fundingQuotes[0]?.nextFundingAtMs, Date.UTC(2026, 10, 14, 16));
    assert.equal(read({ ...row, timestamp: 0 }).fundingQuotes[0]?.nextFundingAtMs, Date.UTC(2026, 10, 15));
  });

  test('sizes count contracts of 0.001 BTC, open interest coins, turnover dollars', () => {
    const batch = read(row);
    assert.deepEqual(
      [batch.bookTops[0]?.bidSize, batch.bookTops[0]?.askSize, batch.dayVolumes[0]?.volume24hUsdt],
      [0.196, 0.965, 37_392_218.5],
    );
    assert.deepEqual(batch.marketFigures[0], {
      venueSymbol: 'BTCUSD',
      markPrice: 76_922.3,
      indexPrice: 76_956.9,
      openInterestUsdt: 412.5 * 76_922.3,
      openInterestCount: 412.5,
    });
  });

  test('a contract that is disrupted or not open yet keeps figures of before: its row is not read', () => {
    const batch = read({ ...row, symbol: 'PAUSEDUSD' }, { ...row, symbol: 'SOONUSD' }, row);
    assert.deepEqual(
      [batch.fundingQuotes, batch.bookTops, batch.marketFigures].map((rows) => rows.length),
      [1, 1, 1],
    );
    assert.equal(batch.ignored.get('not trading'), 2);
  });

  test('each call has a parameter that changes, so that no cache answers it', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: ok([row]), receivedAtMs: RECEIVED_AT_MS };
    };
    const poll = deltaindia.polls.find(({ name }) => name === 'tickers');
    assert.ok(poll?.kind === 'bulk');
    await poll.collect({ send, contracts });
    assert.deepEqual(sent, [
      { path: '/tickers', query: { contract_types: 'perpetual_futures' }, timestampParameter: '_' },
    ]);
  });

  test('a rate of 0 is a value; bad rows are rejected by name and the others stay', () => {
    assert.equal(read({ ...row, funding_rate: '0' }).fundingQuotes[0]?.ratePct, 0);
    const batch = read(
      { ...row, funding_rate: null },
      { ...row, symbol: 'NOTIMEUSD' },
      { ...row, symbol: 'XAUUSD', turnover_usd: null },
      { ...row, symbol: 'ETHUSD', quotes: null },
      { ...row, symbol: 'NEWUSD' },
      {},
      row,
    );
    assert.deepEqual(
      batch.rejected.map(({ venueSymbol, reason }) => [venueSymbol, reason]),
      [
        ['BTCUSD', 'no rate'],
        ['NOTIMEUSD', 'no next settlement'],
        ['XAUUSD', 'no volume'],
        ['ETHUSD', 'no bid or ask'],
        [null, 'no symbol'],
      ],
    );
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });
});

suite('DeltaIndia prints and books', () => {
  const MIDNIGHT_MS = Date.UTC(2026, 10, 14);
  const candle = (timeMs: number, close: unknown) => ({ time: timeMs / 1000, close });
  const window = { fromMs: MIDNIGHT_MS - 24 * HOUR_MS, toMs: MIDNIGHT_MS + 2 * HOUR_MS };
  const read = (contract: Contract, ...rows: object[]) => parseFundingCandles(ok(rows), contract, window);
  const hours = [2, 1, 0, -1, -4, -8].map((hour) =>
    candle(MIDNIGHT_MS + hour * HOUR_MS, hour >= 0 ? -0.028 : 0.01),
  );

  test('only the rows at settlements are prints; those between repeat the value', () => {
    assert.deepEqual(read(bitcoin, ...hours).settlements, [
      { venueSymbol: 'BTCUSD', ratePct: -0.028, settledAtMs: MIDNIGHT_MS },
      { venueSymbol: 'BTCUSD', ratePct: 0.01, settledAtMs: MIDNIGHT_MS - 8 * HOUR_MS },
    ]);
  });

  test('a contract that settles every four hours has a print at each of them', () => {
    const times = read(contractOf('ETH'), ...hours).settlements.map(({ settledAtMs }) => settledAtMs);
    assert.deepEqual(
      times.map((timeMs) => (timeMs - MIDNIGHT_MS) / HOUR_MS),
      [0, -4, -8],
    );
  });

  test('a row without a value or a time is rejected; without an interval nothing can be read', () => {
    const page = read(bitcoin, candle(MIDNIGHT_MS, null), { close: 0.01 });
    assert.deepEqual([page.settlements, page.rejected.length], [[], 2]);
    assert.throws(() => read(contractOf('NOTIME'), ...hours), BadReply);
  });

  test('a longer window goes on before the hours of its page, until there is no row', () => {
    const long = { fromMs: MIDNIGHT_MS - 3000 * HOUR_MS, toMs: MIDNIGHT_MS };
    const { next } = parseFundingCandles(ok(hours), bitcoin, long);
    assert.deepEqual(next, { fromMs: long.fromMs, toMs: MIDNIGHT_MS - 1500 * HOUR_MS - 1 });
    assert.equal(parseFundingCandles(ok([]), bitcoin, long).next, null);
    assert.equal(parseFundingCandles(ok(hours), bitcoin, window).next, null);
  });

  test('times are requested in seconds, and not from before funding was settled at fixed times', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: ok([]), receivedAtMs: RECEIVED_AT_MS };
    };
    const from = (fromMs: number, toMs: number) =>
      deltaindia.settlements?.(bitcoin, { fromMs, toMs }, { send, contracts });
    await from(Date.UTC(2025, 0, 1), Date.UTC(2025, 8, 9));
    await from(Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1));
    assert.deepEqual(
      sent.map(({ query }) => query),
      [
        {
          resolution: '1h',
          symbol: 'FUNDING:BTCUSD',
          start: Date.UTC(2025, 8, 8, 12) / 1000,
          end: Date.UTC(2025, 8, 9) / 1000,
        },
      ],
    );
  });

  test('a book counts contracts; an unknown symbol, answered with nothing, is a bad reply', () => {
    const book = { buy: [{ price: '100', size: 912 }], sell: [{ price: '101', size: 5 }], symbol: 'BTCUSD' };
    const depth = parseBook(ok(book), bitcoin);
    assert.deepEqual([depth.bids, depth.asks], [[[100, 0.912]], [[101, 0.005]]]);
    assert.throws(() => parseBook(ok({}), bitcoin), BadReply);
    assert.throws(() => parseBook(ok({ ...book, symbol: 'ETHUSD' }), bitcoin), BadReply);
  });
});

asSent('deltaindia', {}, (sent) => {
  const listed = contractsOf(parseProducts(sent('products')));
  const sentBitcoin = listed.get('BTCUSDT') as Contract;

  test('products: size, interval and fee of each perpetual; spot is ignored', () => {
    assert.deepEqual(
      [...listed.values()].map((c) => [c.venueSymbol, c.contractSize, c.intervalHours, c.takerFeePct]),
      [
        ['BTCUSDT', 0.001, 8, 0.01],
        ['PAXGUSDT', 0.001, 4, 0.02],
      ],
    );
  });

  test('tickers: a rate in percent, the settlement at 08:00, a size in contracts', () => {
    const batch = parseTickers(sent('tickers'), { receivedAtMs: RECEIVED_AT_MS, contracts: listed });
    const [quote] = batch.fundingQuotes;
    // The row is of 04:36 UTC.
    assert.deepEqual([quote?.ratePct, quote?.nextFundingAtMs], [0.00602961, Date.UTC(2023, 6, 12, 8)]);
    // 196 contracts of 0.001 BTC.
    assert.equal(batch.bookTops[0]?.bidSize, 0.196);
    // 469.919 BTC × 30,600.10481568.
    assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(0), '14379571');
  });

  test('candles: the prints of 16:00 and 00:00, not of the hours between', () => {
    const page = parseFundingCandles(sent('candles'), sentBitcoin, { fromMs: 0, toMs: RECEIVED_AT_MS });
    assert.deepEqual(
      page.settlements.map(({ ratePct, settledAtMs }) => [ratePct, settledAtMs]),
      [
        [-0.00024801, Date.UTC(2026, 8, 23)],
        [-0.00064617, Date.UTC(2026, 8, 22, 16)],
      ],
    );
  });

  test('a book: 912 contracts of 0.001 BTC at the best bid', () => {
    const { bids, asks } = parseBook(sent('book'), sentBitcoin);
    assert.deepEqual(
      [bids[0], asks[0]],
      [
        [15_814, 0.912],
        [15_814.5, 0.625],
      ],
    );
  });
});
