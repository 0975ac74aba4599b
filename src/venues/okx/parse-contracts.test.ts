import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { capture, ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { parseInstruments } from './parse-contracts.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const listed = parseInstruments(fixture('instruments'));
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);

function contractOf(symbol: string): Contract {
  const contract = contracts.get(symbol);
  if (!contract) throw new Error(`the fixture has no ${symbol}`);
  return contract;
}

suite('OKX contracts', () => {
  test('bad rows are rejected with a reason and cost nothing else', () => {
    assert.equal(listed.contractList?.part, 'swap');
    assert.equal(contracts.size, 15);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODD-USDT-SWAP', reason: 'no contract size' },
      { venueSymbol: 'NOSETTLE-USDT-SWAP', reason: 'no settle currency' },
      { venueSymbol: 'MYST-USDT-SWAP', reason: 'unknown status sleeping' },
      { venueSymbol: 'WEIRD', reason: 'unreadable instId' },
    ]);
  });

  test('placeholders, test pairs, dated futures and quanto contracts are ignored (G4, F6)', () => {
    assert.deepEqual(
      [...listed.ignored],
      [
        ['listing placeholder', 2],
        ['test pair', 1],
        ['dated future', 1],
        ['quanto', 1],
      ],
    );
  });

  test('the settle currency decides between linear and inverse, not a quote in USD (F5)', () => {
    const read = ['BTC-USDT-SWAP', 'BTC-USDC-SWAP', 'BTC-USD_UM-SWAP', 'ETH-USD_UM-SWAP', 'BTC-USD-SWAP'].map(
      (symbol) => {
        const { base, quote, settle, isInverse } = contractOf(symbol);
        return [base, quote, settle, isInverse];
      },
    );
    assert.deepEqual(read, [
      ['BTC', 'USDT', 'USDT', false],
      ['BTC', 'USDC', 'USDC', false],
      ['BTC', 'USD', 'USD', false],
      ['ETH', 'USD', 'USD', false],
      ['BTC', 'USD', 'BTC', true],
    ]);
  });

  test('contract size is value times multiplier: coins when linear, dollars when inverse (F8)', () => {
    const sizes = ['BTC-USDT-SWAP', 'BTC-USDC-SWAP', 'BTC-USD-SWAP', 'PEPE-USDT-SWAP'].map(
      (symbol) => contractOf(symbol).contractSize,
    );
    assert.deepEqual(sizes, [0.01, 0.001, 100, 10_000_000]);
  });

  test('a coin is traded under its own name, the multiple being the contract size (F1)', () => {
    assert.deepEqual(
      ['PEPE-USDT-SWAP', '1INCH-USDT-SWAP'].map((symbol) => contractOf(symbol).base),
      ['PEPE', '1INCH'],
    );
  });

  test('an announced contract has nothing but name and listing time, and is known all the same', () => {
    const { contractSize, ...soon } = contractOf('SOON-USDT-SWAP');
    assert.equal(contractSize, 1);
    assert.deepEqual(soon, {
      venueSymbol: 'SOON-USDT-SWAP',
      base: 'SOON',
      quote: 'USDT',
      settle: 'USDT',
      isInverse: false,
      status: 'preopen',
      venueStatus: 'preopen',
      assetClass: 'crypto',
      listedAtMs: 1_795_000_000_000,
      delistsAtMs: null,
      maxLeverage: null,
      intervalHours: null,
    });
    const { quote, settle, isInverse } = contractOf('NOVA-USD_UM-SWAP');
    assert.deepEqual([quote, settle, isInverse], ['USD', 'USD', false]);
  });

  test('an announced contract under a LISTING name gets the name that it will have', () => {
    assert.equal(contractOf('SLX-USDT-SWAP').listedAtMs, 1_795_003_600_000);
  });

  test('an expiry time on a perpetual is its scheduled delisting', () => {
    const { status, venueStatus, delistsAtMs } = contractOf('LEAVE-USDT-SWAP');
    assert.deepEqual([status, venueStatus, delistsAtMs], ['delisting', 'live', 1_794_996_000_000]);
    assert.deepEqual(
      [contractOf('BTC-USDT-SWAP').status, contractOf('BTC-USDT-SWAP').delistsAtMs],
      ['trading', null],
    );
  });

  test('suspended and rebasing contracts are halted, not gone', () => {
    const statuses = ['PAUSE-USDT-SWAP', 'SPLIT-USDT-SWAP'].map((symbol) => contractOf(symbol).status);
    assert.deepEqual(statuses, ['halted', 'halted']);
  });

  test('stocks and commodities are separated from coins by their asset class (F3)', () => {
    const classes = ['TSLA-USDT-SWAP', 'XAU-USDT-SWAP', 'BTC-USDT-SWAP'].map(
      (symbol) => contractOf(symbol).assetClass,
    );
    assert.deepEqual(classes, ['stock', 'commodity', 'crypto']);
  });

  test('an error code or a reply of another shape is a bad reply, not an empty list', () => {
    for (const bad of [{ code: '50011', msg: 'Too Many Requests', data: [] }, { code: '0' }, []])
      assert.throws(() => parseInstruments(bad), BadReply);
  });
});

asSent(
  'okx',
  {
    instruments: () => capture('okx', 'http_get_instruments_swap.json'),
    instrumentsOfCoins: () => ({ code: '0', msg: '', data: ccxtInstruments('okx') }),
    futures: () => capture('okx', 'http_get_instruments_futures.json'),
    spotDocumented: () => sample('okx', 'UnifiedApi__ExchangeData__GetSymbols.txt'),
  },
  (sent) => {
    test('perpetuals: ctVal × ctMult is the size, in coins or, where the coin settles, in dollars', () => {
      const batch = parseInstruments(sent('instruments'));
      assert.deepEqual(batch.rejected, []);
      assert.deepEqual(
        rowsOf(batch.contractList?.contracts ?? [], 'BTC-USD-SWAP', 'BTC-USDT-SWAP').map((contract) => [
          contract.settle,
          contract.isInverse,
          contract.contractSize,
          contract.status,
          contract.listedAtMs,
          contract.delistsAtMs,
        ]),
        [
          ['BTC', true, 100, 'trading', 1_535_424_203_000, null],
          ['USDT', false, 0.01, 'trading', 1_573_557_408_000, null],
        ],
      );
    });

    test('a contract of DOGE is 1,000 coins; options are ignored', () => {
      const batch = parseInstruments(sent('instrumentsOfCoins'));
      assert.deepEqual(batch.rejected, []);
      const [doge] = rowsOf(batch.contractList?.contracts ?? [], 'DOGE-USDT-SWAP');
      assert.deepEqual([doge?.base, doge?.contractSize, doge?.maxLeverage], ['DOGE', 1000, 50]);
      assert.equal(batch.ignored.get('option'), 1);
    });

    test('lists of futures and of spot have nothing for us', () => {
      const futures = parseInstruments(sent('futures'));
      assert.deepEqual([futures.contractList?.contracts, futures.rejected], [[], []]);
      assert.ok((futures.ignored.get('dated future') ?? 0) > 0);
      assert.equal(parseInstruments(sent('spotDocumented')).ignored.get('spot'), 1);
    });
  },
);
