import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply, isRow } from '../reading.ts';
import type { SendRequest, VenueRequest } from '../venue.ts';
import {
  intervalHoursOf,
  parseBooks,
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseSymbols,
  parseTickers,
} from './parse.ts';
import { xt } from './venue.ts';

const NOW_MS = 1_794_697_200_500;
const ok = (result: unknown) => ({ returnCode: 0, msgInfo: 'success', error: null, result });
const fixture = JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/symbols.json`, 'utf8'));
const inverse = { ...fixture.result.symbols[0], symbol: 'btc_usd', quoteCoin: 'usd', contractSize: '100' };

const listed = parseSymbols(fixture, 'usdt-m', { receivedAtMs: NOW_MS });
const coinMargined = parseSymbols(ok([{ ...inverse, underlyingType: 'COIN_BASED' }]), 'coin-m', {
  receivedAtMs: NOW_MS,
});
const contracts = new Map(
  [listed, coinMargined].flatMap((b) => b.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]),
);
const context = { receivedAtMs: NOW_MS, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

suite('XT contracts', () => {
  test('perpetuals are taken, dated futures ignored, bad rows rejected with a reason', () => {
    assert.equal(listed.contractList?.contracts.length, 10);
    assert.equal(listed.ignored.get('dated future'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'odd_usdt', reason: 'no contract size' },
      { venueSymbol: 'myst_usdt', reason: 'unknown underlying type' },
      { venueSymbol: 'bare_usdt', reason: 'no base or quote' },
    ]);
  });

  test('G1: tradeSwitch says what trades, not isOpenApi, which stays true on delisted contracts', () => {
    assert.deepEqual(
      ['btc_usdt', 'dia_usdt', 'ftt_usdt', 'soon_usdt'].map((symbol) => contractOf(symbol).status),
      ['trading', 'trading', 'delisted', 'preopen'],
    );
    assert.equal(contractOf('soon_usdt').listedAtMs, 1_795_000_000_000);
  });

  test('F1: bases are in capitals with their multiplier, and ids may be Chinese', () => {
    assert.deepEqual(
      ['1000pepe_usdt', '1mbabydoge_usdt', '1inch_usdt', '币安人生_usdt'].map(
        (symbol) => contractOf(symbol).base,
      ),
      ['1000PEPE', '1MBABYDOGE', '1INCH', '币安人生'],
    );
  });

  test('F5: COIN_BASED is inverse, settled in its base, with a face value in dollars', () => {
    const { base, quote, settle, isInverse, contractSize } = contractOf('btc_usd');
    assert.deepEqual([base, quote, settle, isInverse, contractSize], ['BTC', 'USD', 'BTC', true, 100]);
    assert.equal(coinMargined.contractList?.part, 'coin-m');
  });

  test('F3: metals are known by name; a contract with another fee carries its own, zero too', () => {
    assert.equal(contractOf('xau_usdt').assetClass, 'commodity');
    assert.deepEqual(
      [contractOf('btc_usdt').takerFeePct, contractOf('skr_usdt').takerFeePct],
      [undefined, 0],
    );
  });

  test('an error with HTTP 200 and returnCode 1 is a bad reply', () => {
    const error = { returnCode: 1, msgInfo: 'failure', error: { code: 'invalid_symbol' }, result: null };
    assert.throws(() => parseSymbols(error, 'usdt-m', context), BadReply);
    assert.throws(() => parseFundingRates(error, context), BadReply);
    assert.throws(() => parseTickers(error, context), BadReply);
  });
});

suite('XT funding', () => {
  const row = (symbol: string, fields: object = {}) => ({
    symbol,
    funding_rate: '0.00003728',
    next_funding_rate: '0.00003728',
    next_funding_rate_timestamp: 1_794_700_800_000,
    collection_internal: 8,
    ...fields,
  });

  test('A1, C7: rate, interval and next settlement per contract; zero is a value', () => {
    const rows = [
      row('btc_usdt'),
      row('1000pepe_usdt', { collection_internal: 4, funding_rate: '0' }),
      row('1inch_usdt', { collection_internal: 1, funding_rate: '-0.00678408' }),
    ];
    assert.deepEqual(
      parseFundingRates(rows, context).fundingQuotes.map((q) => [
        q.ratePct,
        q.intervalHours,
        q.nextFundingAtMs,
      ]),
      [
        [0.003728, 8, 1_794_700_800_000],
        [0, 4, 1_794_700_800_000],
        [-0.678408, 1, 1_794_700_800_000],
      ],
    );
  });

  test('C5: the interval is in hours here and in seconds there', () => {
    assert.deepEqual([8, 4, 1, '8', 28_800, 14_400, 3600].map(intervalHoursOf), [8, 4, 1, 8, 8, 4, 1]);
    assert.deepEqual([null, '', 0].map(intervalHoursOf), [null, null, null]);
  });

  test('A7: a null interval stays unknown, never 8; rows without rate or time are rejected by name', () => {
    const rows = [
      row('btc_usdt', { collection_internal: null }),
      row('1inch_usdt', { funding_rate: null }),
      row('xau_usdt', { next_funding_rate_timestamp: null }),
      row('btc_usdt_261225', { collection_internal: null }),
    ];
    const batch = parseFundingRates(rows, context);
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.intervalHours]),
      [['btc_usdt', null]],
    );
    assert.deepEqual(batch.rejected, [
      { venueSymbol: '1inch_usdt', reason: 'no rate' },
      { venueSymbol: 'xau_usdt', reason: 'no next settlement' },
    ]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  const print = (id: string, createdTime: number) => ({
    id,
    symbol: 'btc_usdt',
    fundingRate: '0.000031',
    createdTime,
    collectionInternal: 28_800,
  });
  const window = { fromMs: 1_794_000_000_000, toMs: NOW_MS };

  test('E3: pages go on below the last id while hasNext is true and the window is not reached', () => {
    const items = [
      print('210441653482221888', 1_794_672_000_000),
      print('210441653482221777', 1_794_643_200_000),
    ];
    const page = parseFundingHistory(
      ok({ hasPrev: false, hasNext: true, items }),
      contractOf('btc_usdt'),
      window,
    );
    assert.deepEqual(page.settlements[0], {
      venueSymbol: 'btc_usdt',
      ratePct: 0.0031,
      settledAtMs: 1_794_672_000_000,
    });
    const next = { fromMs: window.fromMs, toMs: 1_794_643_199_999, cursor: '210441653482221777' };
    assert.deepEqual(page.next, next);
    const last = parseFundingHistory(ok({ hasNext: false, items }), contractOf('btc_usdt'), window);
    assert.equal(last.next, null);
    const late = { ...window, fromMs: 1_794_643_200_000 };
    assert.equal(parseFundingHistory(ok({ hasNext: true, items }), contractOf('btc_usdt'), late).next, null);
  });

  test('the host follows the kind of contract, and only a following page names id and direction', async () => {
    const requests: VenueRequest[] = [];
    const send: SendRequest = async (request) => {
      requests.push(request);
      return { payload: ok({ hasNext: false, items: [] }), receivedAtMs: NOW_MS };
    };
    await xt.settlements(contractOf('btc_usdt'), window, { send, contracts });
    await xt.settlements(contractOf('btc_usd'), { ...window, cursor: '7' }, { send, contracts });
    assert.deepEqual(
      requests.map(({ host, query }) => [host, query?.id, query?.direction]),
      [
        ['rest', undefined, undefined],
        ['coin-m', '7', 'NEXT'],
      ],
    );
  });
});

suite('XT prices and volumes', () => {
  test('F8: sizes are contracts; of linear ones v is the turnover, of inverse ones a counts dollars of face value', () => {
    const top = { t: NOW_MS, bp: '96400', bq: '50000', ap: '96401', aq: '10' };
    const { bookTops } = parseBooks(
      ok([
        { ...top, s: 'btc_usdt' },
        { ...top, s: 'btc_usd', bq: '964' },
      ]),
      context,
    );
    assert.deepEqual([bookTops[0]?.bidSize, bookTops[1]?.bidSize], [5, 1]);
    const ticker = { c: '96400', a: '623654031', v: '6012024858.84', i: '96390', m: '96395', t: NOW_MS };
    const coin = { ...ticker, s: 'btc_usd', a: '5000', v: '5.18' };
    const batch = parseTickers(ok([{ ...ticker, s: 'btc_usdt' }, coin]), context);
    assert.deepEqual(
      batch.dayVolumes.map((row) => [row.volume24hUsdt, row.referencePrice]),
      [
        [6_012_024_858.84, 96_395],
        [500_000, 96_395],
      ],
    );
    const figures = { venueSymbol: 'btc_usdt', markPrice: 96_395, indexPrice: 96_390 };
    assert.deepEqual(batch.marketFigures[0], { ...figures, openInterestUsdt: null });
  });

  test('a delisted contract that keeps answering is not taken; one without mark or index keeps its volume', () => {
    const row = { c: '1.5', a: '10', v: '15', t: 1_737_702_036_066 };
    const batch = parseTickers(
      ok([
        { ...row, s: 'ftt_usdt', m: '1.5' },
        { ...row, s: 'dia_usdt' },
      ]),
      context,
    );
    assert.equal(batch.ignored.get('not trading'), 1);
    assert.deepEqual([batch.dayVolumes[0]?.referencePrice, batch.marketFigures.length], [1.5, 0]);
    assert.equal(
      parseBooks(ok([{ s: 'ftt_usdt', bp: '1', ap: '2' }]), context).ignored.get('not trading'),
      1,
    );
  });

  test('a book of contracts comes out in base units', () => {
    const depth = parseDepth(
      ok({ t: NOW_MS, b: [['100', '20000']], a: [['101', '10000']] }),
      contractOf('btc_usdt'),
    );
    assert.deepEqual([depth.bids, depth.asks, depth.venueTimeMs], [[[100, 2]], [[101, 1]], NOW_MS]);
  });
});

asSent(
  'xt',
  {
    symbolList: () => ok(ccxtInstruments('xt').filter((row) => isRow(row) && row.productType !== undefined)),
    symbolDetail: () => {
      const reply = sample('xt', 'Futures__ExchangeData__GetSymbol.txt');
      return ok([isRow(reply) ? reply.result : reply]);
    },
    cgContracts: () => sample('xt', 'Futures__ExchangeData__GetSymbolInfo.txt'),
    fundingRate: () => sample('xt', 'Futures__ExchangeData__GetFundingRate.txt'),
  },
  (sent) => {
    const recorded = parseSymbols(sent('symbolList'), 'usdt-m', { receivedAtMs: NOW_MS });
    const known = {
      receivedAtMs: NOW_MS,
      contracts: contractsOf(recorded).set('eth_usd', { ...contractOf('btc_usd'), venueSymbol: 'eth_usd' }),
    };
    const btc = rowOfSymbol([...known.contracts.values()], 'btc_usdt');

    test('contracts: 10 ADA, 0.0001 BTC and 0.01 ETH each', () => {
      assert.deepEqual(recorded.rejected, []);
      const documented = parseSymbols(sent('symbolDetail'), 'usdt-m', { receivedAtMs: NOW_MS });
      const all = [...known.contracts.values(), ...(documented.contractList?.contracts ?? [])];
      assert.deepEqual(
        rowsOf(all, 'ada_usdt', 'btc_usdt', 'eth_usdt').map((c) => [c.base, c.contractSize, c.status]),
        [
          ['ADA', 10, 'trading'],
          ['BTC', 0.0001, 'trading'],
          ['ETH', 0.01, 'trading'],
        ],
      );
      assert.equal(rowOfSymbol(all, 'eth_usdt').listedAtMs, Date.UTC(2022, 5, 10, 10, 50, 1));
    });

    test('cg/contracts is a bare list without an interval then; the call for one rate counts hours', () => {
      const [quote] = parseFundingRates(sent('cgContracts'), known).fundingQuotes;
      assert.deepEqual(
        [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours],
        [-3, Date.UTC(2023, 9, 30, 16), null],
      );
      const rate = sent('fundingRate') as { result: { collectionInternal: number } };
      assert.equal(intervalHoursOf(rate.result.collectionInternal), 8);
    });

    test('tickers: v is the turnover in USDT, a counts contracts', () => {
      const batch = parseTickers(sent('aggTickers'), known);
      // The two agree: 623,654,031 × 0.0001 BTC at about 22,435 is 1.399 billion.
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 1_399_166_074.316_75);
      const [figures] = batch.marketFigures;
      assert.deepEqual([figures?.markPrice, figures?.indexPrice], [22_416.5, 22_424.5]);
    });

    test('tops and books: contracts of 0.0001 BTC', () => {
      const [top] = parseBooks(sent('tickerBooks'), known).bookTops;
      // 121,042 and 101,843 × 0.0001.
      assert.deepEqual(
        [top?.bidPrice, top?.bidSize?.toFixed(4), top?.askPrice, top?.askSize?.toFixed(4)],
        [64_085.3, '12.1042', 64_085.5, '10.1843'],
      );
      const depth = parseDepth(sent('depth'), btc);
      // 198,623 and 3,417 × 0.0001.
      assert.deepEqual(
        [depth.bids[0], depth.asks[0]].map((level) => [level?.[0], level?.[1].toFixed(4)]),
        [
          [22_426, '19.8623'],
          [22_427, '0.3417'],
        ],
      );
    });

    test('settled rates: the interval of the row, 28,800, is seconds', () => {
      const window = { fromMs: 1_600_000_000_000, toMs: NOW_MS };
      const page = parseFundingHistory(sent('fundingRateRecord'), btc, window);
      assert.deepEqual(page.settlements, [
        { venueSymbol: 'btc_usdt', ratePct: 0.0057, settledAtMs: Date.UTC(2023, 2, 27) },
      ]);
      assert.equal(page.next?.cursor, '210441653482221888');
    });
  },
);
