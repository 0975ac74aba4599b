import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readKeyUsage } from '../../src/accounts/usage/rows.ts';
import { ManualClock, systemClock } from '../../src/base/clock.ts';
import { DAY_MS } from '../../src/base/times.ts';
import { freshSqlite, onBothDatabases } from '../storage/databases.ts';
import { NOON_MS, openSetting } from './setting.ts';

describe('kill -9', () => {
  onBothDatabases((fresh) => {
    test('loses only the requests since the last write', async (t) => {
      const options = await fresh(t);
      const first = await openSetting(t, options);
      const { key, text } = await first.keyOn('developer');
      const program = join(import.meta.dirname, 'count-and-die.ts');
      const args = [program, options.databaseUrl ?? '', options.sqliteFile, text, String(NOON_MS)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL');

      const { accounts, storage } = await openSetting(t, options);
      const found = accounts.authenticate(text);
      assert.ok(found.ok);
      assert.equal(accounts.windows.read(found.caller).month.used, 100);
      assert.equal(accounts.windows.take(found.caller).states.month.used, 101);
      const days = await readKeyUsage(storage.db, key.id, 'day', NOON_MS - DAY_MS, NOON_MS);
      assert.equal(days[0]?.used, 100);
    });
  });

  test('a process that is starved loses the requests of half a second, not more', async (t) => {
    const options = await freshSqlite(t);
    // The other process has the clock of the machine, by which the key must not have expired.
    const first = await openSetting(t, options, { clock: new ManualClock(systemClock.nowMs()) });
    const { key, text } = await first.keyOn('developer');
    const program = join(import.meta.dirname, 'starve-and-die.ts');
    const child = spawn(process.execPath, [program, options.sqliteFile, text, '100'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
    const nowMs = systemClock.nowMs();
    const { storage } = await openSetting(t, options);
    const days = await readKeyUsage(storage.db, key.id, 'day', nowMs - 2 * DAY_MS, nowMs);
    const used = days.reduce((sum, day) => sum + day.used, 0);
    // One request every 20 ms or more: at most 25 in half a second, and the one that starts the write.
    assert.ok(used >= 74 && used <= 100, `${used} of 100`);
  });
});
