import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { BadReply, isRow } from '../reading.ts';
import {
  parseAnnouncements,
  parseContracts,
  parseDepth,
  parseFundingRates,
  parseSettlements,
  parseTickers,
} from './parse.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));
const reply = (data: unknown) => ({ code: '00000', msg: 'success', requestTime: 1_794_697_200_100, data });

const NOW_MS = 1_794_697_200_500;
const listed = parseContracts(fixture('usdt-instruments'), 'usdt', NOW_MS);
const coinListed = parseContracts(fixture('coin-contracts'), 'coin', NOW_MS);
const contracts = new Map(
  [...(listed.contractList?.contracts ?? []), ...(coinListed.contractList?.contracts ?? [])].map((c) => [
    c.venueSymbol,
    c,
  ]),
);
const context = { receivedAtMs: NOW_MS, contracts };

suite('Bitget contracts', () => {
  test('perpetuals are taken, bad rows rejected with a reason', () => {
    assert.deepEqual(
      listed.contractList?.contracts.map((c) => c.venueSymbol),
      ['BTCUSDT', '1000BONKUSDT', 'LEAVEUSDT', 'BARREDUSDT', 'AGAINUSDT', 'SOONUSDT', 'TSLAUSDT', 'XAUUSDT'],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: 'MYSTUSDT', reason: 'unknown status sleeping' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('F5: a contract is inverse because it settles in its base; dated futures beside it are ignored', () => {
    const inverse = contracts.get('BTCUSD');
    assert.deepEqual(
      [inverse?.isInverse, inverse?.settle, inverse?.quote, inverse?.contractSize],
      [true, 'BTC', 'USD', 1],
    );
    assert.equal(coinListed.ignored.get('dated future'), 1);
    const linear = contracts.get('BTCUSDT');
    assert.deepEqual([linear?.isInverse, linear?.settle, linear?.maxLeverage], [false, 'USDT', 150]);
  });

  test('F1: the multiplier stays in the base as the venue spells it', () => {
    assert.equal(contracts.get('1000BONKUSDT')?.base, '1000BONK');
  });

  test('F3: stocks and metals are separated from coins', () => {
    assert.equal(contracts.get('TSLAUSDT')?.assetClass, 'stock');
    assert.equal(contracts.get('XAUUSDT')?.assetClass, 'commodity');
    assert.equal(contracts.get('BTCUSDT')?.assetClass, 'crypto');
  });

  test('G1: an off time ahead is a scheduled delisting, a barred opening too; -1 is none', () => {
    const leaving = contracts.get('LEAVEUSDT');
    assert.deepEqual([leaving?.status, leaving?.delistsAtMs], ['delisting', 1_794_996_000_000]);
    const barred = contracts.get('BARREDUSDT');
    assert.deepEqual([barred?.status, barred?.delistsAtMs], ['delisting', 1_794_600_000_000]);
    assert.equal(contracts.get('BTCUSDT')?.delistsAtMs, null);
  });

  test('an off time in the past does not end a contract that trades again', () => {
    const again = contracts.get('AGAINUSDT');
    assert.deepEqual([again?.status, again?.delistsAtMs], ['trading', null]);
  });

  test('G4: a contract that is listed but not open is preopen with its opening time', () => {
    const soon = contracts.get('SOONUSDT');
    assert.deepEqual([soon?.status, soon?.listedAtMs], ['preopen', 1_795_000_000_000]);
  });

  test('an error code or another shape is a bad reply, not an empty list', () => {
    const refused = { code: '40019', msg: 'Parameter cannot be empty', requestTime: 1, data: null };
    assert.throws(() => parseContracts(refused, 'usdt', NOW_MS), BadReply);
    assert.throws(() => parseTickers(reply({}), context), BadReply);
    assert.throws(() => parseFundingRates([], context), BadReply);
    assert.throws(() => parseSettlements(refused, { fromMs: 0, toMs: 1 }, 100), BadReply);
  });
});

suite('Bitget funding', () => {
  const batch = parseFundingRates(fixture('usdt-current-fund-rate'), context);
  const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('A1, A4: interval and next settlement come per contract from the venue: 1, 2, 4 and 8 hours', () => {
    assert.deepEqual(
      ['1000BONKUSDT', 'AGAINUSDT', 'LEAVEUSDT', 'BTCUSDT'].map((s) => quotes.get(s)?.intervalHours),
      [1, 2, 4, 8],
    );
    assert.equal(quotes.get('BTCUSDT')?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('C7, B5: percent without float noise, negative rates too, and zero is a value', () => {
    assert.deepEqual(
      ['BTCUSDT', '1000BONKUSDT', 'LEAVEUSDT'].map((s) => quotes.get(s)?.ratePct),
      [0.01, -0.0171, 0],
    );
  });

  test('A7, D4: an empty interval and a next time of "0" are unknown, never 8 hours or 1970', () => {
    const soon = quotes.get('SOONUSDT');
    assert.deepEqual([soon?.intervalHours, soon?.nextFundingAtMs], [null, null]);
  });

  test('one unknown symbol and one bad row never lose the rest of the reply', () => {
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'TSLAUSDT', reason: 'no rate' }]);
    assert.equal(batch.fundingQuotes.length, 5);
  });

  test('F7: every row is keyed by its own symbol, whatever order the venue sends', () => {
    assert.equal(batch.fundingQuotes[0]?.venueSymbol, '1000BONKUSDT');
    assert.equal(quotes.get('BTCUSDT')?.ratePct, 0.01);
  });

  const print = (fundingTime: number, fundingRate = '0.0001') => ({
    symbol: 'BTCUSDT',
    fundingRate,
    fundingTime: String(fundingTime),
  });
  const HOUR = 3_600_000;

  test('E3: pages are walked by number and by the returned times, hourly prints as well as others', () => {
    const window = { fromMs: 1_794_600_000_000, toMs: 1_794_697_200_000 };
    const rows = [0, 1, 2].map((i) => print(1_794_697_200_000 - i * HOUR));
    const first = parseSettlements(reply(rows), window, 3);
    assert.equal(first.settlements.length, 3);
    assert.deepEqual(first.next, {
      fromMs: window.fromMs,
      toMs: 1_794_697_200_000 - 2 * HOUR - 1,
      cursor: '2',
    });
    const second = parseSettlements(
      reply([rows[2], print(1_794_697_200_000 - 3 * HOUR)]),
      first.next ?? window,
      3,
    );
    assert.deepEqual(
      second.settlements.map((s) => s.settledAtMs),
      [1_794_697_200_000 - 3 * HOUR],
      'a row that a new print pushed to the next page comes once',
    );
    assert.equal(second.next, null, 'a short page is the last');
  });

  test('a window of the past skips newer pages and stops behind its beginning', () => {
    const window = { fromMs: 1_794_000_000_000, toMs: 1_794_100_000_000 };
    const newer = parseSettlements(reply([print(1_794_697_200_000)]), window, 1);
    assert.deepEqual([newer.settlements, newer.next?.toMs, newer.next?.cursor], [[], window.toMs, '2']);
    assert.equal(parseSettlements(reply([print(1_793_990_000_000)]), window, 1).next, null);
  });

  test('E5: an empty history is no print at all, a bad print is rejected', () => {
    const window = { fromMs: 0, toMs: NOW_MS };
    assert.deepEqual(parseSettlements(reply([]), window, 100), { settlements: [], rejected: [], next: null });
    const page = parseSettlements(reply([print(1_794_697_200_000, ''), print(0)]), window, 100);
    assert.deepEqual(
      page.rejected.map((r) => r.reason),
      ['no rate or time', 'no rate or time'],
    );
  });
});

suite('Bitget prices and volumes', () => {
  const batch = parseTickers(fixture('usdt-tickers'), context);

  test('sizes are base units, missing and zero sizes are unknown', () => {
    assert.deepEqual(batch.bookTops[0], {
      venueSymbol: 'BTCUSDT',
      bidPrice: 96_400.1,
      bidSize: 1.25,
      askPrice: 96_400.2,
      askSize: 0.75,
      venueTimeMs: 1_794_697_200_090,
    });
    assert.deepEqual([batch.bookTops[1]?.bidSize, batch.bookTops[1]?.askSize], [null, null]);
  });

  test('F8: the turnover is taken in USDT, also of a coin-settled contract, whose sizes stay in coins', () => {
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 4_820_000_000.5);
    assert.equal(batch.dayVolumes[1]?.volume24hUsdt, 0, 'zero is a value');
    const coin = parseTickers(
      reply([
        {
          symbol: 'BTCUSD',
          lastPr: '96400',
          bidPr: '96400',
          askPr: '96401',
          bidSz: '0.5',
          askSz: '2',
          baseVolume: '10',
          usdtVolume: '964000',
        },
      ]),
      context,
    );
    assert.equal(coin.dayVolumes[0]?.volume24hUsdt, 964_000);
    assert.equal(coin.bookTops[0]?.bidSize, 0.5);
  });

  test('crossed and empty quotes and a missing volume are rejected by name; an unopened contract is not', () => {
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'LEAVEUSDT', reason: 'crossed book' },
      { venueSymbol: 'TSLAUSDT', reason: 'no bid or ask' },
      { venueSymbol: 'XAUUSDT', reason: 'no volume' },
    ]);
    assert.equal(batch.ignored.get('not open yet'), 1);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('a book is sorted best first; bad levels are left out', () => {
    const btc = contracts.get('BTCUSDT');
    assert.ok(btc);
    const depth = parseDepth(
      reply({
        asks: [
          [101, 2],
          [100.5, 1],
          [0, 5],
        ],
        bids: [
          [99, 3],
          ['x', 1],
        ],
        ts: '1794697200090',
      }),
      btc,
    );
    assert.deepEqual(depth.asks, [
      [100.5, 1],
      [101, 2],
    ]);
    assert.deepEqual(depth.bids, [[99, 3]]);
  });
});

suite('Bitget announcements', () => {
  test('a notice keeps its id, category, address and time; the deprecated text may be empty', () => {
    const batch = parseAnnouncements(
      reply([
        {
          annId: '12560603900001',
          annTitle: 'Bitget to delist LEAVEUSDT perpetual futures',
          annDesc: '',
          cTime: '1794650000000',
          language: 'en_US',
          annUrl: 'https://www.bitget.com/support/articles/12560603900001',
          annType: 'symbol_delisting',
          annSubType: 'trading_pair_delisting',
        },
        { annId: '2', annTitle: '', cTime: '1794650000000' },
        { annTitle: 'no id' },
      ]),
    );
    assert.deepEqual(batch.announcements, [
      {
        id: '12560603900001',
        title: 'Bitget to delist LEAVEUSDT perpetual futures',
        body: null,
        category: 'symbol_delisting,trading_pair_delisting',
        url: 'https://www.bitget.com/support/articles/12560603900001',
        publishedAtMs: 1_794_650_000_000,
      },
    ]);
    assert.deepEqual(
      batch.rejected.map((r) => r.reason),
      ['notice without id, title or time', 'notice without id, title or time'],
    );
  });
});

const rowsWith = (quote: string) => () =>
  reply(
    ccxtInstruments('bitget').filter((row) => isRow(row) && 'symbolStatus' in row && row.quoteCoin === quote),
  );

asSent(
  'bitget',
  {
    contracts: rowsWith('USDT'),
    coinContracts: rowsWith('USD'),
    instruments: () => sample('bitget', 'Unified__ExchangeData__GetFuturesSymbols.txt'),
    classicFundRate: () => sample('bitget', 'Futures__ExchangeData__GetFundingRate.txt'),
    fundRate: () => sample('bitget', 'Unified__ExchangeData__GetFundingRate.txt'),
    tickers: () => sample('bitget', 'Futures__ExchangeData__GetTickers.txt'),
    historyFundRate: () => sample('bitget', 'Futures__ExchangeData__GetHistoricalFundingRate.txt'),
    mergeDepth: () => sample('bitget', 'Futures__ExchangeData__GetOrderBook.txt'),
  },
  (sent) => {
    test('contracts: quantities are coins, sizeMultiplier is only the step; -1 and "" are no times', () => {
      const linear = parseContracts(sent('contracts'), 'usdt', NOW_MS);
      const coin = parseContracts(sent('coinContracts'), 'coin', NOW_MS);
      assert.deepEqual([...linear.rejected, ...coin.rejected], []);
      assert.deepEqual(
        [
          ...rowsOf(linear.contractList?.contracts ?? [], 'ADAUSDT'),
          ...rowsOf(coin.contractList?.contracts ?? [], 'BTCUSD'),
        ].map((c) => [
          c.settle,
          c.isInverse,
          c.contractSize,
          c.intervalHours,
          c.maxLeverage,
          c.status,
          c.delistsAtMs,
        ]),
        [
          ['USDT', false, 1, 8, 75, 'trading', null],
          ['BTC', true, 1, 8, 125, 'trading', null],
        ],
      );
    });

    test('the unified list has other names: type, status online, maxLeverage', () => {
      const [btc] = parseContracts(sent('instruments'), 'usdt', NOW_MS).contractList?.contracts ?? [];
      assert.deepEqual(
        [
          btc?.venueSymbol,
          btc?.maxLeverage,
          btc?.intervalHours,
          btc?.status,
          btc?.assetClass,
          btc?.listedAtMs,
        ],
        ['BTCUSDT', 150, 8, 'trading', 'crypto', null],
      );
    });

    test('current-fund-rate: interval and time where the reply has them, else unknown', () => {
      const quotesOf = (call: string) =>
        parseFundingRates(sent(call), context).fundingQuotes.map((q) => [
          q.ratePct,
          q.intervalHours,
          q.nextFundingAtMs,
        ]);
      assert.deepEqual(quotesOf('fundRate'), [[0.0071, 8, Date.UTC(2025, 2, 27, 8)]]);
      assert.deepEqual(quotesOf('classicFundRate'), [[0.05, null, null]]);
    });

    test('a coin-margined ticker without trades: volume 0, sizes in coins; a dated future is not listed', () => {
      const batch = parseTickers(sent('tickers'), context);
      assert.deepEqual(batch.dayVolumes, [
        { venueSymbol: 'BTCUSD', volume24hUsdt: 0, referencePrice: 29_904.5 },
      ]);
      assert.deepEqual(batch.bookTops, [
        {
          venueSymbol: 'BTCUSD',
          bidPrice: 29_903.5,
          bidSize: 0.5091,
          askPrice: 29_904.5,
          askSize: 2.2694,
          venueTimeMs: 1_695_794_271_400,
        },
      ]);
      assert.equal(batch.ignored.get('not in the contract list'), 1);
    });

    test('settled rates, one of them at 01:00', () => {
      const window = { fromMs: 1_600_000_000_000, toMs: NOW_MS };
      const { settlements } = parseSettlements(sent('historyFundRate'), window, 100);
      assert.deepEqual(
        settlements.map((p) => [p.ratePct, p.settledAtMs]),
        [
          [0.05, Date.UTC(2023, 8, 27, 1)],
          [0.0013, Date.UTC(2023, 8, 26, 8)],
        ],
      );
    });

    test('a book', () => {
      const depth = parseDepth(sent('mergeDepth'), rowOfSymbol([...contracts.values()], 'BTCUSDT'));
      assert.deepEqual(
        [depth.bids, depth.asks, depth.venueTimeMs],
        [
          [
            [26_346.5, 0.16],
            [26_346, 0.32],
          ],
          [
            [26_347.5, 0.25],
            [26_348, 0.16],
          ],
          1_695_870_968_804,
        ],
      );
    });
  },
);
