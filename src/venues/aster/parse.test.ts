import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { sample } from '../../../test/support/recordings.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import {
  parseBookTickers,
  parseDayTickers,
  parseDepth,
  parseFundingRates,
  parsePremiumIndex,
} from '../binance/parse.ts';
import { BadReply } from '../reading.ts';
import { parseExchangeInfo, parseFundingInfo, parseNotices } from './parse.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const listed = parseExchangeInfo(fixture('exchange-info'));
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: 1_794_697_200_500, contracts };

suite('Aster contracts', () => {
  test('perpetuals are taken, dated futures ignored, bad rows rejected with a reason', () => {
    assert.deepEqual(
      [...contracts.keys()],
      [
        'BTCUSDT',
        '1000PEPEUSDT',
        'BTCUSD1',
        'LEAVEUSDT',
        'SOONUSDT',
        'TSLAUSDT',
        'XAGUSDT',
        'EURUSDT',
        'PAXGUSDT',
      ],
    );
    assert.equal(listed.ignored.get('dated future'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: 'MYSTUSDT', reason: 'unknown status SLEEPING' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('F1: the base keeps its multiplier as the venue spells it', () => {
    assert.equal(contracts.get('1000PEPEUSDT')?.base, '1000PEPE');
    assert.equal(contracts.get('1000PEPEUSDT')?.contractSize, 1);
  });

  test('F3: sub-type and channel mark stocks, commodities and currencies; a gold token is a coin', () => {
    const classOf = (symbol: string) => contracts.get(symbol)?.assetClass;
    assert.deepEqual(['BTCUSDT', 'TSLAUSDT', 'XAGUSDT', 'EURUSDT', 'PAXGUSDT'].map(classOf), [
      'crypto',
      'stock',
      'commodity',
      'forex',
      'crypto',
    ]);
  });

  test('symbolType 1 marks what is no coin, also under a tag that nobody knows yet', () => {
    const [row] = (fixture('exchange-info') as { symbols: object[] }).symbols;
    const classOf = (fields: object) =>
      parseExchangeInfo({ symbols: [{ ...row, ...fields }] }).contractList?.contracts[0]?.assetClass;
    assert.equal(classOf({ symbolType: 1, underlyingSubType: ['brand-new'] }), 'stock');
    assert.equal(classOf({ symbolType: 1, underlyingSubType: ['Commodities'] }), 'commodity');
    assert.equal(classOf({ symbolType: 1, underlyingSubType: ['pre-launch', 'STOCK'] }), 'stock');
    assert.equal(classOf({ symbolType: 1, baseAsset: 'PAXG' }), 'crypto');
    assert.equal(classOf({ symbolType: 0, underlyingSubType: ['brand-new'] }), 'crypto');
  });

  test('a delivery date on a perpetual is its scheduled delisting', () => {
    const leaving = contracts.get('LEAVEUSDT');
    assert.deepEqual([leaving?.status, leaving?.delistsAtMs], ['delisting', 1_794_996_000_000]);
    assert.equal(contracts.get('BTCUSDT')?.delistsAtMs, null);
  });

  test('a contract pending trading is preopen with its opening time, also while it has no type yet', () => {
    const soon = contracts.get('SOONUSDT');
    assert.deepEqual([soon?.status, soon?.listedAtMs], ['preopen', 1_795_000_000_000]);
  });

  test('an error body is a bad reply, not an empty list', () => {
    assert.throws(() => parseExchangeInfo({ code: -1003, msg: 'Too many requests' }), BadReply);
    assert.throws(() => parseFundingInfo({ code: -1003 }, context), BadReply);
  });
});

suite('Aster funding', () => {
  const quoted = parsePremiumIndex(fixture('premium-index'), context);

  test('B1, C7: lastFundingRate is what nextFundingTime will settle, in percent without float noise; zero is a value', () => {
    assert.deepEqual(
      quoted.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct, quote.nextFundingAtMs]),
      [
        ['BTCUSDT', 0.01, 1_794_700_800_000],
        ['1000PEPEUSDT', -0.031234, 1_794_700_800_000],
        ['XAGUSDT', 0, 1_794_700_800_000],
      ],
    );
  });

  test('G1: a delisted symbol that keeps answering is not taken; a bad row costs only itself', () => {
    assert.equal(quoted.ignored.get('not in the contract list'), 1);
    assert.deepEqual(quoted.rejected, [
      { venueSymbol: 'TSLAUSDT', reason: 'no rate' },
      { venueSymbol: 'EURUSDT', reason: 'no next settlement' },
    ]);
  });

  test('A1, A8: every contract has its own interval from fundingInfo; one that is absent has none, never 8', () => {
    const batch = parseFundingInfo(fixture('funding-info'), context);
    assert.deepEqual(
      batch.fundingSchedules.map((schedule) => [schedule.venueSymbol, schedule.intervalHours]),
      [
        ['BTCUSDT', 8],
        ['1000PEPEUSDT', 4],
        ['XAGUSDT', 1],
      ],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'TSLAUSDT', reason: 'no interval' }]);
  });

  test('D2, E3: a full page continues after its last timestamp, whatever the step', () => {
    const rows = [1_794_672_000_000, 1_794_675_600_001].map((fundingTime) => ({
      symbol: 'BTCUSDT',
      fundingTime,
      fundingRate: '0.0001',
    }));
    const window = { toMs: 1_794_700_000_000 };
    assert.deepEqual(parseFundingRates(rows, window, 2).next, {
      fromMs: 1_794_675_600_002,
      toMs: window.toMs,
    });
    assert.equal(parseFundingRates(rows, window, 3).next, null);
  });
});

suite('Aster notices', () => {
  test('title, text, category, address and time are read; a notice without a title is rejected', () => {
    const batch = parseNotices(fixture('notices'));
    assert.deepEqual(batch.announcements[0], {
      id: '4711',
      title: 'Aster Will Delist LEAVEUSDT Perpetual Contract',
      body: 'LEAVEUSDT\n<p>Trading ends at 2026-11-18 10:00 (UTC).</p>',
      category: 'DELISTING',
      url: 'https://www.asterdex.com/en/support/announcement/detail/4711',
      publishedAtMs: 1_794_600_000_000,
    });
    assert.deepEqual([batch.announcements[1]?.body, batch.announcements[1]?.url], [null, null]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: null, reason: 'notice without id, title or time' }]);
  });

  test('a refusal with status 200 is a bad reply', () => {
    assert.throws(() => parseNotices({ code: '100001', message: 'busy', data: null }), BadReply);
  });
});

const v3 = (name: string) => () => sample('aster', `FuturesV3__ExchangeData__${name}.txt`);

asSent(
  'aster',
  {
    exchangeInfo: v3('GetExchangeInfo'),
    fundingInfo: v3('GetFundingInfo'),
    premiumIndexDocumented: v3('GetMarkPrices'),
    fundingRate: v3('GetFundingRates'),
    depth: v3('GetOrderBook'),
  },
  (sent) => {
    const symbols = ['BTCUSDT', 'INJUSDT', 'ZORAUSDT', 'BMTUSDT'];
    const known = {
      receivedAtMs: 0,
      contracts: new Map(symbols.map((symbol) => [symbol, fakeContract(symbol)])),
    };

    test('contracts: the far delivery date is no end', () => {
      const info = parseExchangeInfo(sent('exchangeInfo'));
      assert.deepEqual(info.rejected, []);
      const [contract] = info.contractList?.contracts ?? [];
      assert.deepEqual(
        [contract?.base, contract?.status, contract?.listedAtMs, contract?.delistsAtMs],
        ['BLZ', 'trading', Date.UTC(2020, 7, 24, 7), null],
      );
    });

    test('fundingInfo: 8 and 4 hours', () => {
      assert.deepEqual(
        parseFundingInfo(sent('fundingInfo'), known).fundingSchedules.map((s) => [
          s.venueSymbol,
          s.intervalHours,
        ]),
        [
          ['INJUSDT', 8],
          ['ZORAUSDT', 4],
        ],
      );
    });

    test('premiumIndex: lastFundingRate is the running rate', () => {
      const read = (call: string) => {
        const [quote] = parsePremiumIndex(sent(call), known).fundingQuotes;
        return [quote?.ratePct, quote?.nextFundingAtMs];
      };
      assert.deepEqual(read('premiumIndex'), [0.01, Date.UTC(2025, 5, 17, 8)]);
      assert.deepEqual(read('premiumIndexDocumented'), [0.038246, Date.UTC(2020, 7, 14, 8)]);
    });

    test('tops: an ask of 0 is no ask; volume in USDT', () => {
      const { bookTops, rejected } = parseBookTickers(sent('bookTicker'), known);
      assert.deepEqual(bookTops, [
        {
          venueSymbol: 'BTCUSDT',
          bidPrice: 4,
          bidSize: 431,
          askPrice: 4.000002,
          askSize: 9,
          venueTimeMs: 1_589_437_530_011,
        },
      ]);
      assert.deepEqual(rejected, [{ venueSymbol: 'BMTUSDT', reason: 'no bid or ask' }]);
      // quoteVolume agrees with volume: 8,753.286 BTC × 105,515.5 on average.
      assert.equal(parseDayTickers(sent('ticker24hr'), known).dayVolumes[0]?.volume24hUsdt, 923_607_368.61);
    });

    test('settled rates and a book', () => {
      assert.deepEqual(
        parseFundingRates(sent('fundingRate'), { toMs: 0 }, 1000).settlements.map((p) => [
          p.ratePct,
          p.settledAtMs,
        ]),
        [
          [-3.75, Date.UTC(2019, 9, 9, 8)],
          [0.01, Date.UTC(2019, 9, 9, 16)],
        ],
      );
      const depth = parseDepth(sent('depth'), fakeContract('BTCUSDT'));
      assert.deepEqual([depth.bids, depth.asks], [[[4, 431]], [[4.000002, 12]]]);
    });
  },
);
