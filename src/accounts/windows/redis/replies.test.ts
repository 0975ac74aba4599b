import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCountReply } from './replies.ts';
import { ALLOWED, MINUTE_SPENT, MONTH_SPENT, MONTH_UNKNOWN, OUTDATED, REVOKED } from './scripts.ts';

describe('parseCountReply', () => {
  const windows = { minuteUsed: 3, oldestAgeMs: 20, monthUsed: 7 };
  const good: [string, number[], object][] = [
    ['a request that passed', [ALLOWED, 3, 20, 7], { outcome: 'allowed', ...windows }],
    ['a spent minute', [MINUTE_SPENT, 3, 20, 7], { outcome: 'minute', ...windows }],
    ['a spent month', [MONTH_SPENT, 3, 20, 7], { outcome: 'month', ...windows }],
    ['an outdated revision', [OUTDATED, 12], { outcome: 'outdated', revision: 12 }],
    ['a revoked key', [REVOKED], { outcome: 'revoked' }],
    ['an unknown month', [MONTH_UNKNOWN], { outcome: 'month-unknown' }],
  ];
  for (const [name, reply, parsed] of good)
    test(`reads ${name}`, () => assert.deepEqual(parseCountReply(reply), parsed));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['a number', 1],
    ['an empty list', []],
    ['an unknown code', [99, 1, 2, 3]],
    ['text instead of numbers', [ALLOWED, '3', 20, 7]],
    ['a number that is not finite', [ALLOWED, Number.NaN, 20, 7]],
    ['windows without a month', [ALLOWED, 3, 20]],
    ['windows without ages', [MINUTE_SPENT, 3]],
    ['an outdated reply without a revision', [OUTDATED]],
  ];
  for (const [name, reply] of bad) test(`refuses ${name}`, () => assert.equal(parseCountReply(reply), null));
});
