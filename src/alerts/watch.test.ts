import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compareFigures, compareRows, type Figure, readFigure, sortFigure, watchKeyOf } from './watch.ts';

const identified = (ids: readonly number[]) => ({
  rows: ids.map((_, row) => row),
  ids: Int32Array.from(ids),
});
const figuresOf = (values: readonly number[]): Figure[] => {
  const rows = identified(values.map((_, i) => i + 100));
  const cell = (row: number) => values[row] ?? Number.NaN;
  return [readFigure(rows, cell), sortFigure(rows, cell)];
};

suite('watches', () => {
  test('rows that enter and leave', () => {
    assert.deepEqual(compareRows(new Set(), identified([3, 1])), { added: [3, 1], removed: [] });
    assert.deepEqual(compareRows(new Set([1, 2]), identified([2, 3])), { added: [3], removed: [1] });
    assert.deepEqual(compareRows(new Set([1, 2]), identified([2, 1])), { added: [], removed: [] });
    assert.deepEqual(compareRows(new Set([1, 2]), identified([])), { added: [], removed: [1, 2] });
    assert.deepEqual(compareRows(new Set([70_000]), identified([70_001])), {
      added: [70_001],
      removed: [70_000],
    });
  });

  for (const [what, known, values, bounds, added, removed] of [
    ['above the bound', [], [0.04, 0.06], { direction: 'above', bound: 0.05, hysteresis: 0 }, [101], []],
    [
      'exactly at the bound is not beyond it',
      [],
      [0.05],
      { direction: 'above', bound: 0.05, hysteresis: 0 },
      [],
      [],
    ],
    ['still above', [101], [0.04, 0.06], { direction: 'above', bound: 0.05, hysteresis: 0 }, [], []],
    [
      'within the hysteresis it has not come back',
      [100],
      [0.045],
      { direction: 'above', bound: 0.05, hysteresis: 0.01 },
      [],
      [],
    ],
    [
      'at the end of the hysteresis it has',
      [100],
      [0.25],
      { direction: 'above', bound: 0.5, hysteresis: 0.25 },
      [],
      [100],
    ],
    ['below the bound', [], [-0.06, 0.1], { direction: 'below', bound: -0.05, hysteresis: 0 }, [100], []],
    ['back above', [100], [-0.03], { direction: 'below', bound: -0.05, hysteresis: 0.01 }, [], [100]],
    [
      'one crosses while another comes back',
      [100],
      [1, 9],
      { direction: 'above', bound: 5, hysteresis: 1 },
      [101],
      [100],
    ],
    [
      'a row without the figure keeps its state',
      [100],
      [Number.NaN],
      { direction: 'above', bound: 5, hysteresis: 0 },
      [],
      [],
    ],
    [
      'a row that is not on the list keeps its state',
      [999],
      [1],
      { direction: 'above', bound: 5, hysteresis: 0 },
      [],
      [],
    ],
  ] as const) {
    test(`a figure: ${what}`, () => {
      for (const figure of figuresOf(values))
        assert.deepEqual(compareFigures(new Set(known), figure, bounds), {
          added: [...added],
          removed: [...removed],
        });
    });
  }

  test('sorted or not, the same rows are found', () => {
    const values = Array.from({ length: 300 }, (_, i) => (i % 17 === 0 ? Number.NaN : Math.sin(i * 7) * 10));
    const known = new Set(values.flatMap((_, i) => (i % 3 === 0 ? [i + 100] : [])));
    for (const direction of ['above', 'below'] as const)
      for (let bound = -11; bound <= 11; bound++) {
        const [each, sorted] = figuresOf(values).map((figure) => {
          const { added, removed } = compareFigures(known, figure, { direction, bound, hysteresis: 1 });
          return { added: added.toSorted((a, b) => a - b), removed: removed.toSorted((a, b) => a - b) };
        });
        assert.deepEqual(each, sorted);
      }
  });

  test('rules share a watch if question and bound are the same', () => {
    const crossing = {
      kind: 'crosses',
      figure: 'rate_pct',
      direction: 'above',
      bound: 1,
      hysteresis: 0,
      reportsReturn: true,
    } as const;
    assert.equal(watchKeyOf('q', { kind: 'enters' }), watchKeyOf('q', { kind: 'leaves' }));
    assert.equal(watchKeyOf('q', crossing), watchKeyOf('q', { ...crossing, reportsReturn: false }));
    assert.notEqual(watchKeyOf('q', crossing), watchKeyOf('q', { ...crossing, bound: 2 }));
    assert.notEqual(watchKeyOf('q', crossing), watchKeyOf('other', crossing));
  });
});
