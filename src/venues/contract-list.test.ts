import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ListedFields, listedContract, readContracts, statusFrom } from './contract-list.ts';
import { ignore } from './reading.ts';

const NOW_MS = Date.UTC(2026, 10, 14);
const STATUS = { live: 'trading', 3: 'halted' } as const;

const contractOf = (fields: Partial<ListedFields> = {}) =>
  listedContract({
    venueSymbol: 'BTC-USDT',
    base: 'BTC',
    quote: 'USDT',
    status: 'trading',
    venueStatus: 'live',
    ...fields,
  });

suite('a contract from the fields of a row', () => {
  test('is linear, in base units, settled in its quote and on a coin, unless the row says otherwise', () => {
    assert.deepEqual(contractOf(), {
      venueSymbol: 'BTC-USDT',
      base: 'BTC',
      quote: 'USDT',
      settle: 'USDT',
      isInverse: false,
      contractSize: 1,
      status: 'trading',
      venueStatus: 'live',
      assetClass: 'crypto',
      listedAtMs: null,
      delistsAtMs: null,
      maxLeverage: null,
      intervalHours: null,
    });
  });

  test('an inverse one settles in its base', () => {
    const contract = contractOf({ isInverse: true, contractSize: 100 });
    assert.ok(typeof contract !== 'string');
    assert.deepEqual([contract.settle, contract.contractSize], ['BTC', 100]);
  });

  const faults: [string, Partial<ListedFields>, string][] = [
    ['without a base', { base: undefined }, 'no base or quote'],
    ['with an empty quote', { quote: '' }, 'no base or quote'],
    ['with a base that is no text', { base: 7 }, 'no base or quote'],
    ['with a settle currency that is missing', { settle: null }, 'no settle currency'],
    ['with a contract size that is missing', { contractSize: null }, 'no contract size'],
    ['with a status in no table', statusFrom(STATUS, 'asleep'), 'unknown status asleep'],
    ['with no status', statusFrom(STATUS, undefined), 'unknown status '],
  ];
  for (const [name, fields, reason] of faults)
    test(`a row ${name} is bad`, () => {
      assert.equal(contractOf(fields), reason);
    });

  test('a status may be a number', () => {
    assert.deepEqual(statusFrom(STATUS, 3), { status: 'halted', venueStatus: '3' });
  });

  test('one that trades and has an end is delisting; a halted one stays halted', () => {
    const statusWith = (fields: Partial<ListedFields>) => {
      const contract = contractOf(fields);
      return typeof contract === 'string' ? contract : contract.status;
    };
    assert.equal(statusWith({ delistsAtMs: NOW_MS }), 'delisting');
    assert.equal(statusWith({ delistsAtMs: NOW_MS, status: 'halted' }), 'halted');
    assert.equal(statusWith({ listedAtMs: NOW_MS + 1, receivedAtMs: NOW_MS }), 'preopen');
    assert.equal(statusWith({ listedAtMs: NOW_MS, receivedAtMs: NOW_MS }), 'trading');
    assert.equal(statusWith({ listedAtMs: NOW_MS + 1 }), 'trading', 'without the time of the list');
  });

  test('id and fee are left out where the row has none; a leverage of 0 is none', () => {
    const [without, withBoth] = [
      contractOf({ venueId: null, takerFeePct: null, maxLeverage: '0' }),
      contractOf({ venueId: '17', takerFeePct: 0, maxLeverage: '50' }),
    ];
    assert.ok(typeof without !== 'string' && typeof withBoth !== 'string');
    assert.deepEqual(
      ['venueId' in without, 'takerFeePct' in without, without.maxLeverage],
      [false, false, null],
    );
    assert.deepEqual([withBoth.venueId, withBoth.takerFeePct, withBoth.maxLeverage], ['17', 0, 50]);
  });
});

test('a contract list keeps good rows, counts those out of scope and names bad ones', () => {
  const rows = [{ symbol: 'A' }, { symbol: 'SPOT' }, { symbol: 'BAD' }, { name: 'A' }, null];
  const batch = readContracts(rows, 'symbol', 'all', (_row, venueSymbol) => {
    if (venueSymbol === 'SPOT') return ignore('spot');
    return venueSymbol === 'BAD' ? contractOf({ base: null }) : contractOf({ venueSymbol });
  });
  assert.deepEqual(
    batch.contractList?.contracts.map((contract) => contract.venueSymbol),
    ['A'],
  );
  assert.deepEqual([...batch.ignored], [['spot', 1]]);
  assert.deepEqual(batch.rejected, [
    { venueSymbol: 'BAD', reason: 'no base or quote' },
    { venueSymbol: null, reason: 'no symbol' },
    { venueSymbol: null, reason: 'no symbol' },
  ]);
});
