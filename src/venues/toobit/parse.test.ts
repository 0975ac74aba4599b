import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowsOf } from '../../../test/support/as-sent.ts';
import { sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { SendRequest, VenueRequest } from '../venue.ts';
import {
  parseBookTickers,
  parseDayTickers,
  parseDepth,
  parseExchangeInfo,
  parseFundingHistory,
  parseFundingRates,
} from './parse.ts';
import { toobit } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const NOW_MS = 1_794_697_230_000;
const listed = parseExchangeInfo(fixture('exchange-info'));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: NOW_MS, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

suite('Toobit contracts', () => {
  test('linear perpetuals are taken, inverse ones ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 11);
    assert.equal(listed.ignored.get('inverse'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST-SWAP-USDT', reason: 'unknown status SLEEPING' },
      { venueSymbol: 'ODD-SWAP-USDT', reason: 'no contract size' },
      { venueSymbol: 'BARE-SWAP-USDT', reason: 'no base or quote' },
    ]);
  });

  test('a suffixed name (ID2) has the base of its underlying (ID); a multiplier stays in the base', () => {
    assert.equal(contractOf('ID2-SWAP-USDT').base, 'ID');
    assert.equal(contractOf('1000PEPE-SWAP-USDT').base, '1000PEPE');
  });

  test('contracts in USDC settle in USDC', () => {
    const { quote, settle, isInverse } = contractOf('BTC-SWAP-USDC');
    assert.deepEqual([quote, settle, isInverse], ['USDC', 'USDC', false]);
  });

  test('what is closed to API orders still trades, what forbids to open is halted', () => {
    assert.equal(contractOf('WEB-SWAP-USDT').status, 'trading');
    assert.equal(contractOf('HALT-SWAP-USDT').status, 'halted');
  });

  test('leverage is the largest over the position tiers; the launch time is given for newer contracts', () => {
    assert.equal(contractOf('BTC-SWAP-USDT').maxLeverage, 50);
    assert.equal(contractOf('XAUT-SWAP-USDT').listedAtMs, 1_774_585_448_639);
    assert.equal(contractOf('BTC-SWAP-USDT').listedAtMs, null);
  });

  test('F3: isRwa marks traditional assets; rwaType says STOCK of gold too and is not believed', () => {
    const bases = ['BTC', 'XAU', 'TSLA', 'XAUT', 'EUR'];
    assert.deepEqual(
      bases.map((base) => contractOf(`${base}-SWAP-USDT`).assetClass),
      ['crypto', 'commodity', 'stock', 'crypto', 'forex'],
    );
  });

  test('a renamed coin (TON on the index of GRAM) keeps its own name; the table of aliases renames it', () => {
    assert.deepEqual(
      [contractOf('TON-SWAP-USDT').base, contractOf('TON-SWAP-USDT').venueId],
      ['TON', 'GRAMUSDT'],
    );
  });

  test('an error body is a bad reply, not an empty list', () => {
    const error = { code: -1130, msg: "Data sent for paramter 'symbol' is not valid." };
    assert.throws(() => parseExchangeInfo(error), BadReply);
    assert.throws(() => parseFundingRates(error, context), BadReply);
  });
});

suite('Toobit funding', () => {
  const quoted = parseFundingRates(fixture('funding-rate'), context);

  test('B1: a row of a settlement that has passed shows the rate just charged and is skipped, not rejected', () => {
    assert.deepEqual(
      quoted.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct, quote.nextFundingAtMs]),
      [
        ['BTC-SWAP-USDT', 0.006548, 1_794_700_800_000],
        ['ID2-SWAP-USDT', 0, 1_794_700_800_000],
        ['XAU-SWAP-USDT', 0.01, 1_794_700_800_000],
      ],
    );
    assert.equal(quoted.ignored.get('settlement has passed'), 1);
    const before = parseFundingRates(fixture('funding-rate'), { ...context, receivedAtMs: NOW_MS - 60_000 });
    assert.equal(before.fundingQuotes[1]?.venueSymbol, '1000PEPE-SWAP-USDT');
  });

  test('TBV_ rows of demo contracts and delisted ones are not in the list and not taken', () => {
    assert.equal(quoted.ignored.get('not in the contract list'), 1);
  });

  test('A1: period is per contract: 8H and 4H are hours', () => {
    assert.deepEqual(
      quoted.fundingQuotes.slice(0, 2).map((quote) => quote.intervalHours),
      [8, 4],
    );
  });

  test('A7: a row without period has no interval, never 8', () => {
    assert.equal(quoted.fundingQuotes[2]?.intervalHours, null);
  });

  test('a row without a rate or a time is rejected by name', () => {
    assert.deepEqual(quoted.rejected, [
      { venueSymbol: 'TSLA-SWAP-USDT', reason: 'no rate' },
      { venueSymbol: 'TON-SWAP-USDT', reason: 'no next settlement' },
    ]);
  });
});

suite('Toobit prices and volumes', () => {
  test('F8: sizes and open interest are contracts of contractMultiplier coins, qv is the turnover', () => {
    const row = { s: 'BTC-SWAP-USDT', b: '96400', bq: '11595', a: '96400.1', aq: '91131', t: NOW_MS };
    const [top] = parseBookTickers([row], context).bookTops;
    assert.deepEqual([top?.bidSize, top?.askSize], [11.595, 91.131]);
    const batch = parseDayTickers(
      {
        tickers: [
          { s: 'BTC-SWAP-USDT', c: '96400', v: '55588153.5', qv: '5358698000', op: '800000' },
          { s: 'TON-SWAP-USDT', c: '1.45', qv: '0', op: '10' },
          { s: 'ID2-SWAP-USDT', c: '0.03' },
          { s: 'TBV_BTC-SWAP-TBV_USDT', c: '96400', qv: '1' },
        ],
        marks: [{ symbolId: 'BTC-SWAP-USDT', price: '96500' }, null],
        index: { index: { BTCUSDT: '96450', GRAMUSDT: '1.46' }, edp: {} },
      },
      context,
    );
    assert.deepEqual(batch.dayVolumes[0], {
      venueSymbol: 'BTC-SWAP-USDT',
      volume24hUsdt: 5_358_698_000,
      referencePrice: 96_500,
    });
    const figures = { venueSymbol: 'BTC-SWAP-USDT', markPrice: 96_500, indexPrice: 96_450 };
    assert.deepEqual(batch.marketFigures[0], {
      ...figures,
      openInterestUsdt: 800 * 96_500,
      openInterestCount: 800_000,
    });
    assert.deepEqual(
      [
        batch.marketFigures[1]?.markPrice,
        batch.marketFigures[1]?.indexPrice,
        batch.marketFigures[1]?.openInterestUsdt,
      ],
      [null, 1.46, 14.5],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'ID2-SWAP-USDT', reason: 'no volume' }]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('a book is in contracts; that of a delisted contract is empty', () => {
    const depth = parseDepth(
      { t: NOW_MS, b: [['96400', '10']], a: [['96401', '20']] },
      contractOf('BTC-SWAP-USDT'),
    );
    assert.deepEqual(
      [depth.bids, depth.asks, depth.venueTimeMs],
      [[[96_400, 0.01]], [[96_401, 0.02]], NOW_MS],
    );
    assert.deepEqual(parseDepth({ t: NOW_MS, b: [], a: [] }, contractOf('BTC-SWAP-USDT')).bids, []);
  });
});

suite('Toobit settled prints', () => {
  const contract = contractOf('BTC-SWAP-USDT');
  const row = (id: number, settleTime: number, symbol = 'BTC-SWAP-USDT') => ({
    id: String(id),
    symbol,
    settleTime: String(settleTime),
    settleRate: '0.0000645',
    period: '8H',
  });
  const window = { fromMs: 1_794_000_000_000, toMs: NOW_MS };

  test('E3: a full page continues below the id of its last row, up to the start of the window', () => {
    const rows = [row(9, 1_794_672_000_000), row(7, 1_794_668_400_000)];
    const page = parseFundingHistory(rows, contract, window, 2);
    assert.deepEqual(page.settlements[0]?.ratePct, 0.00645);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: 1_794_668_399_999, cursor: '7' });
    assert.equal(parseFundingHistory(rows, contract, window, 3).next, null);
    const late = { ...window, fromMs: 1_794_668_400_000 };
    assert.equal(parseFundingHistory(rows, contract, late, 2).next, null);
  });

  test('the venue ignores times, so rows outside the window are left out, and rows of others rejected', () => {
    const rows = [row(9, NOW_MS + 1), row(8, 1_794_672_000_000), row(7, 1_794_668_400_000, 'ETH-SWAP-USDT')];
    const page = parseFundingHistory(rows, contract, window, 1000);
    assert.equal(page.settlements.length, 1);
    assert.deepEqual(page.rejected, [{ venueSymbol: 'ETH-SWAP-USDT', reason: 'row of another contract' }]);
  });

  test('the first page asks for what the window can have, the following ones for full pages by fromId', async () => {
    const requests: VenueRequest[] = [];
    const send: SendRequest = async (request) => {
      requests.push(request);
      return { payload: [], receivedAtMs: NOW_MS };
    };
    const day = { fromMs: NOW_MS - 24 * 3_600_000, toMs: NOW_MS };
    await toobit.settlements(contract, day, { send, contracts });
    await toobit.settlements(contract, { ...day, cursor: '7' }, { send, contracts });
    assert.deepEqual(
      requests.map(({ query }) => [query?.limit, query?.fromId]),
      [
        [26, undefined],
        [1000, '7'],
      ],
    );
  });
});

const usdtSwap = (name: string) => () => sample('toobit', `UsdtFutures__ExchangeData__${name}.txt`);

asSent(
  'toobit',
  {
    fundingRateDocumented: usdtSwap('GetFundingRate'),
    index: usdtSwap('GetIndexPrices'),
    markPrice: usdtSwap('GetMarkPrice'),
    historyFundingRateDocumented: usdtSwap('GetFundingRateHistory'),
  },
  (sent) => {
    test('rates: fractions of the coming settlement', () => {
      const read = (call: string, receivedAtMs: number) => {
        const [quote] = parseFundingRates(sent(call), { receivedAtMs, contracts }).fundingQuotes;
        return [quote?.ratePct, quote?.nextFundingAtMs];
      };
      assert.deepEqual(read('fundingRate', Date.UTC(2025, 7, 23, 12)), [
        0.01071148112848,
        Date.UTC(2025, 7, 23, 16),
      ]);
      assert.deepEqual(read('fundingRateDocumented', Date.UTC(2022, 10, 14, 8)), [
        0.18099173553719,
        Date.UTC(2022, 10, 14, 12),
      ]);
    });

    test('contracts of 0.001 BTC and of one 1000PEPE; ID2 is the coin ID; demo rows are left out', () => {
      const list = parseExchangeInfo(sent('exchangeInfo'));
      const known = { receivedAtMs: NOW_MS, contracts: contractsOf(list) };
      const symbols = ['BTC-SWAP-USDT', '1000PEPE-SWAP-USDT'];
      assert.deepEqual(
        rowsOf([...known.contracts.values()], ...symbols, 'ID2-SWAP-USDT').map((c) => [
          c.base,
          c.contractSize,
        ]),
        [
          ['BTC', 0.001],
          ['1000PEPE', 1],
          ['ID', 1],
        ],
      );
      const replies = { tickers: sent('ticker24hr'), marks: [], index: { index: {} } };
      const batch = parseDayTickers(replies, known);
      // qv agrees with v: 55,588,153.5 × 0.001 BTC at 76,921, and 4,864,030,929 at 0.003408.
      assert.deepEqual(
        batch.dayVolumes.map((volume) => [volume.venueSymbol, volume.volume24hUsdt]),
        [
          ['BTC-SWAP-USDT', 4_275_918_831.73709],
          ['1000PEPE-SWAP-USDT', 16_578_370.7943712],
        ],
      );
      // 796,404.198 × 0.001 × 76,768.6 and 34,511,632 × 0.0033477.
      assert.deepEqual(
        rowsOf(batch.marketFigures, ...symbols).map((f) => f.openInterestUsdt?.toFixed(2)),
        ['61138835.31', '115534.59'],
      );
      // 11,595 and 91,131 × 0.001.
      const [top] = parseBookTickers(sent('bookTicker'), known).bookTops;
      assert.deepEqual([top?.bidSize?.toFixed(3), top?.askSize?.toFixed(3)], ['11.595', '91.131']);
    });

    test('mark and index price come from calls of their own', () => {
      const replies = { marks: [sent('markPrice')], index: sent('index') };
      const tickers = [{ s: 'BTC-SWAP-USDT', qv: '1' }];
      const [figures] = parseDayTickers({ tickers, ...replies }, context).marketFigures;
      assert.deepEqual([figures?.markPrice, figures?.indexPrice], [17_042.54471, 42_999.21]);
    });

    test('settled rates', () => {
      const prints = (call: string, venueSymbol: string) =>
        parseFundingHistory(
          sent(call),
          { ...contractOf('BTC-SWAP-USDT'), venueSymbol },
          { fromMs: 0, toMs: NOW_MS },
          1000,
        ).settlements.map((print) => [print.ratePct, print.settledAtMs]);
      assert.deepEqual(prints('historyFundingRate', 'BTC-SWAP-USDT'), [[0.01, Date.UTC(2025, 7, 23, 8)]]);
      assert.deepEqual(prints('historyFundingRateDocumented', 'BTC-PERP-REV'), [
        [0.321, Date.UTC(2019, 9, 10, 12)],
      ]);
    });
  },
);
