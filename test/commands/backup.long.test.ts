import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { createLog } from '../../src/base/log.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { backupCommand } from '../../src/commands/backup.ts';
import { rowProgress, rowProgressLine } from '../../src/commands/history/row-progress.ts';
import { restoreCommand } from '../../src/commands/restore.ts';
import { openBackup } from '../../src/storage/backup/file.ts';
import { openStorage } from '../../src/storage/storage.ts';
import type { LocalService } from '../../src/wiring/local-service.ts';
import { BTC } from '../history/keeping.ts';
import { killStarted, perpwire, type RunningProcess, startPerpwire } from '../support/process.ts';
import { startPostgres } from '../support/servers.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'perpwire-backup-'));
after(async () => {
  killStarted();
  rmSync(folder, { recursive: true, force: true });
  if (typeof postgres !== 'string') await postgres.stop();
});

type Kind = 'SQLite' | 'PostgreSQL';
let folders = 0;
/** A backup does not have it, so the service that runs from the backup needs the same. */
const SECRET_KEY = 'the key of the stored secrets of a test';

/** An address for an empty database, as settings and as flags. */
async function database(kind: Kind) {
  const dataDir = join(folder, String(++folders));
  if (kind === 'SQLite') return { dataDir, settings: { SECRET_KEY }, flags: ['--data-dir', dataDir] };
  if (typeof postgres === 'string') assert.fail();
  const url = await postgres.createDatabase();
  return {
    dataDir,
    settings: { DATABASE_URL: url, SECRET_KEY },
    flags: ['--database-url', url, '--data-dir', dataDir],
  };
}

/** A database with its tables and no rows of ours. */
async function opened() {
  const made = await database('SQLite');
  const sqliteFile = join(made.dataDir, 'perpwire.sqlite');
  await (await openStorage({ databaseUrl: null, sqliteFile, log: createLog('silent') })).close();
  return made;
}

/** The lines of a backup after its header, in an order that does not depend on the database. */
function linesOf(file: string): string[] {
  const [, ...lines] = zstdDecompressSync(readFileSync(file)).toString().trimEnd().split('\n');
  return lines.slice(0, -1).sort();
}

const HISTORY = '/api/v1/funding/history?coin=BTC&exchange=Binance&resolution=settlement&days=2';

/** Keeps writing until `end`: an account with its slot in one transaction, then a print. */
function keepWriting({ context, history }: LocalService) {
  let isWanted = true;
  let written = 0;
  const startMinute = Math.floor(context.clock.nowMs() / MINUTE_MS);
  const work = async () => {
    for (; isWanted; written++) {
      const id = `writer-${written}`;
      await context.storage.db.transaction().execute(async (trx) => {
        const account = { id, name: id, email: null, plan: 'demo', host_tier: null };
        await trx
          .insertInto('accounts')
          .values({ ...account, created_at_ms: 1, revision: 0 })
          .execute();
        await trx.insertInto('slots').values({ id, account_id: id, kind: 'key', number: 1 }).execute();
      });
      const print = { minute: startMinute - 60 * (written % 40) - 60, ratePct: written / 1e4 };
      await history.keeper.submit({ names: BTC, prints: [print], walked: null, onConflict: 'replace' });
    }
  };
  const working = work();
  return {
    written: () => written,
    end: async () => {
      isWanted = false;
      await working;
    },
  };
}

/** Stops with the test at the latest: a service that runs on would keep the file of tests from ending. */
async function startOn(
  { dataDir, settings }: Awaited<ReturnType<typeof database>>,
  t: TestContext,
): Promise<Running> {
  const running = await runService({ venues: ['binance'], coins: 10, dataDir, settings });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= running.stop());
  t.after(stop);
  return { ...running, stop };
}

suite('perpwire backup and restore', () => {
  const kinds: Kind[] = typeof postgres === 'string' ? ['SQLite'] : ['SQLite', 'PostgreSQL'];
  for (const from of kinds) {
    test(`a service on ${from} is backed up while it writes, and runs from the backup on ${kinds.join(' and ')}`, async (t) => {
      const original = await database(from);
      const running = await startOn(original, t);
      await collectOnce(running);
      const writing = keepWriting(running.service);
      const before = writing.written();
      const file = join(folder, `${from}.backup`);
      const made = await perpwire(['backup', file, ...original.flags]);
      const after = writing.written();
      assert.equal(made.code, 0, made.stderr);
      assert.equal(made.stderr, '', 'no progress bar without a terminal');
      assert.match(made.stdout, /SQL\w*\.backup: [\d,]+ rows of \d+ tables, \d+\.\d MB\n$/);
      assert.ok(after > before, 'the service wrote during the backup');
      await writing.end();
      const refused = await perpwire(['restore', file, '--force', ...original.flags]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /another perpwire process uses this database; stop it, then restore/);
      const { keys } = running;
      await running.stop();

      const writers = linesOf(file).filter((line) => line.startsWith('["writer-'));
      assert.equal(writers.length % 2, 0, 'an account and its slot are both in the file, or neither');
      assert.ok(writers.length / 2 >= before && writers.length / 2 <= after + 1);

      for (const to of kinds) {
        const target = await database(to);
        const restored = await perpwire(['restore', file, ...target.flags]);
        assert.equal(restored.code, 0, restored.stderr);
        assert.match(restored.stdout, new RegExp(`rows restored from .*, made 20.* of ${from}\\n$`));
        const copy = join(folder, `${from}-${to}.backup`);
        assert.equal((await perpwire(['backup', copy, ...target.flags])).code, 0);
        assert.deepEqual(linesOf(copy), linesOf(file), 'the restored database has the same rows');

        const again = await startOn(target, t);
        const reply = await fetch(`${again.service.baseUrl}${HISTORY}`, {
          headers: { 'x-api-key': keys.business },
        });
        assert.equal(reply.status, 200, 'keys still work');
        const { data } = (await reply.json()) as { data: { series: { settlements: unknown[] }[] } };
        assert.ok((data.series[0]?.settlements.length ?? 0) > 0, 'and prints are served');
        await again.stop();
      }
    });
  }

  test('--check reads the file and changes no database', async () => {
    const { flags } = await opened();
    const file = join(folder, 'checked.backup');
    await backupCommand.run([file, ...flags]);
    const checked = await perpwire(['restore', file, '--check']);
    assert.equal(checked.code, 0, checked.stderr);
    assert.match(checked.stdout, /checked\.backup is complete: 2 rows, made 20.* of SQLite\n$/);
    writeFileSync(file, readFileSync(file).subarray(0, -20));
    const damaged = await perpwire(['restore', file, '--check']);
    assert.equal(damaged.code, 1);
    assert.match(damaged.stderr, /^perpwire: .*checked\.backup is damaged[^\n]*\n$/);
  });

  test('a killed backup leaves a complete file or none, and a killed restore everything or nothing', async () => {
    const rows = 4000;
    const large = await opened();
    const sqliteFile = join(large.dataDir, 'perpwire.sqlite');
    const storage = await openStorage({ databaseUrl: null, sqliteFile, log: createLog('silent') });
    await storage.db.transaction().execute(async (trx) => {
      for (let i = 0; i < rows; i++) {
        const frame = randomBytes(2000);
        await trx.insertInto('snapshot_frames').values({ series: 'large', as_of_ms: i, frame }).execute();
      }
    });
    await storage.close();
    const whole = join(folder, 'large.backup');
    await backupCommand.run([whole, ...large.flags]);
    const target = await opened();
    const before = await openStorage({
      databaseUrl: null,
      sqliteFile: join(target.dataDir, 'perpwire.sqlite'),
      log: createLog('silent'),
    });
    const small = { series: 'small', as_of_ms: 1, frame: new Uint8Array(1) };
    await before.db.insertInto('snapshot_frames').values(small).execute();
    await before.close();

    const wholeBytes = statSync(whole).size;
    const written = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? -1;
    for (const share of [0, 0.25, 0.5, 0.75]) {
      const file = join(folder, `killed-${share}.backup`);
      const killAt = async (command: RunningProcess, growing: string) => {
        const isThere = () => written(growing) >= wholeBytes * share || command.child.exitCode !== null;
        await until(isThere, `${growing} at ${share}`);
        command.child.kill('SIGKILL');
        await command.ended;
      };
      await Promise.all([
        killAt(startPerpwire(['backup', file, ...large.flags]), `${file}.partial`),
        killAt(
          startPerpwire(['restore', whole, '--force', ...target.flags]),
          join(target.dataDir, 'perpwire.sqlite-wal'),
        ),
      ]);
      if (existsSync(file)) for await (const _row of (await openBackup(file)).rows());
      const after = await openStorage({
        databaseUrl: null,
        sqliteFile: join(target.dataDir, 'perpwire.sqlite'),
        log: createLog('silent'),
      });
      const held = await after.db.selectFrom('snapshot_frames').select('series').execute();
      await after.close();
      assert.ok(
        (held.length === 1 && held[0]?.series === 'small') || held.length === rows,
        `${held.length} rows, killed at ${share}`,
      );
    }
  });

  const there = join(folder, 'there');
  writeFileSync(there, 'not a backup');
  const nobody = 'postgres://me:secret@127.0.0.1:1/x';
  for (const [command, args, message] of [
    [backupCommand, [], /^backup takes one file/],
    [backupCommand, ['a', 'b'], /^backup takes one file/],
    [backupCommand, ['x', '--loud'], /^unknown flag --loud/],
    [backupCommand, ['x', '--data-dir', join(folder, 'nothing')], /^there is no database file .*nothing/],
    [backupCommand, [there], /there exists already; choose another name, or replace it with --force$/],
    [backupCommand, ['x', '--database-url', 'mysql://x'], /takes an address that starts with postgres/],
    [
      backupCommand,
      ['x', '--database-url', nobody],
      /^Cannot use .* at 127\.0\.0\.1:1: the connection was refused$/,
    ],
    [restoreCommand, [], /^restore takes one file/],
    [restoreCommand, [join(folder, 'missing')], /^there is no file .*missing$/],
    [restoreCommand, [folder], /is a folder$/],
    [restoreCommand, [there], /there is not a backup made by perpwire backup$/],
  ] as const) {
    const name = command === backupCommand ? 'backup' : 'restore';
    test(`perpwire ${[name, ...args].join(' ').replaceAll(folder, '')} names the fault`, async () => {
      await assert.rejects(command.run(args), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /me:secret/);
        return ['UsageError', 'StorageError', 'SettingError'].includes(error.constructor.name);
      });
    });
  }

  test('a folder that does not exist is named', async () => {
    const { flags } = await opened();
    await assert.rejects(
      backupCommand.run([join(folder, 'no', 'x'), ...flags]),
      /Cannot write .*: its folder does not exist/,
    );
  });

  test('help lists the exit codes', () => {
    for (const { help } of [backupCommand, restoreCommand])
      assert.match(help, /Exit code 0: .*1: nothing was/s);
  });

  test('on a terminal one line shows the progress', () => {
    const written: string[] = [];
    const show = rowProgress({ isTTY: true, columns: 80, write: (text: string) => written.push(text) });
    show({ table: 'accounts', rows: 1, totalRows: 4 });
    show({ table: 'accounts', rows: 2, totalRows: 4 });
    show({ table: '', rows: 4, totalRows: 4 });
    assert.equal(written.length, 2, 'not every row is drawn, but the last one always is');
    assert.equal(written[1], `\u001B[1A\u001B[2K[${'#'.repeat(30)}] 100 %  4 of 4 rows\n`);
    assert.equal(
      rowProgressLine({ table: 'accounts', rows: 1500, totalRows: 3000 }),
      `[${'#'.repeat(15)}${'.'.repeat(15)}]  50 %  1,500 of 3,000 rows  accounts`,
    );
  });
});
