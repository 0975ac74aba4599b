import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { contract, notice } from '../../../test/listings/made.ts';
import { NOW_MS, Watched } from '../../../test/listings/watching.ts';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';

const OLD = ['AAA', 'BBB', 'CCC', 'DDD'].map((base) => contract(base));
const without = (base: string) => OLD.filter((one) => one.base !== base);
const LISTS_NEW = 'New Listing: NEWUSDT Perpetual Contract';
const DELISTS_AAA = 'Delisting of AAAUSDT Perpetual Contract';

suite('three sources, one row', () => {
  test('after a notice the list adds no row, and the source stays announcement', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.notices(notice('n1', NOW_MS, LISTS_NEW, 'It opens at 2026-11-02 08:00 (UTC).'));
    assert.deepEqual(venue.rows(), ['NEW-USDT listing preopen 11-02T08:00 announcement']);
    venue.list([...OLD, contract('NEW', { status: 'preopen', listedAtMs: Date.UTC(2026, 10, 2, 8) })]);
    assert.deepEqual(venue.rows(), ['NEW-USDT listing preopen 11-02T08:00 announcement']);
  });

  test('the time of the instrument list overrides the time of the notice, whichever came first', () => {
    const listed = contract('NEW', { status: 'preopen', listedAtMs: Date.UTC(2026, 10, 2, 9) });
    const announced = notice('n1', NOW_MS, LISTS_NEW, 'It opens at 2026-11-02 08:00 (UTC).');
    const noticeFirst = new Watched();
    noticeFirst.list(OLD);
    noticeFirst.notices(announced);
    assert.deepEqual(noticeFirst.list([...OLD, listed]), [
      'NEW-USDT listing preopen 11-02T09:00 announcement',
    ]);
    const listFirst = new Watched();
    listFirst.list([...OLD, listed]);
    assert.deepEqual(listFirst.notices(announced), ['NEW-USDT listing preopen 11-02T09:00 instruments']);
  });

  test('a late notice gives a row found by comparing lists its exact time and its URL', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list(without('AAA'));
    assert.deepEqual(venue.list(without('AAA')), ['AAA-USDT delisting delisted 11-01T12:10 diff']);
    const episode = venue.watch.book.published[0];
    const detectedAtMs = episode?.detectedAtMs;
    venue.notices(notice('n1', NOW_MS, DELISTS_AAA, 'It was delisted at 2026-11-01 12:06 (UTC).'));
    assert.deepEqual(venue.rows(), ['AAA-USDT delisting delisted 11-01T12:06 diff']);
    assert.equal(episode?.state.announcementUrl, 'https://venue.example/n1');
    assert.equal(episode?.detectedAtMs, detectedAtMs, 'the time of detection stays');
  });

  test('a notice without a time gets the time of the list that shows the change', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(venue.notices(notice('n1', NOW_MS, DELISTS_AAA)), [
      'AAA-USDT delisting delisting - announcement',
    ]);
    venue.list(without('AAA'));
    assert.deepEqual(venue.list(without('AAA')), ['AAA-USDT delisting delisted 11-01T12:11 announcement']);
  });

  test('a postponement moves the date, an older notice read later does not move it back', () => {
    const venue = new Watched(['announcement']);
    const first = notice('n1', NOW_MS - HOUR_MS, LISTS_NEW, 'It opens at 2026-11-02 08:00 (UTC).');
    const moved = notice(
      'n2',
      NOW_MS,
      'NEWUSDT Perpetual Contract: Listing Postponed',
      'It now opens at 2026-11-03 08:00 (UTC).',
    );
    venue.notices(moved);
    assert.deepEqual(venue.notices(first), ['NEW-USDT listing preopen 11-03T08:00 announcement']);
  });

  test('a postponement without a date removes the date', () => {
    const venue = new Watched(['announcement']);
    venue.notices(notice('n1', NOW_MS - HOUR_MS, LISTS_NEW, 'It opens at 2026-11-02 08:00 (UTC).'));
    assert.deepEqual(
      venue.notices(
        notice('n2', NOW_MS, 'NEWUSDT Perpetual Contract: Listing Postponed Until Further Notice'),
      ),
      ['NEW-USDT listing preopen - announcement'],
    );
  });

  test('a cancelled listing has the status cancelled, and a new announcement makes a new row', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.notices(notice('n1', NOW_MS, LISTS_NEW, 'It opens at 2026-11-02 08:00 (UTC).'));
    assert.deepEqual(
      venue.notices(notice('n2', NOW_MS + 1, 'Cancellation of the NEWUSDT Perpetual Contract Listing')),
      ['NEW-USDT listing cancelled 11-02T08:00 announcement'],
    );
    assert.equal(venue.notices(notice('n3', NOW_MS + 2, `${LISTS_NEW} (Again)`)).length, 2);
  });

  test('an edited notice is read again', () => {
    const venue = new Watched(['announcement']);
    venue.notices(notice('n1', NOW_MS, LISTS_NEW, 'It opens at 2026-11-02 08:00 (UTC).'));
    assert.deepEqual(venue.notices(notice('n1', NOW_MS, LISTS_NEW, 'It opens at 2026-11-02 10:00 (UTC).')), [
      'NEW-USDT listing preopen 11-02T10:00 announcement',
    ]);
  });

  test('a contract that is listed again has a new row, and each row its own end', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list(without('AAA'));
    venue.list(without('AAA'));
    venue.list(OLD, HOUR_MS);
    venue.list(without('AAA'), HOUR_MS);
    assert.deepEqual(
      venue.list(without('AAA')).map((row) => row.split(' ').slice(1, 3).join(' ')),
      ['delisting delisted', 'listing -', 'delisting delisted'],
    );
  });

  test('a listing whose contract was delisted since is no longer newly listed', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.list([...OLD, contract('NEW')]);
    venue.list(OLD);
    assert.deepEqual(venue.list(OLD), [
      'NEW-USDT listing - 11-01T12:10 diff',
      'NEW-USDT delisting delisted 11-01T12:15 diff',
    ]);
  });

  test('while the list shows it trading long after the announced end, the status is delisting', () => {
    const venue = new Watched();
    venue.list(OLD);
    venue.notices(notice('n1', NOW_MS, DELISTS_AAA, 'It will be delisted at 2026-11-01 13:00 (UTC).'));
    assert.deepEqual(venue.rows(Date.UTC(2026, 10, 1, 13)), [
      'AAA-USDT delisting delisted 11-01T13:00 announcement',
    ]);
    assert.deepEqual(venue.list(OLD, 2 * HOUR_MS), ['AAA-USDT delisting delisting 11-01T13:00 announcement']);
  });
});

suite('notices that contradict the list', () => {
  const unclear = (venue: Watched, one: ReturnType<typeof notice>) =>
    venue.watch
      .takeNotices(venue.exchange, [one], venue.nowMs)
      .map(({ outcome, reason }) => `${outcome}: ${reason}`);

  test('the delisting of a contract that the venue does not list', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(unclear(venue, notice('n1', NOW_MS, 'Delisting of ZZZUSDT Perpetual Contract')), [
      "unclear: ZZZ-USDT: not in the venue's list",
    ]);
    assert.deepEqual(venue.publish(), []);
  });

  test('the listing of a contract that has traded for months', () => {
    const venue = new Watched();
    venue.list([...OLD, contract('NEW', { listedAtMs: NOW_MS - 90 * DAY_MS })]);
    assert.deepEqual(unclear(venue, notice('n1', NOW_MS, LISTS_NEW)), [
      'unclear: NEW-USDT: traded for more than a week before the notice',
    ]);
  });

  test('a cancellation of something that was never announced', () => {
    const venue = new Watched();
    venue.list(OLD);
    const [reason] = unclear(
      venue,
      notice('n1', NOW_MS, 'Cancellation of the AAAUSDT Perpetual Contract Delisting'),
    );
    assert.match(reason ?? '', /^unclear: .*not announced/);
  });

  test('notices of two months ago are ignored', () => {
    const venue = new Watched();
    venue.list(OLD);
    assert.deepEqual(unclear(venue, notice('n1', NOW_MS - 60 * DAY_MS, LISTS_NEW)), ['old: ']);
  });
});
