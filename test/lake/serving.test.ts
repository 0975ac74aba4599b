import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { PlanName } from '../../src/accounts/plans.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import { type Manifest, readManifest } from '../../src/lake/files/manifest.ts';
import { pullLake } from '../../src/lake/pull/pull.ts';
import { RemoteLake } from '../../src/lake/pull/remote.ts';
import { verifyLake } from '../../src/lake/verify.ts';
import { assertProblem, DELAY_MS, type Rest, remainingOf, startRest } from '../rest/rest-service.ts';
import { type RawReply, rawRequest } from '../support/raw-http.ts';
import { fillLake, madeLake, PRINTS_PER_DAY } from './made-lake.ts';

const DAYS = 100;
const FILE = '/lake/prints/2026-11-13.parquet';
/** The oldest that Demo sees. */
const OLD_FILE = '/lake/prints/2026-11-08.parquet';

suite('files of the lake over HTTP', () => {
  let rest: Rest;
  let folder: string;
  before(async () => {
    rest = await startRest({ isEmpty: true });
    folder = join(rest.dataDir, 'lake');
    // Before the delay of Demo.
    await madeLake(folder, rest.clock.nowMs() - DELAY_MS, DAYS);
  });
  after(() => rest.stop());

  const get = async (
    path: string,
    headers: Record<string, string> = {},
    { plan = 'business', method = 'GET' }: { plan?: PlanName; method?: string } = {},
  ) =>
    await rawRequest(`${rest.service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${rest.keys[plan]}`, ...headers },
    });
  const problem = (reply: RawReply) =>
    assertProblem({ ...reply, header: (name) => reply.headers.get(name) }, rest.service.baseUrl);
  const manifestOf = async (plan: PlanName): Promise<Manifest> =>
    readManifest((await get('/lake/manifest.json', {}, { plan })).text, 'manifest');
  suite('200', () => {
    test('the manifest is the one of the folder, with a chain that fits', async () => {
      const reply = await get('/lake/manifest.json');
      assert.equal(reply.status, 200);
      assert.equal(reply.text, readFileSync(join(folder, 'manifest.json'), 'utf8'));
      assert.equal(readManifest(reply.text, 'm').days.length, DAYS);
      assert.equal(reply.headers.get('cache-control'), 'private, no-cache');
    });

    test('a file has the bytes and the hash of the manifest, which is its ETag', async () => {
      const listed = (await manifestOf('business')).days.at(-1)?.files[0];
      const reply = await get(FILE);
      assert.equal(reply.status, 200);
      assert.equal(`/lake/${listed?.path}`, FILE);
      assert.equal(reply.bytes.length, listed?.bytes);
      assert.equal(createHash('sha256').update(reply.bytes).digest('hex'), listed?.sha256);
      assert.equal(reply.headers.get('etag'), `"${listed?.sha256}"`);
      assert.equal(reply.headers.get('accept-ranges'), 'bytes');
      assert.equal(reply.headers.get('content-type'), 'application/vnd.apache.parquet');
      assert.equal(listed?.rows, PRINTS_PER_DAY);
    });

    test('HEAD has the headers of GET, and no bytes', async () => {
      const [head, whole] = [await get(FILE, {}, { method: 'HEAD' }), await get(FILE)];
      assert.equal(head.status, 200);
      assert.equal(head.bytes.length, 0);
      for (const name of ['content-length', 'etag', 'accept-ranges', 'content-type'])
        assert.equal(head.headers.get(name), whole.headers.get(name), name);
    });

    test('a page of another origin may read files and ask for parts', async () => {
      const reply = await get(FILE);
      assert.equal(reply.headers.get('access-control-allow-origin'), '*');
      assert.match(reply.headers.get('access-control-expose-headers') ?? '', /Content-Range/);
      assert.equal((await get(FILE, {}, { method: 'OPTIONS' })).status, 204);
    });

    test('If-Range of another version sends the whole file', async () => {
      const reply = await get(FILE, { range: 'bytes=0-3', 'if-range': '"other"' });
      assert.equal(reply.status, 200);
      assert.ok(reply.bytes.length > 4);
    });
  });

  suite('206', () => {
    test('a part, the rest and the end of a file are its bytes', async () => {
      const whole = (await get(FILE)).bytes;
      const { length } = whole;
      for (const [range, wanted, shown] of [
        ['bytes=0-3', whole.subarray(0, 4), `bytes 0-3/${length}`],
        ['bytes=100-', whole.subarray(100), `bytes 100-${length - 1}/${length}`],
        ['bytes=-8', whole.subarray(-8), `bytes ${length - 8}-${length - 1}/${length}`],
      ] as const) {
        const reply = await get(FILE, { range });
        assert.equal(reply.status, 206, range);
        assert.deepEqual(reply.bytes, wanted);
        assert.equal(reply.headers.get('content-range'), shown);
        assert.equal(reply.headers.get('content-length'), String(wanted.length));
      }
    });
  });

  suite('304', () => {
    test('a file or a manifest that the client has', async () => {
      for (const path of [FILE, '/lake/manifest.json']) {
        const etag = (await get(path)).headers.get('etag') ?? '';
        const reply = await get(path, { 'if-none-match': etag });
        assert.equal(reply.status, 304, path);
        assert.equal(reply.bytes.length, 0);
      }
    });
  });

  suite('the windows of the key', () => {
    for (const [what, path, headers, method, status] of [
      ['the manifest', '/lake/manifest.json', {}, 'GET', 200],
      ['a file', FILE, {}, 'GET', 200],
      ['a part of a file', FILE, { range: 'bytes=0-3' }, 'GET', 206],
      ['HEAD', FILE, {}, 'HEAD', 200],
      ['a file that is not there', '/lake/prints/2030-01-01.parquet', {}, 'GET', 404],
      ['a file beyond the plan', '/lake/prints/2026-11-07.parquet', {}, 'GET', 403],
      ['a part after the end', FILE, { range: 'bytes=99999999-' }, 'GET', 416],
      ['another method', FILE, {}, 'POST', 405],
    ] as const)
      test(`stand on the answer: ${what}`, async () => {
        const { text } = await rest.newKey('demo');
        const reply = await rawRequest(`${rest.service.baseUrl}${path}`, {
          method,
          headers: { authorization: `Bearer ${text}`, ...headers },
        });
        assert.equal(reply.status, status);
        assert.equal(reply.headers.get('ratelimit-policy'), 'minute;q=20;w=60, month;q=3000;w=2592000');
        // The question counts once more on both.
        const { data } = (await rest.getWith(text, '/api/v1/usage')).body as {
          data: { month: { remaining: number }; minute: { remaining: number } };
        };
        assert.deepEqual(remainingOf(reply), {
          minute: data.minute.remaining + 1,
          month: data.month.remaining + 1,
        });
        for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
          assert.match(reply.headers.get(name) ?? '', /^\d+$/, name);
      });

    test('stand on a 304', async () => {
      for (const path of [FILE, '/lake/manifest.json']) {
        const etag = (await get(path)).headers.get('etag') ?? '';
        const reply = await get(path, { 'if-none-match': etag });
        assert.equal(reply.status, 304);
        assert.ok(remainingOf(reply).minute > 0);
      }
    });
  });

  suite('the plan', () => {
    test('files and manifest are those of the days that lie inside the history of the plan as a whole', async () => {
      const visible = async (plan: PlanName) => {
        const { days } = await manifestOf(plan);
        return [days.length, days[0]?.day, days.at(-1)?.day];
      };
      // The clock is at 2026-11-14 09:30.
      assert.deepEqual(await visible('demo'), [6, '2026-11-08', '2026-11-13']);
      assert.deepEqual(await visible('developer'), [89, '2026-08-17', '2026-11-13']);
      assert.deepEqual(await visible('pro'), [DAYS, '2026-08-06', '2026-11-13']);
      assert.deepEqual(await visible('business'), [DAYS, '2026-08-06', '2026-11-13']);
    });

    for (const [plan, first, before] of [
      ['demo', '2026-11-08', '2026-11-07'],
      ['developer', '2026-08-17', '2026-08-16'],
    ] as const)
      test(`403: a file beyond the history of ${plan}; the one after it is sent`, async () => {
        assert.equal((await get(`/lake/prints/${first}.parquet`, {}, { plan })).status, 200);
        const refused = problem(await get(`/lake/prints/${before}.parquet`, {}, { plan }));
        assert.equal(refused.code, 'plan-limit');
        assert.match(
          refused.detail,
          new RegExp(`its files start with the day ${first}; this one has rows of ${before}`),
        );
        const etag = (await get(`/lake/prints/${before}.parquet`)).headers.get('etag') ?? '';
        const known = await get(`/lake/prints/${before}.parquet`, { 'if-none-match': etag }, { plan });
        assert.equal(known.status, 403, 'also if the client has it already');
      });

    test('a refusal beyond the plan and a part after the end count on both windows', async () => {
      const { text } = await rest.newKey('demo');
      const used = async () => {
        const { data } = (await rest.getWith(text, '/api/v1/usage')).body as {
          data: { month: { used: number }; minute: { used: number } };
        };
        return [data.month.used, data.minute.used];
      };
      assert.deepEqual(await used(), [1, 1]);
      assert.equal((await rest.getWith(text, '/lake/prints/2026-08-16.parquet')).status, 403);
      assert.equal((await rest.getWith(text, '/lake/prints/2026-08-16.parquet', {}, 'HEAD')).status, 403);
      assert.equal((await rest.getWith(text, FILE, { range: 'bytes=9999999-' })).status, 416);
      assert.deepEqual(await used(), [5, 5]);
      for (let i = 5; i < 20; i++) await rest.getWith(text, '/lake/prints/2026-08-16.parquet');
      const spent = await rest.getWith(text, '/lake/prints/2026-08-16.parquet');
      assert.deepEqual([spent.status, (spent.body as { code: string }).code], [429, 'rate-limited']);
    });

    test('a whole file counts on both windows, however it is asked for', async () => {
      const { text } = await rest.newKey('demo');
      const authorization = `Bearer ${text}`;
      const used = async () => {
        const reply = await rest.getWith(text, '/api/v1/usage');
        const { month, minute } = (reply.body as { data: Record<'month' | 'minute', { used: number }> }).data;
        return [month.used, minute.used];
      };
      for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=1-' }]) {
        const reply = await rawRequest(`${rest.service.baseUrl}${OLD_FILE}`, {
          headers: { authorization, ...headers },
        });
        assert.ok(reply.status < 300, `${reply.status}`);
      }
      assert.deepEqual(await used(), [4, 4], 'with the question itself');
      for (let i = 0; i < 16; i++)
        await rawRequest(`${rest.service.baseUrl}${OLD_FILE}`, { headers: { authorization } });
      const spent = await rawRequest(`${rest.service.baseUrl}${OLD_FILE}`, { headers: { authorization } });
      assert.equal(spent.status, 429, 'Demo has twenty requests a minute');
      assert.ok(Number(spent.headers.get('retry-after')) > 0);
    });

    test('files that a client asks for on one connection without waiting arrive whole, in their order', async () => {
      const wanted = ['2026-11-10', '2026-11-11', '2026-11-12'].map((day) => `/lake/prints/${day}.parquet`);
      const requests = wanted.map(
        (path, i) =>
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rest.keys.business}\r\n${i === wanted.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
      );
      const socket = connect(Number(new URL(rest.service.baseUrl).port), '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
      socket.write(requests.join(''));
      await once(socket, 'close');
      const all = Buffer.concat(chunks);
      let at = 0;
      for (const path of wanted) {
        const bytes = readFileSync(join(folder, path.replace('/lake/', '')));
        at = all.indexOf(bytes, at);
        assert.ok(at > 0, path);
        at += bytes.length;
      }
      assert.equal(at, all.length);
    });

    test('a small part of a file counts on the month only, a manifest on both windows, HEAD and 304 not', async () => {
      const { text } = await rest.newKey('demo');
      const of = async () => {
        const reply = await rest.getWith(text, '/api/v1/usage');
        return reply.body as { data: { month: { used: number }; minute: { used: number } } };
      };
      const before = (await of()).data;
      const read = async (path: string, headers = {}, method = 'GET') =>
        await rawRequest(`${rest.service.baseUrl}${path}`, {
          method,
          headers: { authorization: `Bearer ${text}`, ...headers },
        });
      for (let i = 0; i < 30; i++) assert.equal((await read(OLD_FILE, { range: 'bytes=-8' })).status, 206);
      const etag = (await read(OLD_FILE, {}, 'HEAD')).headers.get('etag') ?? '';
      assert.equal((await read(OLD_FILE, { 'if-none-match': etag })).status, 304);
      await read('/lake/manifest.json');
      const after = (await of()).data;
      // The question itself counts too.
      assert.deepEqual(
        [after.month.used - before.month.used, after.minute.used - before.minute.used],
        [30 + 1 + 1, 1 + 1],
      );
    });
  });

  suite('refused', () => {
    test('401: without a key', async () => {
      for (const path of [FILE, '/lake/manifest.json']) {
        const reply = await rawRequest(`${rest.service.baseUrl}${path}`);
        assert.equal(reply.status, 401, path);
        assert.equal(problem(reply).code, 'unauthenticated');
      }
    });

    test('403: a key without history:read', async () => {
      const { text } = await rest.newKey('business', { scopes: ['funding:read'] });
      for (const path of [FILE, '/lake/manifest.json']) {
        const reply = await rest.getWith(text, path);
        assert.equal(reply.status, 403);
        assert.equal((reply.body as { code: string }).code, 'scope-missing');
      }
    });

    for (const path of [
      '/lake/prints/2030-01-01.parquet',
      '/lake/nothing/2026-11-13.parquet',
      '/lake/prints/..%2f..%2fperpwire.sqlite',
      '/lake/..%2f/perpwire.sqlite',
      '/lake/.building/manifest.json',
      '/lake/prints/2026-11-13.parquet%00',
      '/lake/prints',
      '/lake/.lock',
    ])
      test(`404: ${path}`, async () => {
        const reply = await get(path);
        assert.equal(reply.status, 404);
        assert.equal(problem(reply).code, 'not-found');
      });

    test('405: another method', async () => {
      assert.equal((await get(FILE, {}, { method: 'DELETE' })).status, 405);
    });

    test('416: a part after the end, with the length of the file', async () => {
      const length = (await get(FILE)).bytes.length;
      const reply = await get(FILE, { range: `bytes=${length}-` });
      assert.equal(reply.status, 416);
      assert.equal(reply.headers.get('content-range'), `bytes */${length}`);
      assert.equal(problem(reply).code, 'range-not-satisfiable');
    });

    test('500: a file that was cut off is not sent', async () => {
      truncateSync(join(folder, 'prints/2026-10-01.parquet'), 100);
      const reply = await get('/lake/prints/2026-10-01.parquet', { range: 'bytes=0-10' });
      assert.equal(reply.status, 500);
      assert.doesNotMatch(reply.text, /2026-10-01/);
    });

    test('500: a manifest whose chain is broken is not sent', async () => {
      const file = join(folder, 'manifest.json');
      const good = readFileSync(file, 'utf8');
      writeFileSync(file, good.replace('"rows":9', '"rows":8'));
      assert.equal((await get('/lake/manifest.json')).status, 500);
      writeFileSync(file, good);
      assert.equal((await get('/lake/manifest.json')).status, 200);
    });
  });

  suite('what is learned late, and what is new', () => {
    let late: Rest;
    before(async () => {
      late = await startRest({ isEmpty: true });
      await fillLake(new LakeFolder(join(late.dataDir, 'lake')), late.clock.nowMs(), 30, 60);
    });
    after(() => late.stop());
    const manifest = async (plan: PlanName) =>
      readManifest((await late.get('/lake/manifest.json', { plan })).text, 'manifest');

    test('nobody on a plan with a delay gets a file that knows something newer, and its ETag is another one', async () => {
      const early = await late.get('/lake/manifest.json', { plan: 'demo' });
      assert.deepEqual((early.body as Manifest).days, [], 'the lake has just been built');
      const refused = await late.get(FILE, { plan: 'demo' });
      assert.equal(refused.status, 403);
      assert.match(refused.text, /data that is at least 900 s old/);
      late.clock.advanceMs(14 * MINUTE_MS - 1000);
      assert.equal((await late.get(FILE, { plan: 'demo' })).status, 403);
      late.clock.advanceMs(1000);
      assert.equal((await late.get(FILE, { plan: 'demo' })).status, 200);
      const then = await late.get('/lake/manifest.json', { plan: 'demo' });
      assert.equal((then.body as Manifest).days.length, 6);
      assert.notEqual(then.headers.get('etag'), early.headers.get('etag'));
    });

    test('late rows older than the history of the plan are in a file of their own, which it does not get', async () => {
      const path = 'prints/2026-11-13-late.parquet';
      const paths = (days: Manifest['days']) => days.at(-1)?.files.map((file) => file.path);
      assert.deepEqual(paths((await manifest('business')).days), [path, 'prints/2026-11-13.parquet']);
      assert.deepEqual(paths((await manifest('developer')).days), [path, 'prints/2026-11-13.parquet']);
      const { days } = await manifest('demo');
      assert.deepEqual(paths(days), ['prints/2026-11-13.parquet']);
      assert.deepEqual(
        days.at(-1)?.beyond_plan?.map((file) => [file.path, file.from]),
        [[path, '2026-09-14']],
      );
      assert.equal((await late.get(`/lake/${path}`, { plan: 'demo' })).status, 403);
      assert.equal((await late.get(`/lake/${path}`, { plan: 'developer' })).status, 200);
    });

    test('a lake that was pulled with a small plan has a chain that fits', async () => {
      const store = new LakeFolder(join(late.dataDir, 'pulled'));
      await pullLake({
        remote: new RemoteLake(late.service.baseUrl, late.keys.demo),
        ...{ store, sinceDay: null, clock: late.clock, signal: new AbortController().signal },
        onProgress: () => undefined,
      });
      const found = await verifyLake(store);
      assert.deepEqual([found.files, found.days, found.faults, found.unnamed], [6, 6, [], []]);
    });
  });

  test('an installation without a lake has an empty manifest', async () => {
    const other = await startRest({ isEmpty: true });
    const reply = await other.get('/lake/manifest.json');
    await other.stop();
    assert.deepEqual([reply.status, reply.body], [200, { version: 2, days: [] }]);
  });
});
