import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Problem } from '../base/problems.ts';
import {
  choice,
  coins,
  coinText,
  exchanges,
  flag,
  integer,
  integerChoice,
  integers,
  number,
  text,
  time,
} from './kinds.ts';
import type { Parameter } from './parameter.ts';

function reads<T>(parameter: Parameter<T>, cases: readonly (readonly [string, T])[]): void {
  for (const [sent, value] of cases)
    test(`${parameter.name} reads "${sent}"`, () => assert.deepEqual(parameter.parse(sent), value));
}

function refuses(parameter: Parameter, allowed: RegExp, sent: readonly string[]): void {
  for (const bad of sent) {
    test(`${parameter.name} refuses ${JSON.stringify(bad.slice(0, 50))}`, () => {
      assert.throws(
        () => parameter.parse(bad),
        (error) =>
          error instanceof Problem &&
          error.code === 'invalid-parameter' &&
          error.detail.startsWith(`"${parameter.name}" `) &&
          allowed.test(error.detail) &&
          error.detail.length < 300,
      );
    });
  }
}

const NOT_NUMBERS = [
  'abc',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x10',
  '1,5',
  '1 000',
  '1e999',
  '--1',
  '１',
  'x'.repeat(9_999),
];

suite('number', () => {
  const bound = number('min_rate_pct', '');
  reads(bound, [
    ['0.01', 0.01],
    ['-5', -5],
    ['+.5', 0.5],
    ['1e-4', 0.0001],
    ['0', 0],
  ]);
  refuses(bound, /must be a number; got "/, NOT_NUMBERS);
});

suite('integer', () => {
  const minutes = integer('settles_within_minutes', { min: 1, max: 1440 }, '');
  reads(minutes, [
    ['1', 1],
    ['1440', 1440],
    ['+7', 7],
    ['007', 7],
  ]);
  refuses(minutes, /must be an integer from 1 to 1440/, [
    '0',
    '1441',
    '-1',
    '1.0',
    '1e2',
    ' 1',
    ...NOT_NUMBERS,
  ]);
});

suite('integerChoice', () => {
  const size = integerChoice('size_usd', [25, 100, 500], '');
  reads(size, [
    ['25', 25],
    ['500', 500],
  ]);
  refuses(size, /must be one of 25, 100, 500/, ['24', '26', '100.0', '0100', ' 100', 'all']);
});

suite('flag', () => {
  const inverse = flag('is_inverse', '');
  reads(inverse, [
    ['true', true],
    ['false', false],
  ]);
  refuses(inverse, /must be true or false/, ['TRUE', '1', '0', 'yes', 'null']);
});

suite('choice', () => {
  const match = choice('exchange_match', ['any', 'all'], '');
  reads(match, [
    ['any', 'any'],
    ['all', 'all'],
  ]);
  refuses(match, /must be one of any, all/, ['Any', 'both', '__proto__', 'constructor', 'any,all']);
});

suite('time', () => {
  const from = time('from', '');
  const noonMs = Date.UTC(2026, 10, 1, 12);
  reads(from, [
    ['2026-11-01T12:00:00Z', noonMs],
    ['2026-11-01T12:00:00', noonMs],
    ['2026-11-01 12:00', noonMs],
    ['2026-11-01T13:00:00+01:00', noonMs],
    ['2026-11-01T13:00:00 01:00', noonMs],
    ['2026-11-01T12:00:00.250Z', noonMs + 250],
    ['2026-11-01', noonMs - 12 * 3_600_000],
  ]);
  refuses(from, /ISO 8601 UTC time such as/, [
    'yesterday',
    '1793534400',
    '1793534400000',
    '2026-13-01',
    '2026-02-30',
    '2026-04-31T00:00:00Z',
    '2026-11-01T25:00:00Z',
    '1999-01-01T00:00:00Z',
    '2150-01-01',
    '2026-11-01T12:00:00Zulu',
    '2026-11',
  ]);
});

suite('text', () => {
  const q = text('q', 24, '');
  reads(q, [
    ['', ''],
    ['x'.repeat(24), 'x'.repeat(24)],
    ['Ünï', 'Ünï'],
  ]);
  refuses(q, /must be at most 24 characters/, ['x'.repeat(25), 'x'.repeat(65_536)]);
  const coin = coinText('coin', '');
  reads(coin, [['btc', 'BTC']]);
  refuses(coin, /must be at most 40 characters/, ['x'.repeat(41)]);
});

suite('lists', () => {
  const twenty = Array.from({ length: 20 }, (_, i) => `c${i}`);
  reads(coins('coin', ''), [
    ['btc', ['BTC']],
    ['btc, Eth', ['BTC', 'ETH']],
    [twenty.join(','), twenty.map((coin) => coin.toUpperCase())],
  ]);
  refuses(coins('coin', ''), /at most 20 values; got 21/, [[...twenty, 'x'].join(',')]);
  refuses(coins('coin', ''), /empty value in its list/, ['btc,,eth', ',', 'btc,']);
  reads(exchanges('exchange', ''), [['OKX, dYdX', ['OKX', 'dYdX']]]);
  reads(integers('interval_hours', { min: 1, max: 24 }, ''), [['1,8', [1, 8]]]);
  refuses(integers('interval_hours', { min: 1, max: 24 }, ''), /must be an integer from 1 to 24/, [
    '0',
    '8,25',
    'eight',
  ]);
});
