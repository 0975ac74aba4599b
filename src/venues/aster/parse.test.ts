import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { recordingsMissing, sample } from '../../../test/support/recordings.ts';
import {
  parseBookTickers,
  parseDayTickers,
  parseDepth,
  parseFundingRates,
  parsePremiumIndex,
} from '../binance/parse.ts';
import type { Contract } from '../observations.ts';
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

suite('Aster recordings', { skip: recordingsMissing }, () => {
  const like = (venueSymbol: string): Contract => ({
    venueSymbol,
    base: venueSymbol.replace('USDT', ''),
    quote: 'USDT',
    settle: 'USDT',
    isInverse: false,
    contractSize: 1,
    status: 'trading',
    venueStatus: 'TRADING',
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: null,
    intervalHours: null,
  });
  const known = {
    receivedAtMs: 0,
    contracts: new Map(['BTCUSDT', 'INJUSDT', 'ZORAUSDT'].map((symbol) => [symbol, like(symbol)])),
  };
  const v3 = (name: string) => sample('aster', `FuturesV3__ExchangeData__${name}.txt`);

  test('documentation samples of every call', () => {
    const info = parseExchangeInfo(v3('GetExchangeInfo'));
    assert.deepEqual(info.rejected, []);
    const contract = info.contractList?.contracts[0];
    assert.deepEqual(
      [contract?.base, contract?.status, contract?.listedAtMs, contract?.delistsAtMs],
      ['BLZ', 'trading', 1_598_252_400_000, null],
    );
    const schedules = parseFundingInfo(v3('GetFundingInfo'), known).fundingSchedules;
    assert.deepEqual(
      schedules.map((schedule) => [schedule.venueSymbol, schedule.intervalHours]),
      [
        ['INJUSDT', 8],
        ['ZORAUSDT', 4],
      ],
    );
    const quote = parsePremiumIndex(v3('GetMarkPrices'), known).fundingQuotes[0];
    assert.deepEqual([quote?.ratePct, quote?.nextFundingAtMs], [0.038246, 1_597_392_000_000]);
    const top = parseBookTickers(v3('GetBookTickers'), known).bookTops[0];
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize], [4, 431, 4.000002, 9]);
    assert.equal(top?.venueTimeMs, 1_589_437_530_011);
    assert.equal(parseDayTickers(v3('GetTickers'), known).dayVolumes[0]?.volume24hUsdt, 15.3);
    const prints = parseFundingRates(v3('GetFundingRates'), { toMs: 0 }, 1000).settlements;
    assert.deepEqual(
      prints.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [-3.75, 1_570_608_000_000],
        [0.01, 1_570_636_800_000],
      ],
    );
    const depth = parseDepth(v3('GetOrderBook'), like('BTCUSDT'));
    assert.deepEqual([depth.bids, depth.asks], [[[4, 431]], [[4.000002, 12]]]);
  });
});
