import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { TableBuilder } from '../market/table.ts';
import { NumberIndex, type Range, textIndex } from './column-index.ts';

/** Many distinct values, many equal ones, both infinities and nulls. */
const value = fc.oneof(
  { weight: 6, arbitrary: fc.double({ noNaN: true, min: -1e6, max: 1e6 }) },
  { weight: 3, arbitrary: fc.constantFrom(0, -0, 0.01, 8) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
);
const column = fc.array(value, { maxLength: 700, size: 'max' }).map((values) => Float64Array.from(values));
const bounds = fc.uniqueArray(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), {
  minLength: 2,
  maxLength: 6,
});

/** Disjoint ranges between sorted bounds; with two bounds one range. */
function rangesOf(sorted: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (let i = 0; i + 1 < sorted.length; i += 2)
    ranges.push({ low: sorted[i] ?? 0, high: sorted[i + 1] ?? 0 });
  return ranges;
}

const isIn = (ranges: readonly Range[], one: number) =>
  ranges.some(({ low, high }) => one >= low && one <= high);

suite('the index of a number column', () => {
  test('lists, counts and unmarks exactly what comparing every row does', () => {
    fc.assert(
      fc.property(column, bounds, (data, unsorted) => {
        const ranges = rangesOf(unsorted.toSorted((a, b) => a - b));
        const index = new NumberIndex(data);
        const expected = [...data.keys()].filter((row) => isIn(ranges, data[row] ?? Number.NaN));
        const into = new Uint32Array(data.length);
        const count = index.collect(ranges, into);
        assert.deepEqual(
          [...into.subarray(0, count)].sort((a, b) => a - b),
          expected,
        );
        const { inside, outside } = index.estimate(ranges);
        assert.ok(inside >= expected.length && outside >= data.length - expected.length);
        const marks = new Uint8Array(data.length).map((_, row) => row % 2);
        const marked = expected.filter((row) => row % 2 === 1);
        assert.equal(index.unmark(ranges, marks), Math.floor(data.length / 2) - marked.length);
        assert.deepEqual(
          [...marks.keys()].filter((row) => marks[row] === 1),
          marked,
        );
      }),
      { numRuns: 300 },
    );
  });

  test('tells a narrow range of many values to a few hundredths', () => {
    const data = Float64Array.from({ length: 25_000 }, (_, row) => Math.sin(row));
    const range = [{ low: 0.5, high: 0.6 }];
    const exact = data.filter((one) => isIn(range, one)).length;
    const { inside, outside } = new NumberIndex(data).estimate(range);
    assert.ok(inside - exact < data.length * 0.03, `${inside} for ${exact}`);
    assert.ok(outside - (data.length - exact) < data.length * 0.03);
  });

  test('an empty column and one of nulls have nothing', () => {
    for (const data of [new Float64Array(0), new Float64Array(5).fill(Number.NaN)]) {
      const index = new NumberIndex(data);
      assert.deepEqual(index.estimate([{ low: -1, high: 1 }]), { inside: 0, outside: data.length });
      assert.equal(index.collect([{ low: -1, high: 1 }], new Uint32Array(5)), 0);
    }
  });
});

suite('the index of a text column', () => {
  const builder = new TableBuilder({
    name: 'notes',
    columns: [{ name: 'note', type: 'text', nullable: true, description: '' }],
  });
  for (const note of ['b', null, 'a', 'b', '__proto__', '']) builder.add({ note });
  const index = textIndex(builder.build(), 'note');
  const rowsOf = (...names: string[]) => index.codesOf(names).flatMap((code) => [...index.rowsWith(code)]);

  test('lists the rows of each text', () => assert.deepEqual(rowsOf('b', 'a'), [0, 3, 2]));
  test('counts a name once that is given twice', () => assert.deepEqual(rowsOf('a', 'a'), [2]));
  test('leaves out what does not occur', () => assert.deepEqual(rowsOf('c', 'toString'), []));
  test('an empty text is not null', () => assert.deepEqual(rowsOf(''), [5]));
  test('a prototype name is a text like any other', () => assert.deepEqual(rowsOf('__proto__'), [4]));
});
