import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { ccxtInstruments, recordingsMissing, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
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

suite('CoinEx recordings', { skip: recordingsMissing }, () => {
  const file = (name: string) => sample('coinex', `FuturesApi__ExchangeData__${name}.txt`);
  const lat = { ...contractOf('PEPEUSDT'), venueSymbol: 'LATUSDT', base: 'LAT' };
  const elon = { ...lat, venueSymbol: 'ELONUSDT', base: 'ELON' };
  const eth = { ...lat, venueSymbol: 'ETHUSDT', base: 'ETH' };
  const known = {
    receivedAtMs: 1_642_145_400_000,
    contracts: new Map([lat, elon, eth].map((contract) => [contract.venueSymbol, contract])),
  };

  test('recorded instruments', () => {
    const futures = ccxtInstruments('coinex').filter(
      (info) => (info as object) && 'contract_type' in (info as object),
    );
    const batch = parseMarkets({ code: '0', data: futures }, 0);
    assert.deepEqual(batch.rejected, []);
    assert.equal(batch.contractList?.contracts.length, 6);
    const ltc = batch.contractList?.contracts.find((contract) => contract.venueSymbol === 'LTCUSDT');
    assert.deepEqual([ltc?.base, ltc?.settle, ltc?.status, ltc?.maxLeverage], ['LTC', 'USDT', 'trading', 50]);
  });

  test('documentation samples of every call', () => {
    const btc = parseMarkets(file('GetSymbols'), 0).contractList?.contracts[0];
    assert.deepEqual([btc?.venueSymbol, btc?.isInverse, btc?.maxLeverage], ['BTCUSDT', false, 100]);

    const quotes = parseFundingRates(file('GetFundingRates'), known).fundingQuotes;
    assert.deepEqual(
      quotes.map((q) => [q.venueSymbol, q.ratePct, q.nextFundingAtMs, q.intervalHours]),
      [
        ['LATUSDT', -0.027732, 1_642_231_731_234, 24],
        ['ELONUSDT', -0.013372, 1_642_231_731_234, 24],
      ],
    );

    const volumes = parseTickers(file('GetTickers'), known).dayVolumes;
    assert.deepEqual(
      volumes.map((v) => [v.volume24hUsdt, v.referencePrice]),
      [
        [6689.21644207, 0.008157],
        [13345.65122447, 0.000000152823],
      ],
    );

    const prints = parseFundingHistory(file('GetFundingRateHistory'), { fromMs: 0, toMs: 0 });
    assert.deepEqual(
      prints.settlements.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [-0.027732, 1_642_145_331_234],
        [-0.013372, 1_642_145_331_234],
      ],
    );
    assert.equal(prints.next, null);

    const depth = parseDepth(file('GetOrderBook'), contractOf('BTCUSDT'));
    assert.deepEqual(depth.bids[0], [30_736, 0.04857373]);
    assert.deepEqual(depth.asks.at(-1), [30_769, 1.45155]);
    assert.equal(depth.bids.length, 3);
    assert.equal(depth.venueTimeMs, 1_689_152_421_692);
  });

  test('the documented push of best bid and ask', () => {
    const { batch } = bestOffers
      .open([eth])
      .receive(sample('coinex', 'ws__FuturesApi__BookPrice.txt'), known);
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
});
