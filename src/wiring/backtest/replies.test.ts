import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ShapeError } from '../../base/parsing.ts';
import {
  bytes,
  numberOfMessage,
  parseMinuteOrNull,
  parseOutcome,
  parsePairView,
  parseReport,
  parseState,
  resultOf,
} from './replies.ts';

const minuteOrNullOf = (value: unknown) => parseMinuteOrNull(value, 'minute');
const outcomeOf = (value: unknown) => parseOutcome(value, 'outcome');
const reportOf = (value: unknown) => parseReport(value, 'report');
const stateOf = (value: unknown) => parseState(value, 'state');
const pairViewOf = (value: unknown) => parsePairView(value, 'pair');
const packedOf = (value: unknown) => bytes(value, 'packed block');

const parts = {
  sizeUsd: 100,
  rowCount: 2,
  numbers: new Map([['cycles', Float64Array.of(3, 4)]]),
  texts: new Map([['coin', { codes: Uint32Array.of(1, 2), values: ['BTC', 'ETH'] }]]),
};
const report = { minute: 7, sizes: [{ parts, frame: Uint8Array.of(1) }] };
const outcome = { minute: 7, reports: [report], damage: null };
const cycle = { direction: 1, openMinute: 3, closeMinute: 9, profitPct: 0.2 };
const minute = {
  minute: 9,
  buyA: 1,
  sellA: null,
  buyB: 2,
  sellB: 3,
  usualExitAPct: -0.1,
  usualExitBPct: null,
  dayChangeAPct: 1.25,
  dayChangeBPct: null,
};
const view = { fromMinute: 1, spreadsPct: Float32Array.of(0.5), cycles: [cycle], recent: [minute] };
const withParts = (changes: object) => ({
  ...report,
  sizes: [{ parts: { ...parts, ...changes }, frame: Uint8Array.of(1) }],
});

suite('replies of the backtest thread', () => {
  test('every kind of result is read as it was sent', () => {
    assert.equal(minuteOrNullOf(null), null);
    assert.equal(minuteOrNullOf(7), 7);
    assert.deepEqual(outcomeOf(outcome), outcome);
    assert.deepEqual(reportOf(report), report);
    assert.deepEqual(stateOf({ minute: 7, state: Uint8Array.of(2) }), { minute: 7, state: Uint8Array.of(2) });
    assert.deepEqual(pairViewOf(view), view);
    assert.equal(pairViewOf(null), null);
    assert.deepEqual(packedOf(Uint8Array.of(3)), Uint8Array.of(3));
  });

  test('a reply carries the number of its call, or none', () => {
    assert.equal(numberOfMessage({ number: 4, result: null }), 4);
    for (const message of [null, 'text', {}, { number: '4' }]) assert.equal(numberOfMessage(message), null);
  });

  test('a reported failure is thrown with its text', () => {
    assert.throws(() => resultOf({ number: 1, failure: 'no room' }), /no room/);
  });

  for (const [name, read, message] of [
    ['a reply that is no object', () => resultOf(1), /neither a result/],
    ['a reply with neither result nor failure', () => resultOf({ number: 1 }), /neither a result/],
    ['a minute as text', () => minuteOrNullOf('7'), /minute is not a number/],
    ['an outcome without reports', () => outcomeOf({ ...outcome, reports: null }), /reports is not a list/],
    ['damage that is a number', () => outcomeOf({ ...outcome, damage: 1 }), /damage is not a text/],
    ['a report without sizes', () => reportOf({ minute: 7 }), /sizes is not a list/],
    [
      'a frame as text',
      () => reportOf({ ...report, sizes: [{ parts, frame: '' }] }),
      /frame is not a Uint8Array/,
    ],
    [
      'a size that is not sampled',
      () => reportOf(withParts({ sizeUsd: 1 })),
      /report.sizes\[0\].parts.sizeUsd is none of/,
    ],
    ['numbers that are no Map', () => reportOf(withParts({ numbers: {} })), /numbers is not a Map/],
    [
      'a column that is too short',
      () => reportOf(withParts({ rowCount: 3 })),
      /cycles is not a column of 3 numbers/,
    ],
    [
      'codes of another type',
      () => reportOf(withParts({ texts: new Map([['coin', { codes: [1, 2], values: [] }]]) })),
      /texts.coin.codes is not a Uint32Array/,
    ],
    ['a state as text', () => stateOf({ minute: 7, state: 'x' }), /state is not a Uint8Array/],
    ['spreads of another type', () => pairViewOf({ ...view, spreadsPct: [0.5] }), /not a Float32Array/],
    [
      'a price as text',
      () => pairViewOf({ ...view, recent: [{ ...minute, buyA: '1' }] }),
      /buyA is not a number/,
    ],
    [
      'a cycle without profit',
      () => pairViewOf({ ...view, cycles: [{ ...cycle, profitPct: null }] }),
      /profitPct/,
    ],
    ['a packed block as text', () => packedOf('x'), /packed block is not a Uint8Array/],
  ] as const) {
    test(`${name} is refused`, () => {
      assert.throws(read, (error) => error instanceof ShapeError && message.test(error.message));
    });
  }
});
