import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  type CcxtRecording,
  capture,
  ccxtReplies,
  recordingsMissing,
} from '../../../test/support/recordings.ts';
import { offlineExchange } from '../../../test/support/second-opinion.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { VENUES } from '../registry.ts';
import type { Venue } from '../venue.ts';

/** Recorded replies of real venues, parsed by us and by ccxt; ccxt's result was recorded with them or is computed now. */
function venueOf(slug: string): Venue {
  const venue = VENUES.find((candidate) => candidate.slug === slug);
  if (!venue) throw new Error(`no venue ${slug}`);
  return venue;
}

const answering = (payload: unknown, contract: Contract) => ({
  send: async () => ({ payload, receivedAtMs: Date.UTC(2026, 10, 14) }),
  contracts: new Map([[contract.venueSymbol, contract]]),
});

function recorded(slug: string, method: string, description: string): CcxtRecording {
  const found = ccxtReplies(slug, method).find((reply) => reply.description.includes(description));
  if (!found) throw new Error(`${slug} has no recorded ${method} "${description}"`);
  return found;
}

suite('recorded replies beside ccxt', { skip: recordingsMissing }, () => {
  for (const [slug, description, contract, sizeFactor] of [
    ['binance', 'swap', fakeContract('BTCUSDT'), 1],
    ['bybit', 'swap', fakeContract('BTCUSDT'), 1],
    ['paradex', 'fetchOrderBook', fakeContract('BTC-USD-PERP'), 1],
    ['okx', 'Swap', { ...fakeContract('BTC-USDT-SWAP'), contractSize: 0.01 }, 0.01],
  ] as const) {
    const name =
      sizeFactor === 1
        ? 'prices and sizes of the book are the same'
        : 'prices of the book are the same; ccxt leaves its sizes in contracts, ours are base units';
    test(`${slug}: ${name}`, async () => {
      const { httpResponse, parsedResponse } = recorded(slug, 'fetchOrderBook', description);
      const { depth: call } = venueOf(slug);
      if (!call) throw new Error(`${slug} has no call for books`);
      const depth = await call(contract, answering(httpResponse, contract));
      const theirs = parsedResponse as { bids: number[][]; asks: number[][] };
      for (const side of ['bids', 'asks'] as const) {
        assert.ok(depth[side].length > 0);
        for (const [i, [price, size]] of depth[side].entries()) {
          const [theirPrice = Number.NaN, theirSize = Number.NaN] = theirs[side][i] ?? [];
          assert.equal(price, theirPrice);
          assert.ok(Math.abs(size - theirSize * sizeFactor) <= size * 1e-12, `${size} and ${theirSize}`);
        }
      }
    });
  }

  test('bybit: bid, ask, sizes and turnover of a ticker are the same', async () => {
    const { httpResponse, parsedResponse } = recorded('bybit', 'fetchTicker', 'swap');
    const contract = fakeContract('BTCUSDT');
    const poll = venueOf('bybit').polls.find((candidate) => candidate.name === 'linear tickers');
    assert.ok(poll?.kind === 'bulk');
    const batch = await poll.collect(answering(httpResponse, contract));
    const theirs = parsedResponse as Record<string, number>;
    const [top] = batch.bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.askPrice, top?.bidSize, batch.dayVolumes[0]?.volume24hUsdt],
      [theirs.bid, theirs.ask, theirs.bidVolume, theirs.quoteVolume],
    );
  });

  test('binance: all 517 running rates and settlement times of the whole recorded premiumIndex are the same', async () => {
    const rows = capture('binance', 'premium_index_full_2025-06-17.json') as { symbol: string }[];
    const contracts = new Map(rows.map((row) => [row.symbol, fakeContract(row.symbol)]));
    const poll = venueOf('binance').polls.find((candidate) => candidate.name === 'usd-m premiumIndex');
    assert.ok(poll?.kind === 'bulk');
    const send = async () => ({ payload: rows, receivedAtMs: 1_750_149_488_000 });
    const { fundingQuotes } = await poll.collect({ send, contracts });
    const ours = new Map(fundingQuotes.map((quote) => [quote.venueSymbol, quote]));
    const exchange = offlineExchange(venueOf('binance'), async () => rows);
    let compared = 0;
    for (const row of rows) {
      const quote = ours.get(row.symbol);
      if (!quote) continue;
      // ccxt's types call the row a text.
      const theirs = exchange.parseFundingRate(row as unknown as string);
      assert.ok(Math.abs(quote.ratePct - Number(theirs.fundingRate) * 100) < 1e-12, row.symbol);
      assert.equal(quote.nextFundingAtMs, theirs.fundingTimestamp, row.symbol);
      compared++;
    }
    assert.equal(compared, 517);
  });

  test('hyperliquid: prints of a recorded history are the same, time for time', async () => {
    const rows = capture('hyperliquid', 'http_funding_history.json') as { time: number; coin: string }[];
    const contract = fakeContract(rows[0]?.coin ?? '');
    const window = { fromMs: 0, toMs: Date.UTC(2100, 0, 1) };
    const { settlements } = await venueOf('hyperliquid').settlements(
      contract,
      window,
      answering(rows, contract),
    );
    const exchange = offlineExchange(venueOf('hyperliquid'), async () => rows);
    exchange.setMarkets([hyperliquidMarket(contract.venueSymbol)]);
    const theirs = await exchange.fetchFundingRateHistory(`${contract.base}/USDC:USDC`);
    assert.ok(settlements.length > 0);
    assert.equal(settlements.length, theirs.length);
    for (const [i, print] of settlements.entries()) {
      assert.equal(print.settledAtMs, theirs[i]?.timestamp);
      assert.ok(Math.abs(print.ratePct / 100 - Number(theirs[i]?.fundingRate)) < 1e-15);
    }
  });

  test('kucoin: ccxt leaves the size of a recorded ticker in contracts of 0.001 BTC, ours is base units', async () => {
    const { httpResponse, parsedResponse } = recorded('kucoin', 'fetchTicker', 'swap');
    const row = (httpResponse as { data: object }).data;
    const contract = { ...fakeContract('XBTUSDTM'), contractSize: 0.001 };
    const poll = venueOf('kucoin').polls.find((candidate) => candidate.gives.includes('bid and ask'));
    assert.ok(poll?.kind === 'bulk');
    const batch = await poll.collect(answering({ code: '200000', data: [row] }, contract));
    const theirs = parsedResponse as Record<string, number>;
    const [top] = batch.bookTops;
    assert.deepEqual([top?.bidPrice, top?.askPrice], [theirs.bid, theirs.ask]);
    assert.ok(Math.abs((top?.bidSize ?? 0) - (theirs.bidVolume ?? 0) * 0.001) < 1e-9);
  });
});

function hyperliquidMarket(coin: string) {
  const symbol = `${coin}/USDC:USDC`;
  return {
    id: coin,
    baseName: coin,
    symbol,
    base: coin,
    quote: 'USDC',
    settle: 'USDC',
    swap: true,
    type: 'swap',
  };
}
