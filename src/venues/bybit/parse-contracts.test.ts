import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { capture, ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseInstruments } from './parse-contracts.ts';
import { bybit } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const listed = parseInstruments(fixture('linear-instruments'), 'linear');
const preMarket = parseInstruments(fixture('pre-launch-instruments'), 'linear');
const contracts = new Map(
  [listed, preMarket]
    .flatMap((page) => page.batch.contractList?.contracts ?? [])
    .map((contract) => [contract.venueSymbol, contract]),
);

function contractOf(symbol: string): Contract {
  const contract = contracts.get(symbol);
  if (!contract) throw new Error(`the fixtures have no ${symbol}`);
  return contract;
}
const BTC = contractOf('BTCUSDT');
const reply = (result: object) => ({ retCode: 0, retMsg: 'OK', result, time: 1_794_697_200_000 });

const rowOfBtc = {
  symbol: 'BTCUSDT',
  contractType: 'LinearPerpetual',
  status: 'Trading',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  settleCoin: 'USDT',
  fundingInterval: 480,
};

suite('Bybit contracts', () => {
  test('perpetuals are taken, dated futures ignored, bad rows rejected with a reason', () => {
    assert.equal(listed.batch.contractList?.part, 'linear');
    assert.equal(listed.batch.contractList?.contracts.length, 8);
    assert.equal(listed.batch.ignored.get('dated future'), 1);
    assert.deepEqual(listed.batch.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base, quote or settle coin' },
      { venueSymbol: 'MYSTUSDT', reason: 'unknown status Sleeping' },
    ]);
  });

  test('one list has contracts of 1, 4 and 8 hours, given in minutes (A1)', () => {
    const hours = ['BTCUSDT', '1000PEPEUSDT', '1INCHUSDT'].map((symbol) => contractOf(symbol).intervalHours);
    assert.deepEqual(hours, [8, 4, 1]);
  });

  test('bases keep their multiplier; one that is written behind the coin is turned round (F1)', () => {
    const bases = ['1000PEPEUSDT', 'SHIB1000USDT', '1INCHUSDT'].map((symbol) => contractOf(symbol).base);
    assert.deepEqual(bases, ['1000PEPE', '1000SHIB', '1INCH']);
  });

  test('a USDC contract is linear and settles in USDC although its name has no quote (F5)', () => {
    const { base, quote, settle, isInverse, contractSize } = contractOf('ETHPERP');
    assert.deepEqual([base, quote, settle, isInverse, contractSize], ['ETH', 'USDC', 'USDC', false, 1]);
  });

  test('inverse means settled in the base coin; a contract that settles in a third coin is quanto (F5, F6)', () => {
    const row = {
      contractType: 'InversePerpetual',
      status: 'Trading',
      baseCoin: 'ETH',
      quoteCoin: 'USD',
      fundingInterval: 480,
    };
    const list = [
      { ...row, symbol: 'ETHUSD', settleCoin: 'ETH' },
      { ...row, symbol: 'ETHUSDB', settleCoin: 'BTC' },
    ];
    const { batch } = parseInstruments(reply({ list }), 'inverse');
    const [inverse] = batch.contractList?.contracts ?? [];
    assert.deepEqual(
      [inverse?.isInverse, inverse?.settle, inverse?.contractSize, batch.contractList?.part],
      [true, 'ETH', 1, 'inverse'],
    );
    assert.equal(batch.ignored.get('quanto'), 1);
  });

  test('a delivery time on a perpetual is its scheduled delisting', () => {
    assert.deepEqual(
      [contractOf('LEAVEUSDT').status, contractOf('LEAVEUSDT').delistsAtMs],
      ['delisting', 1_794_996_000_000],
    );
    assert.deepEqual([BTC.status, BTC.delistsAtMs, BTC.maxLeverage], ['trading', null, 100]);
  });

  test('a pre-market contract in its auction is preopen until continuous trading begins (G4)', () => {
    const soon = contractOf('SOONUSDT');
    assert.deepEqual(
      [soon.status, soon.venueStatus, soon.listedAtMs],
      ['preopen', 'PreLaunch', 1_795_000_000_000],
    );
  });

  test('a pre-market contract in continuous trading trades, one whose auction failed is gone (G4)', () => {
    assert.equal(contractOf('EARLYUSDT').status, 'trading');
    assert.equal(contractOf('FAILEDUSDT').status, 'delisted');
  });

  test('stocks and commodities are separated from coins by their asset class (F3)', () => {
    const classes = ['TSLAUSDT', 'XAUUSDT', 'BTCUSDT'].map((symbol) => contractOf(symbol).assetClass);
    assert.deepEqual(classes, ['stock', 'commodity', 'crypto']);
  });

  test('the Innovation Zone pays 0.11 %, a pre-market contract 0.1 %, all others the usual fee', () => {
    const innovation = { ...rowOfBtc, symbol: 'FARTUSDT', baseCoin: 'FART', symbolType: 'innovation' };
    const list = [rowOfBtc, innovation, { ...innovation, symbol: 'EARLYUSDT', status: 'PreLaunch' }];
    const { batch } = parseInstruments(reply({ list }), 'linear');
    assert.deepEqual(
      batch.contractList?.contracts.map((contract) => [contract.takerFeePct, contract.assetClass]),
      [
        [undefined, 'crypto'],
        [0.11, 'crypto'],
        [0.1, 'crypto'],
      ],
    );
  });

  test('an interval that makes no whole hours is in another unit and is not taken', () => {
    const list = [{ ...rowOfBtc, fundingInterval: 8 }];
    const { batch } = parseInstruments(reply({ list }), 'linear');
    assert.equal(batch.contractList?.contracts[0]?.intervalHours, null);
  });

  test('an error code or a reply of another shape is a bad reply, not an empty list', () => {
    const error = { retCode: 10006, retMsg: 'Too many visits!', result: {}, time: 1 };
    assert.throws(() => parseInstruments(error, 'linear'), BadReply);
    assert.throws(() => parseInstruments(reply({}), 'linear'), BadReply);
    assert.throws(() => parseInstruments('<html>', 'linear'), BadReply);
  });
});

suite('Bybit list pages', () => {
  const [poll] = bybit.polls;
  const contractsOf = async (answer: (query: VenueRequest['query']) => object) => {
    const requested: VenueRequest['query'][] = [];
    if (poll?.kind !== 'bulk') throw new Error('the first poll is the list');
    const batch = await poll.collect({
      contracts,
      send: async ({ query }) => {
        requested.push(query);
        return { payload: reply(answer(query)), receivedAtMs: 0 };
      },
    });
    return { requested, symbols: batch.contractList?.contracts.map((contract) => contract.venueSymbol) };
  };
  const rows = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => ({ ...rowOfBtc, symbol: `${name}${i}USDT` }));

  test('a full page is followed by its cursor, decoded once, and both lists are one part', async () => {
    const { requested, symbols } = await contractsOf((query) => {
      if (query?.status === 'PreLaunch') return { list: rows(1, 'PRE'), nextPageCursor: 'first%3DPRE' };
      if (query?.cursor === undefined)
        return { list: rows(1000, 'A'), nextPageCursor: 'first%3DA%26last%3DB' };
      return { list: rows(3, 'B'), nextPageCursor: 'first%3DB%26last%3DC' };
    });
    assert.equal(symbols?.length, 1004);
    assert.deepEqual(
      requested.map((query) => [query?.status, query?.cursor]),
      [
        [undefined, undefined],
        [undefined, 'first=A&last=B'],
        ['PreLaunch', undefined],
      ],
    );
  });

  test('pages that never end are a bad reply', async () => {
    const endless = contractsOf(() => ({ list: rows(1000, 'A'), nextPageCursor: 'first%3DA' }));
    await assert.rejects(endless, BadReply);
  });
});

asSent(
  'bybit',
  {
    instruments: () => reply({ list: ccxtInstruments('bybit') }),
    instrumentsDocumented: () => sample('bybit', 'V5Api__ExchangeData__GetLinearInverseSymbols.txt'),
    preLaunch: () => sample('bybit', 'V5Api__ExchangeData__GetLinearInverseSymbolsPreListing.txt'),
    stockInstruments: () => capture('bybit', 'http_get_instruments_linear_symbol_type.json'),
    commodityInstruments: () => capture('bybit', 'http_get_instruments_inverse_symbol_type.json'),
  },
  (sent) => {
    const listOf = (call: string, category: 'linear' | 'inverse') =>
      parseInstruments(sent(call), category).batch.contractList?.contracts ?? [];

    test('instruments: minutes become hours, what settles in its base is inverse, spot is ignored', () => {
      const { batch } = parseInstruments(sent('instruments'), 'linear');
      assert.deepEqual(
        rowsOf(batch.contractList?.contracts ?? [], 'DOGEUSDT', 'BTCUSD').map((c) => [
          c.settle,
          c.isInverse,
          c.contractSize,
          c.intervalHours,
          c.maxLeverage,
          c.listedAtMs,
        ]),
        [
          ['USDT', false, 1, 8, 75, Date.UTC(2021, 5, 2, 10, 44)],
          ['BTC', true, 1, 8, 100, Date.UTC(2018, 10, 14, 16)],
        ],
      );
      assert.ok((batch.ignored.get('spot') ?? 0) > 0);
    });

    test('documented list: deliveryTime 0 is no end', () => {
      const [btc] = listOf('instrumentsDocumented', 'linear');
      assert.deepEqual(
        [btc?.intervalHours, btc?.listedAtMs, btc?.delistsAtMs, btc?.status],
        [8, Date.UTC(2020, 2, 30), null, 'trading'],
      );
    });

    test('a pre-market contract in continuous trading trades, since that phase began, at its own fee', () => {
      const [zro] = listOf('preLaunch', 'linear');
      assert.deepEqual(
        [zro?.status, zro?.venueStatus, zro?.listedAtMs, zro?.maxLeverage, zro?.takerFeePct],
        // takerFeeRate of its auctionFeeInfo is 0.001.
        ['trading', 'PreLaunch', Date.UTC(2024, 5, 18, 10, 50), 5, 0.1],
      );
    });

    test('symbolType separates stocks and commodities from coins; launchTime 0 is unknown', () => {
      const [stock] = listOf('stockInstruments', 'linear');
      assert.deepEqual([stock?.assetClass, stock?.intervalHours, stock?.listedAtMs], ['stock', 8, null]);
      const [oil] = listOf('commodityInstruments', 'inverse');
      assert.deepEqual([oil?.assetClass, oil?.isInverse, oil?.settle], ['commodity', true, 'BRENT']);
    });
  },
);
