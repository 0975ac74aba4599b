import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { BadReply, isRow } from '../reading.ts';
import {
  parseBestOffers,
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseMarkets,
  parseTickers,
} from './parse.ts';
import { bestOffers } from './stream.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const RECEIVED_AT_MS = 1_794_697_200_500;
const listed = parseMarkets(fixture('market'), RECEIVED_AT_MS);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

suite('CoinEx contracts', () => {
  test('linear and inverse markets are taken, bad rows rejected with a reason', () => {
    assert.deepEqual(
      [...contracts.keys()],
      ['BTCUSDT', 'PEPEUSDT', 'SOLUSDC', 'BTCUSD', 'LEAVEUSDT', 'HALTUSDT', 'GONEUSDT'],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: 'MYSTUSDT', reason: 'unknown status sleeping' },
      { venueSymbol: 'QUANTO', reason: 'neither linear nor inverse' },
      { venueSymbol: null, reason: 'no market' },
    ]);
  });

  test('a linear market settles in its quote, USDC too; only the inverse one in its base', () => {
    const facts = ['BTCUSDT', 'SOLUSDC', 'BTCUSD'].map((symbol) => {
      const { settle, isInverse, contractSize } = contractOf(symbol);
      return [settle, isInverse, contractSize];
    });
    assert.deepEqual(facts, [
      ['USDT', false, 1],
      ['USDC', false, 1],
      ['BTC', true, 1],
    ]);
  });

  test('delisted_at is the scheduled delisting; 0 is none', () => {
    assert.equal(contractOf('LEAVEUSDT').status, 'delisting');
    assert.equal(contractOf('LEAVEUSDT').delistsAtMs, 1_794_996_000_000);
    assert.equal(contractOf('BTCUSDT').delistsAtMs, null);
    assert.equal(contractOf('GONEUSDT').status, 'delisted');
  });

  test('a market that is "online" but not available has ended or is halted, and is not trading', () => {
    assert.equal(contractOf('HALTUSDT').status, 'halted');
    assert.equal(contractOf('HALTUSDT').venueStatus, 'online, not available');
  });

  test('the highest leverage of the list counts, whatever its order; an empty list says nothing', () => {
    assert.equal(contractOf('BTCUSDT').maxLeverage, 100);
    assert.equal(contractOf('LEAVEUSDT').maxLeverage, null);
  });

  test('an error code with HTTP 200 is a bad reply, not an empty list', () => {
    const error = { code: 4004, data: {}, message: 'invalid argument' };
    assert.throws(() => parseMarkets(error, RECEIVED_AT_MS), BadReply);
    assert.throws(() => parseFundingRates(error, context), BadReply);
    assert.throws(() => parseTickers({ code: 0, data: {} }, context), BadReply);
  });
});

suite('CoinEx funding', () => {
  const batch = parseFundingRates(fixture('funding-rate'), context);
  const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('next_funding_rate is the running rate, in percent without float noise; zero is a value', () => {
    assert.equal(quotes.get('BTCUSDT')?.ratePct, 0.01);
    assert.equal(quotes.get('PEPEUSDT')?.ratePct, 0);
    assert.equal(quotes.get('SOLUSDC')?.ratePct, -0.031234);
  });

  test('the upcoming settlement is next_funding_time, never the past latest_funding_time', () => {
    for (const quote of quotes.values()) assert.equal(quote.nextFundingAtMs, 1_794_700_800_000);
  });

  test('the interval is that of each market: 8, 4 and 2 hours, also when the last print is 21 s late', () => {
    assert.equal(quotes.get('BTCUSDT')?.intervalHours, 8);
    assert.equal(quotes.get('SOLUSDC')?.intervalHours, 4);
    assert.equal(quotes.get('PEPEUSDT')?.intervalHours, 2);
  });

  test('without a last settlement the interval is unknown, never 8', () => {
    assert.equal(quotes.get('LEAVEUSDT')?.intervalHours, null);
  });

  test('one new symbol and bad rows never lose the rest of the reply', () => {
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'BTCUSD', reason: 'no rate' },
      { venueSymbol: 'HALTUSDT', reason: 'no next settlement' },
    ]);
  });

  test('the actual rate wins over the theoretical one, and the time stays as the venue stamps it', () => {
    const page = parseFundingHistory(
      {
        code: 0,
        data: [
          {
            market: 'BTCUSDT',
            funding_time: 1_794_672_021_000,
            theoretical_funding_rate: '0.00042',
            actual_funding_rate: '0.000375',
          },
          {
            market: 'BTCUSDT',
            funding_time: 1_794_643_221_000,
            theoretical_funding_rate: '0.00042',
            actual_funding_rate: '0',
          },
          { market: 'BTCUSDT', funding_time: 1_794_614_421_000, theoretical_funding_rate: '0.0001' },
          { market: 'BTCUSDT', funding_time: 'soon', actual_funding_rate: '0.0001' },
        ],
        pagination: { has_next: false },
      },
      { fromMs: 0, toMs: 2_000_000_000_000 },
    );
    assert.deepEqual(
      page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [0.0375, 1_794_672_021_000],
        [0, 1_794_643_221_000],
        [0.01, 1_794_614_421_000],
      ],
    );
    assert.deepEqual(page.rejected, [{ venueSymbol: 'BTCUSDT', reason: 'no rate or time' }]);
  });

  test('a page is continued from its returned timestamps, in whichever order it comes', () => {
    const rows = [1_794_672_021_000, 1_794_664_821_000].map((funding_time) => ({
      market: 'BTCUSDT',
      funding_time,
      actual_funding_rate: '0.0001',
    }));
    const window = { fromMs: 1_794_000_000_000, toMs: 1_794_700_000_000 };
    const reply = (data: object[], has_next: boolean) => ({ code: 0, data, pagination: { has_next } });
    assert.deepEqual(parseFundingHistory(reply(rows, true), window).next, {
      fromMs: window.fromMs,
      toMs: 1_794_664_820_999,
    });
    assert.deepEqual(parseFundingHistory(reply(rows.toReversed(), true), window).next, {
      fromMs: 1_794_672_021_001,
      toMs: window.toMs,
    });
    assert.equal(parseFundingHistory(reply(rows, false), window).next, null);
    assert.equal(parseFundingHistory(reply([], true), window).next, null);
  });
});

suite('CoinEx prices and volumes', () => {
  test('a linear turnover is in quote units, an inverse one counts dollars', () => {
    const batch = parseTickers(
      {
        code: 0,
        data: [
          { market: 'BTCUSDT', last: '96400', volume: '10', value: '964000', volume_buy: '4' },
          { market: 'BTCUSD', last: '96400', volume: '700000', value: '7.26' },
          { market: 'SOLUSDC', last: '187', volume: '10', value: '' },
          { market: 'NEWUSDT', last: '1', volume: '1', value: '1' },
        ],
      },
      context,
    );
    assert.deepEqual(
      batch.dayVolumes.map((row) => [row.venueSymbol, row.volume24hUsdt, row.referencePrice]),
      [
        ['BTCUSDT', 964_000, 96_400],
        ['BTCUSD', 700_000, 96_400],
      ],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'SOLUSDC', reason: 'no volume' }]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('the 24 h taker volumes of a ticker never become book sizes', () => {
    const batch = parseTickers(
      {
        code: 0,
        data: [{ market: 'BTCUSDT', last: '1', value: '1', volume_buy: '9', volume_sell: '8' }],
      },
      context,
    );
    assert.deepEqual(batch.bookTops, []);
  });

  test('linear sizes are base amounts, inverse sizes are dollars over the price', () => {
    const data = {
      best_bid_price: '50000',
      best_bid_size: '100',
      best_ask_price: '50001',
      best_ask_size: '7',
      updated_at: 1_794_697_200_000,
    };
    const linear = parseBestOffers({ market: 'BTCUSDT', ...data }, context).bookTops[0];
    assert.deepEqual([linear?.bidSize, linear?.askSize], [100, 7]);
    const inverse = parseBestOffers({ market: 'BTCUSD', ...data }, context).bookTops[0];
    assert.equal(inverse?.bidSize, 100 / 50_000);
    assert.equal(inverse?.venueTimeMs, 1_794_697_200_000);
  });

  test('crossed and empty quotes are rejected by name', () => {
    const offers = (bid: string, ask: string) =>
      parseBestOffers({ market: 'BTCUSDT', best_bid_price: bid, best_ask_price: ask }, context).rejected[0]
        ?.reason;
    assert.equal(offers('101', '100'), 'crossed book');
    assert.equal(offers('0', '0'), 'no bid or ask');
  });
});

suite('CoinEx stream', () => {
  const session = bestOffers.open([contractOf('BTCUSDT'), contractOf('BTCUSD')]);

  test('one frame subscribes every contract of the socket', () => {
    assert.deepEqual(
      session.opening.map((text) => JSON.parse(text)),
      [{ method: 'bbo.subscribe', params: { market_list: ['BTCUSDT', 'BTCUSD'] }, id: 1 }],
    );
  });

  test('acknowledgements and pongs say nothing; a refusal and an unreadable frame end the connection', () => {
    const ack = { id: 1, code: 0, message: 'OK' };
    const pong = { id: 2, code: 0, data: { result: 'pong' }, message: 'OK' };
    for (const message of [ack, pong]) assert.deepEqual(session.receive(message, context).batch.bookTops, []);
    assert.throws(
      () => session.receive({ id: 1, code: 30002, message: 'unknown method' }, context),
      BadReply,
    );
    assert.throws(() => session.receive('\u001f\ufffd\b', context), BadReply);
  });

  test('halted and ended markets are not subscribed', () => {
    assert.deepEqual(
      [...contracts.values()].filter(bestOffers.applies).map((contract) => contract.venueSymbol),
      ['BTCUSDT', 'PEPEUSDT', 'SOLUSDC', 'BTCUSD', 'LEAVEUSDT'],
    );
  });
});

asSent(
  'coinex',
  {
    market: () => ({
      code: '0',
      data: ccxtInstruments('coinex').filter((info) => isRow(info) && 'contract_type' in info),
    }),
    marketDocumented: () => sample('coinex', 'FuturesApi__ExchangeData__GetSymbols.txt'),
    fundingRateDocumented: () => sample('coinex', 'FuturesApi__ExchangeData__GetFundingRates.txt'),
    tickerDocumented: () => sample('coinex', 'FuturesApi__ExchangeData__GetTickers.txt'),
    fundingRateHistory: () => sample('coinex', 'FuturesApi__ExchangeData__GetFundingRateHistory.txt'),
    depth: () => sample('coinex', 'FuturesApi__ExchangeData__GetOrderBook.txt'),
    bboUpdate: () => sample('coinex', 'ws__FuturesApi__BookPrice.txt'),
  },
  (sent) => {
    const listed = parseMarkets(sent('market'), 0);
    const known = {
      receivedAtMs: Date.UTC(2022, 0, 14, 8),
      contracts: contractsOf(parseMarkets(sent('marketDocumented'), 0), listed)
        .set('LATUSDT', fakeContract('LATUSDT'))
        .set('ELONUSDT', fakeContract('ELONUSDT')),
    };

    test('markets: base units, the largest of the leverages', () => {
      assert.deepEqual(listed.rejected, []);
      assert.deepEqual(
        rowsOf([...known.contracts.values()], 'TRXUSDT', 'ETHUSDT', 'BTCUSDT').map((c) => [
          c.base,
          c.settle,
          c.isInverse,
          c.contractSize,
          c.status,
          c.maxLeverage,
        ]),
        [
          ['TRX', 'USDT', false, 1, 'trading', 50],
          ['ETH', 'USDT', false, 1, 'trading', 100],
          ['BTC', 'USDT', false, 1, 'trading', 100],
        ],
      );
    });

    test('rates: next_funding_rate, though the last one was 0; the interval is next minus last, 8 and 24 hours', () => {
      const read = (call: string) =>
        parseFundingRates(sent(call), known).fundingQuotes.map((q) => [
          q.venueSymbol,
          q.ratePct,
          q.nextFundingAtMs,
          q.intervalHours,
        ]);
      // 1,715,760,000,000 - 1,715,731,200,000 ms are 8 h; 1,642,231,731,234 - 1,642,145,331,234 are 24 h.
      assert.deepEqual(read('fundingRate'), [['BTCUSDT', 0.021074, Date.UTC(2024, 4, 15, 8), 8]]);
      assert.deepEqual(read('fundingRateDocumented'), [
        ['LATUSDT', -0.027732, 1_642_231_731_234, 24],
        ['ELONUSDT', -0.013372, 1_642_231_731_234, 24],
      ]);
    });

    test('tickers: value is the turnover in USDT; volume_buy and volume_sell are no sizes of a book', () => {
      const batch = parseTickers(sent('ticker'), known);
      // value agrees with volume: 2,900.2218 BTC at about 62,140.
      assert.deepEqual(batch.dayVolumes, [
        { venueSymbol: 'BTCUSDT', volume24hUsdt: 180_226_025.697_917_13, referencePrice: 62_480.08 },
      ]);
      assert.deepEqual(batch.bookTops, []);
      const [elon] = rowsOf(parseTickers(sent('tickerDocumented'), known).dayVolumes, 'ELONUSDT');
      assert.deepEqual([elon?.volume24hUsdt, elon?.referencePrice], [13_345.651_224_47, 0.000000152823]);
    });

    test('settled rates: the actual ones, not the theoretical ones', () => {
      const prints = parseFundingHistory(sent('fundingRateHistory'), { fromMs: 0, toMs: 0 });
      assert.deepEqual(
        prints.settlements.map((print) => [print.ratePct, print.settledAtMs]),
        [
          [-0.027732, 1_642_145_331_234],
          [-0.013372, 1_642_145_331_234],
        ],
      );
      assert.equal(prints.next, null);
    });

    test('a book: the level of size 0 is left out', () => {
      const depth = parseDepth(sent('depth'), contractOf('BTCUSDT'));
      assert.deepEqual(
        [depth.bids.length, depth.bids[0], depth.asks.at(-1), depth.venueTimeMs],
        [3, [30_736, 0.04857373], [30_769, 1.45155], 1_689_152_421_692],
      );
    });

    test('a push of best bid and ask', () => {
      const { batch } = bestOffers.open([fakeContract('ETHUSDT')]).receive(sent('bboUpdate'), known);
      assert.deepEqual(batch.bookTops, [
        {
          venueSymbol: 'ETHUSDT',
          bidPrice: 20_000,
          bidSize: 0.1,
          askPrice: 20_001,
          askSize: 0.15,
          venueTimeMs: 1_642_145_331_234,
        },
      ]);
    });
  },
);
