import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { DAY_MS } from '../../base/times.ts';
import { countedOnce } from '../counting/sides.ts';
import type { Batch } from '../observations.ts';
import { BadReply, isRow } from '../reading.ts';
import { parseContracts, parseDepth, parseTickers } from './parse.ts';
import { HISTORY_PAGE_ROWS, parseArticles, parseSettlements, secondsToRequest } from './parse-history.ts';
import { gate } from './venue.ts';

const published = (batch: Batch) => countedOnce(batch, gate.facts.counts);

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const NOW_MS = 1_794_697_200_500;
const listed = parseContracts(fixture('usdt-contracts'), 'usdt', NOW_MS);
const inverseListed = parseContracts(fixture('btc-contracts'), 'btc', NOW_MS);
const contracts = new Map(
  [...(listed.contractList?.contracts ?? []), ...(inverseListed.contractList?.contracts ?? [])].map((c) => [
    c.venueSymbol,
    c,
  ]),
);
const context = { receivedAtMs: NOW_MS, contracts };

suite('Gate contracts', () => {
  test('perpetuals are taken, dated futures ignored, bad rows rejected with a reason', () => {
    assert.deepEqual(
      listed.contractList?.contracts.map((c) => c.venueSymbol),
      ['BTC_USDT', 'PEPE_USDT', 'ALT_USDT', 'LEAVE_USDT', 'GONE_USDT', 'SOON_USDT', 'TSLA_USDT', 'XAU_USDT'],
    );
    assert.equal(listed.ignored.get('dated future'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODD_USDT', reason: 'no contract size' },
      { venueSymbol: 'MYST_USDT', reason: 'unknown status sleeping' },
      { venueSymbol: '_USDT', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no name' },
    ]);
  });

  test('a multiplier of "0" is one dollar a contract on the inverse contract, and an error on a linear one', () => {
    const inverse = contracts.get('BTC_USD');
    assert.deepEqual(
      [inverse?.isInverse, inverse?.settle, inverse?.quote, inverse?.contractSize, inverse?.listedAtMs],
      [true, 'BTC', 'USD', 1, null],
    );
    assert.equal(contracts.has('ODD_USDT'), false);
  });

  test('F6: what settles in BTC without being on BTC is quanto and left out', () => {
    assert.equal(inverseListed.ignored.get('quanto'), 1);
    assert.equal(contracts.has('ETH_USD'), false);
  });

  test('F1: a cheap coin keeps its name and price, its contract holds many coins', () => {
    const pepe = contracts.get('PEPE_USDT');
    assert.deepEqual([pepe?.base, pepe?.contractSize], ['PEPE', 10_000_000]);
  });

  test('F3: stocks and metals are separated from coins', () => {
    assert.equal(contracts.get('TSLA_USDT')?.assetClass, 'stock');
    assert.equal(contracts.get('XAU_USDT')?.assetClass, 'commodity');
    assert.equal(contracts.get('BTC_USDT')?.assetClass, 'crypto');
  });

  test('G1: the delisting flag counts beside the status: leaving with positions, gone without', () => {
    const leaving = contracts.get('LEAVE_USDT');
    assert.deepEqual([leaving?.status, leaving?.delistsAtMs], ['delisting', 1_794_996_000_000]);
    assert.equal(contracts.get('GONE_USDT')?.status, 'delisted');
    assert.equal(contracts.get('TSLA_USDT')?.status, 'halted');
    assert.equal(contracts.get('BTC_USDT')?.delistsAtMs, null);
  });

  test('the limit of the rate is a fraction in the list and a percent here; without it the venue has one for all', () => {
    assert.equal(contracts.get('BTC_USDT')?.rateCapPct, 0.3);
    assert.equal(contracts.get('PEPE_USDT')?.rateCapPct, undefined);
    for (const limit of ['0', '-0.02', 'none', null]) {
      const [row] = fixture('usdt-contracts') as object[];
      const { contractList } = parseContracts([{ ...row, funding_rate_limit: limit }], 'usdt', NOW_MS);
      assert.equal(contractList?.contracts[0]?.rateCapPct, undefined, String(limit));
    }
  });

  test('a contract before its launch is preopen with its opening time, and has no settlement yet', () => {
    const soon = contracts.get('SOON_USDT');
    assert.deepEqual([soon?.status, soon?.listedAtMs], ['preopen', 1_795_000_000_000]);
    assert.equal(
      listed.fundingSchedules.some((schedule) => schedule.venueSymbol === 'SOON_USDT'),
      false,
    );
  });

  test('an error body is a bad reply, not an empty list', () => {
    const refused = { label: 'TOO_MANY_REQUESTS', message: 'slow down' };
    assert.throws(() => parseContracts(refused, 'usdt', NOW_MS), BadReply);
    assert.throws(() => parseTickers(refused, context), BadReply);
    assert.throws(() => parseSettlements(refused, 'BTC_USDT', { fromMs: 0, toMs: 1 }), BadReply);
    assert.throws(() => parseArticles({ code: 1, message: 'no', data: {} }), BadReply);
  });
});

suite('Gate funding', () => {
  const schedules = new Map(listed.fundingSchedules.map((schedule) => [schedule.venueSymbol, schedule]));
  const { fundingQuotes } = parseTickers(fixture('usdt-tickers'), context);
  const quotes = new Map(fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('the small tickers reply has the rates, the large list interval and next settlement, and neither both', () => {
    assert.deepEqual(listed.fundingQuotes, []);
    assert.deepEqual(quotes.get('BTC_USDT'), {
      venueSymbol: 'BTC_USDT',
      ratePct: 0.01,
      nextFundingAtMs: undefined,
      intervalHours: undefined,
      venueTimeMs: null,
    });
  });

  test('a settlement that was charged other than shown (CVC_USDT, 2026-09-15): the shown rate is the estimate', () => {
    const cvc = { contract: 'BTC_USDT', funding_rate: '-0.000978', last: '1', volume_24h_quote: '1' };
    assert.equal(parseTickers([cvc], context).fundingQuotes[0]?.ratePct, -0.0978);
  });

  test('A1: interval and next settlement come per contract from the venue: 1, 4 and 8 hours', () => {
    assert.deepEqual(
      ['PEPE_USDT', 'ALT_USDT', 'BTC_USDT'].map((s) => schedules.get(s)?.intervalHours),
      [1, 4, 8],
    );
    assert.equal(contracts.get('PEPE_USDT')?.intervalHours, 1);
  });

  test('D3, D5: the venue counts seconds; a time taken for milliseconds would be in 1970', () => {
    assert.equal(schedules.get('BTC_USDT')?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('C7, B5: percent without float noise, and zero is a value', () => {
    assert.deepEqual(
      ['BTC_USDT', 'PEPE_USDT', 'ALT_USDT'].map((s) => quotes.get(s)?.ratePct),
      [0.01, -0.0978, 0],
    );
  });

  test('E1: every call names both ends of its window, and no more than thirty days', () => {
    const toMs = 1_794_697_200_500;
    assert.deepEqual(secondsToRequest({ fromMs: 0, toMs }), {
      from: 1_794_697_201 - 30 * 86_400,
      to: 1_794_697_200,
    });
    assert.deepEqual(secondsToRequest({ fromMs: toMs - 1500, toMs }), {
      from: 1_794_697_199,
      to: 1_794_697_200,
    });
  });

  test('E3, D1: windows follow each other without hole or step; a print keeps its odd second', () => {
    const window = { fromMs: 1_794_697_200_000 - 40 * DAY_MS, toMs: 1_794_697_200_000 };
    const page = parseSettlements([{ t: 1_794_672_001, r: '0.000082' }], 'BTC_USDT', window);
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'BTC_USDT', ratePct: 0.0082, settledAtMs: 1_794_672_001_000 },
    ]);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: window.toMs - 30 * DAY_MS - 1 });
    const last = parseSettlements([], 'BTC_USDT', page.next ?? window);
    assert.deepEqual(last, { settlements: [], rejected: [], next: null });
  });

  test('E3: a full page continues before its oldest print', () => {
    const toMs = 1_794_697_200_000;
    const rows = Array.from({ length: HISTORY_PAGE_ROWS }, (_, i) => ({
      t: toMs / 1000 - i * 60,
      r: '0.0001',
    }));
    const page = parseSettlements(rows, 'BTC_USDT', { fromMs: 0, toMs });
    assert.deepEqual(page.next, { fromMs: 0, toMs: toMs - (HISTORY_PAGE_ROWS - 1) * 60_000 - 1 });
  });

  test('a bad print is rejected, one outside of the window is not taken', () => {
    const window = { fromMs: 1_794_600_000_000, toMs: 1_794_697_200_000 };
    const rows = [{ t: 1_794_672_001, r: '' }, { r: '0.1' }, 7, { t: 1_700_000_000, r: '0.1' }];
    const page = parseSettlements(rows, 'BTC_USDT', window);
    assert.deepEqual(page.settlements, []);
    assert.deepEqual(
      page.rejected.map((r) => r.reason),
      ['no rate or time', 'no rate or time', 'no rate or time'],
    );
  });
});

suite('Gate prices and volumes', () => {
  const batch = parseTickers(fixture('usdt-tickers'), context);

  test('sizes are contracts and become base units; fractions of a contract count, zero is unknown', () => {
    const [btc, pepe] = batch.bookTops;
    assert.deepEqual([btc?.bidPrice, btc?.bidSize, btc?.askPrice], [96_400, 0.25, 96_400.1]);
    assert.deepEqual([pepe?.bidSize, pepe?.askSize], [17_000_000, null]);
  });

  test('F8: turnover is the quote amount, of the inverse contract its contracts of one dollar', () => {
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 4_820_000);
    assert.equal(batch.dayVolumes[1]?.volume24hUsdt, 0, 'zero is a value');
    const inverse = parseTickers(
      [
        {
          contract: 'BTC_USD',
          last: '50000',
          volume_24h: '7000000',
          volume_24h_quote: '1',
          highest_bid: '50000',
          highest_size: '1000',
          lowest_ask: '50001',
          lowest_size: '5',
        },
      ],
      context,
    );
    assert.equal(inverse.dayVolumes[0]?.volume24hUsdt, 7_000_000);
    assert.equal(inverse.bookTops[0]?.bidSize, 1000 / 50_000);
  });

  test('crossed and empty quotes and a missing rate are rejected by name; an unopened contract is not', () => {
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'ALT_USDT', reason: 'crossed book' },
      { venueSymbol: 'LEAVE_USDT', reason: 'no bid or ask' },
      { venueSymbol: 'XAU_USDT', reason: 'no rate' },
    ]);
    assert.equal(batch.ignored.get('not open yet'), 1);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });
});

suite('Gate announcements', () => {
  test('an article keeps its id, address and release time; what has no time is rejected', () => {
    const batch = parseArticles(fixture('articles'));
    assert.deepEqual(batch.announcements, [
      {
        id: '49001',
        title: 'Gate Perpetual Futures Will Launch SOON_USDT',
        body: 'SOON_USDT opens at 12:00 UTC.',
        category: 'futures',
        url: 'https://www.gate.com/announcements/article/49001',
        publishedAtMs: 1_794_600_060_000,
      },
      {
        id: '49002',
        title: 'Gate Will Delist LEAVE_USDT Perpetual Contract',
        body: null,
        category: '',
        url: 'https://www.gate.com/announcements/article/49002',
        publishedAtMs: 1_794_610_000_000,
      },
    ]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: null, reason: 'notice without id, title or time' }]);
  });
});

const contractsOfType = (type: string) => () =>
  ccxtInstruments('gate').filter((row) => isRow(row) && 'quanto_multiplier' in row && row.type === type);

asSent(
  'gate',
  {
    contracts: contractsOfType('direct'),
    inverseContracts: contractsOfType('inverse'),
    contractsDocumented: () => sample('gate', 'PerpetualFutures__ExchangeData__GetContracts.txt'),
    tickers: () => sample('gate', 'PerpetualFutures__ExchangeData__GetTickers.txt'),
    fundingRate: () => sample('gate', 'PerpetualFutures__ExchangeData__GetFundingRateHistory.txt'),
    orderBook: () => sample('gate', 'PerpetualFutures__ExchangeData__GetOrderBook.txt'),
  },
  (sent) => {
    const midnight = Date.UTC(2023, 10, 1);
    test('contracts: 28,800 seconds are 8 hours, 1,698,796,800 seconds midnight of 2023-11-01', () => {
      const batch = parseContracts(sent('contracts'), 'usdt', NOW_MS);
      assert.deepEqual(batch.rejected, []);
      const [doge] = rowsOf(batch.contractList?.contracts ?? [], 'DOGE_USDT');
      assert.deepEqual(
        [doge?.contractSize, doge?.intervalHours, doge?.maxLeverage, doge?.status],
        [10, 8, 50, 'trading'],
      );
      assert.equal(rowsOf(batch.fundingSchedules, 'DOGE_USDT')[0]?.nextFundingAtMs, midnight);
    });

    test('a multiplier of 0 on the coin-margined contract is a face value of 1 dollar', () => {
      const list = parseContracts(sent('inverseContracts'), 'btc', NOW_MS).contractList?.contracts;
      assert.deepEqual(
        list?.map((c) => [c.venueSymbol, c.settle, c.isInverse, c.contractSize, c.maxLeverage]),
        [['BTC_USD', 'BTC', true, 1, 100]],
      );
    });

    test('documented contracts: numbers as texts, 100 coins a contract', () => {
      const batch = parseContracts(sent('contractsDocumented'), 'usdt', NOW_MS);
      const [lab] = batch.contractList?.contracts ?? [];
      assert.deepEqual([lab?.base, lab?.contractSize, lab?.intervalHours], ['LAB', 100, 8]);
      assert.equal(batch.fundingSchedules[0]?.nextFundingAtMs, Date.UTC(2021, 0, 7, 16));
    });

    test('tickers: turnover in USDT; sizes that are not sent are unknown; total_size counts both sides', () => {
      const batch = published(parseTickers(sent('tickers'), context));
      assert.deepEqual(
        batch.fundingQuotes.map((q) => [q.ratePct, q.intervalHours, q.nextFundingAtMs]),
        [[0.01, undefined, undefined]],
      );
      const [top] = batch.bookTops;
      assert.deepEqual([top?.bidPrice, top?.askPrice, top?.bidSize], [34_089.7, 34_217.9, null]);
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 184_040_233_284);
      // 32,323,904 contracts / 2 × 0.0001 BTC × 6,534.
      assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(4), '10560219.4368');
    });

    test('tickers with sizes: contracts of 0.0001 BTC and of 100 2Z', () => {
      const twoZ = {
        ...rowOfSymbol([...contracts.values()], 'BTC_USDT'),
        venueSymbol: '2Z_USDT',
        contractSize: 100,
      };
      const known = { ...context, contracts: new Map(contracts).set('2Z_USDT', twoZ) };
      const batch = published(parseTickers(sent('tickersOf2026'), known));
      const symbols = ['BTC_USDT', '2Z_USDT'];
      // volume_24h_quote agrees with volume_24h: 905,654,871 × 0.0001 BTC at 77,642, and 8,323 × 100 2Z at 0.04636.
      assert.deepEqual(
        rowsOf(batch.dayVolumes, ...symbols).map((volume) => volume.volume24hUsdt),
        [7_031_702_789, 38_589],
      );
      // 2,776 × 0.0001 and 11 × 100.
      assert.deepEqual(
        rowsOf(batch.bookTops, ...symbols).map((top) => top.bidSize?.toFixed(4)),
        ['0.2776', '1100.0000'],
      );
      // 640,887,002 / 2 × 0.0001 × 77,755.8 and 17,296 / 2 × 100 × 0.04671.
      assert.deepEqual(
        rowsOf(batch.marketFigures, ...symbols).map((f) => f.openInterestUsdt?.toFixed(2)),
        ['2491634077.51', '40394.81'],
      );
      assert.deepEqual(
        rowsOf(batch.fundingQuotes, ...symbols).map((quote) => quote.ratePct),
        [0.0016, 0.005],
      );
    });

    test('settled rates: seconds and fractions', () => {
      const window = { fromMs: 1_543_900_000_000, toMs: 1_544_000_000_000 };
      assert.deepEqual(parseSettlements(sent('fundingRate'), 'BTC_USDT', window).settlements, [
        { venueSymbol: 'BTC_USDT', ratePct: 0.0157, settledAtMs: Date.UTC(2018, 11, 5) },
      ]);
    });

    test('a book: contracts of 0.0001 BTC', () => {
      const depth = parseDepth(sent('orderBook'), rowOfSymbol([...contracts.values()], 'BTC_USDT'));
      // 150 contracts × 0.0001 and 40 × 0.0001.
      assert.deepEqual(
        [depth.bids[0], depth.asks[1]].map((level) => [level?.[0], level?.[1].toFixed(6)]),
        [
          [1.17, '0.015000'],
          [1.53, '0.004000'],
        ],
      );
      assert.equal(depth.venueTimeMs, 1_623_898_993_123);
    });
  },
);
