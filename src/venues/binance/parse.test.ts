import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { capture, ccxtInstruments, ccxtReplies, sample } from '../../../test/support/recordings.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import {
  parseBookTickers,
  parseDayTickers,
  parseDepth,
  parseExchangeInfo,
  parseFundingInfo,
  parseFundingRates,
  parsePremiumIndex,
} from './parse.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const listed = parseExchangeInfo(fixture('usd-m-exchange-info'), 'usd-m');
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: 1_794_697_200_500, contracts };

const COIN_M: Contract = {
  venueSymbol: 'BTCUSD_PERP',
  base: 'BTC',
  quote: 'USD',
  settle: 'BTC',
  isInverse: true,
  contractSize: 100,
  status: 'trading',
  venueStatus: 'TRADING',
  assetClass: 'crypto',
  listedAtMs: null,
  delistsAtMs: null,
  maxLeverage: null,
  intervalHours: null,
};
const coinMContext = { receivedAtMs: 0, contracts: new Map([[COIN_M.venueSymbol, COIN_M]]) };

suite('Binance contracts', () => {
  test('perpetuals are taken, dated futures ignored, bad rows rejected with a reason', () => {
    assert.deepEqual([...contracts.keys()], ['BTCUSDT', '1000PEPEUSDT', 'LEAVEUSDT', 'SOONUSDT', 'TSLAUSDT']);
    assert.equal(listed.ignored.get('dated future'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: 'MYSTUSDT', reason: 'unknown status SLEEPING' },
    ]);
  });

  test('a delivery date on a perpetual is its scheduled delisting', () => {
    const leaving = contracts.get('LEAVEUSDT');
    assert.equal(leaving?.status, 'delisting');
    assert.equal(leaving?.delistsAtMs, 1_794_996_000_000);
    assert.equal(contracts.get('BTCUSDT')?.delistsAtMs, null);
  });

  test('a contract pending trading is preopen with its opening time', () => {
    assert.equal(contracts.get('SOONUSDT')?.status, 'preopen');
    assert.equal(contracts.get('SOONUSDT')?.listedAtMs, 1_795_000_000_000);
  });

  test('a stock perpetual is separated from coins by its asset class', () => {
    assert.equal(contracts.get('TSLAUSDT')?.assetClass, 'stock');
    assert.equal(contracts.get('BTCUSDT')?.assetClass, 'crypto');
  });

  test('a reply of another shape is a bad reply, not an empty list', () => {
    assert.throws(() => parseExchangeInfo({ code: -1003, msg: 'Too many requests' }, 'usd-m'), BadReply);
    assert.throws(() => parsePremiumIndex({ code: -1003 }, context), BadReply);
  });
});

suite('Binance funding', () => {
  test('lastFundingRate is the running rate, in percent without float noise; zero is a value', () => {
    const batch = parsePremiumIndex(fixture('usd-m-premium-index'), context);
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct]),
      [
        ['BTCUSDT', 0.01],
        ['1000PEPEUSDT', -0.031234],
        ['LEAVEUSDT', 0],
      ],
    );
    assert.equal(batch.fundingQuotes[0]?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('one unknown new symbol and one bad row never lose the rest of the reply', () => {
    const batch = parsePremiumIndex(fixture('usd-m-premium-index'), context);
    assert.equal(batch.ignored.get('not in the contract list'), 2);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'TSLAUSDT', reason: 'no rate' }]);
  });

  test('a contract absent from fundingInfo settles every 8 hours, an adjusted one as listed', () => {
    const batch = parseFundingInfo([{ symbol: '1000PEPEUSDT', fundingIntervalHours: 4 }], context, 'usd-m');
    const hours = new Map(
      batch.fundingSchedules.map((schedule) => [schedule.venueSymbol, schedule.intervalHours]),
    );
    assert.equal(hours.get('1000PEPEUSDT'), 4);
    assert.equal(hours.get('BTCUSDT'), 8);
  });

  test('A7: a contract whose fundingInfo row cannot be read has no interval, never 8', () => {
    const batch = parseFundingInfo([{ symbol: 'BTCUSDT', fundingIntervalHours: null }], context, 'usd-m');
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTCUSDT', reason: 'no interval' }]);
    assert.ok(batch.fundingSchedules.some((schedule) => schedule.venueSymbol === '1000PEPEUSDT'));
    assert.ok(!batch.fundingSchedules.some((schedule) => schedule.venueSymbol === 'BTCUSDT'));
  });

  test('a full page continues after its last timestamp, a short one ends', () => {
    const rows = [1_794_672_000_011, 1_794_675_600_004].map((fundingTime) => ({
      symbol: 'BTCUSDT',
      fundingTime,
      fundingRate: '0.0001',
    }));
    const window = { toMs: 1_794_700_000_000 };
    assert.deepEqual(parseFundingRates(rows, window, 2).next, {
      fromMs: 1_794_675_600_005,
      toMs: window.toMs,
    });
    assert.equal(parseFundingRates(rows, window, 3).next, null);
  });
});

suite('Binance prices and volumes', () => {
  test('an inverse size is contracts times face value over price, and its turnover the face value', () => {
    const top = parseBookTickers(
      [
        {
          symbol: 'BTCUSD_PERP',
          bidPrice: '50000',
          bidQty: '10',
          askPrice: '50001',
          askQty: '5',
          time: 1_794_697_200_000,
        },
      ],
      coinMContext,
    ).bookTops[0];
    assert.equal(top?.bidSize, (10 * 100) / 50_000);
    const volume = parseDayTickers(
      [{ symbol: 'BTCUSD_PERP', lastPrice: '50000', volume: '7000', baseVolume: '14' }],
      coinMContext,
    );
    assert.equal(volume.dayVolumes[0]?.volume24hUsdt, 700_000);
  });

  test('crossed and zero quotes are rejected by name', () => {
    const row = { symbol: 'BTCUSDT', bidQty: '1', askQty: '1', time: 0 };
    const batch = parseBookTickers(
      [
        { ...row, bidPrice: '101', askPrice: '100' },
        { ...row, bidPrice: '0', askPrice: '0' },
      ],
      context,
    );
    assert.deepEqual(
      batch.rejected.map((r) => r.reason),
      ['crossed book', 'no bid or ask'],
    );
  });
});

/** The venue's documentation of each call names the unit of each field; the values below are worked out from it. */
asSent(
  'binance',
  {
    premiumIndex: () => capture('binance', 'premium_index_full_2025-06-17.json'),
    exchangeInfo: () => ({ symbols: ccxtInstruments('binance') }),
    coinExchangeInfo: () => ({ symbols: ccxtInstruments('binance') }),
    exchangeInfoDocumented: () => sample('binance', 'UsdFutures__ExchangeData__GetExchangeInfo.txt'),
    fundingInfo: () => sample('binance', 'UsdFutures__ExchangeData__GetFundingInfo.txt'),
    depth: () => ccxtReplies('binance', 'fetchOrderBook')[1]?.httpResponse,
  },
  (reply) => {
    const dated = { ...COIN_M, venueSymbol: 'BTCUSD_200626' };
    const datedSeptember = { ...COIN_M, venueSymbol: 'BTCUSD_200925' };
    const linear = ['BLZUSDT', 'BTCUSDT'].map(fakeContract);
    const known = {
      receivedAtMs: 0,
      contracts: new Map([...linear, COIN_M, dated, datedSeptember].map((c) => [c.venueSymbol, c])),
    };

    test('premiumIndex: fractions become percent; settlements are 1, 2 and 8 hours away; a dated future has none', () => {
      const rows = reply('premiumIndex') as { symbol: string; nextFundingTime: number }[];
      const contracts = new Map(rows.map(({ symbol }) => [symbol, fakeContract(symbol)]));
      const batch = parsePremiumIndex(rows, { receivedAtMs: 1_750_149_488_000, contracts });
      const symbols = ['BTCUSDT', '1000PEPEUSDT', 'AXLUSDT', 'FLMUSDT', 'ALPACAUSDT'];
      assert.deepEqual(
        rowsOf(batch.fundingQuotes, ...symbols).map((q) => [q.ratePct, q.nextFundingAtMs, q.intervalHours]),
        [
          [0.004758, Date.UTC(2025, 5, 17, 16), undefined],
          [0.000379, Date.UTC(2025, 5, 17, 16), undefined],
          [-0.014066, Date.UTC(2025, 5, 17, 9), undefined],
          [0.0025, Date.UTC(2025, 5, 17, 10), undefined],
          [0, Date.UTC(2025, 5, 17, 9), undefined],
        ],
      );
      assert.deepEqual(rowsOf(batch.marketFigures, '1000PEPEUSDT'), [
        {
          venueSymbol: '1000PEPEUSDT',
          markPrice: 0.0105177,
          indexPrice: 0.01052215,
          openInterestUsdt: null,
        },
      ]);
      assert.equal(batch.fundingQuotes.length, rows.filter((row) => row.nextFundingTime > 0).length);
      assert.ok(batch.rejected.some(({ venueSymbol }) => venueSymbol === 'BTCUSDT_250627'));
      for (const { nextFundingAtMs, venueSymbol } of batch.fundingQuotes) {
        const hours = ((nextFundingAtMs ?? 0) - 1_750_149_488_000) / 3_600_000;
        assert.ok(hours > 0 && hours <= 8, `${venueSymbol} settles in ${hours} h`);
      }
    });

    test('contracts: base units in USDT, contracts of 100 and 10 dollars in coins; the far delivery date is no end', () => {
      const list = parseExchangeInfo(reply('exchangeInfo'), 'usd-m').contractList?.contracts ?? [];
      const [btc] = rowsOf(list, 'BTCUSDT');
      assert.deepEqual(
        [btc?.settle, btc?.isInverse, btc?.contractSize, btc?.status, btc?.listedAtMs, btc?.delistsAtMs],
        ['USDT', false, 1, 'trading', Date.UTC(2019, 8, 25, 8), null],
      );
      const coinList = parseExchangeInfo(reply('coinExchangeInfo'), 'coin-m').contractList?.contracts ?? [];
      assert.deepEqual(
        rowsOf(coinList, 'BTCUSD_PERP', 'ETHUSD_PERP').map((c) => [c.settle, c.isInverse, c.contractSize]),
        [
          ['BTC', true, 100],
          ['ETH', true, 10],
        ],
      );
    });

    test('documented contracts: a perpetual since 2020, and a quarterly future that is left out', () => {
      const [blz] = parseExchangeInfo(reply('exchangeInfoDocumented'), 'usd-m').contractList?.contracts ?? [];
      assert.deepEqual(
        [blz?.base, blz?.status, blz?.listedAtMs],
        ['BLZ', 'trading', Date.UTC(2020, 7, 24, 7)],
      );
      const { contractList, ignored } = parseExchangeInfo(reply('coinExchangeInfoDocumented'), 'coin-m');
      assert.deepEqual([contractList?.contracts, ignored.get('dated future')], [[], 1]);
    });

    test('fundingInfo gives hours; a contract that is not in it settles every 8', () => {
      const { fundingSchedules } = parseFundingInfo(reply('fundingInfo'), known, 'usd-m');
      const hours = rowsOf(fundingSchedules, 'BLZUSDT', 'BTCUSDT').map((s) => s.intervalHours);
      assert.deepEqual(hours, [8, 8]);
    });

    test('USDT: quoteVolume is the turnover, sizes are coins', () => {
      assert.deepEqual(parseDayTickers(reply('ticker24hr'), known).dayVolumes, [
        { venueSymbol: 'BTCUSDT', volume24hUsdt: 15.3, referencePrice: 4.000002 },
      ]);
      assert.deepEqual(parseBookTickers(reply('bookTicker'), known).bookTops, [
        {
          venueSymbol: 'BTCUSDT',
          bidPrice: 4,
          bidSize: 431,
          askPrice: 4.000002,
          askSize: 9,
          venueTimeMs: 1_589_437_530_011,
        },
      ]);
      const depth = parseDepth(reply('depth'), fakeContract('BTCUSDT'));
      assert.deepEqual(
        [depth.bids[0], depth.bids[4], depth.asks[0], depth.venueTimeMs],
        [[42_651.1, 470.672], [42_609.8, 93.162], [42_878, 7.011], 1_706_803_917_264],
      );
    });

    test('coin-margined: contracts of 100 dollars each; the rate of a dated future is empty', () => {
      const { fundingQuotes, rejected } = parsePremiumIndex(reply('coinPremiumIndex'), known);
      assert.deepEqual(
        fundingQuotes.map((q) => [q.venueSymbol, q.ratePct, q.nextFundingAtMs]),
        [['BTCUSD_PERP', 0.071003, Date.UTC(2020, 6, 30, 8)]],
      );
      assert.deepEqual(rejected, [{ venueSymbol: 'BTCUSD_200925', reason: 'no rate' }]);
      // 494,109 contracts × 100 USD. baseVolume beside it says the same: 5,192.94797687 BTC × 9,515 is 49.41 million.
      assert.equal(parseDayTickers(reply('coinTicker24hr'), known).dayVolumes[0]?.volume24hUsdt, 49_410_900);
      // 16 contracts × 100 USD / 9,650.1 = 0.165801...; 7 × 100 / 9,650.3 = 0.072536...
      const [top] = parseBookTickers(reply('coinBookTicker'), known).bookTops;
      assert.deepEqual([top?.bidSize?.toFixed(6), top?.askSize?.toFixed(6)], ['0.165801', '0.072537']);
      // 431 × 100 / 9,638 = 4.471882...
      const depth = parseDepth(reply('coinDepth'), COIN_M);
      assert.deepEqual([depth.bids[0]?.[0], depth.bids[0]?.[1].toFixed(6)], [9638, '4.471882']);
    });

    test('settled rates', () => {
      const prints = (call: string) =>
        parseFundingRates(reply(call), { toMs: 0 }, 1000).settlements.map((p) => [p.ratePct, p.settledAtMs]);
      assert.deepEqual(prints('fundingRate'), [
        [0.01, Date.UTC(2023, 9, 31, 16)],
        [0.01, Date.UTC(2023, 10, 1)],
      ]);
      assert.deepEqual(prints('coinFundingRate'), [
        [-0.3, Date.UTC(2023, 9, 31, 16)],
        [-0.3, Date.UTC(2023, 10, 1)],
      ]);
    });
  },
);
