import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { decodeKnown, encodeKnown, knownSeconds } from './known-codec.ts';

const START = 650_000 * 46;
const { NaN: UNKNOWN } = Number;
const learned = (minute: number) => minute * 60 + 17;

suite('when prints were learned', () => {
  test('reads back, whatever is unknown', () => {
    const print = fc.record({
      gap: fc.integer({ min: 1, max: 1440 }),
      known: fc.oneof(fc.constant(UNKNOWN), fc.integer({ min: 0, max: 4e9 }), fc.constant(1_790_000_000)),
    });
    fc.assert(
      fc.property(fc.array(print), (prints) => {
        let minute = START;
        const minutes = prints.map(({ gap }) => {
          minute += gap;
          return minute;
        });
        const known = prints.map((one) => one.known);
        assert.deepEqual(decodeKnown(encodeKnown(minutes, known, START), minutes, START), known);
      }),
    );
  });

  test('blocks of earlier versions have no times, and a block without any stores none', () => {
    assert.deepEqual(decodeKnown(null, [START, START + 60], START), [UNKNOWN, UNKNOWN]);
    assert.equal(encodeKnown([START, START + 60], [UNKNOWN, UNKNOWN], START), null);
  });

  test('a print that an earlier version adds does not move the times of others', () => {
    const minutes = [START, START + 480, START + 1440];
    const block = encodeKnown(minutes, minutes.map(learned), START);
    const more = [START, START + 480, START + 960, START + 1440, START + 1920];
    assert.deepEqual(decodeKnown(block, more, START), [
      ...[learned(START), learned(START + 480), UNKNOWN, learned(START + 1440)],
      UNKNOWN,
    ]);
  });

  test('prints that were fetched together take a few bytes, others about five each', () => {
    const minutes = Array.from({ length: 700 }, (_, i) => START + i * 60);
    const together = encodeKnown(minutes, Array(700).fill(START * 60 + 9e6), START);
    assert.ok((together?.length ?? 99) <= 12, `${together?.length} bytes`);
    const single = encodeKnown(minutes, minutes.map(learned), START);
    assert.ok((single?.length ?? 9999) <= 5 * 700, `${single?.length} bytes`);
  });

  test('the second is rounded up: nothing was known before', () => {
    assert.deepEqual([knownSeconds(1000), knownSeconds(1001)], [1, 2]);
  });
});
