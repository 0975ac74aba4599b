import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { verdictOf } from '../../src/engines/audit/report.ts';
import { type AuditedSettlement, dayOf } from '../../src/history/audit/model.ts';
import { AuditStore } from '../../src/history/audit/store.ts';
import { perpwire } from '../support/process.ts';
import { collectOnce, runService, until } from '../support/service.ts';
import { markdownTables, tablesOf } from '../web/page-text.ts';
import { type Auditing, fetchPrints, metricOf, throughHour, venueOf } from './auditing.ts';

const START_MS = Date.UTC(2026, 10, 14, 7, 30);
const FIRST_HOUR_MS = Date.UTC(2026, 10, 14, 8);
const VENUES = ['binance', 'gate', 'okx', 'hyperliquid', 'kraken', 'paradex'];

suite('audit of a healthy market', () => {
  let auditing: Auditing;
  before(async () => {
    const clock = new ManualClock(START_MS);
    auditing = { clock, running: await runService({ clock, coins: 12, venues: VENUES }) };
    // Its rates stay right.
    auditing.running.sim.setFaults('gate', { openInterestDoubled: true });
    for (let hourMs = FIRST_HOUR_MS; hourMs <= FIRST_HOUR_MS + 2 * DAY_MS; hourMs += 8 * HOUR_MS)
      await throughHour(auditing, hourMs);
  });
  after(() => auditing.running.stop());
  const report = () => auditing.running.service.audit.report();
  const pageAt = async (path: string) => {
    const reply = await fetch(`${auditing.running.service.baseUrl}${path}`);
    assert.equal(reply.status, 200);
    return await reply.text();
  };

  test('two days raise no alarm, and published rates are what was settled', () => {
    assert.equal(report()?.venues.length, VENUES.length);
    for (const venue of report()?.venues ?? []) {
      const { exchange, windows, alarms, rule, checks } = venue;
      const [day, , month] = windows;
      assert.deepEqual(alarms, [], exchange);
      assert.equal(verdictOf(venue), 'no systematic fault', exchange);
      const isAccruing = exchange === 'Paradex';
      assert.equal(rule, isAccruing ? 'accrual' : 'settlement');
      assert.ok((month?.comparisons ?? 0) >= 60, `${exchange}: ${month?.comparisons} comparisons`);
      assert.ok((day?.comparisons ?? 0) < (month?.comparisons ?? 0) * 0.6);
      assert.equal(month?.missing, 0);
      // A print of accrued funding is the mean of its time, the rate before it is the last of that time.
      assert.ok((month?.sameSignPct ?? 0) >= (isAccruing ? 90 : 100), `${exchange}: ${month?.sameSignPct} %`);
      assert.ok((month?.closePct ?? 0) >= (isAccruing ? 50 : 100), `${exchange}: ${month?.closePct} % close`);
      assert.ok((month?.medianDelaySeconds ?? 0) >= 40);
      assert.deepEqual([checks?.pricesOff, checks?.settlementsPast], [0, 0], exchange);
    }
  });

  test('an open interest that counts both sides is a notice on /accuracy, in the metrics and on the command line', async () => {
    const found = report()?.venues.flatMap(({ exchange, notices }) =>
      notices.map(({ kind, field }) => [exchange, kind, field]),
    );
    assert.deepEqual(found, [['Gate', 'counted_twice', 'open_interest_usdt']]);
    const { evidence = '' } = venueOf(report(), 'Gate').notices[0] ?? {};
    assert.match(evidence, /^(\d+) of \1 contracts, \d+ different values$/);
    const finding = `open interest is never odd in the venue’s own steps: the venue counts both sides, and twice the truth is published (${evidence})`;
    assert.ok((await pageAt('/accuracy')).includes(finding));
    const [row] = markdownTables(await pageAt('/accuracy.md'))[0] ?? [];
    assert.deepEqual([row?.exchange, row?.notice, row?.evidence], ['Gate', 'counted_twice', evidence]);
    const series =
      'perpwire_venue_audit_notice{venue="gate",notice="counted_twice",field="open_interest_usdt"}';
    assert.equal(await metricOf(auditing.running, series), 1);
    const { adminUrl } = auditing.running.service;
    const { stdout, code } = await perpwire(['venues', 'audit', '--admin-url', adminUrl]);
    assert.ok(stdout.includes(`NOTICE Gate open_interest_usdt: ${finding}, since `), stdout);
    assert.equal(code, 0, 'a notice is no alarm');
  });

  test('/accuracy and its twin show the figures of the engine to visitors', async () => {
    const [, ...twin] = markdownTables(await pageAt('/accuracy.md'));
    const dash = (value: unknown) => (value === null || value === undefined ? '–' : String(value));
    const fixed = (value: number | null | undefined, digits: number) => value?.toFixed(digits) ?? '–';
    for (const [window, query] of ['?window=24h', '', '?window=30d'].entries()) {
      const page = tablesOf(await pageAt(`/accuracy${query}`));
      const venues = report()?.venues ?? [];
      const figures = venues.map((venue) => venue.windows[window]);
      assert.deepEqual(
        page[0]?.map((cells) => cells.slice(1, 10)),
        // By name without regard to case; none has an alarm.
        venues
          .toSorted((a, b) => a.exchange.localeCompare(b.exchange, 'en', { sensitivity: 'base' }))
          .map(({ windows }) => windows[window])
          .map((one) => [
            dash(one?.comparisons),
            fixed(one?.closePct, 1),
            fixed(one?.medianErrorBp, 3),
            fixed(one?.medianEarlierErrorBp, 3),
            fixed(one?.worstErrorBp, 3),
            fixed(one?.sameSignPct, 1),
            fixed(one?.medianRatio, 3),
            fixed(one?.medianDelaySeconds, 0),
            `${one?.missing} of ${one?.expected}`,
          ]),
      );
      assert.deepEqual(
        twin[window]?.map((row) => [row.exchange, row.comparisons, row.median_error_bp, row.verdict]),
        venues.map((venue, i) => [
          venue.exchange,
          dash(figures[i]?.comparisons),
          dash(figures[i]?.medianErrorBp),
          verdictOf(venue),
        ]),
      );
    }
    const days = report()?.venues.flatMap((venue) => venue.days) ?? [];
    assert.equal(twin[3]?.length, days.length);
    // Symbols of the frame are drawn with rectangles too.
    const [, main = ''] = (await pageAt('/accuracy')).split('<main');
    assert.equal(main.split('<rect').length - 1, days.length, 'a bar for each day');
    assert.match(await pageAt('/status'), /href="\/accuracy"/);
    assert.match(await pageAt('/developers/accuracy'), /How we check ourselves/);
  });

  test('the database holds each comparison once, and the report that other processes serve', async () => {
    const { storage } = auditing.running.service.context;
    const store = new AuditStore(storage);
    let stored = 0;
    const firstDay = Math.floor(FIRST_HOUR_MS / DAY_MS);
    for (let day = firstDay; day <= firstDay + 2; day++) stored += (await store.load('OKX', day)).length;
    assert.equal(stored, venueOf(report(), 'OKX').windows[2]?.comparisons);
    assert.deepEqual((await store.loadDocument('report'))?.value, JSON.parse(JSON.stringify(report())));
    const admin = await fetch(`${auditing.running.service.adminUrl}/audit`);
    assert.deepEqual(await admin.json(), JSON.parse(JSON.stringify(report())));
  });
});

suite('audit and restarts', () => {
  test('a kill between the last publication and the print loses no comparison', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-audit-'));
    const clock = new ManualClock(START_MS);
    const options = { clock, coins: 8, venues: ['binance', 'okx', 'bybit'], dataDir };
    const first = await runService(options);
    for (const beforeMs of [75 * SECOND_MS, 8 * SECOND_MS]) {
      clock.setMs(FIRST_HOUR_MS - beforeMs);
      await collectOnce(first);
    }
    await first.stop();

    clock.setMs(FIRST_HOUR_MS + 20 * MINUTE_MS);
    const second = await runService(options);
    try {
      await collectOnce(second);
      await fetchPrints(second);
      await second.service.audit.refresh();
      const { windows } = venueOf(second.service.audit.report(), 'OKX');
      const published = first.sim.view('okx').open.length;
      assert.ok(published > 8);
      assert.ok((windows[0]?.comparisons ?? 0) >= 8, `${windows[0]?.comparisons} comparisons`);
      assert.equal(windows[0]?.closePct, 100);
      assert.ok(
        (windows[0]?.medianEarlierErrorBp ?? 0) > (windows[0]?.medianErrorBp ?? 0),
        'both frames were read',
      );
      assert.ok((windows[0]?.medianDelaySeconds ?? 0) >= 20 * 60);
      const before = windows[0]?.comparisons;
      await second.stop();
      const third = await runService(options);
      await third.service.audit.refresh();
      assert.equal(
        venueOf(third.service.audit.report(), 'OKX').windows[0]?.comparisons,
        before,
        'none twice',
      );
      await third.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test('days that only the longest window needs are read after the start; those older than 35 are deleted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-audit-'));
    const clock = new ManualClock(FIRST_HOUR_MS);
    const options = { clock, coins: 3, venues: ['okx'], dataDir };
    const settlement = (daysAgo: number, printPct: number | null): AuditedSettlement => ({
      venueSymbol: 'BTC-USDT-SWAP',
      minute: (FIRST_HOUR_MS - daysAgo * DAY_MS) / MINUTE_MS,
      publishedPct: 0.01,
      publishedSecondsBefore: 5,
      earlierPct: null,
      intervalHours: 8,
      isAccrual: false,
      printPct,
      previousPrintPct: null,
      gapMinutes: null,
      delaySeconds: null,
    });
    try {
      const first = await runService(options);
      const daysAgo = [0, 1, 6, 8, 20, 29, 33, 40];
      const settlements = daysAgo.map((days) => settlement(days, 0.01));
      const store = new AuditStore(first.service.context.storage);
      await store.merge('OKX', [...settlements, settlement(5, null)], null);
      await first.stop();
      const second = await runService(options);
      const counts = () =>
        venueOf(second.service.audit.report(), 'OKX').windows.map(({ comparisons, missing }) => [
          comparisons,
          missing,
        ]);
      await until(async () => {
        await second.service.audit.refresh();
        return counts()[2]?.[0] === 6;
      }, 'older days being read');
      assert.deepEqual(counts(), [
        [1, 0],
        [3, 1],
        [6, 1],
      ]);
      const day = (days: number) => dayOf(settlement(days, 0).minute);
      const kept = new AuditStore(second.service.context.storage);
      assert.deepEqual(await kept.load('OKX', day(40)), []);
      assert.equal((await kept.load('OKX', day(33))).length, 1);
      await second.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
