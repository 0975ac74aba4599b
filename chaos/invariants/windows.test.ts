import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PassedRequests } from './windows.ts';

const noteAll = (passed: PassedRequests, ...times: number[]) => times.flatMap((atMs) => passed.note(atMs));

suite('windows', () => {
  test('the limit in a minute passes, one more is a violation', () => {
    const passed = new PassedRequests({ perMinute: 2, perMonth: 100 });
    assert.deepEqual(noteAll(passed, 0, 1, 60_000, 60_001), []);
    assert.match(noteAll(passed, 60_002).join(), /3 of 2 in the minute/);
  });

  test('the month', () => {
    const passed = new PassedRequests({ perMinute: 100, perMonth: 3 });
    assert.deepEqual(noteAll(passed, 0, 1, 2), []);
    assert.match(noteAll(passed, 3).join(), /4 of 3 in the month/);
    passed.newMonth();
    assert.deepEqual(noteAll(passed, 4), []);
  });

  test('a killed process may forget its minute, and what was not stored yet of the month', () => {
    const passed = new PassedRequests({ perMinute: 2, perMonth: 4 });
    assert.deepEqual(noteAll(passed, 0, 1), []);
    passed.stored();
    assert.deepEqual(noteAll(passed, 70_000), []);
    passed.killed({ losesMinute: true });
    assert.deepEqual(noteAll(passed, 70_001, 70_002), []);
    assert.match(noteAll(passed, 70_003).join(), /in the minute/);
    assert.match(noteAll(passed, 200_000).join(), /in the month/);
  });

  test('in the minute in which Redis is lost twice the limit may pass, afterwards the limit', () => {
    const passed = new PassedRequests({ perMinute: 2, perMonth: 100 });
    assert.deepEqual(noteAll(passed, 0, 1), []);
    passed.redisLost(2);
    assert.deepEqual(noteAll(passed, 3, 4), []);
    assert.match(noteAll(passed, 5).join(), /5 of 2 in the minute/);
    assert.deepEqual(noteAll(passed, 70_000, 70_001), []);
    assert.match(noteAll(passed, 70_002).join(), /3 of 2 in the minute/);
  });

  test('with Redis a killed process loses no minute', () => {
    const passed = new PassedRequests({ perMinute: 1, perMonth: 10 });
    noteAll(passed, 0);
    passed.killed({ losesMinute: false });
    assert.match(noteAll(passed, 1).join(), /2 of 1 in the minute/);
  });
});
