import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { suite, test } from 'node:test';
import { ManualClock, systemClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { onBothDatabases, openFor } from '../storage/databases.ts';
import { perpwire } from '../support/process.ts';
import { contract, notice } from './made.ts';
import { idsOf, type RunningPart, startPart, temporaryDatabase } from './part.ts';

const NOW_MS = Date.UTC(2026, 10, 1, 12);
const bybit = VENUES.find((venue) => venue.slug === 'bybit');
const OLD = ['AAA', 'BBB', 'CCC'].map((base) => contract(base));

function take(
  running: RunningPart,
  atMs: number,
  contracts = OLD,
  notices: ReturnType<typeof notice>[] = [],
): void {
  assert.ok(bybit);
  running.take(bybit, { lists: [{ part: 'linear', contracts }], notices }, atMs);
}

function rowsAt(running: RunningPart, nowMs: number, delaySeconds = 0) {
  const snapshot = running.part.source.at(delaySeconds, nowMs);
  if (!snapshot) return null;
  const { table } = snapshot;
  return Array.from({ length: table.rowCount }, (_, row) => JSON.parse(table.rowJson(row)));
}

suite('the stored calendar', () => {
  onBothDatabases((fresh) => {
    test('after a restart it serves the same live and delayed rows, and detects changes since', async (t) => {
      const storage = await openFor(t, await fresh(t));
      const first = await startPart(storage, NOW_MS);
      take(first, NOW_MS);
      await first.part.publish(NOW_MS);
      take(first, NOW_MS + 5 * MINUTE_MS, [
        ...OLD,
        contract('NEW', { status: 'preopen', listedAtMs: NOW_MS + DAY_MS }),
      ]);
      await first.part.publish(NOW_MS + 5 * MINUTE_MS);
      const laterMs = NOW_MS + 16 * MINUTE_MS;
      const second = await startPart(storage, laterMs);
      assert.deepEqual(rowsAt(second, laterMs), rowsAt(first, laterMs));
      assert.deepEqual(rowsAt(second, laterMs, 900), []);
      assert.equal(rowsAt(second, NOW_MS + 21 * MINUTE_MS, 900)?.length, 1);
      take(second, laterMs, OLD.slice(1));
      take(second, laterMs + MINUTE_MS, OLD.slice(1));
      await second.part.publish(laterMs + MINUTE_MS);
      assert.deepEqual(
        rowsAt(second, laterMs + MINUTE_MS)?.map((row) => `${row.symbol} ${row.kind} ${row.effective_at}`),
        ['NEW-USDT listing 2026-11-02T12:00:00Z', 'AAA-USDT delisting 2026-11-01T12:16:00Z'],
      );
    });

    test('a clock that is an hour ahead for a while leaves no row, date or as_of in the future', async (t) => {
      const storage = await openFor(t, await fresh(t));
      const clock = new ManualClock(NOW_MS);
      const running = await startPart(storage, NOW_MS, clock);
      const observe = async (contracts = OLD) => {
        running.checkClock();
        take(running, clock.nowMs(), contracts);
        await running.part.publish(clock.nowMs());
      };
      await observe();
      clock.advanceMs(MINUTE_MS);
      const missing = OLD.slice(1);
      await observe(missing);
      clock.step(HOUR_MS);
      clock.advanceMs(10_000);
      // One contract is missing from the second list in a row, but only for ten seconds, not for an hour.
      await observe([...missing, contract('NEW')]);
      assert.deepEqual(
        rowsAt(running, clock.nowMs())?.map((row) => `${row.symbol} ${row.kind}`),
        ['NEW-USDT listing'],
      );
      clock.advanceMs(10_000);
      clock.step(-HOUR_MS);
      running.checkClock();
      await observe([...OLD, contract('NEW')]);
      const expected = [
        { symbol: 'NEW-USDT', kind: 'listing', detected: true, effective: true, status: 'newly listed' },
      ];
      const shown = (part: RunningPart, nowMs: number) => {
        assert.ok((part.part.source.at(0, nowMs)?.asOfMs ?? Number.POSITIVE_INFINITY) <= nowMs);
        return rowsAt(part, nowMs)?.map(({ symbol, kind, status, detected_at, effective_at }) => ({
          symbol,
          kind,
          detected: Date.parse(detected_at) > nowMs - MINUTE_MS && Date.parse(detected_at) <= nowMs,
          effective: Date.parse(effective_at) > nowMs - MINUTE_MS && Date.parse(effective_at) <= nowMs,
          status,
        }));
      };
      const nowMs = clock.nowMs();
      assert.equal(running.part.source.at(0, nowMs)?.asOfMs, nowMs, 'published within one cycle');
      assert.deepEqual(shown(running, nowMs), expected);
      assert.deepEqual(shown(await startPart(storage, nowMs), nowMs), expected, 'stored too');
      clock.advanceMs(MINUTE_MS);
      await observe([...OLD, contract('NEW'), contract('LATER')]);
      assert.equal(rowsAt(running, clock.nowMs())?.length, 2, 'later changes are found');
    });

    test('a notice is not read again after a restart', async (t) => {
      const storage = await openFor(t, await fresh(t));
      const announced = notice('n1', NOW_MS, 'Cancellation of the AAAUSDT Perpetual Contract Delisting');
      const first = await startPart(storage, NOW_MS);
      take(first, NOW_MS, OLD, [announced]);
      await first.part.publish(NOW_MS);
      const second = await startPart(storage, NOW_MS + HOUR_MS);
      take(second, NOW_MS + HOUR_MS, OLD, [announced]);
      await second.part.publish(NOW_MS + HOUR_MS);
      const rows = await storage.db.selectFrom('listing_notices').selectAll().execute();
      assert.deepEqual(
        rows.map((row) => [row.outcome, row.read_at_ms]),
        [['unclear', NOW_MS]],
      );
    });

    test('a publication that cannot be stored is not served, and the next one includes its changes', async (t) => {
      const storage = await openFor(t, await fresh(t));
      const running = await startPart(storage, NOW_MS);
      take(running, NOW_MS);
      await running.part.publish(NOW_MS);
      take(running, NOW_MS + MINUTE_MS, [...OLD, contract('NEW')]);
      await storage.db.schema.alterTable('listing_versions').renameTo('missing').execute();
      await assert.rejects(running.part.publish(NOW_MS + MINUTE_MS));
      assert.deepEqual(rowsAt(running, NOW_MS + MINUTE_MS), []);
      assert.equal(running.part.source.at(0, NOW_MS + MINUTE_MS)?.asOfMs, NOW_MS);
      await storage.db.schema.alterTable('missing').renameTo('listing_versions').execute();
      const stored = await storage.db.selectFrom('listing_episodes').selectAll().execute();
      assert.deepEqual(stored, [], 'none of it is stored');
      await running.part.publish(NOW_MS + 2 * MINUTE_MS);
      assert.equal(rowsAt(running, NOW_MS + 2 * MINUTE_MS)?.length, 1);
      const again = await startPart(storage, NOW_MS + 2 * MINUTE_MS);
      assert.deepEqual(rowsAt(again, NOW_MS + 2 * MINUTE_MS), rowsAt(running, NOW_MS + 2 * MINUTE_MS));
    });

    test('changes that were not published before a kill are detected again', async (t) => {
      const storage = await openFor(t, await fresh(t));
      const first = await startPart(storage, NOW_MS);
      take(first, NOW_MS);
      await first.part.publish(NOW_MS);
      const announced = notice('n1', NOW_MS, 'Delisting of AAAUSDT Perpetual Contract');
      take(first, NOW_MS + MINUTE_MS, [...OLD, contract('NEW')], [announced]);
      const second = await startPart(storage, NOW_MS + 2 * MINUTE_MS);
      take(second, NOW_MS + 2 * MINUTE_MS, [...OLD, contract('NEW')], [announced]);
      await second.part.publish(NOW_MS + 2 * MINUTE_MS);
      const table = second.part.source.at(0, NOW_MS + 2 * MINUTE_MS)?.table;
      assert.ok(table);
      assert.equal(idsOf(table).length, 2);
    });
  });

  test('more new rows than milliseconds wait for the next publication', async (t) => {
    const storage = await openFor(t, temporaryDatabase(t));
    const running = await startPart(storage, NOW_MS);
    await running.part.publish(NOW_MS);
    const many = Array.from({ length: 20 }, (_, i) => contract(`M${i}`, { status: 'preopen' }));
    take(running, NOW_MS + 5, many);
    await running.part.publish(NOW_MS + 10);
    assert.equal(running.part.source.at(0, NOW_MS + 10)?.asOfMs, NOW_MS, 'as_of has not advanced');
    await running.part.publish(NOW_MS + 30);
    const rows = rowsAt(running, NOW_MS + 30) ?? [];
    const times = rows.map((row) => Date.parse(row.detected_at));
    assert.equal(new Set(times).size, 20);
    assert.ok(times.every((timeMs) => timeMs > NOW_MS && timeMs <= NOW_MS + 30));
  });
});

suite('perpwire listings review', () => {
  const review = (...args: string[]) => perpwire(['listings', 'review', ...args]);

  test('counts the notices and shows the unclear ones with the reason', async (t) => {
    const options = temporaryDatabase(t);
    const storage = await openStorage(options);
    const nowMs = systemClock.nowMs();
    const running = await startPart(storage, nowMs);
    take(running, nowMs, OLD, [
      notice('n1', nowMs - 3, 'Delisting of AAAUSDT Perpetual Contract'),
      notice('n2', nowMs - 2, 'Bybit Will Rename BBBUSDT Perpetual Contract to BCBUSDT', 'As of tomorrow.'),
      notice('n3', nowMs - 1, 'Earn up to 9.9% on CCC'),
    ]);
    await running.part.publish(nowMs);
    await storage.close();
    const { stdout } = await review('--data-dir', dirname(options.sqliteFile));
    assert.match(stdout, /^venue +read +about something else +unclear +too old\nBybit +1 +1 +1 +0\n/);
    assert.match(stdout, /renames a contract +Bybit Will Rename BBBUSDT.* +https:\/\/venue\.example\/n2/);
    assert.doesNotMatch(stdout, /Delisting of AAAUSDT|As of tomorrow/);
    const bodies = await review('--data-dir', dirname(options.sqliteFile), '--bodies');
    assert.match(bodies.stdout, /As of tomorrow/);
    const other = await review('--data-dir', dirname(options.sqliteFile), '--exchange', 'OKX');
    assert.match(other.stdout, /No notices were published.*\n\nNo notice was unclear/);
  });

  for (const [what, args] of [
    ['days that are not a number', ['--days', 'ten']],
    ['an unknown flag', ['--all']],
  ] as const) {
    test(`refuses ${what} with a one-line message`, async () => {
      const { code, stderr } = await review(...args);
      assert.equal(code, 1);
      assert.match(stderr, /^perpwire: /);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }
});
