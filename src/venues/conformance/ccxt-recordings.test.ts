import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { capture, ccxtReplies } from '../../../test/support/recordings.ts';
import { offlineExchange } from '../../../test/support/second-opinion.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { VENUES } from '../registry.ts';
import type { Venue } from '../venue.ts';

/** Replies of real venues, parsed by us and by ccxt. */
function venueOf(slug: string): Venue {
  const venue = VENUES.find((candidate) => candidate.slug === slug);
  if (!venue) throw new Error(`no venue ${slug}`);
  return venue;
}

const answering = (payload: unknown, contract: Contract) => ({
  send: async () => ({ payload, receivedAtMs: Date.UTC(2026, 10, 14) }),
  contracts: new Map([[contract.venueSymbol, contract]]),
});

/** ccxt with one linear perpetual, which answers every call with the reply. */
function ccxtAnswering(slug: string, id: string, symbol: string, reply: unknown) {
  const exchange = offlineExchange(venueOf(slug), async () => reply);
  const [base, rest = ''] = symbol.split('/');
  const [quote, settle] = rest.split(':');
  const kind = { type: 'swap', swap: true, contract: true, linear: true, inverse: false };
  exchange.setMarkets([{ id, symbol, base, baseName: base, quote, settle, active: true, ...kind }]);
  return exchange;
}

function recorded(slug: string, method: string, description: string): unknown {
  const found = ccxtReplies(slug, method).find((reply) => reply.description.includes(description));
  if (!found) throw new Error(`${slug} has no recorded ${method} "${description}"`);
  return found.httpResponse;
}

for (const [slug, call, description, contract, symbol, sizeFactor] of [
  ['binance', 'depth', 'swap', fakeContract('BTCUSDT'), 'BTC/USDT:USDT', 1],
  ['bybit', 'orderbook', 'swap', fakeContract('BTCUSDT'), 'BTC/USDT:USDT', 1],
  ['paradex', 'orderbook', 'fetchOrderBook', fakeContract('BTC-USD-PERP'), 'BTC/USD:USDC', 1],
  ['okx', 'books', 'Swap', { ...fakeContract('BTC-USDT-SWAP'), contractSize: 0.01 }, 'BTC/USDT:USDT', 0.01],
] as const) {
  const name =
    sizeFactor === 1
      ? 'prices and sizes of the book are the same as those of ccxt'
      : 'prices of the book are the same; ccxt leaves its sizes in contracts, ours are base units';
  asSent(slug, { [call]: () => recorded(slug, 'fetchOrderBook', description) }, (sent) => {
    test(name, async () => {
      const reply = sent(call);
      const { depth: request } = venueOf(slug);
      if (!request) throw new Error(`${slug} has no call for books`);
      const depth = await request(contract, answering(reply, contract));
      const theirs = await ccxtAnswering(slug, contract.venueSymbol, symbol, reply).fetchOrderBook(symbol);
      for (const side of ['bids', 'asks'] as const) {
        assert.ok(depth[side].length > 0);
        for (const [i, [price, size]] of depth[side].entries()) {
          const [theirPrice = Number.NaN, theirSize = Number.NaN] = theirs[side][i] ?? [];
          assert.equal(price, theirPrice);
          assert.ok(Math.abs(size - theirSize * sizeFactor) <= size * 1e-12, `${size} and ${theirSize}`);
        }
      }
    });
  });
}

asSent('bybit', { tickers: () => recorded('bybit', 'fetchTicker', 'swap') }, (sent) => {
  test('bid, ask, sizes and turnover of a ticker are the same as those of ccxt', async () => {
    const contract = fakeContract('BTCUSDT');
    const poll = venueOf('bybit').polls.find((candidate) => candidate.name === 'linear tickers');
    assert.ok(poll?.kind === 'bulk');
    const batch = await poll.collect(answering(sent('tickers'), contract));
    const exchange = ccxtAnswering('bybit', 'BTCUSDT', 'BTC/USDT:USDT', sent('tickers'));
    const theirs = await exchange.fetchTicker('BTC/USDT:USDT');
    const [top] = batch.bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.askPrice, top?.bidSize, batch.dayVolumes[0]?.volume24hUsdt],
      [theirs.bid, theirs.ask, theirs.bidVolume, theirs.quoteVolume],
    );
  });
});

asSent(
  'binance',
  { premiumIndex: () => capture('binance', 'premium_index_full_2025-06-17.json') },
  (sent) => {
    test('running rates and settlement times of premiumIndex are the same as those of ccxt', async () => {
      const rows = sent('premiumIndex') as { symbol: string; nextFundingTime: number }[];
      const contracts = new Map(rows.map((row) => [row.symbol, fakeContract(row.symbol)]));
      const poll = venueOf('binance').polls.find((candidate) => candidate.name === 'usd-m premiumIndex');
      assert.ok(poll?.kind === 'bulk');
      const send = async () => ({ payload: rows, receivedAtMs: 1_750_149_488_000 });
      const { fundingQuotes } = await poll.collect({ send, contracts });
      const ours = new Map(fundingQuotes.map((quote) => [quote.venueSymbol, quote]));
      const exchange = offlineExchange(venueOf('binance'), async () => rows);
      // A dated future has no settlement.
      for (const row of rows.filter(({ nextFundingTime }) => nextFundingTime > 0)) {
        const quote = ours.get(row.symbol);
        assert.ok(quote, row.symbol);
        // ccxt's types call the row a text.
        const theirs = exchange.parseFundingRate(row as unknown as string);
        assert.ok(Math.abs(quote.ratePct - Number(theirs.fundingRate) * 100) < 1e-12, row.symbol);
        assert.equal(quote.nextFundingAtMs, theirs.fundingTimestamp, row.symbol);
      }
      assert.ok(fundingQuotes.length >= 5);
    });
  },
);

asSent(
  'hyperliquid',
  { fundingHistory: () => capture('hyperliquid', 'http_funding_history.json') },
  (sent) => {
    test('prints of a history are the same as those of ccxt, time for time', async () => {
      const rows = sent('fundingHistory') as { time: number; coin: string }[];
      const contract = fakeContract(rows[0]?.coin ?? '');
      const window = { fromMs: 0, toMs: Date.UTC(2100, 0, 1) };
      const { settlements } = await venueOf('hyperliquid').settlements(
        contract,
        window,
        answering(rows, contract),
      );
      const symbol = `${contract.base}/USDC:USDC`;
      const exchange = ccxtAnswering('hyperliquid', contract.venueSymbol, symbol, rows);
      const theirs = await exchange.fetchFundingRateHistory(symbol);
      assert.ok(settlements.length > 0);
      assert.equal(settlements.length, theirs.length);
      for (const [i, print] of settlements.entries()) {
        assert.equal(print.settledAtMs, theirs[i]?.timestamp);
        assert.ok(Math.abs(print.ratePct / 100 - Number(theirs[i]?.fundingRate)) < 1e-15);
      }
    });
  },
);

asSent('kucoin', {}, (sent) => {
  test('ccxt leaves the size of a ticker in contracts of 0.001 BTC, ours is base units', async () => {
    const reply = sent('ticker') as { data: object[] };
    const contract = { ...fakeContract('XBTUSDTM'), contractSize: 0.001 };
    const poll = venueOf('kucoin').polls.find((candidate) => candidate.gives.includes('bid and ask'));
    assert.ok(poll?.kind === 'bulk');
    const batch = await poll.collect(answering(reply, contract));
    const one = { ...reply, data: reply.data[0] };
    const exchange = ccxtAnswering('kucoin', 'XBTUSDTM', 'BTC/USDT:USDT', one);
    const theirs = await exchange.fetchTicker('BTC/USDT:USDT');
    const [top] = batch.bookTops;
    assert.deepEqual([top?.bidPrice, top?.askPrice], [theirs.bid, theirs.ask]);
    assert.ok(Math.abs((top?.bidSize ?? 0) - Number(theirs.bidVolume) * 0.001) < 1e-9);
  });
});
