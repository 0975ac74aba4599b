import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../base/times.ts';
import { DAYS_STORED, daysText, parseDays, withMinute } from './availability-days.ts';

suite('available minutes by day', () => {
  test('each minute counts on its day, and days older than ninety are left out', () => {
    const start = 20_000 * DAY_MS;
    let days = withMinute([], start, true);
    days = withMinute(days, start + MINUTE_MS, false);
    days = withMinute(days, start + DAY_MS, true);
    assert.deepEqual(days, [
      { day: 20_000, available: 1, watched: 2 },
      { day: 20_001, available: 1, watched: 1 },
    ]);
    const later = withMinute(days, start + DAYS_STORED * DAY_MS, true);
    assert.deepEqual(
      later.map(({ day }) => day),
      [20_001, 20_000 + DAYS_STORED],
    );
  });

  test('the stored text is read back as it was; other texts are refused', () => {
    const days = [
      { day: 20_410, available: 1438, watched: 1440 },
      { day: 20_411, available: 0, watched: 7 },
    ];
    assert.equal(daysText(days), '20410:1438/1440,20411:0/7');
    assert.deepEqual(parseDays(daysText(days)), days);
    assert.deepEqual(parseDays(''), []);
    for (const text of ['1', '1:2', '1:2/', 'x:1/2', '1:2/3;']) assert.equal(parseDays(text), null, text);
  });
});
