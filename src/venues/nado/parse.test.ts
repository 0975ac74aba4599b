// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of 2026-09-13.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { HOUR_MS } from '../../base/times.ts';
import { countedOnce } from '../counting/sides.ts';
import type { Batch, Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseContracts, parseFundingHistory, parseOrderbook, parseSymbols } from './parse.ts';
import { bestOffers } from './stream.ts';
import { nado } from './venue.ts';

const published = (batch: Batch) => countedOnce(batch, nado.facts.counts);

const listed = parseSymbols(JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/symbols.json`, 'utf8')));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

const btc = contractOf('BTC-PERP');

suite('Nado contracts', () => {
  test('perpetuals are taken, spot ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 7);
    assert.deepEqual([...listed.ignored], [['not a perpetual', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST-PERP', reason: 'unknown status asleep' },
      { venueSymbol: 'NOID-PERP', reason: 'no base or product' },
    ]);
  });

  test('G1: only live contracts trade; post_only and not_tradable are halted, soft_reduce_only is ending', () => {
    assert.deepEqual(
      ['BTC', 'SPY', 'XAUT', 'PENG'].map((base) => contractOf(`${base}-PERP`).status),
      ['trading', 'halted', 'halted', 'delisting'],
    );
  });

  test('F1: kPEPE keeps its multiplier; USDT0 counts as USDT, and sizes are base units', () => {
    const { base, quote, settle, contractSize, venueId } = contractOf('kPEPE-PERP');
    assert.deepEqual([base, quote, settle, contractSize, venueId], ['kPEPE', 'USDT', 'USDT', 1, '38']);
  });

  test('F3: shares are known by the table of the documentation, fuels and currencies by name; XAUT is a coin', () => {
    assert.deepEqual(
      ['BTC', 'EURUSD', 'WTI', 'SPY', 'XAUT'].map((base) => contractOf(`${base}-PERP`).assetClass),
      ['crypto', 'forex', 'commodity', 'stock', 'crypto'],
    );
  });

  test('fee and leverage are those of each contract, from numbers times 10^18', () => {
    assert.deepEqual([btc.takerFeePct, btc.maxLeverage], [0.035, 50]);
    const eurusd = contractOf('EURUSD-PERP');
    assert.deepEqual([eurusd.takerFeePct, eurusd.maxLeverage], [0.007, 40]);
    const wti = contractOf('WTI-PERP');
    assert.deepEqual([wti.takerFeePct, wti.maxLeverage], [undefined, null]);
  });

  test('a failure with HTTP 200 is a bad reply, not an empty list', () => {
    assert.throws(() => parseSymbols({ status: 'failure', error: 'x' }), BadReply);
    assert.throws(() => parseContracts([], context), BadReply);
    assert.throws(() => parseFundingHistory({ error: 'x' }, btc, { fromMs: 0, toMs: 1 }), BadReply);
  });
});

suite('Nado funding', () => {
  const row = (base_currency: string, fields: object) => ({
    ticker_id: `${base_currency}_USDT0`,
    base_currency,
    quote_currency: 'USDT0',
    product_type: 'perpetual',
    quote_volume: 1000,
    next_funding_rate_timestamp: 1_794_700_800,
    ...fields,
  });
  const batch = parseContracts(
    {
      'BTC-PERP_USDT0': row('BTC-PERP', {
        funding_rate: 0.000312,
        mark_price: 76_805.5,
        index_price: 76_796.9,
        open_interest: 215,
        open_interest_usd: 16_540_430.5,
        base_volume: 1153,
        quote_volume: 88_844_499.9,
      }),
      'kPEPE-PERP_USDT0': row('kPEPE-PERP', { funding_rate: 0.000299999999999701 }),
      'EURUSD-PERP_USDT0': row('EURUSD-PERP', { funding_rate: 0 }),
      'WTI-PERP_USDT0': row('WTI-PERP', { funding_rate: null }),
      'SPY-PERP_USDT0': row('SPY-PERP', {
        funding_rate: 0.1,
        next_funding_rate_timestamp: 1_794_700_800_000,
      }),
      'NEW-PERP_USDT0': row('NEW-PERP', { funding_rate: 0.1 }),
    },
    context,
  );
  const quoteOf = (venueSymbol: string) =>
    batch.fundingQuotes.find((quote) => quote.venueSymbol === venueSymbol);

  test('funding_rate is a rate of 24 hours: the hour settles one 24th of it', () => {
    assert.equal(quoteOf('BTC-PERP')?.ratePct, 0.0013);
    assert.equal(quoteOf('BTC-PERP')?.intervalHours, 1);
    // The resting rate of 0.01 % for 8 hours, with the digits that the venue sends.
    assert.equal(quoteOf('kPEPE-PERP')?.ratePct, 0.00125);
    assert.equal(quoteOf('EURUSD-PERP')?.ratePct, 0, 'zero is a value');
  });

  test('D3: the next settlement is in seconds; milliseconds in its place are none', () => {
    assert.equal(quoteOf('BTC-PERP')?.nextFundingAtMs, 1_794_700_800_000);
    assert.equal(quoteOf('SPY-PERP'), undefined);
  });

  test('a symbol that is not in the list yet, and bad rows, never lose the rest', () => {
    assert.equal(batch.fundingQuotes.length, 3);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'WTI-PERP', reason: 'no rate' },
      { venueSymbol: 'SPY-PERP', reason: 'no next settlement' },
    ]);
  });

  test('F8: volume and open interest are the figures in dollars; open interest counts both sides', () => {
    assert.deepEqual(batch.dayVolumes[0], {
      venueSymbol: 'BTC-PERP',
      volume24hUsdt: 88_844_499.9,
      referencePrice: 76_805.5,
    });
    assert.deepEqual(published(batch).marketFigures[0], {
      venueSymbol: 'BTC-PERP',
      markPrice: 76_805.5,
      indexPrice: 76_796.9,
      openInterestUsdt: 16_540_430.5 / 2,
      openInterestCount: 215 / 2,
    });
  });

  const print = (timestamp: number, funding_rate_x18: string, product_id = 2) => ({
    product_id,
    timestamp: String(timestamp),
    funding_rate_x18,
  });
  const window = { fromMs: 1_794_000_000_000, toMs: 1_799_000_000_000 };

  test('C2: prints are hourly rates times 10^18, never divided by 24 again', () => {
    const { settlements } = parseFundingHistory(
      {
        funding_rates: [print(1_794_693_600, '12504446974278'), print(1_794_697_200, '-3274864692546000000')],
      },
      btc,
      window,
    );
    assert.deepEqual(settlements, [
      { venueSymbol: 'BTC-PERP', ratePct: 0.0012504446974278, settledAtMs: 1_794_693_600_000 },
      { venueSymbol: 'BTC-PERP', ratePct: -327.4864692546, settledAtMs: 1_794_697_200_000 },
    ]);
  });

  test('E3: a full page of 1,000 continues after its newest row, a shorter one ends', () => {
    const startSeconds = 1_794_002_400;
    const rows = Array.from({ length: 1000 }, (_, i) => print(startSeconds + i * 3600, '1'));
    const newestMs = startSeconds * 1000 + 999 * HOUR_MS;
    const full = parseFundingHistory({ funding_rates: rows }, btc, window);
    assert.deepEqual(full.next, { fromMs: newestMs + 1, toMs: window.toMs });
    assert.equal(parseFundingHistory({ funding_rates: rows.slice(1) }, btc, window).next, null);
  });

  test('F7: a print of another product is rejected', () => {
    const page = parseFundingHistory({ funding_rates: [print(1_794_693_600, '1', 4)] }, btc, window);
    assert.deepEqual([page.settlements.length, page.rejected.length], [0, 1]);
  });

  test('E1: history is requested with both ends, in seconds', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: { funding_rates: [] }, receivedAtMs: 0 };
    };
    await nado.settlements(btc, window, { send, contracts });
    assert.deepEqual(sent[0]?.body, {
      funding_rate_history: {
        product_id: 2,
        start_time: 1_794_000_000,
        end_time: 1_799_000_000,
        limit: 1000,
      },
    });
  });
});

suite('Nado books', () => {
  test('a book is requested by its ticker and comes out best first', async () => {
    const sent: VenueRequest[] = [];
    const payload = {
      bids: [
        [99, 2],
        [100, 1],
      ],
      asks: [
        [102, 4],
        [101, 3],
      ],
      timestamp: 1_794_697_200_000,
    };
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload, receivedAtMs: 0 };
    };
    const depth = await nado.depth?.(btc, { send, contracts });
    assert.deepEqual(sent[0]?.query, { ticker_id: 'BTC-PERP_USDT0', depth: 100 });
    assert.deepEqual(depth, parseOrderbook(payload, btc));
    assert.deepEqual(
      [depth?.bids[0], depth?.asks[0]],
      [
        [100, 1],
        [101, 3],
      ],
    );
    assert.equal(depth?.venueTimeMs, 1_794_697_200_000);
  });

  const open = () => bestOffers.open([...contracts.values()]);
  const push = (fields: object) => ({
    type: 'best_bid_offer',
    timestamp: '1794697200123000000',
    product_id: 2,
    bid_price: '86821000000000000000000',
    bid_qty: '350320000000000000',
    ask_price: '87243500000000000000000',
    ask_qty: '5000000000000000000',
    ...fields,
  });

  test('a push names its product; prices and sizes are times 10^18, its time is in nanoseconds', () => {
    assert.deepEqual(open().receive(push({}), context).batch.bookTops, [
      {
        venueSymbol: 'BTC-PERP',
        bidPrice: 86_821,
        bidSize: 0.35032,
        askPrice: 87_243.5,
        askSize: 5,
        venueTimeMs: 1_794_697_200_123,
      },
    ]);
  });

  test('a side without orders, as 0 or as the largest number, and an unknown product give no top', () => {
    const noAsk = push({ ask_price: '170141183460469231731687303715884105727' });
    for (const message of [noAsk, push({ bid_price: '0' })]) {
      const { batch } = open().receive(message, context);
      assert.deepEqual(batch.bookTops, []);
      assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC-PERP', reason: 'no bid or ask' }]);
    }
    assert.deepEqual(open().receive(push({ product_id: 77 }), context).batch.bookTops, []);
  });

  test('one subscription a contract; a refused one costs its contract only', () => {
    const session = open();
    assert.deepEqual(JSON.parse(session.opening[1] ?? ''), {
      method: 'subscribe',
      stream: { type: 'best_bid_offer', product_id: 38 },
      id: 1,
    });
    assert.deepEqual(session.receive({ result: null, id: 0 }, context).batch.rejected, []);
    assert.deepEqual(session.receive({ result: null, id: 1, error: 'unknown' }, context).batch.rejected, [
      { venueSymbol: 'kPEPE-PERP', reason: 'subscription refused' },
    ]);
    assert.throws(() => session.receive({ error: 'too many connections' }, context), BadReply);
  });
});

asSent('nado', {}, (sent) => {
  test('a contract: a rate of 24 hours, a time in seconds, open interest of both sides', () => {
    const batch = parseContracts(sent('contracts'), context);
    assert.deepEqual(batch.rejected, []);
    const [quote] = batch.fundingQuotes;
    // -0.3664562348812546 % / 24.
    assert.deepEqual(
      [quote?.ratePct.toFixed(10), quote?.intervalHours, quote?.nextFundingAtMs],
      ['-0.0152690098', 1, Date.UTC(2023, 8, 10, 21)],
    );
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 20_475_749.367766097);
    // 79,024,625.11330591 / 2.
    assert.equal(published(batch).marketFigures[0]?.openInterestUsdt?.toFixed(4), '39512312.5567');
  });

  test('a book', () => {
    const depth = parseOrderbook(sent('orderbook'), btc);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0], depth.venueTimeMs],
      [[116_215, 0.128], [116_225, 0.043], 1_757_913_317_944],
    );
  });
});
