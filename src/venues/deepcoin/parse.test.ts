import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf } from '../../../test/support/as-sent.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import {
  parseBook,
  parseFunding,
  parseHistory,
  parseInstruments,
  parseMarkPrices,
  parseTickers,
} from './parse.ts';

const RECEIVED_AT_MS = Date.UTC(2026, 10, 14, 22, 20, 0, 400);
const ok = (data: unknown) => ({ code: '0', msg: '', data });
const refusal = { code: '50', msg: 'contract symbol(NOPEUSDT) not found', data: null };

const instrument = (instId: string, ctVal: string, more: object = {}) => {
  const [baseCcy, quoteCcy] = instId.split('-');
  return {
    instType: 'SWAP',
    instId,
    baseCcy,
    quoteCcy,
    ctVal,
    listTime: '0',
    lever: '50',
    state: 'live',
    ...more,
  };
};
const list = parseInstruments(
  ok([
    instrument('BTC-USDT-SWAP', '0.001'),
    instrument('1000CHEEMS-USDT-SWAP', '1000', { baseCcy: '1000CHEE' }),
    instrument('ETH-USD-SWAP', '10'),
    instrument('XAU-USDT-SWAP', '0.01'),
    instrument('ARB-USDT-SWAP', '1', { state: 'suspend' }),
    instrument('NEW-USDT-SWAP', '1', { state: 'preopen' }),
    instrument('OP-USDT-SWAP', '1', { state: 'settlement' }),
    instrument('ODD-USDT-SWAP', '1', { state: 'frozen' }),
    instrument('BARE-USDT-SWAP', ''),
    instrument('NODASH', '1'),
    { ...instrument('A-USDT', '1'), instType: 'SPOT' },
    { instType: 'SWAP' },
  ]),
);
const contracts = contractsOf(list);
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the list`);
  return contract;
}
const bitcoin = contractOf('BTC-USDT-SWAP');

suite('Deepcoin contracts', () => {
  test('swaps are taken, spot is ignored, bad rows are rejected with a reason', () => {
    assert.equal(contracts.size, 7);
    assert.deepEqual([...list.ignored], [['not a perpetual', 1]]);
    assert.deepEqual(list.rejected, [
      { venueSymbol: 'ODD-USDT-SWAP', reason: 'unknown status frozen' },
      { venueSymbol: 'BARE-USDT-SWAP', reason: 'no contract size' },
      { venueSymbol: 'NODASH', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no instId' },
    ]);
  });

  test('the base is the one of the symbol: baseCcy is cut to eight letters', () => {
    const { base, venueId, contractSize } = contractOf('1000CHEEMS-USDT-SWAP');
    assert.deepEqual([base, venueId, contractSize], ['1000CHEEMS', '1000CHEEMSUSDT', 1000]);
  });

  test('a quote of USD is an inverse contract with a face value in dollars, settled in its coin', () => {
    const { isInverse, settle, contractSize } = contractOf('ETH-USD-SWAP');
    assert.deepEqual([isInverse, settle, contractSize], [true, 'ETH', 10]);
    assert.deepEqual([bitcoin.isInverse, bitcoin.settle, bitcoin.maxLeverage], [false, 'USDT', 50]);
  });

  test('a listTime of 0 is none; gold is known by name', () => {
    assert.deepEqual(
      [bitcoin.listedAtMs, bitcoin.assetClass, contractOf('XAU-USDT-SWAP').assetClass],
      [null, 'crypto', 'commodity'],
    );
  });

  test('a contract trades while its funding is paid; suspended and coming ones do not', () => {
    assert.deepEqual(
      ['OP', 'ARB', 'NEW'].map((base) => contractOf(`${base}-USDT-SWAP`).status),
      ['trading', 'halted', 'preopen'],
    );
  });

  test('an error with HTTP 200 is a bad reply, not an empty list', () => {
    assert.throws(() => parseInstruments(refusal), BadReply);
    assert.throws(() => parseTickers(refusal, context), BadReply);
    assert.throws(() => parseMarkPrices(refusal, context), BadReply);
    assert.throws(() => parseFunding({ rates: refusal, cycles: ok([]) }, context), BadReply);
    assert.throws(
      () => parseFunding({ rates: ok({ current_fund_rates: [] }), cycles: refusal }, context),
      BadReply,
    );
    assert.throws(() => parseHistory(refusal, bitcoin, { fromMs: 0, toMs: RECEIVED_AT_MS }), BadReply);
    assert.throws(() => parseBook(refusal, bitcoin), BadReply);
  });
});

suite('Deepcoin funding', () => {
  const NEXT_S = Date.UTC(2026, 10, 15) / 1000;
  const cycle = (
    instrumentID: string,
    settleInterval: unknown = 28800,
    nextSettleTime: unknown = NEXT_S,
  ) => ({
    settleInterval,
    instrumentID,
    nextSettleTime,
  });
  const read = (rates: object[], cycles: object[]) =>
    parseFunding({ rates: ok({ current_fund_rates: rates }), cycles: ok(cycles) }, context);
  const rate = (instrumentId: string, fundingRate: unknown) => ({ instrumentId, fundingRate });

  test('the rate is joined to interval and next settlement, both in seconds, by the name without dashes', () => {
    assert.deepEqual(read([rate('BTCUSDT', -0.00012264)], [cycle('BTCUSDT', 14400)]).fundingQuotes, [
      {
        venueSymbol: 'BTC-USDT-SWAP',
        ratePct: -0.012264,
        nextFundingAtMs: Date.UTC(2026, 10, 15),
        intervalHours: 4,
        venueTimeMs: null,
      },
    ]);
  });

  test('rates of names that are no contracts are not rows', () => {
    const batch = read(
      [rate('BDXUSDT', -0.025), rate('BTCUSDC', 0.0001), rate('BTCUSDT', 0)],
      [cycle('BTCUSDT')],
    );
    assert.deepEqual(
      [batch.fundingQuotes.map(({ ratePct }) => ratePct), batch.rejected, batch.ignored.size],
      [[0], [], 0],
    );
  });

  test('a contract newer than the list is counted as such', () => {
    const batch = read([rate('LATEUSDT', 0.1)], [cycle('LATEUSDT')]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('a contract without a rate, without a next settlement, or without a name is rejected', () => {
    const batch = read(
      [rate('ETHUSD', 0.0001), rate('XAUUSDT', null)],
      [cycle('BTCUSDT'), cycle('ETHUSD', 14400, 0), cycle('XAUUSDT'), {}],
    );
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'BTC-USDT-SWAP', reason: 'no rate' },
      { venueSymbol: 'ETH-USD-SWAP', reason: 'no next settlement' },
      { venueSymbol: 'XAU-USDT-SWAP', reason: 'no rate' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
    assert.deepEqual(batch.fundingQuotes, []);
  });

  test('an interval of 0 is unknown', () => {
    assert.equal(read([rate('BTCUSDT', 0)], [cycle('BTCUSDT', 0)]).fundingQuotes[0]?.intervalHours, null);
  });
});

suite('Deepcoin tickers and marks', () => {
  const row = {
    instId: 'BTC-USDT-SWAP',
    last: '76921.5',
    bidPx: '76921.4',
    bidSz: '1200',
    askPx: '76921.5',
    askSz: '800',
    volCcy24h: '158617298.5',
    vol24h: '2062066',
    ts: String(RECEIVED_AT_MS - 1400),
  };
  const read = (...rows: object[]) => parseTickers(ok(rows), context);

  test('sizes are contracts of 0.001 BTC; the turnover of a linear contract is volCcy24h', () => {
    const batch = read(row);
    assert.deepEqual(batch.bookTops, [
      {
        venueSymbol: 'BTC-USDT-SWAP',
        bidPrice: 76_921.4,
        bidSize: 1.2,
        askPrice: 76_921.5,
        askSize: 0.8,
        venueTimeMs: RECEIVED_AT_MS - 1400,
      },
    ]);
    assert.deepEqual(
      [batch.dayVolumes[0]?.volume24hUsdt, batch.dayVolumes[0]?.referencePrice],
      [158_617_298.5, 76_921.5],
    );
  });

  test('the turnover of an inverse contract is its number of contracts times the face value', () => {
    const inverse = {
      ...row,
      instId: 'ETH-USD-SWAP',
      last: '4480',
      bidPx: '4479.9',
      askPx: '4480',
      volCcy24h: '2.2',
    };
    const batch = read({ ...inverse, vol24h: '986' });
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 9860);
    assert.equal(batch.bookTops[0]?.askSize, (800 * 10) / 4480);
  });

  test('hidden instruments are not in the list and lose nobody else', () => {
    const batch = read({ ...row, instId: 'dETH-USDT-SWAP', volCcy24h: '78132071265' }, row);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.equal(batch.dayVolumes.length, 1);
  });

  test('a crossed, an empty and a nameless row are rejected by name', () => {
    const batch = read(
      { ...row, askPx: '76921.3' },
      { ...row, instId: 'XAU-USDT-SWAP', bidPx: '', askPx: '0' },
      { ...row, instId: 'OP-USDT-SWAP', volCcy24h: '-1' },
      {},
    );
    assert.deepEqual(
      batch.rejected.map(({ reason }) => reason),
      ['crossed book', 'no bid or ask', 'no volume', 'no instId'],
    );
  });

  test('a mark price; one of 0 is none', () => {
    const batch = parseMarkPrices(
      ok([
        { instId: 'BTC-USDT-SWAP', markPx: '76920.1', ts: row.ts },
        { instId: 'XAU-USDT-SWAP', markPx: '0', ts: row.ts },
      ]),
      context,
    );
    assert.equal(batch.marketFigures[0]?.markPrice, 76_920.1);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'XAU-USDT-SWAP', reason: 'no mark price' }]);
  });
});

suite('Deepcoin prints and books', () => {
  const AT_S = Date.UTC(2026, 10, 14, 16) / 1000;
  const print = { instrumentID: 'BTCUSDT', rate: '-0.0001593', CreateTime: AT_S, ratePeriodSec: 0 };
  const window = { fromMs: AT_S * 1000 - 1, toMs: RECEIVED_AT_MS };
  const read = (...rows: object[]) => parseHistory(ok({ rows }), bitcoin, window);

  test('times are seconds; rows before the window are left out; there is no next page', () => {
    assert.deepEqual(read(print, { ...print, CreateTime: AT_S - 28_800 }), {
      settlements: [{ venueSymbol: 'BTC-USDT-SWAP', ratePct: -0.01593, settledAtMs: AT_S * 1000 }],
      rejected: [],
      next: null,
    });
  });

  test('a row of another contract, without a rate or without a time is rejected', () => {
    const page = read(
      { ...print, instrumentID: 'ETHUSDT' },
      { ...print, rate: '' },
      { ...print, CreateTime: 0 },
    );
    assert.deepEqual(page.settlements, []);
    assert.equal(page.rejected.length, 3);
  });

  test('a book counts coins, not contracts', () => {
    const depth = parseBook(ok({ bids: [['100', '14.507']], asks: [['101', '9.303']] }), bitcoin);
    assert.deepEqual([depth.bids, depth.asks], [[[100, 14.507]], [[101, 9.303]]]);
  });
});

asSent('deepcoin', {}, (sent) => {
  const listed = contractsOf(parseInstruments(sent('instruments')));

  test('contracts: two swaps with their own size; spot is ignored', () => {
    assert.deepEqual(
      [...listed.values()].map((c) => [c.venueSymbol, c.venueId, c.contractSize, c.maxLeverage]),
      [
        ['BTC-USDT-SWAP', 'BTCUSDT', 0.001, 125],
        ['ZORA-USDT-SWAP', 'ZORAUSDT', 1, 20],
      ],
    );
  });

  test('ticker of an inverse contract: contracts of one dollar', () => {
    const swaps = contractsOf(parseInstruments(ok([instrument('BTC-USD-SWAP', '1')])));
    const batch = parseTickers(sent('tickers'), { receivedAtMs: RECEIVED_AT_MS, contracts: swaps });
    // 8,406,739 contracts of a dollar; 73.31475724 BTC × 114,113.3 is 8.37 million dollars too.
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 8_406_739);
    // 63,220 dollars at 114,113.2.
    assert.equal(batch.bookTops[0]?.bidSize?.toFixed(4), '0.5540');
  });

  test('rates and cycles: of the contract that is listed, in percent and hours', () => {
    const replies = { rates: sent('rates'), cycles: sent('cycles') };
    const batch = parseFunding(replies, { receivedAtMs: RECEIVED_AT_MS, contracts: listed });
    assert.deepEqual(
      batch.fundingQuotes.map((q) => [q.venueSymbol, q.ratePct, q.intervalHours, q.nextFundingAtMs]),
      [['BTC-USDT-SWAP', -0.012264, 8, Date.UTC(2026, 8, 23, 8)]],
    );
    assert.deepEqual([batch.rejected, batch.ignored.size], [[], 0]);
  });

  test('settled rates and a book', () => {
    const page = parseHistory(sent('history'), contractOf('ETH-USD-SWAP'), {
      fromMs: 0,
      toMs: RECEIVED_AT_MS,
    });
    assert.deepEqual(
      page.settlements.map(({ ratePct, settledAtMs }) => [ratePct, settledAtMs]),
      [
        [0.046493, Date.UTC(2025, 9, 19, 8)],
        [0.047949, Date.UTC(2025, 9, 19)],
      ],
    );
    const depth = parseBook(sent('books'), bitcoin);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0]],
      [
        [3732.21, 99.6],
        [3732.22, 85.1],
      ],
    );
  });
});
