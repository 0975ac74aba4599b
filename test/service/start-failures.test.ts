import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { startLocalService } from '../../src/wiring/local-service.ts';
import { type Finished, perpwire } from '../support/process.ts';
import { assertFailsCleanly, certificateIn, testListening, usedPort } from './failed-starts.ts';

const root = mkdtempSync(join(tmpdir(), 'perpwire-start-'));
const mounts: string[] = [];
after(() => {
  for (const folder of mounts) spawnSync('umount', [folder]);
  rmSync(root, { recursive: true, force: true });
});

const COMMANDS: [string, string[]][] = [
  ['serve', ['serve', '--port', '0', '--admin-port', '0']],
  ['accounts create', ['accounts', 'create', '--name', 'a', '--plan', 'demo']],
];

function folderOf(name: string): string {
  const folder = join(root, name.replaceAll(/\W/g, '-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A small file system; null if this user may not mount one. */
function mounted(name: string, options: string): string | null {
  const folder = folderOf(name);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (status !== 0) return null;
  mounts.push(folder);
  return folder;
}

function assertOneSentence({ code, stderr }: Finished, wanted: RegExp): void {
  const lines = stderr.split('\n').filter((line) => line.startsWith('perpwire:'));
  assert.equal(code, 1, stderr);
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0] ?? '', wanted);
  assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
}

let made: Promise<string> | null = null;

/** A folder with a database that a command has made; each call copies the same one. */
async function madeDatabase(name: string): Promise<{ folder: string; file: string }> {
  made ??= (async () => {
    const original = folderOf('made');
    const finished = await perpwire(['accounts', 'create', '--name', 'a', '--plan', 'pro'], {
      DATA_DIR: original,
    });
    assert.equal(finished.code, 0, finished.stderr);
    return original;
  })();
  const folder = folderOf(name);
  cpSync(await made, folder, { recursive: true });
  return { folder, file: join(folder, 'perpwire.sqlite') };
}

suite('a start that fails', () => {
  for (const [command, args] of COMMANDS) {
    const run = (folder: string) => perpwire(args, { DATA_DIR: folder });

    test(`${command}: a read-only disk`, async (t) => {
      const folder = mounted(`read-only ${command}`, 'ro');
      if (folder === null) return t.skip('this user may not mount a file system');
      assertOneSentence(await run(folder), /read-only.*(make it writable|choose another --data-dir)/);
      assertOneSentence(
        await run(join(folder, 'below')),
        /(read-only|not writable).*choose another --data-dir/,
      );
    });

    test(`${command}: a full disk`, async (t) => {
      const folder = mounted(`full ${command}`, 'size=64k');
      if (folder === null) return t.skip('this user may not mount a file system');
      assertOneSentence(await run(folder), /disk .*full.*(free some space|start again)/);
    });

    test(`${command}: a damaged database`, async () => {
      const { folder, file } = await madeDatabase(`damaged ${command}`);
      const bytes = readFileSync(file);
      bytes.fill(0xa5, 100, bytes.length);
      writeFileSync(file, bytes);
      assertOneSentence(await run(folder), /is damaged; move it away.*restore a backup/);
    });

    test(`${command}: an empty database file beside data`, async () => {
      const { folder, file } = await madeDatabase(`emptied ${command}`);
      truncateSync(file, 0);
      writeFileSync(join(folder, 'secret.key'), 'key');
      assertOneSentence(await run(folder), /is empty, but .*secret\.key.*restore a backup.*start anew/);
      assert.equal(statSync(file).size, 0, 'nothing was written');
    });

    test(`${command}: a file of another kind`, async () => {
      const folder = folderOf(`text ${command}`);
      writeFileSync(
        join(folder, 'perpwire.sqlite'),
        'a letter to a friend, long enough to be read as a head. '.repeat(40),
      );
      assertOneSentence(await run(folder), /is not a database; move it away or choose another --data-dir/);
    });

    test(`${command}: the database of another program`, async () => {
      const folder = folderOf(`foreign ${command}`);
      const file = join(folder, 'perpwire.sqlite');
      const database = new DatabaseSync(file);
      database.exec('create table songs (title text)');
      database.close();
      assertOneSentence(
        await run(folder),
        /another program: it has the tables songs.*choose another --data-dir/,
      );
    });

    test(`${command}: a folder in place of the database, and a file in place of the folder`, async () => {
      const folder = folderOf(`folder ${command}`);
      mkdirSync(join(folder, 'perpwire.sqlite'));
      assertOneSentence(await run(folder), /choose another --data-dir/);
      const file = join(folder, 'file');
      writeFileSync(file, '');
      assertOneSentence(await run(file), /a file, not a folder; choose another --data-dir/);
    });
  }

  test('accounts list: a cut database', async () => {
    const { folder, file } = await madeDatabase('cut');
    truncateSync(file, Math.floor(statSync(file).size / 4096 / 2) * 4096);
    const finished = await perpwire(['accounts', 'list'], { DATA_DIR: folder });
    if (finished.code !== 0) assertOneSentence(finished, /damaged|disk reports an error/);
  });

  test('an empty file alone is a new database', async () => {
    const folder = folderOf('new');
    writeFileSync(join(folder, 'perpwire.sqlite'), '');
    assert.equal((await perpwire(['accounts', 'list'], { DATA_DIR: folder })).code, 0);
  });
});

suite('a command on a disk that fills up', () => {
  test('keys create says so in one sentence', async (t) => {
    const folder = mounted('filling', 'size=2m');
    if (folder === null) return t.skip('this user may not mount a file system');
    const made = await perpwire(['accounts', 'create', '--name', 'a', '--plan', 'pro'], { DATA_DIR: folder });
    assert.equal(made.code, 0, made.stderr);
    const account = /account (\S+)/.exec(made.stdout)?.[1] ?? '';
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'filler')}`, 'bs=4k']);
    assert.ok(existsSync(join(folder, 'filler')));
    assertOneSentence(
      await perpwire(['keys', 'create', '--account', account], { DATA_DIR: folder }),
      /disk .*full.*(free some space|start again)/,
    );
  });

  test('a folder without write permission is named', async (t) => {
    if (process.getuid?.() === 0) return t.skip('root may write everywhere');
    const folder = folderOf('forbidden');
    chmodSync(folder, 0o500);
    assertOneSentence(
      await perpwire(['accounts', 'list'], { DATA_DIR: folder }),
      /choose another --data-dir/,
    );
  });
});

/** Each would otherwise leave a process that does not work, does not end and ignores its first SIGTERM. */
suite('a start that fails half way stops everything that it has started', () => {
  const folder = folderOf('half way');
  const tls = certificateIn(folder);
  const dataDir = (name: string) => folderOf(`half way ${name}`);

  // With TLS: start-failures.long.test.ts.
  testListening('plain HTTP', {}, dataDir);

  test('a TLS file that is none', async () => {
    const bad = join(folder, 'bad.pem');
    writeFileSync(bad, 'rubbish');
    const settings = { ...tls, TLS_CERT: bad, DATA_DIR: dataDir('bad TLS') };
    await assertFailsCleanly(settings, /is no certificate in PEM/);
  });

  test('a database that refuses', async () => {
    const settings = { DATA_DIR: dataDir('refused'), DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    await assertFailsCleanly(settings, /Cannot use the PostgreSQL .*the connection was refused/);
  });

  test('another key for the stored secrets', async () => {
    const DATA_DIR = dataDir('secret');
    const key = (letter: string) => Buffer.alloc(32, letter).toString('base64');
    const PORT = '1';
    await assertFailsCleanly({ DATA_DIR, SECRET_KEY: key('a'), HOST: '192.0.2.1', PORT }, /cannot listen/);
    await assertFailsCleanly({ DATA_DIR, SECRET_KEY: key('b') }, /SECRET_KEY/);
  });

  /** In the order in which a start reads them. */
  const TABLES = [
    'accounts',
    'slot_months',
    'snapshot_frames',
    'settlement_contracts',
    'audit_days',
    'depth_contracts',
    'listing_episodes',
    'service_secrets',
  ];
  for (const table of TABLES)
    test(`the table ${table} is missing`, async () => {
      const DATA_DIR = dataDir(`without ${table}`);
      const storage = await openStorage({
        databaseUrl: null,
        sqliteFile: join(DATA_DIR, 'perpwire.sqlite'),
        log: createLog('silent'),
      });
      await storage.close();
      const database = new DatabaseSync(join(DATA_DIR, 'perpwire.sqlite'));
      database.exec(`pragma foreign_keys = off; drop table "${table}"`);
      database.close();
      // The collector of a process is started again instead; both sides in one thread fail together.
      await assertFailsCleanly({ DATA_DIR }, new RegExp(`no such table: ${table}`), startLocalService);
    });
});

suite('a process whose start fails half way ends by itself', () => {
  test('serve with TLS and a port in use', async (t) => {
    const environment = {
      DATA_DIR: folderOf('ended'),
      VENUES_URL: 'http://127.0.0.1:1',
      ...certificateIn(root),
    };
    const PORT = await usedPort(t);
    assertOneSentence(
      await perpwire(['serve', '--admin-port', '0', '--port', PORT], environment),
      /cannot listen: .*EADDRINUSE/,
    );
  });
});
