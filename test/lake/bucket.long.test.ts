import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { BucketLock } from '../../src/lake/bucket/bucket-lock.ts';
import { S3Bucket } from '../../src/lake/bucket/s3.ts';
import { LakeError, readManifest } from '../../src/lake/files/manifest.ts';
import { openLake } from '../../src/lake/open.ts';
import { pruneLake } from '../../src/lake/prune.ts';
import { pullLake } from '../../src/lake/pull/pull.ts';
import { RemoteLake } from '../../src/lake/pull/remote.ts';
import { verifyLake } from '../../src/lake/verify.ts';
import { readSettings } from '../../src/settings.ts';
import { assertProblem, START_MS, startRest } from '../rest/rest-service.ts';
import { temporaryFolder } from '../storage/sqlite.ts';
import { killStarted, perpwire, startPerpwire } from '../support/process.ts';
import { rawRequest } from '../support/raw-http.ts';
import { S3_KEY, S3_LIST_LENGTH, startSwift } from '../support/swift.ts';
import { until } from '../support/until.ts';
import { holdingUploads } from './held-upload.ts';
import { lakeServer } from './lake-server.ts';
import { fillLake, madeLake } from './made-lake.ts';
import { storedPrints } from './stored-prints.ts';

const swift = await startSwift();
const url = typeof swift === 'string' ? '' : swift.url;
let prefixes = 0;

/** A prefix of its own, and the environment that names it. */
function emptyLake(t: TestContext, endpoint = url) {
  const prefix = `lake-${++prefixes}`;
  const environment = {
    LAKE_URL: `s3://lake/${prefix}`,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
  };
  const store = openLake(readSettings([], { ...environment, DATA_DIR: temporaryFolder(t) }));
  const bucket = new S3Bucket({
    ...{ bucket: 'lake', prefix: `${prefix}/`, endpoint, sessionToken: null },
    ...S3_KEY,
  });
  return { environment, store, bucket, prefix };
}

const FILE = 'prints/2026-11-12.parquet';

suite('a lake in a bucket', { skip: typeof swift === 'string' ? swift : false }, () => {
  after(async () => {
    killStarted();
    if (typeof swift !== 'string') await swift.stop();
  });

  test('has the files of a lake in a folder, and verify finds nothing wrong', async (t) => {
    const { store } = emptyLake(t);
    await fillLake(store, START_MS, 3);
    const folder = await madeLake(temporaryFolder(t), START_MS, 3);
    assert.deepEqual(await store.manifest(), await folder.manifest());
    assert.deepEqual(await store.paths(), await folder.paths());
    const { files, faults, unnamed } = await verifyLake(store);
    assert.deepEqual({ files, faults, unnamed }, { files: 3, faults: [], unnamed: [] });
  });

  test('verify names a file that is missing, truncated or altered, and one that no manifest names', async (t) => {
    const { store, bucket } = emptyLake(t);
    await fillLake(store, START_MS, 4);
    const [, , , last] = (await store.manifest()).days;
    const bytes = last?.files[0]?.bytes ?? 0;
    await bucket.remove('prints/2026-11-10.parquet');
    await bucket.putText('prints/2026-11-11.parquet', 'short');
    await bucket.putText('prints/2026-11-13.parquet', 'x'.repeat(bytes));
    await bucket.putText('prints/2026-11-20.parquet', 'left by a kill');
    const { faults, unnamed } = await verifyLake(store);
    assert.deepEqual(
      faults.map(({ fault }) => fault),
      ['missing', 'truncated', 'altered'],
    );
    assert.deepEqual(unnamed, ['prints/2026-11-20.parquet']);
  });

  test('prune deletes old days and what no manifest names', async (t) => {
    const { store, bucket } = emptyLake(t);
    await fillLake(store, START_MS, 3);
    await bucket.putText('prints/2026-11-20.parquet', 'left by a kill');
    assert.deepEqual(await pruneLake(store, '2026-11-13'), [
      'prints/2026-11-11.parquet',
      'prints/2026-11-12.parquet',
      'prints/2026-11-20.parquet',
    ]);
    assert.deepEqual(await store.paths(), ['prints/2026-11-13.parquet']);
    assert.deepEqual((await verifyLake(store)).faults, []);
  });

  test('a list of more objects than an answer has is complete', async (t) => {
    const { bucket } = emptyLake(t);
    const keys = Array.from({ length: 2 * S3_LIST_LENGTH + 1 }, (_, i) => `many/${i}`);
    for (const key of keys) await bucket.putText(key, '');
    const { objects } = await bucket.list('many/');
    assert.deepEqual(objects.map(({ key }) => key).sort(), keys.sort());
  });

  test('pull takes the files of another installation into it', async (t) => {
    const folder = temporaryFolder(t);
    const other = await madeLake(folder, START_MS, 3);
    const server = await lakeServer(t, folder);
    const { store } = emptyLake(t);
    await pullLake({
      ...{ remote: new RemoteLake(server.url, 'key'), store, sinceDay: null, onProgress: () => undefined },
      ...{
        clock: { sleep: async () => undefined, nowMs: () => START_MS },
        signal: new AbortController().signal,
      },
    });
    assert.deepEqual(await store.manifest(), await other.manifest());
    assert.deepEqual((await verifyLake(store)).faults, []);
  });

  test('an upload of other bytes than those of the hash is refused', async (t) => {
    const { store, bucket } = emptyLake(t);
    const localFile = join(temporaryFolder(t), 'file');
    writeFileSync(localFile, 'altered');
    const sha256 = createHash('sha256').update('written').digest('hex');
    await assert.rejects(store.publish(localFile, { path: FILE, sha256 }), LakeError);
    assert.equal(await bucket.size(FILE), null);
  });

  test('a build that is killed during an upload leaves no entry and no half file; the next one completes it', async (t) => {
    const { environment, store, prefix } = emptyLake(t);
    const folder = await storedPrints(t);
    const held = await holdingUploads(t, url, `/lake/${prefix}/prints/2025-01-05.parquet`);
    const args = ['lake', 'build', '--day', '2025-01-08'];
    const build = startPerpwire(args, { ...environment, DATA_DIR: folder, AWS_ENDPOINT_URL: held.url });
    await until(held.isHeld, 'half an upload');
    build.child.kill('SIGKILL');
    await build.ended;
    const { days, faults, unnamed } = await verifyLake(store);
    assert.deepEqual({ days, faults, unnamed }, { days: 4, faults: [], unnamed: [] });

    const { code, stderr } = await perpwire(args, { ...environment, DATA_DIR: folder });
    assert.equal(code, 0, stderr);
    const whole = await verifyLake(openLake(readSettings([], { ...environment, DATA_DIR: folder })));
    assert.deepEqual({ days: whole.days, faults: whole.faults }, { days: 8, faults: [] });
  });

  suite('its lock', () => {
    test('lets one process of all machines change it', async (t) => {
      const { store, bucket } = emptyLake(t);
      const lock = await BucketLock.take(bucket, 'another-machine');
      await assert.rejects(
        fillLake(store, START_MS, 1),
        /process another-machine\.\d+ is changing s3:\/\/lake/,
      );
      assert.deepEqual((await bucket.list('.lock/')).objects.length, 1, 'it took its own back');
      await lock.release();
      await fillLake(store, START_MS, 1);
      assert.deepEqual((await bucket.list('.lock/')).objects, []);
    });

    test('of a process that is no more is taken over', async (t) => {
      const { bucket } = emptyLake(t);
      await bucket.putText('.lock/this-machine.999999999', '');
      await (await BucketLock.take(bucket, 'this-machine')).release();
      assert.deepEqual((await bucket.list('.lock/')).objects, []);
    });

    test('that another process has taken over keeps the manifest from being replaced', async (t) => {
      const { store, bucket } = emptyLake(t);
      const unlock = await store.lock();
      for (const { key } of (await bucket.list('.lock/')).objects) await bucket.remove(key);
      await assert.rejects(store.saveManifest({ version: 2, days: [] }), /another process took over s3:/);
      await unlock();
    });
  });

  suite('over HTTP', () => {
    test('parts, hashes, keys and plans are as with a folder', async (t) => {
      const { environment, store, bucket } = emptyLake(t);
      const rest = await startRest({ isEmpty: true, settings: environment });
      t.after(() => rest.stop());
      await fillLake(store, START_MS, 9);
      const get = async (path: string, headers: Record<string, string> = {}) =>
        await rawRequest(`${rest.service.baseUrl}/lake/${path}`, { headers });
      const key = { authorization: `Bearer ${rest.keys.business}` };
      const manifest = readManifest((await get('manifest.json', key)).text, 'manifest');
      assert.deepEqual(manifest, await store.manifest());
      const whole = await get(FILE, key);
      assert.equal(`"${createHash('sha256').update(whole.bytes).digest('hex')}"`, whole.headers.get('etag'));
      const part = await get(FILE, { ...key, range: 'bytes=100-199' });
      assert.equal(part.status, 206);
      assert.deepEqual(part.bytes, whole.bytes.subarray(100, 200));
      assert.equal((await get(FILE)).status, 401);
      assert.equal((await get(FILE, { authorization: `Bearer ${rest.keys.demo}` })).status, 403);
      assert.equal((await get('.lock/x', key)).status, 404);
      await bucket.remove(FILE);
      assert.equal((await get(FILE, key)).status, 500, 'a file of the manifest is missing');
    });

    test('a bucket that cannot be reached is a 503', async (t) => {
      const { environment } = emptyLake(t, 'http://127.0.0.1:1');
      const rest = await startRest({ isEmpty: true, settings: environment });
      t.after(() => rest.stop());
      const headers = { authorization: `Bearer ${rest.keys.business}` };
      const reply = await rawRequest(`${rest.service.baseUrl}/lake/manifest.json`, { headers });
      const { code } = assertProblem(
        { ...reply, header: (name) => reply.headers.get(name) },
        rest.service.baseUrl,
      );
      assert.equal(code, 'snapshot-unavailable');
      assert.equal(reply.headers.get('retry-after'), '60');
    });
  });

  suite('a setting that is wrong is named', () => {
    for (const [what, change, message] of [
      ['another key', { AWS_ACCESS_KEY_ID: 'x' }, /correct AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY$/],
      [
        'another secret',
        { AWS_SECRET_ACCESS_KEY: 'x' },
        /correct AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY$/,
      ],
      ['another bucket', { LAKE_URL: 's3://none' }, /^s3:\/\/none: there is no such bucket: .*LAKE_URL/],
      ['another region', { AWS_REGION: 'eu-1' }, /it is in another region: set AWS_REGION to us-east-1$/],
      [
        'no server',
        { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' },
        /connection was refused; see AWS_ENDPOINT_URL$/,
      ],
    ] as const)
      test(what, async (t) => {
        const store = openLake(readSettings([], { ...emptyLake(t).environment, ...change }));
        await assert.rejects(verifyLake(store), (error) => {
          assert.ok(error instanceof LakeError);
          assert.match(error.message, message);
          return true;
        });
      });

    test('in one sentence', async (t) => {
      const { environment } = emptyLake(t);
      const { code, stderr } = await perpwire(['lake', 'verify'], { ...environment, LAKE_URL: 's3://none' });
      assert.equal(code, 1);
      assert.match(stderr, /^perpwire: s3:\/\/none: there is no such bucket: .*\n$/);
    });
  });
});
