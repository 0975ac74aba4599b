import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AlertBook } from './alerts.ts';
import type { FundingRow } from './rows.ts';

const RULE = { boundPct: 0.05, hysteresisPct: 0.01 };
const row = (rate_pct: number) => ({ exchange: 'OKX', venue_symbol: 'BTC', rate_pct }) as FundingRow;
const alert = (event_id: string, kind: string, rate_pct: number) => ({ event_id, kind, row: row(rate_pct) });

/** A row that is known to be below. */
function bookBelow(): AlertBook {
  const book = new AlertBook(RULE);
  for (let check = 0; check < 2; check++) assert.deepEqual(book.missingAlerts([row(0.01)]), []);
  return book;
}

suite('every alert once', () => {
  test('a crossing and its return are one event each, and may be delivered again', () => {
    const book = bookBelow();
    for (const one of [
      alert('a', 'crossed', 0.06),
      alert('a', 'crossed', 0.06),
      alert('b', 'returned', 0.04),
      alert('c', 'crossed', 0.07),
    ]) {
      book.receive(one);
      assert.deepEqual(book.wrongAlerts(), []);
    }
    assert.equal(book.count, 3);
    for (let check = 0; check < 3; check++) assert.deepEqual(book.missingAlerts([row(0.06)]), []);
  });

  test('two events of one crossing are a violation', () => {
    const book = bookBelow();
    book.receive(alert('a', 'crossed', 0.06));
    assert.deepEqual(book.wrongAlerts(), []);
    book.receive(alert('b', 'crossed', 0.06));
    assert.match(book.wrongAlerts().join(), /doubled or lost alert: OKX BTC was above, then crossed 1/);
  });

  test('two that arrive together are one too, in any order', () => {
    const doubled = bookBelow();
    doubled.receive(alert('a', 'crossed', 0.06));
    doubled.receive(alert('b', 'crossed', 0.07));
    assert.equal(doubled.wrongAlerts().length, 1);
    const swapped = bookBelow();
    swapped.receive(alert('b', 'returned', 0.02));
    swapped.receive(alert('a', 'crossed', 0.07));
    assert.deepEqual(swapped.wrongAlerts(), []);
    for (let check = 0; check < 3; check++) assert.deepEqual(swapped.missingAlerts([row(0.02)]), []);
  });

  test('an event whose figure is not beyond the bound is a violation', () => {
    const book = bookBelow();
    book.receive(alert('a', 'crossed', 0.045));
    assert.match(book.wrongAlerts().join(), /false alert: OKX BTC crossed at 0.045 %/);
  });

  test('a crossing without an event is a violation at the second check; within the hysteresis it is none', () => {
    const book = bookBelow();
    assert.deepEqual(book.missingAlerts([row(0.045)]), []);
    assert.deepEqual(book.missingAlerts([row(0.06)]), []);
    assert.match(book.missingAlerts([row(0.06)]).join(), /missing alert: OKX BTC is above at 0.06 %/);
  });

  test('a row that disappears keeps its side', () => {
    const book = bookBelow();
    assert.deepEqual(book.missingAlerts([row(0.06)]), []);
    assert.deepEqual(book.missingAlerts([]), []);
    assert.deepEqual(book.missingAlerts([row(0.06)]), [], 'not two checks in a row');
    assert.equal(book.missingAlerts([row(0.06)]).length, 1);
  });
});
