import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { systemClock } from '../src/base/clock.ts';
import { createLog } from '../src/base/log.ts';
import { HOUR_MS, MINUTE_MS } from '../src/base/times.ts';
import { auditText } from '../src/commands/venues-audit.ts';
import { processEnvironment, readSettings } from '../src/settings.ts';
import { startLocalService } from '../src/wiring/local-service.ts';

/**
 * `RUN_LIVE_TESTS=1 LIVE_AUDIT_HOURS=9 npm run test:live`: runs the service on the real venues for so many hours and
 * fails on an alarm of the audit. Without LIVE_AUDIT_HOURS only the checks of the first snapshots run, in two minutes.
 * Hourly venues have a verdict after about three hours; nine pass a settlement of every venue.
 */
const environment = processEnvironment();
const hours = Number(environment.LIVE_AUDIT_HOURS ?? '0');
const durationMs = hours > 0 ? hours * HOUR_MS : 2 * MINUTE_MS;
const skip =
  environment.RUN_LIVE_TESTS === '1'
    ? false
    : 'audits the real venues for two minutes, or LIVE_AUDIT_HOURS; run it with RUN_LIVE_TESTS=1';

suite('live audit', { skip }, () => {
  test(`no alarm within ${hours > 0 ? `${hours} hours` : 'two minutes (LIVE_AUDIT_HOURS sets a longer time)'}`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-live-'));
    const settings = readSettings([], {
      VENUES: environment.VENUES,
      VENUES_URL: environment.VENUES_URL,
      DATA_DIR: dataDir,
      PORT: '0',
      ADMIN_PORT: '0',
      HISTORY_DAYS: '2',
    });
    const service = await startLocalService({ settings, log: createLog('error') });
    try {
      service.startCollecting();
      await systemClock.sleep(durationMs);
      await service.audit.refresh();
      const report = service.audit.report();
      assert.ok(report, 'there is a report');
      console.log(`\n${auditText(report)}\n`);
      assert.deepEqual(
        report.venues.flatMap(({ exchange, alarms }) => alarms.map((alarm) => ({ exchange, ...alarm }))),
        [],
      );
      const checked = report.venues.filter(({ checks }) => checks !== null);
      assert.ok(checked.length > 0, 'at least one venue gave rows');
    } finally {
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
