import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { DAY_MS } from '../../src/base/times.ts';
import { buildLake } from '../../src/lake/build.ts';
import type { LakeValue } from '../../src/lake/dataset.ts';
import { PRINTS } from '../../src/lake/datasets/prints.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import {
  dayHash,
  LakeError,
  type LakeFile,
  type ManifestDay,
  manifestText,
} from '../../src/lake/files/manifest.ts';
import { importPrints } from '../../src/lake/pull/import.ts';
import { pullLake } from '../../src/lake/pull/pull.ts';
import { RemoteLake } from '../../src/lake/pull/remote.ts';
import { keeping, NOW_MS } from '../history/keeping.ts';
import { freshSqlite, temporaryFolder } from '../storage/sqlite.ts';
import { madeParquet, plain, varint } from '../support/made-parquet.ts';
import { lakeServer } from './lake-server.ts';
import { madeLake } from './made-lake.ts';

const FILE = 'prints/2026-11-13.parquet';
const DAY = '2026-11-13';
const DAY_START_MS = Date.parse(DAY);

/** A server whose lake can be made anew, and a pull from it that stores what it took. */
async function hostile(t: TestContext) {
  const folder = temporaryFolder(t);
  await madeLake(folder, NOW_MS, 1);
  const server = await lakeServer(t, folder);
  const setting = await keeping(t, freshSqlite, NOW_MS, { batchWaitMs: 0 });
  const store = new LakeFolder(join(temporaryFolder(t), 'lake'));
  const { signal } = new AbortController();
  const pull = async () => {
    const days = await pullLake({
      remote: new RemoteLake(server.url, 'pw_test_key'),
      ...{ store, sinceDay: null, signal, onProgress: () => undefined },
      clock: { sleep: async () => undefined, nowMs: () => NOW_MS },
    });
    return await importPrints({
      ...{ store, keeper: setting.keeper, files: days.flatMap(({ files }) => files), isWanted: () => true },
      ...{ clock: setting.clock, signal },
    });
  };
  /** A manifest with this one day; its hashes fit. */
  const serveDay = (change: Partial<ManifestDay>, file: Partial<LakeFile> = {}) => {
    const files = [
      { dataset: 'prints', path: FILE, rows: 9, bytes: 9, sha256: 'ab'.repeat(32), from: DAY, ...file },
    ];
    const entry = { day: DAY, known_to: '2026-11-14T01:00:00Z', files, previous: null, ...change };
    const text = manifestText({ version: 2, days: [{ ...entry, hash: dayHash(entry) }] });
    writeFileSync(join(folder, 'manifest.json'), text);
  };
  const serveFile = (bytes: Buffer, file: Partial<LakeFile> = {}) => {
    writeFileSync(join(folder, FILE), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    serveDay({}, { bytes: bytes.length, sha256, ...file });
  };
  /** A file of one print. */
  const servePrint = async (change: Partial<Record<string, LakeValue>>) => {
    const print: Record<string, LakeValue> = {
      ...{
        coin: 'BTC',
        exchange: 'Binance',
        settled_at: DAY_START_MS,
        rate_pct: 0.01,
        venue_symbol: 'BTCUSDT',
      },
      ...{ symbol: 'BTC-USDT', is_inverse: false, interval_hours: 8, known_at: DAY_START_MS, ...change },
    };
    const row = PRINTS.columns.map(({ name }) => print[name] ?? null);
    const made = temporaryFolder(t);
    await buildLake({
      store: new LakeFolder(made),
      sources: [
        {
          table: PRINTS,
          async *rows() {
            yield [row];
          },
        },
      ],
      nowMs: DAY_START_MS + DAY_MS + DAY_MS / 2,
      firstDayMs: () => DAY_START_MS,
    });
    const lake = await lakeServer(t, made);
    return new RemoteLake(lake.url, 'key');
  };
  const importFrom = async (remote: RemoteLake) => {
    const days = await pullLake({
      ...{ remote, store, sinceDay: null, signal, onProgress: () => undefined },
      clock: { sleep: async () => undefined, nowMs: () => NOW_MS },
    });
    const files = days.flatMap((day) => day.files);
    return await importPrints({
      ...{ store, keeper: setting.keeper, files, isWanted: () => true, clock: setting.clock, signal },
    });
  };
  return { server, pull, serveDay, serveFile, servePrint, importFrom, keeper: setting.keeper };
}

async function assertRefused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof LakeError, String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\p{Cc}/u);
    return true;
  });
}

/** Writes as long as somebody reads. */
function endless(response: ServerResponse, status: number): void {
  response.writeHead(status);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'x')));
  };
  response.on('drain', more);
  more();
}

suite('a hostile or broken server of a lake', () => {
  test('a small file whose column says that it has a billion values', async (t) => {
    const { pull, serveFile, keeper } = await hostile(t);
    const pages = [
      { kind: 2, values: 1, encoding: 0, bytes: plain(7) },
      { kind: 0, values: 9, encoding: 8, bytes: [1, ...varint(2 ** 28 - 2), 0] },
    ] as const;
    serveFile(madeParquet({ name: PRINTS.columns.map(({ name }) => name), rows: 9, pages }));
    await assertRefused(pull(), /2026-11-13.parquet has a run that is longer than its page/);
    assert.equal(keeper.directory.all().length, 0);
  });

  test('a file with other rows than the manifest says is not stored', async (t) => {
    const { pull, server, serveFile, keeper } = await hostile(t);
    const response = await fetch(`${server.url}/lake/${FILE}`);
    serveFile(Buffer.from(await response.arrayBuffer()), { rows: 8 });
    await assertRefused(pull(), /has 9 rows, and the manifest says 8/);
    assert.equal(keeper.directory.all().length, 0);
  });

  test('a manifest of a file that is larger than any', async (t) => {
    const { pull, serveDay } = await hostile(t);
    serveDay({}, { bytes: 2 ** 40 });
    await assertRefused(
      pull(),
      /prints\/2026-11-13.parquet is larger than any file: 9 rows, 1099511627776 bytes/,
    );
    serveDay({}, { rows: 2 ** 40 });
    await assertRefused(pull(), /is larger than any file/);
  });

  test('a manifest that does not end', async (t) => {
    const { pull, server } = await hostile(t);
    server.set('manifest.json', (_request, response) => endless(response, 200));
    await assertRefused(pull(), /manifest.json cannot be read: the reply has more than 16 MB/);
  });

  for (const status of [403, 500])
    test(`an answer ${status} that does not end is read for 4 kB, and its connection closed`, async (t) => {
      const { pull, server } = await hostile(t);
      let closed = 0;
      server.set('manifest.json', (_request, response) => {
        response.on('close', () => closed++);
        endless(response, status);
      });
      await assertRefused(pull(), new RegExp(`manifest.json answered ${status}$`));
      server.set(FILE, (_request, response) => endless(response, status));
      server.set('manifest.json', (_request, response, bytes) => response.end(bytes));
      await assertRefused(pull(), new RegExp(`2026-11-13.parquet answered ${status}$`));
      assert.equal(closed, 1);
    });

  for (const [what, change] of [
    ['a day in 2099', { day: '2099-01-01', files: [] }],
    ['a day that is known up to 2099', { known_to: '2099-01-01T00:00:00Z' }],
  ] as const)
    test(`${what} is refused before anything is fetched`, async (t) => {
      const { pull, server, serveDay } = await hostile(t);
      serveDay(change);
      await assertRefused(pull(), /is in the future/);
      assert.deepEqual(server.requests, ['manifest.json']);
    });

  test('tomorrow is not: clocks differ', async (t) => {
    const { pull, serveDay } = await hostile(t);
    serveDay({ day: '2026-11-15', known_to: '2026-11-15T00:01:00Z', files: [] });
    assert.equal((await pull()).prints, 0);
  });

  test('its words are shown without control characters', async (t) => {
    const { pull, server } = await hostile(t);
    server.set('manifest.json', (_request, response) =>
      response
        .writeHead(401)
        .end(JSON.stringify({ detail: 'no\u001b[2J\u001b]0;x\u0007\r\nperpwire: all is well' })),
    );
    await assertRefused(pull(), /answered 401: no \[2J \]0;x perpwire: all is well$/);
    for (const text of [
      '\u001b[2J',
      '{"version":"\u001b[2J","days":[]}',
      '{"version":"\\u001b[2J","days":[]}',
    ]) {
      server.set('manifest.json', (_request, response) => response.end(text));
      await assertRefused(pull(), /is not a manifest|version is/);
    }
  });

  test('an address without a server is one sentence', async (t) => {
    const { importFrom } = await hostile(t);
    await assertRefused(
      importFrom(new RemoteLake('http://127.0.0.1:1', 'key')),
      /cannot be read: the connection was refused$/,
    );
  });

  for (const [what, change, message] of [
    [
      'a print of a later day',
      { settled_at: DAY_START_MS + DAY_MS },
      /settled_at is not from 2026-11-13 up to/,
    ],
    ['a print of 2099', { settled_at: Date.parse('2099-01-01') }, /settled_at is not from 2026-11-13 up to/],
    ['a print that is known in 2099', { known_at: Date.parse('2099-01-01') }, /known_at is in the future/],
    ['NUL in a name', { venue_symbol: 'BTC\u0000USDT' }, /venue_symbol is not a name/],
    ['an escape sequence in a name', { symbol: '\u001b[2J' }, /symbol is not a name/],
  ] as const)
    test(`${what} is refused`, async (t) => {
      const { servePrint, importFrom, keeper } = await hostile(t);
      await assertRefused(importFrom(await servePrint(change)), message);
      assert.equal(keeper.directory.all().length, 0);
    });

  test('a print that is older than the day of the file is refused', async (t) => {
    const { pull, server, serveFile } = await hostile(t);
    const early = temporaryFolder(t);
    await madeLake(early, NOW_MS - DAY_MS, 1);
    serveFile(readFileSync(join(early, 'prints/2026-11-12.parquet')));
    await assertRefused(pull(), /settled_at is not from 2026-11-13 up to the day of the file/);
    assert.deepEqual(server.requests, ['manifest.json', FILE]);
  });
});
