import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import type { AuditReport, VenueAccuracy } from '../../src/engines/audit/report.ts';
import { VenueWindows, type WindowFigures } from '../../src/engines/audit/windows.ts';
import { AUDIT_REPORT } from '../../src/history/audit/model.ts';
import { AuditStore } from '../../src/history/audit/store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { perpwire } from '../support/process.ts';
import { runService } from '../support/service.ts';

const NOTHING = new VenueWindows().figures(24, 0);
const WEEK: WindowFigures = {
  comparisons: 120,
  closePct: 98.5,
  medianErrorBp: 0.004,
  worstErrorBp: 3.1,
  medianEarlierErrorBp: 0.01,
  sameSignPct: 100,
  medianRatio: 1,
  medianDelaySeconds: 41,
  expected: 150,
  missing: 30,
};
const venue = (exchange: string, change: Partial<VenueAccuracy> = {}): VenueAccuracy => ({
  exchange,
  rule: 'settlement',
  windows: [NOTHING, WEEK, WEEK],
  days: [],
  judged: 120,
  checks: {
    pricesCompared: 40,
    pricesOff: 1,
    settlementsStated: 44,
    settlementsPast: 0,
    rowsStill: 0,
    settlementsTooFar: 2,
    volume24hUsdt: 1e9,
    volumeRatio: 1.043,
  },
  alarms: [],
  notices: [],
  ...change,
});

const folder = mkdtempSync(join(tmpdir(), 'perpwire-audit-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function store(venues: VenueAccuracy[]): Promise<string[]> {
  const storage = await openStorage({
    databaseUrl: null,
    sqliteFile: join(folder, 'perpwire.sqlite'),
    log: createLog('silent'),
  });
  const report: AuditReport = { asOfMs: Date.UTC(2026, 10, 14, 9), withholding: 'off', venues };
  await new AuditStore(storage).saveDocument(AUDIT_REPORT, { asOfMs: report.asOfMs, value: report }, null);
  await storage.close();
  return ['venues', 'audit', '--data-dir', folder];
}

suite('perpwire venues audit', () => {
  test('without an alarm: a line a venue, what wants a look, and exit code 0', async () => {
    const args = await store([venue('OKX'), venue('Deribit', { rule: 'accrual', judged: 3, checks: null })]);
    const { stdout, stderr, code } = await perpwire(args);
    assert.equal(code, 0, stderr);
    const line = stdout.split('\n').find((one) => one.startsWith('OKX ')) ?? '';
    assert.deepEqual(line.split(/\s{2,}/), [
      'OKX',
      '0',
      '120',
      '98.5 %',
      '0.004',
      '3.1',
      '100 %',
      '1',
      '41 s',
      '30/150',
      '1/40',
      '0/44',
      '2',
      '1.04',
      'no systematic fault',
    ]);
    assert.match(stdout, /Deribit .*too few comparisons \(3 of 50\)/);
    assert.match(stdout, /OKX: 30 of 150 prints are missing\. See /);
    assert.match(stdout, /OKX: 2 contracts state a settlement further away/);
    assert.match(stdout, /Deribit: funding accrues/);
  });

  test('with an alarm: the fault, since when, what to do, and exit code 1', async () => {
    const alarms = [
      { fault: 'hundredfold' as const, sinceMs: Date.UTC(2026, 10, 14, 8), evidence: '58 of 60' },
    ];
    const args = await store([venue('OKX', { alarms }), venue('Bybit')]);
    const { stdout, code } = await perpwire(args);
    assert.equal(code, 1);
    assert.match(stdout, /^OKX .*alarm: hundredfold$/m);
    assert.match(
      stdout,
      /^ALARM OKX: published rates are 100 times .* \(58 of 60\), since 2026-11-14T08:00:00Z\. The unit of the rate is wrong\./m,
    );
    const other = await perpwire([...args, '--venues', 'bybit']);
    assert.equal(other.code, 0);
    assert.doesNotMatch(other.stdout, /OKX/);
  });

  test('a report of a version without notices is read', async () => {
    const { notices: _, ...old } = venue('OKX');
    const { stdout, code } = await perpwire(await store([old as VenueAccuracy]));
    assert.equal(code, 0);
    assert.match(stdout, /^OKX .*no systematic fault$/m);
  });

  test('from the admin port of a running service, before and after its first report', async () => {
    const running = await runService({ venues: ['okx'], coins: 3 });
    try {
      const args = ['venues', 'audit', '--admin-url', running.service.adminUrl];
      const early = await perpwire(args);
      assert.equal(early.code, 1);
      assert.match(early.stderr, /has no report yet/);
      await running.service.audit.refresh();
      const { stdout, code } = await perpwire(args);
      assert.equal(code, 0);
      assert.match(stdout, /^OKX .*too few comparisons \(0 of 50\)$/m);
    } finally {
      await running.stop();
    }
  });

  test('without a report, and with an address that is none, one line says what to do', async () => {
    const empty = join(folder, 'empty');
    const { stderr, code } = await perpwire(['venues', 'audit', '--data-dir', empty]);
    assert.equal(code, 1);
    assert.match(stderr, /^perpwire: the database has no report of the audit yet; start the service/);
    const wrong = await perpwire(['venues', 'audit', '--admin-url', 'nowhere']);
    assert.match(wrong.stderr, /^perpwire: --admin-url takes an http address/);
  });
});
