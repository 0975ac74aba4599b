import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isoTime, MINUTE_MS } from '../../src/base/times.ts';
import type { FundingRow } from './rows.ts';
import { TapeBook } from './tape.ts';

const START_MS = Date.UTC(2026, 5, 1, 7, 30);
const NAMES = { exchange: 'OKX', venue_symbol: 'BTC-USDT-SWAP' };
const at = (minute: number, second = 0) => START_MS + minute * MINUTE_MS + second * 1000;
const figures = (rate_pct: number) => ({
  ...{ rate_pct, interval_hours: 8, next_funding_at: '2026-06-01T08:00:00Z' },
});
const row = (rate_pct: number) => ({ ...NAMES, ...figures(rate_pct) }) as FundingRow;
/** The tape has these rates, by minute. */
const tape = (rates: Readonly<Record<number, number>>) => [
  {
    ...NAMES,
    points: Object.entries(rates).map(([minute, ratePct]) => ({
      at: isoTime(at(Number(minute))),
      ...figures(ratePct),
    })),
  },
];

/** Minute 0 was answered with 0.01, minute 4 with 0.02. */
function book(): TapeBook {
  const answered = new TapeBook();
  answered.note(at(0, 40), [row(0.01)]);
  answered.moved(at(4));
  answered.note(at(4, 1), [row(0.02)]);
  answered.moved(at(9));
  return answered;
}

suite('the tape says what /funding answered', () => {
  const violationsOf = (rates: Readonly<Record<number, number>>, answered = book()) =>
    answered.compare(tape(rates), at(9)).violations.join();

  test('the same figures in the same minutes', () => {
    assert.deepEqual(book().compare(tape({ 0: 0.01, 4: 0.02 }), at(9)), { compared: 2, violations: [] });
  });
  test('another rate', () =>
    assert.match(violationsOf({ 0: 0.01, 4: 0.03 }), /wrong tape: OKX.*T07:34:00Z is \[0\.03.*was \[0\.02/));
  test('another next settlement', () => {
    const [series] = tape({ 0: 0.01, 4: 0.02 });
    const points = series?.points.map((point) => ({ ...point, next_funding_at: null })) ?? [];
    assert.equal(book().compare([{ ...NAMES, points }], at(9)).violations.length, 2);
  });
  test('a minute that is missing', () => assert.match(violationsOf({ 4: 0.02 }), /T07:30:00Z is a gap/));
  test('a contract that had no row', () => {
    const answered = book();
    answered.note(at(9, 1), []);
    const { violations } = answered.compare(tape({ 0: 0.01, 4: 0.02, 9: 0.03 }), at(12));
    assert.match(violations.join(), /T07:39:00Z is \[0\.03.*was a gap/);
  });
  test('a minute of which the last answer was not read is not compared', () => {
    const answered = book();
    answered.note(at(9, 1), [row(0.03)]);
    answered.moved(at(9, 35));
    assert.equal(answered.compare(tape({ 0: 0.01, 4: 0.02, 9: 0.04 }), at(12)).compared, 2);
  });
  test('the minute of the newest snapshot is not recorded yet', () => {
    const answered = book();
    answered.note(at(9, 1), [row(0.03)]);
    assert.equal(answered.compare(tape({ 0: 0.01, 4: 0.02 }), at(9, 1)).compared, 2);
  });
  test('minutes that a wrong clock has dated are not compared when their time has come', () => {
    const answered = book();
    answered.wrongUpTo(at(60));
    answered.note(at(59), [row(0.05)]);
    answered.note(at(61), [row(0.06)]);
    const compared = answered.compare(tape({ 0: 0.01, 4: 0.02, 59: 0.04, 61: 0.06 }), at(65));
    assert.deepEqual(compared, { compared: 3, violations: [] });
  });
});
