import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { contract } from '../../../test/listings/made.ts';
import { NOW_MS, Watched } from '../../../test/listings/watching.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';

const OLD = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH', 'III', 'JJJ'].map((base) =>
  contract(base),
);
const without = (...bases: string[]) => OLD.filter(({ base }) => !bases.includes(base));

suite('differences between lists', () => {
  test('the first list only primes', () => {
    assert.deepEqual(new Watched().list(OLD), []);
  });

  test('a contract that appears is listed as of the list that shows it', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list([...OLD, contract('NEW')]), [
      'NEW-USDT listing newly listed 11-01T12:10 diff',
    ]);
    assert.equal(venue.list([...OLD, contract('NEW')]).length, 1, 'once');
  });

  test('after a gap nobody knows when it appeared', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list([...OLD, contract('NEW')], 2 * HOUR_MS), [
      'NEW-USDT listing newly listed - diff',
    ]);
  });

  test('a contract that vanishes is delisted when a second list confirms it', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list(without('AAA')), []);
    assert.deepEqual(venue.list(without('AAA')), ['AAA-USDT delisting delisted 11-01T12:10 diff']);
    assert.equal(venue.list(without('AAA')).length, 1, 'once');
  });

  test('two lists within a minute are one', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list(without('AAA'));
    assert.deepEqual(venue.list(without('AAA'), 15_000), []);
    assert.equal(venue.list(without('AAA'), 45_000).length, 1);
  });

  test('one list without it proves nothing', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list(without('AAA'));
    venue.list(OLD);
    venue.list(without('AAA'));
    assert.deepEqual(venue.list(OLD), []);
  });

  test('an empty list is no list', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list([]);
    venue.list([]);
    assert.deepEqual(venue.list(OLD), []);
  });

  test('a list under half of the last makes no delistings, however often it comes', () => {
    const venue = new Watched();
    venue.list(OLD);
    for (let i = 0; i < 10; i++) assert.deepEqual(venue.list(OLD.slice(0, 4)), []);
    assert.deepEqual(venue.list(OLD), [], 'and the full list makes no listings');
  });

  test('after a week a short list is the usual one, still without delistings', () => {
    const venue = new Watched();
    venue.list(OLD);
    for (let hours = 0; hours < 8 * 24; hours++) assert.deepEqual(venue.list(OLD.slice(0, 4), HOUR_MS), []);
    venue.list(OLD.slice(0, 3));
    assert.deepEqual(
      venue.list(OLD.slice(0, 3)).map((row) => row.split(' ')[0]),
      ['DDD-USDT'],
    );
  });

  test('a short list still shows what is new', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list([...OLD.slice(0, 3), contract('NEW')]), [
      'NEW-USDT listing newly listed 11-01T12:10 diff',
    ]);
  });

  test('many that vanish at once must stay away for an hour', () => {
    const many = Array.from({ length: 100 }, (_, i) => contract(`M${i}`));
    const venue = new Watched();
    venue.list(many);
    const rest = many.slice(0, 80);
    for (let minutes = 0; minutes < 60; minutes += 5) assert.deepEqual(venue.list(rest), []);
    assert.equal(venue.list(rest).length, 20);
  });

  test('two parts of a venue do not delist each other', () => {
    const venue = new Watched();
    const inverse = [contract('AAA', { venueSymbol: 'AAAUSD', quote: 'USD', isInverse: true })];
    for (let i = 0; i < 4; i++) {
      venue.list(OLD);
      venue.watch.takeList('Bybit', { part: 'inverse', contracts: inverse }, venue.nowMs + 1);
    }
    assert.deepEqual(venue.publish(), []);
  });

  test('halted is neither listed nor delisted', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list([...without('AAA'), contract('AAA', { status: 'halted' })]);
    assert.deepEqual(venue.list(OLD), []);
  });
});

suite('status and time fields of lists', () => {
  test('a pre-open contract has its row and date from the first list on, and opens by the clock', () => {
    const venue = new Watched();
    const listedAtMs = NOW_MS + 2 * HOUR_MS;
    const ahead = contract('NEW', { status: 'preopen', listedAtMs });
    assert.deepEqual(venue.list([...OLD, ahead]), ['NEW-USDT listing preopen 11-01T14:00 instruments']);
    assert.deepEqual(venue.rows(listedAtMs - 1), ['NEW-USDT listing preopen 11-01T14:00 instruments']);
    assert.deepEqual(venue.rows(listedAtMs), ['NEW-USDT listing newly listed 11-01T14:00 instruments']);
    assert.deepEqual(venue.rows(listedAtMs + 30 * DAY_MS - 1), [
      'NEW-USDT listing newly listed 11-01T14:00 instruments',
    ]);
    assert.deepEqual(venue.rows(listedAtMs + 30 * DAY_MS), ['NEW-USDT listing - 11-01T14:00 instruments']);
  });

  test('without a date it opens when the list shows it trading', () => {
    const venue = new Watched();
    assert.deepEqual(venue.list([...OLD, contract('NEW', { status: 'preopen' })]), [
      'NEW-USDT listing preopen - instruments',
    ]);
    assert.deepEqual(venue.list([...OLD, contract('NEW')]), [
      'NEW-USDT listing newly listed 11-01T12:10 instruments',
    ]);
  });

  test('while the list says pre-open long after the time, the clock does not open it', () => {
    const venue = new Watched();
    const ahead = contract('NEW', { status: 'preopen', listedAtMs: NOW_MS + 10 * MINUTE_MS });
    venue.list([...OLD, ahead]);
    assert.deepEqual(venue.list([...OLD, ahead], HOUR_MS), [
      'NEW-USDT listing preopen 11-01T12:10 instruments',
    ]);
    venue.list([...OLD, contract('NEW', { listedAtMs: NOW_MS + 10 * MINUTE_MS })]);
    assert.deepEqual(venue.rows(), ['NEW-USDT listing newly listed 11-01T12:10 instruments']);
  });

  test('a contract listed in the last 30 days is a row of the first list', () => {
    const venue = new Watched();
    const listedAtMs = NOW_MS - 29 * DAY_MS;
    assert.deepEqual(venue.list([...OLD, contract('NEW', { listedAtMs })]), [
      'NEW-USDT listing newly listed 10-03T12:00 instruments',
    ]);
    assert.deepEqual(new Watched().list([contract('AGED', { listedAtMs: NOW_MS - 31 * DAY_MS })]), []);
  });

  test('a scheduled end is a row, and ends by the clock', () => {
    const venue = new Watched();
    venue.list(OLD);
    const delistsAtMs = NOW_MS + 2 * DAY_MS;
    const going = contract('AAA', { status: 'delisting', delistsAtMs });
    assert.deepEqual(venue.list([...without('AAA'), going]), [
      'AAA-USDT delisting delisting 11-03T12:00 instruments',
    ]);
    assert.deepEqual(venue.rows(delistsAtMs), ['AAA-USDT delisting delisted 11-03T12:00 instruments']);
  });

  test('a postponed end updates the row and reopens it', () => {
    const venue = new Watched();
    venue.list([...without('AAA'), contract('AAA', { status: 'delisting', delistsAtMs: NOW_MS + HOUR_MS })]);
    venue.list([...without('AAA'), contract('AAA', { status: 'delisting', delistsAtMs: NOW_MS + DAY_MS })]);
    assert.deepEqual(venue.rows(NOW_MS + 2 * HOUR_MS), [
      'AAA-USDT delisting delisting 11-02T12:00 instruments',
    ]);
  });

  test('an end that two lists no longer mention was called off; a new one is a new row', () => {
    const venue = new Watched();
    const going = contract('AAA', { status: 'delisting', delistsAtMs: NOW_MS + DAY_MS });
    venue.list([...without('AAA'), going]);
    assert.deepEqual(venue.list(OLD), ['AAA-USDT delisting delisting 11-02T12:00 instruments']);
    assert.deepEqual(venue.list(OLD), ['AAA-USDT delisting cancelled 11-02T12:00 instruments']);
    assert.equal(venue.list([...without('AAA'), going]).length, 2);
  });

  test('a status of delisted is believed at once', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list([...without('AAA'), contract('AAA', { status: 'delisted' })]), [
      'AAA-USDT delisting delisted 11-01T12:10 instruments',
    ]);
  });

  test('what was delisted before the first list is no row', () => {
    assert.deepEqual(new Watched().list([...OLD, contract('GONE', { status: 'delisted' })]), []);
  });

  test('a pre-open contract that stays away for a day was called off', () => {
    const venue = new Watched();
    venue.list([...OLD, contract('NEW', { status: 'preopen', listedAtMs: NOW_MS + 5 * DAY_MS })]);
    venue.list(OLD, HOUR_MS);
    assert.deepEqual(venue.list(OLD, 20 * HOUR_MS), ['NEW-USDT listing preopen 11-06T12:00 instruments']);
    assert.deepEqual(venue.list(OLD, 5 * HOUR_MS), ['NEW-USDT listing cancelled 11-06T12:00 instruments']);
  });

  test('HTX tells the day of a listing only: the list that shows it open gives the time', () => {
    const venue = new Watched(undefined, 'HTX');
    venue.list([...OLD, contract('NEW', { status: 'preopen' })]);
    assert.deepEqual(venue.list([...OLD, contract('NEW', { listedAtMs: Date.UTC(2026, 10, 1) })]), [
      'NEW-USDT listing newly listed 11-01T12:10 instruments',
    ]);
  });
});
