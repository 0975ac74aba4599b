import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  parseHeartbeatReply,
  parsePullReply,
  parseTakeReplies,
  parseTakeReply,
  parseWindowsReply,
} from './replies.ts';
import {
  ALLOWED,
  MINUTE_SPENT,
  MONTH_SPENT,
  MONTH_UNKNOWN,
  OTHER_EPOCH,
  OTHER_LAYOUT,
  OUTDATED,
  REVOKED,
} from './scripts.ts';

const WINDOWS = { nowMs: 10, minuteUsed: 3, oldestMs: 4, monthUsed: 5, monthStartMs: 0, nextMonthStartMs: 9 };
const NUMBERS = Object.values(WINDOWS);

describe('parseTakeReply', () => {
  for (const [code, outcome] of [
    [ALLOWED, 'allowed'],
    [MINUTE_SPENT, 'minute-spent'],
    [MONTH_SPENT, 'month-spent'],
  ] as const)
    test(`reads a reply that is ${outcome}`, () =>
      assert.deepEqual(parseTakeReply([code, ...NUMBERS]), { outcome, ...WINDOWS }));
  test('reads another epoch', () =>
    assert.deepEqual(parseTakeReply([OTHER_EPOCH]), { outcome: 'other-epoch' }));
  test('reads a revoked key', () => assert.deepEqual(parseTakeReply([REVOKED]), { outcome: 'revoked' }));
  test('reads an outdated directory', () =>
    assert.deepEqual(parseTakeReply([OUTDATED, 8]), { outcome: 'outdated', revision: 8 }));
  test('reads a month that Redis lacks', () =>
    assert.deepEqual(parseTakeReply([MONTH_UNKNOWN, 7, 2]), {
      outcome: 'month-unknown',
      monthStartMs: 7,
      generation: 2,
    }));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['a text', 'OK'],
    ['an empty list', []],
    ['an unknown code', [99, ...NUMBERS]],
    ['a code that is text', [String(ALLOWED), ...NUMBERS]],
    ['a window without its end', [ALLOWED, ...NUMBERS.slice(0, -1)]],
    ['a window with a text among its numbers', [ALLOWED, ...NUMBERS.slice(0, -1), '9']],
    ['a number that is not finite', [ALLOWED, Number.NaN, ...NUMBERS.slice(1)]],
    ['an outdated directory without its revision', [OUTDATED]],
    ['an unknown month without its generation', [MONTH_UNKNOWN, 7]],
  ];
  for (const [name, reply] of bad) test(`refuses ${name}`, () => assert.equal(parseTakeReply(reply), null));
});

describe('parseTakeReplies', () => {
  const TIMES = [10, 0, 9];
  /** The oldest request was counted 6 ms before. */
  const holder = (code: number, passed: number) => [code, passed, 3, 6, 5, 0, 0];
  const windows = (outcome: string, passed: number) => ({ ...WINDOWS, outcome, passed });

  test('reads the windows of each holder, at one time', () =>
    assert.deepEqual(parseTakeReplies([...TIMES, ...holder(ALLOWED, 2), ...holder(MINUTE_SPENT, 1)], 2), [
      windows('allowed', 2),
      windows('minute-spent', 1),
    ]));
  test('reads holders that were not counted, among others', () =>
    assert.deepEqual(
      parseTakeReplies(
        [
          ...TIMES,
          ...[MONTH_UNKNOWN, 7, 2, 0, 0, 0, 0],
          ...[OUTDATED, 8, 0, 0, 0, 0, 0],
          ...[REVOKED, 0, 0, 0, 0, 0, 0],
          ...holder(MONTH_SPENT, 0),
        ],
        4,
      ),
      [
        { outcome: 'month-unknown', monthStartMs: 7, generation: 2 },
        { outcome: 'outdated', revision: 8 },
        { outcome: 'revoked' },
        windows('month-spent', 0),
      ],
    ));
  test('reads the months of a holder that are ahead of the others', () =>
    assert.deepEqual(parseTakeReplies([...TIMES, ALLOWED, 1, 3, 6, 5, 9, 8], 1), [
      { ...windows('allowed', 1), monthStartMs: 9, nextMonthStartMs: 17 },
    ]));
  test('another epoch concerns all holders', () =>
    assert.deepEqual(parseTakeReplies([OTHER_EPOCH], 2), [
      { outcome: 'other-epoch' },
      { outcome: 'other-epoch' },
    ]));
  test('another layout concerns all holders', () =>
    assert.deepEqual(parseTakeReplies([OTHER_LAYOUT, 3], 1), [{ outcome: 'other-layout', version: 3 }]));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['a text', 'OK'],
    ['an empty list', []],
    ['only a time', [10]],
    ['only the times', TIMES],
    ['a layout without its version', [OTHER_LAYOUT]],
    ['a code that does not concern all holders', [REVOKED]],
    ['fewer holders than were asked for', [...TIMES, ...holder(ALLOWED, 1)]],
    [
      'more holders than were asked for',
      [...TIMES, ...holder(ALLOWED, 1), ...holder(ALLOWED, 1), ...holder(ALLOWED, 1)],
    ],
    ['an unknown code of one holder', [...TIMES, ...holder(ALLOWED, 1), ...holder(99, 1)]],
    ['a text among the numbers', [...TIMES, ...holder(ALLOWED, 1), ALLOWED, '1', 3, 6, 5, 0, 0]],
  ];
  for (const [name, reply] of bad)
    test(`refuses ${name}`, () => assert.equal(parseTakeReplies(reply, 2), null));
});

describe('parseWindowsReply', () => {
  test('refuses a code that only TAKE returns', () => assert.equal(parseWindowsReply([REVOKED]), null));
});

describe('parsePullReply', () => {
  test('reads the month and the requests of the last minute', () =>
    assert.deepEqual(parsePullReply([ALLOWED, 1, 2, ['a:1', '1700', 'a:2', '1800']]), {
      monthStartMs: 1,
      monthUsed: 2,
      requests: [
        { name: 'a:1', atMs: 1700 },
        { name: 'a:2', atMs: 1800 },
      ],
    }));
  test('knows a server that has lost its counts', () =>
    assert.equal(parsePullReply([OTHER_EPOCH]), 'other-epoch'));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['another code', [REVOKED, 1, 2, []]],
    ['a month that is text', [ALLOWED, '1', 2, []]],
    ['a count that is text', [ALLOWED, 1, '2', []]],
    ['requests that are no list', [ALLOWED, 1, 2, 'a:1']],
    ['a request without a time', [ALLOWED, 1, 2, ['a:1']]],
    ['a time that is no number', [ALLOWED, 1, 2, ['a:1', 'soon']]],
    ['a name that is a number', [ALLOWED, 1, 2, [1, '1700']]],
  ];
  for (const [name, reply] of bad) test(`refuses ${name}`, () => assert.equal(parsePullReply(reply), null));
});

describe('parseHeartbeatReply', () => {
  test('reads the processes of an epoch', () =>
    assert.deepEqual(parseHeartbeatReply(['epoch', 4, 5, 6, ['a', 'b'], 7]), {
      epoch: 'epoch',
      revision: 5,
      nowMs: 6,
      processes: ['a', 'b'],
      layoutVersion: 7,
    }));
  test('an empty reply means a Redis without an epoch', () =>
    assert.equal(parseHeartbeatReply([]), 'new-redis'));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['a text', 'epoch'],
    ['an empty epoch', ['', 4, 5, 6, [], 7]],
    ['an epoch that is a number', [1, 4, 5, 6, [], 7]],
    ['a generation that is text', ['epoch', '4', 5, 6, [], 7]],
    ['a revision that is text', ['epoch', 4, '5', 6, [], 7]],
    ['a reply without a time', ['epoch', 4, 5]],
    ['processes that are no list', ['epoch', 4, 5, 6, 'a,b', 7]],
    ['a process that is a number', ['epoch', 4, 5, 6, ['a', 7], 7]],
    ['a reply without a layout', ['epoch', 4, 5, 6, []]],
    ['a layout that is text', ['epoch', 4, 5, 6, [], '7']],
  ];
  for (const [name, reply] of bad)
    test(`refuses ${name}`, () => assert.equal(parseHeartbeatReply(reply), null));
});
