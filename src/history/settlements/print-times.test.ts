import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { PrintTimes } from './print-times.ts';
import { firstIndexFrom } from './times.ts';

const gaps = fc.array(fc.constantFrom(60, 60, 60, 240, 480, 7), { maxLength: 60 });
const minutesOf = (list: readonly number[]) => {
  let minute = 29_000_000;
  return list.map((gap) => {
    minute += gap;
    return minute;
  });
};

suite('the times of prints as runs', () => {
  test('every minute and every search is that of the plain list', () => {
    fc.assert(
      fc.property(gaps, fc.nat(70), (list, offset) => {
        const minutes = minutesOf(list);
        const times = PrintTimes.of(minutes);
        assert.equal(times.length, minutes.length);
        assert.deepEqual(
          minutes.map((_, i) => times.at(i)),
          minutes,
        );
        for (const minute of [0, ...minutes.flatMap((one) => [one - offset, one, one + 1, one + offset])])
          assert.equal(times.firstFrom(minute), firstIndexFrom(minutes, minute), `from ${minute}`);
      }),
    );
  });

  test('the rest after dropping the first ones is that of the plain list, and goes on', () => {
    fc.assert(
      fc.property(gaps, fc.nat(60), (list, wanted) => {
        const minutes = minutesOf(list);
        const count = Math.min(wanted, minutes.length);
        const times = PrintTimes.of(minutes);
        assert.deepEqual([...times.from(count)], minutes.slice(count));
        times.dropFirst(count);
        times.append(99_000_000);
        assert.deepEqual([...times.from(0)], [...minutes.slice(count), 99_000_000]);
      }),
    );
  });

  test('the distance around a print is known only where the four prints are evenly spaced', () => {
    const times = PrintTimes.of([0, 60, 120, 180, 240, 720, 1200]);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6].map((i) => times.stepAround(i)),
      [0, 0, 60, 60, 0, 0, 0],
    );
  });
});
