import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Episode } from '../../history/listings/model.ts';
import { ListingCalendar } from './calendar.ts';

const START_MS = Date.UTC(2026, 10, 16, 9, 30);
const seconds = (count: number) => START_MS + count * 1_000;

/** A calendar whose rows changed at these seconds and that was last published at `last`. */
function calendarOf(last: number, ...changes: number[]): ListingCalendar {
  const episodes = changes.map((at) => ({ versions: [{ changedAtMs: seconds(at) }] }) as unknown as Episode);
  return new ListingCalendar(() => ({
    span: { firstAsOfMs: START_MS, lastAsOfMs: seconds(last) },
    episodes,
  }));
}

suite('the calendar for readers that catch up', () => {
  const timesOf = (calendar: ListingCalendar, from: number, delaySeconds: number, now: number) => {
    const times: number[] = [];
    for (let at = calendar.after(seconds(from), delaySeconds, seconds(now)); at !== null; ) {
      times.push((at - START_MS) / 1_000);
      at = calendar.after(at, delaySeconds, seconds(now));
    }
    return times;
  };

  test('shows the last publication, and each change on the way', () => {
    assert.deepEqual(timesOf(calendarOf(13), 3, 0, 13), [13]);
    assert.deepEqual(timesOf(calendarOf(13, 2, 7, 9, 13), 3, 0, 13), [7, 9, 13]);
    assert.deepEqual(timesOf(calendarOf(13, 7), 13, 0, 13), []);
  });

  test('is divided into steps after a longer pause, because rows age', () => {
    assert.deepEqual(timesOf(calendarOf(53, 35), 3, 0, 53), [13, 23, 33, 35, 53]);
  });

  test('shows delayed readers nothing that is newer than their delay', () => {
    assert.deepEqual(timesOf(calendarOf(953, 40, 60), 3, 900, 953), [13, 23, 33, 40, 50]);
  });
});
