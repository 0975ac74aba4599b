import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { gridOf, isDay } from './calendar-grid.ts';

suite('calendar grids', () => {
  test('a month is whole weeks from Monday on, with days of its neighbours', () => {
    const grid = gridOf('month', '2026-11-15');
    assert.equal(grid.title, 'November 2026');
    assert.equal(grid.start, '2026-11-01');
    assert.deepEqual([grid.from, grid.to], ['2026-10-26T00:00:00Z', '2026-12-07T00:00:00Z']);
    assert.deepEqual([grid.before, grid.after], ['2026-10-01', '2026-12-01']);
    const days = grid.weeks.flat();
    assert.equal(days.length, 42);
    assert.deepEqual(
      days.filter(({ isOther }) => !isOther).map(({ day }) => day),
      Array.from({ length: 30 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`),
    );
    assert.equal(days.at(-1)?.endsAt, grid.to);
  });

  test('a month that begins on a Monday has no day before it, and January follows December', () => {
    const february = gridOf('month', '2027-02-28');
    assert.equal(february.weeks.length, 4);
    assert.ok(february.weeks.flat().every(({ isOther }) => !isOther));
    assert.equal(gridOf('month', '2026-12-31').after, '2027-01-01');
    assert.equal(gridOf('month', '2027-01-31').before, '2026-12-01');
  });

  test('a week goes from Monday to Sunday, over the end of a month and a year', () => {
    const grid = gridOf('week', '2027-01-03');
    assert.equal(grid.title, '28 December 2026 to 3 January 2027');
    assert.equal(gridOf('week', '2026-11-18').title, '16 to 22 November 2026');
    assert.deepEqual([grid.before, grid.after], ['2026-12-21', '2027-01-04']);
    assert.deepEqual([grid.from, grid.to], ['2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z']);
    assert.deepEqual(
      grid.weeks.map((week) => week.map(({ isOther }) => isOther)),
      [new Array(7).fill(false)],
    );
  });

  test('each day of years lies in the grids made for it, once', () => {
    for (let timeMs = Date.UTC(2024, 0, 1); timeMs < Date.UTC(2029, 0, 1); timeMs += 86_400_000) {
      const day = new Date(timeMs).toISOString().slice(0, 10);
      for (const span of ['month', 'week'] as const) {
        const found = gridOf(span, day)
          .weeks.flat()
          .filter((one) => one.day === day);
        assert.equal(found.length, 1, `${span} ${day}`);
        assert.equal(found[0]?.isOther, false, `${span} ${day}`);
      }
    }
  });

  test('days that do not exist are none', () => {
    for (const day of ['2026-11-15', '2028-02-29']) assert.ok(isDay(day), day);
    for (const text of ['2026-02-29', '2026-13-01', '2026-11-31', '1999-01-01', '2026-1-1', '', 'today'])
      assert.ok(!isDay(text), text);
  });
});
