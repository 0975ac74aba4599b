import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { differences, report } from './compare.ts';
import type { Answered, Recording } from './recording.ts';

const ROWS = [
  { exchange: 'Binance', symbol: 'BTC-USDT', rate_pct: 0.01 },
  { exchange: 'Bybit', symbol: 'BTC-USDT', rate_pct: 0.02 },
];
const answer = (changed: Partial<Answered> = {}): Answered => ({
  name: 'GET /api/v1/funding (business)',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data: ROWS, meta: { total: 2 } }),
  ...changed,
});
const recording = (...answers: readonly Answered[]): Recording =>
  new Map([['one process/rest/funding', answers]]);
const found = (before: Answered, after: Answered) =>
  differences(recording(before), recording(after)).map(({ place, kind, before: from, after: to }) => [
    place,
    kind,
    from,
    to,
  ]);
const withRows = (data: readonly object[]) => answer({ body: JSON.stringify({ data, meta: { total: 2 } }) });

suite('comparing two recordings', () => {
  test('equal recordings have no difference', () => {
    assert.deepEqual(differences(recording(answer()), recording(answer())), []);
  });

  test('a changed value is found by its row and column', () => {
    const [first, second] = ROWS;
    assert.deepEqual(found(answer(), withRows([{ ...first, rate_pct: 0.5 }, { ...second }])), [
      ['Binance BTC-USDT', 'data.rate_pct', '0.01', '0.5'],
    ]);
  });

  test('a row that is missing is one difference', () => {
    assert.deepEqual(found(answer(), withRows(ROWS.slice(1))), [
      ['Binance BTC-USDT', 'data: row', 'there', '(none)'],
    ]);
  });

  test('another order of rows is found', () => {
    assert.deepEqual(found(answer(), withRows(ROWS.toReversed())), [
      ['row 1', 'data: order', 'Binance BTC-USDT', 'Bybit BTC-USDT'],
    ]);
  });

  test('a column that was added is found', () => {
    const [first, second] = ROWS;
    assert.deepEqual(found(answer(), withRows([{ ...first, apr_pct: null }, { ...second }])), [
      ['Binance BTC-USDT', 'data.apr_pct', '(none)', 'null'],
    ]);
  });

  test('another order of fields is found, though the values are equal', () => {
    const [first, second] = ROWS;
    const swapped = { symbol: first?.symbol, exchange: first?.exchange, rate_pct: first?.rate_pct };
    assert.deepEqual(
      found(answer(), withRows([swapped, { ...second }])).map(([, kind]) => kind),
      ['bytes'],
    );
  });

  test('a header, a status and a request that is no longer made are found', () => {
    assert.deepEqual(found(answer(), answer({ headers: {} })), [
      ['', 'header content-type', 'application/json', '(none)'],
    ]);
    assert.deepEqual(found(answer(), answer({ status: 500 }))[0], ['', 'status', '200', '500']);
    assert.deepEqual(
      differences(recording(answer()), recording()).map(({ kind, after }) => [kind, after]),
      [['the request itself', '(none)']],
    );
  });

  test('lines of a text are compared, and a long line is cut around what differs', () => {
    const text = `${'x'.repeat(500)}1${'y'.repeat(500)}`;
    const [difference] = found(
      answer({ body: `a\n${text}\nb` }),
      answer({ body: `a\n${text.replace('1', '2')}\nb` }),
    );
    assert.ok(difference);
    const [place, kind, before, after] = difference;
    assert.deepEqual([place, kind], ['line 2', 'lines']);
    assert.ok(before?.includes('x1y') && after?.includes('x2y') && before.length < 200);
  });

  test('rows whose names repeat are compared by their places', () => {
    const points = [{ rate_pct: 1 }, { rate_pct: 2 }];
    assert.deepEqual(found(withRows(points), withRows([{ rate_pct: 1 }, { rate_pct: 3 }])), [
      ['row 2', 'data.rate_pct', '2', '3'],
    ]);
  });

  test('the report counts differences of one kind and shows a few', () => {
    const after = withRows(ROWS.map((row) => ({ ...row, rate_pct: 9 })));
    const text = report(differences(recording(answer()), recording(after)));
    assert.match(text, /^one process\/rest\/funding: data\.rate_pct differs 2 times in one answer\n/);
    assert.match(text, /Bybit BTC-USDT\n {4}before {2}0\.02\n {4}after {3}9$/);
  });
});
