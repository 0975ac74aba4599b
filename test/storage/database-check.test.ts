import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { DAY_MS, SECOND_MS } from '../../src/base/times.ts';
import { checkDatabaseFile } from '../../src/storage/check/check.ts';
import { openStorage, type SqliteStorage } from '../../src/storage/storage.ts';
import { startDatabaseCheck } from '../../src/wiring/database-check.ts';
import { until } from '../support/until.ts';
import { damageCosts, fillCosts } from './damaged-file.ts';

const INTACT = { findings: [], unchecked: [], failure: null };
const silent = createLog('silent');

async function filledFile(t: TestContext): Promise<{ file: string; open: () => Promise<SqliteStorage> }> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-check-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'perpwire.sqlite');
  const open = async () => {
    const storage = await openStorage({ databaseUrl: null, sqliteFile: file, log: silent });
    assert.ok(storage.kind === 'sqlite');
    return storage;
  };
  await (await open()).close();
  fillCosts(file);
  return { file, open };
}

suite('a check of a database file', () => {
  test('finds nothing in an intact one, also while it is open and written', async (t) => {
    const { file, open } = await filledFile(t);
    assert.deepEqual(await checkDatabaseFile(file), INTACT);
    const storage = await open();
    t.after(() => storage.close());
    const checked = checkDatabaseFile(file);
    await storage.db.deleteFrom('depth_costs').where('minute', '<', 10).execute();
    assert.deepEqual(await checked, INTACT);
  });

  test('finds damaged pages in the middle and names their table', async (t) => {
    const { file, open } = await filledFile(t);
    damageCosts(file);
    // The start reads none of these pages.
    await (await open()).close();
    const { findings, unchecked, failure } = await checkDatabaseFile(file);
    assert.ok(findings.length >= 1 && findings.length <= 3, findings.join('\n'));
    for (const finding of findings) assert.match(finding, /^table depth_costs: /);
    assert.deepEqual([unchecked, failure], [[], null]);
  });

  test('is cut short when the time is over, and says that nothing was read', async (t) => {
    const { file } = await filledFile(t);
    const cut = await checkDatabaseFile(file, { limitMs: 1 });
    assert.deepEqual(cut, { findings: [], unchecked: ['all tables'], failure: null });
  });

  test('ends at once on a signal', async (t) => {
    const { file } = await filledFile(t);
    const stopping = new AbortController();
    const checked = checkDatabaseFile(file, { signal: stopping.signal });
    stopping.abort();
    assert.deepEqual((await checked).unchecked, ['all tables']);
  });

  test('says that a file is no database', async (t) => {
    const { file } = await filledFile(t);
    writeFileSync(file, 'a letter to a friend, long enough to be read as a head. '.repeat(200));
    assert.deepEqual((await checkDatabaseFile(file)).findings, ['file is not a database']);
  });

  test('says that there is no file', async () => {
    const { failure, unchecked } = await checkDatabaseFile('/nowhere/perpwire.sqlite');
    assert.match(failure ?? '', /unable to open database file/);
    assert.deepEqual(unchecked, ['all tables']);
  });
});

suite('the periodic check', () => {
  test('runs after the start and daily, and the state of the disk has what it found', async (t) => {
    const { file, open } = await filledFile(t);
    const storage = await open();
    t.after(() => storage.close());
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push(line) });
    const isLogged = (text: string) => () => lines.some((line) => line.includes(text));
    const clock = new ManualClock(0);
    const check = startDatabaseCheck({ storage, clock, log });
    t.after(() => check.stop());
    assert.deepEqual(lines, []);
    clock.advanceMs(10 * SECOND_MS);
    await until(isLogged('the database file is not damaged'), 'the first check');
    assert.equal(storage.disk.faults().damage, null);
    damageCosts(file);
    clock.advanceMs(DAY_MS - 1);
    assert.ok(!isLogged('"findings"')());
    await until(async () => {
      clock.advanceMs(1);
      return isLogged('"findings"')();
    }, 'the second check');
    assert.match(storage.disk.faults().damage ?? '', /^table depth_costs: /);
    assert.deepEqual(check.faults(), []);
  });

  test('says when it was cut short, and does not take back what was found before', async (t) => {
    const { open } = await filledFile(t);
    const storage = await open();
    t.after(() => storage.close());
    storage.disk.checked(['table a: damaged', 'table b: damaged']);
    const clock = new ManualClock(0);
    const check = startDatabaseCheck({ storage, clock, log: silent, limitMs: 1 });
    t.after(() => check.stop());
    clock.advanceMs(10 * SECOND_MS);
    await until(() => check.faults().length > 0, 'the check');
    assert.deepEqual(check.faults(), [
      'The check of the database file was cut short after 0.001 s; not checked: all tables',
    ]);
    assert.equal(storage.disk.faults().damage, 'table a: damaged (and 1 more)');
  });
});

suite('a query that meets a damaged page', () => {
  test('is remembered as damage', async (t) => {
    const { file, open } = await filledFile(t);
    damageCosts(file);
    const storage = await open();
    t.after(() => storage.close());
    assert.equal(storage.disk.faults().damage, null);
    await assert.rejects(storage.db.selectFrom('depth_costs').select('block').execute(), /malformed/);
    assert.deepEqual(storage.disk.faults(), { unwritable: null, damage: 'database disk image is malformed' });
  });
});
