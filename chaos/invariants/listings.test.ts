import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, isoTime } from '../../src/base/times.ts';
import { type CalendarRow, type TrueEvent, wrongListings } from './listings.ts';

const NOW_MS = Date.UTC(2026, 5, 10);
const EVENT: TrueEvent = {
  exchange: 'OKX',
  symbol: 'NEW1-USDT',
  kind: 'delisting',
  shownAtMs: NOW_MS - 4 * DAY_MS,
  plannedAtMs: NOW_MS - DAY_MS,
  finalAtMs: NOW_MS + 5 * DAY_MS,
};
const ROW: CalendarRow = {
  exchange: 'OKX',
  symbol: 'NEW1-USDT',
  kind: 'delisting',
  status: 'delisting',
  effective_at: isoTime(EVENT.finalAtMs),
};
const check = (rows: CalendarRow[], events: TrueEvent[] = [EVENT], isInformed = true) =>
  wrongListings(rows, { nowMs: NOW_MS, events, isInformed: () => isInformed }).join();

suite('rows of the calendar', () => {
  test('an event of the venue', () => assert.equal(check([ROW]), ''));
  test('a contract that the venue does not delist', () =>
    assert.match(check([{ ...ROW, symbol: 'BTC-USDT' }]), /false delisting.*never happened/));
  test('a listing of a contract that is only delisted', () =>
    assert.match(check([{ ...ROW, kind: 'listing' }]), /false listing/));
  test('an event that the venue has not shown yet', () =>
    assert.match(check([ROW], [{ ...EVENT, shownAtMs: NOW_MS + 1 }]), /never happened/));
  test('the same event twice', () => assert.match(check([ROW, ROW]), /doubled delisting/));
  test('a date that the venue never stated', () =>
    assert.match(check([{ ...ROW, effective_at: isoTime(NOW_MS + 20 * DAY_MS) }]), /is dated/));
  test('delisted, while the contract trades on', () =>
    assert.match(check([{ ...ROW, status: 'delisted' }]), /still trades/));
  test('a moved date is not known while the venue cannot be observed', () =>
    assert.equal(check([{ ...ROW, status: 'delisted' }], [EVENT], false), ''));
});
