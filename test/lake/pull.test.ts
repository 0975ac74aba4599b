import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { createMetrics } from '../../src/base/metrics.ts';
import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import { buildLake } from '../../src/lake/build.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import { dayHash, LakeError, type Manifest, manifestText } from '../../src/lake/files/manifest.ts';
import { isContradicted, SampleComparison } from '../../src/lake/pull/compare.ts';
import { importPrints } from '../../src/lake/pull/import.ts';
import { pullLake } from '../../src/lake/pull/pull.ts';
import { RemoteLake } from '../../src/lake/pull/remote.ts';
import { firstPrintDayMs, lakeSources } from '../../src/lake/sources.ts';
import { verifyLake } from '../../src/lake/verify.ts';
import { BTC, backfill, heldPrints, keeping, NOW_MS, simulated } from '../history/keeping.ts';
import { freshSqlite, silentLog, temporaryFolder } from '../storage/sqlite.ts';
import { until } from '../support/until.ts';
import { type LakeServer, lakeServer, sendBytes } from './lake-server.ts';
import { COINS, madeLake, PRINTS_PER_DAY, ratePctOf } from './made-lake.ts';

const DAYS = 5;
const FILE = 'prints/2026-11-12.parquet';
const OTHER = 'prints/2026-11-13.parquet';
const AT_ONCE = { sleep: async () => undefined, nowMs: () => NOW_MS + DAY_MS };

async function twoLakes(t: TestContext) {
  const folder = temporaryFolder(t);
  const source = await madeLake(folder, NOW_MS, DAYS);
  const server = await lakeServer(t, folder);
  const ours = join(temporaryFolder(t), 'lake');
  const store = new LakeFolder(ours);
  const pull = async (sinceDay: string | null = null) =>
    await pullLake({
      remote: new RemoteLake(server.url, 'pw_test_key'),
      ...{
        store,
        sinceDay,
        clock: AT_ONCE,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      },
    });
  return { folder, source, server, ours, store, pull };
}

/** Serves another manifest, whose own hashes may fit. */
function withManifest(server: LakeServer, change: (manifest: Manifest) => Manifest): void {
  server.bytes('manifest.json', (bytes) =>
    Buffer.from(manifestText(change(JSON.parse(bytes.toString()) as Manifest))),
  );
}

async function assertRefused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof LakeError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

suite('pulling a lake', () => {
  test('every file and the manifest arrive as they are there', async (t) => {
    const { folder, ours, store, pull } = await twoLakes(t);
    assert.equal((await pull()).length, DAYS);
    for (const path of ['manifest.json', FILE, OTHER])
      assert.deepEqual(readFileSync(join(ours, path)), readFileSync(join(folder, path)), path);
    assert.deepEqual((await verifyLake(store)).faults, []);
  });

  test('--since takes the days from that one on; their chain fits', async (t) => {
    const { store, pull } = await twoLakes(t);
    assert.deepEqual(
      (await pull('2026-11-12')).map(({ day }) => day),
      ['2026-11-12', '2026-11-13'],
    );
    assert.equal((await verifyLake(store)).files, 2);
  });

  test('a second pull fetches only the days that are new', async (t) => {
    const { folder, server, store, pull } = await twoLakes(t);
    await pull();
    server.requests.length = 0;
    await madeLake(folder, NOW_MS + DAY_MS, DAYS);
    await pull();
    assert.deepEqual(server.requests, ['manifest.json', 'prints/2026-11-14.parquet']);
    assert.equal((await store.manifest()).days.length, DAYS + 1);
  });

  test('a connection that breaks is continued from the byte where it broke', async (t) => {
    const { server, store, pull } = await twoLakes(t);
    const folder = await store.workFolder('pulling');
    const stored = () => {
      const part = readdirSync(folder).find((name) => name.startsWith(FILE.replace('/', '-')));
      return part === undefined ? 0 : statSync(join(folder, part)).size;
    };
    let breaks = 0;
    server.set(FILE, (request, response, bytes) => {
      if (breaks++ > 0) return sendBytes(request, response, bytes);
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 700));
      // A connection that breaks earlier loses what the client has not read yet.
      void until(() => stored() === 700, 'the first bytes').finally(() => response.destroy());
    });
    await pull();
    assert.ok(server.requests.includes(`${FILE} bytes=700-`), server.requests.join());
    assert.deepEqual((await verifyLake(store)).faults, []);
  });

  test('a pull that was stopped goes on: what arrived whole is not fetched again', async (t) => {
    const { server, store, pull } = await twoLakes(t);
    server.bytes(OTHER, (bytes) => bytes.subarray(0, 800));
    await assertRefused(pull(), /is truncated/);
    server.requests.length = 0;
    server.set(OTHER, sendBytes);
    await pull();
    assert.deepEqual(server.requests, ['manifest.json', `${OTHER} bytes=800-`]);
    assert.deepEqual((await verifyLake(store)).faults, []);
  });

  test('a server that refuses for a while is called again', async (t) => {
    const { server, pull } = await twoLakes(t);
    let refusals = 0;
    server.set(FILE, (request, response, bytes) => {
      if (refusals++ < 3) response.writeHead(429, { 'retry-after': '1' }).end('{}');
      else sendBytes(request, response, bytes);
    });
    assert.equal((await pull()).length, DAYS);
  });

  for (const [name, change, message] of [
    [
      'a truncated file',
      (bytes: Buffer) => bytes.subarray(0, -10),
      /2026-11-12.parquet is truncated: \d+ of \d+ bytes/,
    ],
    [
      'a longer file',
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')]),
      /longer than the manifest says/,
    ],
    [
      'an altered file',
      (bytes: Buffer) => {
        const copy = Buffer.from(bytes);
        copy[300] = (copy[300] ?? 0) ^ 1;
        return copy;
      },
      /2026-11-12.parquet was altered: its hash is not that of the manifest/,
    ],
  ] as const)
    test(`${name} is refused, and no entry names it`, async (t) => {
      const { server, store, pull } = await twoLakes(t);
      server.bytes(FILE, change);
      await assertRefused(pull(), message);
      assert.deepEqual((await store.manifest()).days, []);
      assert.equal(await store.size(FILE), null);
    });

  test('files of two days that are swapped are refused', async (t) => {
    const { server, folder, pull } = await twoLakes(t);
    server.bytes(FILE, () => readFileSync(join(folder, OTHER)));
    server.bytes(OTHER, () => readFileSync(join(folder, FILE)));
    await assertRefused(pull(), /altered|truncated|longer/);
  });

  for (const [name, change, message] of [
    ['reordered days', (days: Manifest['days']) => days.toReversed(), /out of order/],
    ['a day that is left out', (days: Manifest['days']) => days.toSpliced(2, 1), /does not follow/],
    [
      'an altered entry',
      (days: Manifest['days']) =>
        days.map((day, i) =>
          i === 1 ? { ...day, files: day.files.map((file) => ({ ...file, rows: 1 })) } : day,
        ),
      /was altered/,
    ],
    [
      'an altered entry with a fresh hash',
      (days: Manifest['days']) =>
        days.map((day, i) => {
          const changed = { ...day, known_to: '2026-01-01T00:00:00Z' };
          return i === 1 ? { ...changed, hash: dayHash(changed) } : day;
        }),
      /does not follow/,
    ],
  ] as const)
    test(`${name} is refused before anything is fetched`, async (t) => {
      const { server, pull } = await twoLakes(t);
      withManifest(server, (manifest) => ({ ...manifest, days: change(manifest.days) }));
      await assertRefused(pull(), message);
      assert.deepEqual(server.requests, ['manifest.json']);
    });

  test('a page in place of the manifest is refused', async (t) => {
    const { server, pull } = await twoLakes(t);
    server.bytes('manifest.json', () => Buffer.from('<html>'));
    await assertRefused(pull(), /is not a manifest/);
  });

  test('a wrong key is refused in the words of the server', async (t) => {
    const { server, pull } = await twoLakes(t);
    server.set('manifest.json', (_request, response) =>
      response.writeHead(401).end('{"detail":"This key is not known here."}'),
    );
    await assertRefused(pull(), /manifest.json answered 401: This key is not known here/);
  });

  test('a lake of another chain is left alone', async (t) => {
    const { ours, pull } = await twoLakes(t);
    await madeLake(ours, NOW_MS + MINUTE_MS, 2);
    const before = readFileSync(join(ours, 'manifest.json'));
    await assertRefused(pull(), /is another one: its 2026-11-13 is not that of the other installation/);
    assert.deepEqual(readFileSync(join(ours, 'manifest.json')), before);
  });
});

suite('storing the prints of a lake', () => {
  const importing = async (t: TestContext, store: LakeFolder, exchanges = ['Binance']) => {
    const setting = await keeping(t, freshSqlite, NOW_MS, { batchWaitMs: 0 });
    const { days } = await store.manifest();
    const files = days.flatMap((day) => day.files.filter(({ dataset }) => dataset === 'prints'));
    const run = async () =>
      await importPrints({
        store,
        keeper: setting.keeper,
        files,
        isWanted: ({ exchange }) => exchanges.includes(exchange),
        clock: setting.clock,
        signal: new AbortController().signal,
      });
    return { ...setting, run };
  };

  test('all are stored at their times; storing them again changes nothing', async (t) => {
    const store = await madeLake(temporaryFolder(t), NOW_MS, 40);
    const { run, keeper } = await importing(t, store);
    const all = PRINTS_PER_DAY * 40;
    assert.deepEqual(await run(), { prints: all, added: all, differing: 0, leftOut: 0 });
    assert.deepEqual(await run(), { prints: all, added: 0, differing: 0, leftOut: 0 });
    const eth = keeper.directory.find('Binance', 'ETHUSDT');
    assert.ok(eth);
    const dayMs = Date.parse('2026-11-02');
    const { minutes, ratesPct } = await keeper.prints(eth, dayMs, dayMs + DAY_MS - 1);
    assert.deepEqual(
      minutes.map((minute, i) => [minute - dayMs / MINUTE_MS, ratesPct[i]]),
      [0, 8, 16].map((hour) => [hour * 60, ratePctOf(dayMs, COINS.indexOf('ETH'), hour)]),
    );
  });

  test('a print that is stored already stays, and is counted', async (t) => {
    const store = await madeLake(temporaryFolder(t), NOW_MS, 2);
    const { run, keeper } = await importing(t, store);
    const minute = Date.parse('2026-11-13T08:00:00Z') / MINUTE_MS;
    const prints = [{ minute, ratePct: 0.9 }];
    await keeper.submit({ names: BTC, prints, walked: null, onConflict: 'replace' });
    assert.equal((await run()).differing, 1);
    const btc = keeper.directory.find('Binance', 'BTCUSDT');
    assert.ok(btc);
    assert.deepEqual((await keeper.prints(btc, minute * MINUTE_MS, minute * MINUTE_MS)).ratesPct, [0.9]);
  });

  test('prints of a venue that is not wanted are left out', async (t) => {
    const store = await madeLake(temporaryFolder(t), NOW_MS, 1);
    const { run } = await importing(t, store, ['OKX']);
    assert.deepEqual(await run(), { prints: 9, added: 0, differing: 0, leftOut: 9 });
  });

  test('the prints of an installation arrive whole at another one, and its lake goes on from there', async (t) => {
    const first = await keeping(t, freshSqlite, NOW_MS, { batchWaitMs: 0 });
    const venue = await simulated({ slug: 'okx', clock: first.clock, coins: 4 });
    await backfill(first, venue, 20);
    const folder = temporaryFolder(t);
    const store = new LakeFolder(folder);
    const build = async ({ storage, keeper, clock }: typeof first) =>
      await buildLake({
        store,
        sources: lakeSources(storage, keeper, silentLog),
        nowMs: clock.nowMs() + 2 * MINUTE_MS,
        firstDayMs: () => firstPrintDayMs(keeper),
      });
    await build(first);
    const second = await importing(t, store, ['OKX']);
    await second.run();
    const [fromMs, toMs] = [NOW_MS - 30 * DAY_MS, Date.parse('2026-11-13T23:59:00Z')];
    for (const { venueSymbol } of venue.contracts.values())
      assert.deepEqual(
        await heldPrints(second, 'OKX', venueSymbol, fromMs, toMs),
        await heldPrints(first, 'OKX', venueSymbol, fromMs, toMs),
      );
    // What was taken over is in the lake already, so the next day has nothing of it.
    second.clock.advanceMs(DAY_MS);
    await build(second);
    const last = (await store.manifest()).days.at(-1);
    assert.deepEqual(
      [last?.day, last?.files.find(({ dataset }) => dataset === 'prints')],
      ['2026-11-14', undefined],
    );
  });

  test('a file that is no Parquet is refused', async (t) => {
    const folder = temporaryFolder(t);
    const store = await madeLake(folder, NOW_MS, 1);
    const { run } = await importing(t, store);
    writeFileSync(join(folder, OTHER), 'x'.repeat((await store.size(OTHER)) ?? 0));
    await assertRefused(run(), /prints\/2026-11-13.parquet is not a Parquet file/);
  });
});

suite('a sample beside the venue', () => {
  const comparing = async (t: TestContext, change: (ratePct: number) => number) => {
    const setting = await keeping(t, freshSqlite, NOW_MS, { batchWaitMs: 0 });
    const source = await simulated({ slug: 'okx', clock: setting.clock, coins: 5 });
    await backfill(setting, source, 10);
    const folder = temporaryFolder(t);
    const store = new LakeFolder(folder);
    const [prints] = lakeSources(setting.storage, setting.keeper, silentLog);
    assert.ok(prints);
    const rateAt = prints.table.columns.findIndex(({ name }) => name === 'rate_pct');
    const changed = {
      table: prints.table,
      rows: async function* (day: Parameters<typeof prints.rows>[0]) {
        for await (const rows of prints.rows(day))
          yield rows.map((row) => row.toSpliced(rateAt, 1, change(Number(row[rateAt]))));
      },
    };
    await buildLake({
      store,
      sources: [changed],
      nowMs: NOW_MS + 2 * MINUTE_MS,
      firstDayMs: () => firstPrintDayMs(setting.keeper),
    });
    const comparison = await SampleComparison.read({
      ...{ store, days: (await store.manifest()).days, clock: setting.clock, log: silentLog },
      ...{ metrics: createMetrics(), signal: new AbortController().signal },
    });
    return { comparison, source };
  };

  test('the same rates are no difference', async (t) => {
    const { comparison, source } = await comparing(t, (ratePct) => ratePct);
    assert.deepEqual(comparison.exchanges, ['OKX']);
    const found = await comparison.compare(source);
    assert.ok(found.compared >= 3 * 3 * 3, `${found.compared} compared`);
    assert.deepEqual([found.differences, found.reason, isContradicted(found)], [[], null, false]);
  });

  test('other rates are named with both values', async (t) => {
    const { comparison, source } = await comparing(t, (ratePct) => ratePct + 0.001);
    const found = await comparison.compare(source);
    assert.equal(found.differences.length, found.compared);
    const { oursPct, venuePct } = found.differences[0] ?? {};
    assert.ok(Math.abs((oursPct ?? 0) - (venuePct ?? 0) - 0.001) < 1e-9);
    assert.ok(isContradicted(found));
  });

  test('a venue that lists none of the contracts is not compared, with the reason', async (t) => {
    const { comparison, source } = await comparing(t, (ratePct) => ratePct);
    const { compared, reason } = await comparison.compare({ ...source, contracts: new Map() });
    assert.deepEqual([compared, reason], [0, 'the venue lists none of its contracts now']);
  });
});
