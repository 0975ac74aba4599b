// There are no recorded replies of this venue beside the repository; the fixtures have the shape of its real ones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { parseDepth, parseFundingPage, parseLatestRates, parseMetaData } from './parse.ts';
import { quotes } from './stream.ts';
import { edgex } from './venue.ts';
import { TICKERS_EVERY_MS } from './wire.ts';

const listed = parseMetaData(
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/metadata.json`, 'utf8')),
);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };
const success = (data: unknown) => ({ code: 'SUCCESS', data, msg: null, responseTime: '1794697200100' });

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}
const bitcoin = contractOf('BTCUSDC');

suite('edgeX contracts', () => {
  test('the flags make the status; hidden contracts are ignored, bad rows are rejected with a reason', () => {
    assert.deepEqual(
      ['BTCUSDC', 'SPYUSDC', '1000PEPEUSDC'].map((name) => contractOf(name).status),
      ['trading', 'delisting', 'halted'],
    );
    assert.deepEqual([...listed.ignored], [['hidden', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'NOIDUSDC', reason: 'no contractId' },
      { venueSymbol: 'NOCOINUSDC', reason: 'no base or another quote' },
      { venueSymbol: 'BTCEUR', reason: 'no base or another quote' },
      { venueSymbol: 'BAREUSDC', reason: 'no enableTrade' },
      { venueSymbol: null, reason: 'no contractName' },
    ]);
  });

  test('the base is the declared coin: 哈基米USDC is HAJIMI; the multiplier stays in the base', () => {
    assert.equal(contractOf('哈基米USDC').base, 'HAJIMI');
    assert.equal(contractOf('1000PEPEUSDC').base, '1000PEPE');
  });

  test('everything settles in USDC, calls take the id, leverage and interval are each contract’s own', () => {
    const { venueId, quote, settle, contractSize, maxLeverage, intervalHours } = bitcoin;
    assert.deepEqual(
      [venueId, quote, settle, contractSize, maxLeverage, intervalHours],
      ['30000001', 'USDC', 'USDC', 1, 100, 4],
    );
    assert.equal(contractOf('XAUUSDC').intervalHours, 8);
    assert.equal(contractOf('1000PEPEUSDC').intervalHours, null);
  });

  test('F3: shares and currencies have flags, gold has none', () => {
    assert.deepEqual(
      ['SPYUSDC', 'EURUSDC', 'XAUUSDC', 'BTCUSDC'].map((name) => contractOf(name).assetClass),
      ['stock', 'forex', 'commodity', 'crypto'],
    );
  });
});

suite('edgeX funding', () => {
  const row = {
    contractId: '30000001',
    fundingTime: '1794686400000',
    fundingTimestamp: '1794697200000',
    markPrice: '96008.125',
    indexPrice: '96020.5',
    fundingRate: '-0.00005067',
    isSettlement: false,
    forecastFundingRate: '-0.00005592',
    previousFundingRate: '-0.0000522',
    predictedFundingRate: '0.00005000',
    fundingRateIntervalMin: '240',
  };
  const read = (...rows: object[]) => parseLatestRates(success(rows), context);

  test('B1: the rate is the forecast, never the one settled at fundingTime', () => {
    const [quote] = read(row).fundingQuotes;
    assert.deepEqual([quote?.venueSymbol, quote?.ratePct], ['BTCUSDC', -0.005592]);
    assert.equal(quote?.venueTimeMs, 1_794_697_200_000);
  });

  test('A1: the next settlement is fundingTime plus the interval in minutes of that row', () => {
    const hours = (fundingRateIntervalMin: string) => {
      const [quote] = read({ ...row, fundingRateIntervalMin }).fundingQuotes;
      return [quote?.intervalHours, (quote?.nextFundingAtMs ?? 0) - 1_794_686_400_000];
    };
    assert.deepEqual(hours('240'), [4, 14_400_000]);
    assert.deepEqual(hours('60'), [1, 3_600_000]);
  });

  test('A7: without an interval or a settlement the next time is unknown', () => {
    const [noInterval] = read({ ...row, fundingRateIntervalMin: '' }).fundingQuotes;
    assert.deepEqual([noInterval?.intervalHours, noInterval?.nextFundingAtMs], [null, null]);
    const [noTime] = read({ ...row, fundingTime: '0' }).fundingQuotes;
    assert.deepEqual([noTime?.intervalHours, noTime?.nextFundingAtMs], [4, null]);
  });

  test('mark and index price come with the rate; a row without a forecast is rejected, an unknown id ignored', () => {
    const batch = read(
      row,
      { ...row, contractId: '30000005', forecastFundingRate: '' },
      { ...row, contractId: '9' },
    );
    assert.deepEqual(
      batch.marketFigures.map(({ markPrice, indexPrice }) => [markPrice, indexPrice]),
      [
        [96_008.125, 96_020.5],
        [96_008.125, 96_020.5],
      ],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: '30000005', reason: 'no rate' }]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('V1 is dead: SUCCESS without rows is a bad reply, and every host is that of V2', () => {
    assert.throws(() => read(), BadReply);
    assert.throws(() => parseMetaData({ code: 'INVALID_CONTRACT_ID', data: null }), BadReply);
    for (const host of Object.values(edgex.hosts)) assert.match(host, /prod-v2\.edgex\.exchange/);
  });

  const print = (fundingTime: number, fields: object = {}) => ({
    ...row,
    fundingTime: String(fundingTime),
    isSettlement: true,
    forecastFundingRate: '',
    ...fields,
  });
  const window = { fromMs: 1_794_600_000_000, toMs: 1_794_700_000_000 };
  const page = (nextPageOffsetData: string, ...dataList: object[]) =>
    parseFundingPage(success({ dataList, nextPageOffsetData }), bitcoin, window);

  test('B3: a print is the settled rate; samples between settlements are left out', () => {
    const sample = { ...row, fundingTime: '1794690000000' };
    assert.deepEqual(page('', sample, print(1_794_686_400_000)).settlements, [
      { venueSymbol: 'BTCUSDC', ratePct: -0.005067, settledAtMs: 1_794_686_400_000 },
    ]);
  });

  test('E3: a page with more behind it continues before its oldest print, the last one ends', () => {
    const rows = [print(1_794_686_400_000), print(1_794_672_000_000)];
    assert.deepEqual(page('0880F4', ...rows).next, { fromMs: window.fromMs, toMs: 1_794_671_999_999 });
    assert.equal(page('', ...rows).next, null);
    assert.equal(page('0880F4').next, null);
  });

  test('F7: a print of another contract is rejected', () => {
    const read = page('', print(1_794_686_400_000, { contractId: '30000005' }));
    assert.deepEqual([read.settlements.length, read.rejected.length], [0, 1]);
  });
});

suite('edgeX books and stream', () => {
  test('a book comes out best first with the time of the reply; another contract’s is refused', () => {
    const level = (price: string, size: string) => ({ price, size });
    const book = {
      contractId: '30000001',
      asks: [level('102', '4'), level('101', '3')],
      bids: [level('99', '2'), level('100', '1')],
    };
    const depth = parseDepth(success([book]), bitcoin);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0]],
      [
        [100, 1],
        [101, 3],
      ],
    );
    assert.equal(depth.venueTimeMs, 1_794_697_200_100);
    assert.throws(() => parseDepth(success([{ ...book, contractId: '30000005' }]), bitcoin), BadReply);
    assert.throws(() => parseDepth(success([]), bitcoin), BadReply);
  });

  const event = (channel: string, ...data: object[]) => ({
    type: 'quote-event',
    channel,
    content: { channel, dataType: 'changed', data },
  });
  const at = (seconds: number) => ({ ...context, receivedAtMs: context.receivedAtMs + seconds * 1000 });

  test('one socket carries the tops of all contracts; sizes are base units, a side of 0 is none', () => {
    const session = quotes.open([bitcoin]);
    assert.deepEqual(
      session.opening.map((text) => JSON.parse(text).channel),
      ['bookTicker.all.1s', 'ticker.all.1s'],
    );
    const top = {
      contractId: '30000001',
      contractName: 'BTCUSDC',
      time: '1794697199955',
      bestAskPrice: '96011.5',
      bestAskSize: '0.763',
      bestBidPrice: '96010.0',
      bestBidSize: '1.135',
    };
    const empty = { ...top, contractName: 'XAUUSDC', bestAskPrice: '0', bestBidPrice: '0' };
    const { batch } = session.receive(event('bookTicker.all.1s', top, empty), context);
    assert.deepEqual(batch.bookTops, [
      {
        venueSymbol: 'BTCUSDC',
        bidPrice: 96_010,
        bidSize: 1.135,
        askPrice: 96_011.5,
        askSize: 0.763,
        venueTimeMs: 1_794_697_199_955,
      },
    ]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'XAUUSDC', reason: 'no bid or ask' }]);
  });

  test('F8: value is the turnover in USDC, open interest is in coins; tickers are read every 15 seconds', () => {
    const session = quotes.open([bitcoin]);
    const message = event('ticker.all.1s', {
      contractId: '30000001',
      contractName: 'BTCUSDC',
      size: '2733.637',
      value: '262400000.5',
      lastPrice: '96011.5',
      markPrice: '96000',
      openInterest: '3284.5',
      fundingRate: '-0.00005592',
    });
    const { batch } = session.receive(message, at(0));
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTCUSDC', volume24hUsdt: 262_400_000.5, referencePrice: 96_011.5 },
    ]);
    assert.equal(batch.marketFigures[0]?.openInterestUsdt, 3284.5 * 96_000);
    assert.deepEqual(session.receive(message, at(1)).batch.dayVolumes, []);
    assert.equal(session.receive(message, at(TICKERS_EVERY_MS / 1000)).batch.dayVolumes.length, 1);
  });

  test('a ping is answered with its own time, an error ends the connection', () => {
    const session = quotes.open([bitcoin]);
    const ping = { type: 'ping', time: '1794697200000' };
    assert.deepEqual(session.receive(ping, context).replies, ['{"type":"pong","time":"1794697200000"}']);
    assert.deepEqual(session.receive({ type: 'subscribed' }, context).batch.bookTops, []);
    assert.throws(() => session.receive({ type: 'error', content: {} }, context), BadReply);
  });
});

asSent('edgex', {}, (sent) => {
  test('a contract: a share by its flag, 240 minutes are 4 hours', () => {
    const [nvda] = parseMetaData(sent('metaData')).contractList?.contracts ?? [];
    assert.deepEqual(
      [
        nvda?.venueSymbol,
        nvda?.venueId,
        nvda?.base,
        nvda?.assetClass,
        nvda?.intervalHours,
        nvda?.maxLeverage,
      ],
      ['NVDAUSDC', '30000020', 'NVDA', 'stock', 4, 20],
    );
  });

  test('a rate: the forecast, paid one interval after fundingTime', () => {
    const btc = { ...fakeContract('BTCUSDC'), venueId: '10000001' };
    const at = { receivedAtMs: 0, contracts: new Map([['BTCUSDC', btc]]) };
    const batch = parseLatestRates(sent('latestFundingRate'), at);
    const [quote] = batch.fundingQuotes;
    // 08:00 and 240 minutes.
    assert.deepEqual(
      [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs, quote?.venueTimeMs],
      [-0.012293, 4, Date.UTC(2024, 11, 19, 12), 1_734_597_720_000],
    );
    assert.equal(batch.marketFigures[0]?.indexPrice, 101_522.5589685);
  });
});
