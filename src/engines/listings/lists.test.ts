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
  test('the first list makes no rows', () => {
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

  test('after a gap between lists the time of the appearance is null', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list([...OLD, contract('NEW')], 2 * HOUR_MS), [
      'NEW-USDT listing newly listed - diff',
    ]);
  });

  test('a missing contract is delisted when a second list lacks it too', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list(without('AAA')), []);
    assert.deepEqual(venue.list(without('AAA')), ['AAA-USDT delisting delisted 11-01T12:10 diff']);
    assert.equal(venue.list(without('AAA')).length, 1, 'once');
  });

  test('two lists within a minute count as one', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list(without('AAA'));
    assert.deepEqual(venue.list(without('AAA'), 15_000), []);
    assert.equal(venue.list(without('AAA'), 45_000).length, 1);
  });

  test('a contract missing from single lists only is not delisted', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list(without('AAA'));
    venue.list(OLD);
    venue.list(without('AAA'));
    assert.deepEqual(venue.list(OLD), []);
  });

  test('an empty list is ignored', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list([]);
    venue.list([]);
    assert.deepEqual(venue.list(OLD), []);
  });

  test('lists shorter than half of the last full one make no delistings', () => {
    const venue = new Watched();
    venue.list(OLD);
    for (let i = 0; i < 10; i++) assert.deepEqual(venue.list(OLD.slice(0, 4)), []);
    assert.deepEqual(venue.list(OLD), [], 'and the full list makes no listings');
  });

  test('after a week a short list counts as complete, without delistings', () => {
    const venue = new Watched();
    venue.list(OLD);
    for (let hours = 0; hours < 8 * 24; hours++) assert.deepEqual(venue.list(OLD.slice(0, 4), HOUR_MS), []);
    venue.list(OLD.slice(0, 3));
    assert.deepEqual(
      venue.list(OLD.slice(0, 3)).map((row) => row.split(' ')[0]),
      ['DDD-USDT'],
    );
  });

  test('a short list still shows new contracts', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list([...OLD.slice(0, 3), contract('NEW')]), [
      'NEW-USDT listing newly listed 11-01T12:10 diff',
    ]);
  });

  test('many contracts that disappear at once are delisted only after an hour', () => {
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

  test('while the list shows pre-open long after the stated time, the status stays preopen', () => {
    const venue = new Watched();
    const ahead = contract('NEW', { status: 'preopen', listedAtMs: NOW_MS + 10 * MINUTE_MS });
    venue.list([...OLD, ahead]);
    assert.deepEqual(venue.list([...OLD, ahead], HOUR_MS), [
      'NEW-USDT listing preopen 11-01T12:10 instruments',
    ]);
    venue.list([...OLD, contract('NEW', { listedAtMs: NOW_MS + 10 * MINUTE_MS })]);
    assert.deepEqual(venue.rows(), ['NEW-USDT listing newly listed 11-01T12:10 instruments']);
  });

  test('the first list makes rows for contracts listed in the last 30 days', () => {
    const venue = new Watched();
    const listedAtMs = NOW_MS - 29 * DAY_MS;
    assert.deepEqual(venue.list([...OLD, contract('NEW', { listedAtMs })]), [
      'NEW-USDT listing newly listed 10-03T12:00 instruments',
    ]);
    assert.deepEqual(new Watched().list([contract('AGED', { listedAtMs: NOW_MS - 31 * DAY_MS })]), []);
  });

  test('a scheduled end makes a row, which is delisted from that time on', () => {
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

  test('an end that two lists no longer state is cancelled; a new end makes a new row', () => {
    const venue = new Watched();
    const going = contract('AAA', { status: 'delisting', delistsAtMs: NOW_MS + DAY_MS });
    venue.list([...without('AAA'), going]);
    assert.deepEqual(venue.list(OLD), ['AAA-USDT delisting delisting 11-02T12:00 instruments']);
    assert.deepEqual(venue.list(OLD), ['AAA-USDT delisting cancelled 11-02T12:00 instruments']);
    assert.equal(venue.list([...without('AAA'), going]).length, 2);
  });

  test('a status of delisted takes effect with the first list', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.list([...without('AAA'), contract('AAA', { status: 'delisted' })]), [
      'AAA-USDT delisting delisted 11-01T12:10 instruments',
    ]);
  });

  test('a contract delisted before the first list makes no row', () => {
    assert.deepEqual(new Watched().list([...OLD, contract('GONE', { status: 'delisted' })]), []);
  });

  test('a pre-open contract that is missing for a day is cancelled', () => {
    const venue = new Watched();
    venue.list([...OLD, contract('NEW', { status: 'preopen', listedAtMs: NOW_MS + 5 * DAY_MS })]);
    venue.list(OLD, HOUR_MS);
    assert.deepEqual(venue.list(OLD, 20 * HOUR_MS), ['NEW-USDT listing preopen 11-06T12:00 instruments']);
    assert.deepEqual(venue.list(OLD, 5 * HOUR_MS), ['NEW-USDT listing cancelled 11-06T12:00 instruments']);
  });

  test('HTX states only the day of a listing: the first list that shows it open gives the time', () => {
    const venue = new Watched(undefined, 'HTX');
    venue.list([...OLD, contract('NEW', { status: 'preopen' })]);
    assert.deepEqual(venue.list([...OLD, contract('NEW', { listedAtMs: Date.UTC(2026, 10, 1) })]), [
      'NEW-USDT listing newly listed 11-01T12:10 instruments',
    ]);
  });
});
