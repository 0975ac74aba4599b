import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { capture, ccxtInstruments, recordingsMissing, sample } from '../../../test/support/recordings.ts';
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

suite('Binance recordings', { skip: recordingsMissing }, () => {
  test('the whole recorded premiumIndex: 517 perpetuals, 4 dated futures, next settlements 1 to 8 hours away', () => {
    const rows = capture('binance', 'premium_index_full_2025-06-17.json') as { symbol: string }[];
    const all = new Map(
      rows.map((row) => [row.symbol, { ...COIN_M, venueSymbol: row.symbol, isInverse: false }]),
    );
    const batch = parsePremiumIndex(rows, { receivedAtMs: 1_750_149_488_000, contracts: all });
    assert.equal(batch.fundingQuotes.length, 517);
    assert.equal(batch.rejected.length, 4);
    for (const quote of batch.fundingQuotes) {
      assert.ok(Math.abs(quote.ratePct) <= 3, `${quote.venueSymbol} ${quote.ratePct}`);
      const hours = ((quote.nextFundingAtMs ?? 0) - 1_750_149_488_000) / 3_600_000;
      assert.ok(hours > 0 && hours <= 8, `${quote.venueSymbol} settles in ${hours} h`);
    }
  });

  test('recorded instruments', () => {
    const usdM =
      parseExchangeInfo({ symbols: ccxtInstruments('binance') }, 'usd-m').contractList?.contracts ?? [];
    assert.ok(usdM.some((contract) => contract.venueSymbol === 'BTCUSDT' && contract.settle === 'USDT'));
    const coinM =
      parseExchangeInfo({ symbols: ccxtInstruments('binance') }, 'coin-m').contractList?.contracts ?? [];
    const inverse = coinM.find((contract) => contract.venueSymbol === 'BTCUSD_PERP');
    assert.deepEqual([inverse?.isInverse, inverse?.contractSize], [true, 100]);
  });

  test('documentation samples of every call', () => {
    const blz = { ...COIN_M, venueSymbol: 'BLZUSDT', isInverse: false, contractSize: 1 };
    const btc = { ...blz, venueSymbol: 'BTCUSDT' };
    const dated = { ...COIN_M, venueSymbol: 'BTCUSD_200626' };
    const known = {
      receivedAtMs: 0,
      contracts: new Map([blz, btc, COIN_M, dated].map((c) => [c.venueSymbol, c])),
    };
    const listedSample = parseExchangeInfo(
      sample('binance', 'UsdFutures__ExchangeData__GetExchangeInfo.txt'),
      'usd-m',
    );
    assert.equal(listedSample.contractList?.contracts[0]?.base, 'BLZ');
    const info = parseFundingInfo(
      sample('binance', 'UsdFutures__ExchangeData__GetFundingInfo.txt'),
      known,
      'usd-m',
    );
    assert.equal(info.fundingSchedules.find((s) => s.venueSymbol === 'BLZUSDT')?.intervalHours, 8);
    const day = parseDayTickers([sample('binance', 'UsdFutures__ExchangeData__GetTicker.txt')], known);
    assert.equal(day.dayVolumes[0]?.volume24hUsdt, 15.3);
    const top = parseBookTickers([sample('binance', 'UsdFutures__ExchangeData__GetBookPrice.txt')], known)
      .bookTops[0];
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize], [4, 431, 4.000002, 9]);
    const coinTop = parseBookTickers(sample('binance', 'CoinFutures__ExchangeData__GetBookPrices.txt'), known)
      .bookTops[0];
    assert.equal(coinTop?.bidSize, (16 * 100) / 9650.1);
    const coinQuotes = parsePremiumIndex(
      sample('binance', 'CoinFutures__ExchangeData__GetMarkPrices.txt'),
      known,
    );
    assert.equal(coinQuotes.fundingQuotes[0]?.ratePct, 0.071003);
    const prints = parseFundingRates(
      sample('binance', 'UsdFutures__ExchangeData__GetFundingRates.txt'),
      { toMs: 0 },
      1000,
    );
    assert.deepEqual(
      prints.settlements.map((p) => [p.ratePct, p.settledAtMs]),
      [
        [0.01, 1_698_768_000_000],
        [0.01, 1_698_796_800_000],
      ],
    );
    const depth = parseDepth(sample('binance', 'UsdFutures__ExchangeData__GetOrderBook.txt'), btc);
    assert.deepEqual([depth.bids, depth.asks], [[[4, 431]], [[4.000002, 12]]]);
  });
});
