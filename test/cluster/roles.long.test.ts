import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { readSettings } from '../../src/settings.ts';
import { openFoundation } from '../../src/wiring/foundation.ts';
import { openStream } from '../streams/client.ts';
import { until } from '../support/until.ts';
import { Deployment, get, leasesOf, type Member, missingServers, untilServing } from './deployment.ts';

const skip = await missingServers();

suite('roles', { skip }, () => {
  let deployment: Deployment;
  let collectors: Member[];
  let apis: Member[];
  let key = '';

  before(async () => {
    deployment = await Deployment.start();
    await Promise.all(
      (['collector', 'collector', 'api', 'api'] as const).map((role) => deployment.add(role)),
    );
    collectors = deployment.members.filter(({ role }) => role === 'collector');
    apis = deployment.members.filter(({ role }) => role === 'api');
    key = await deployment.key('business');
    await Promise.all(apis.map((api) => untilServing(api, key)));
  });
  after(() => deployment.stop());

  /** The collector that is active; throws unless there is exactly one. */
  const activeOf = async (members: readonly Member[]): Promise<Member> => {
    const held = await Promise.all(members.map(leasesOf));
    const active = members.filter((_, i) => held[i]?.includes('engine'));
    assert.equal(active.length, 1);
    return active[0] as Member;
  };
  const servesAll = async ({ baseUrl }: Member, after = '') => {
    const { status, body } = await get(baseUrl, '/api/v1/funding?limit=500', key);
    return (
      status === 200 && body.meta.as_of > after && new Set(body.data.map((row) => row.exchange)).size === 6
    );
  };

  test('one collector is active and the other stands by, ready; every API process serves all venues', async () => {
    const active = await activeOf(collectors);
    const standby = collectors.find((one) => one !== active) as Member;
    const venuesOf = async ({ adminUrl }: Member) =>
      ((await (await fetch(`${adminUrl}/venues`)).json()) as unknown[]).length;
    assert.equal(await venuesOf(active), 6);
    assert.equal(await venuesOf(standby), 0, 'it watches nothing');
    assert.equal((await (await fetch(`${standby.adminUrl}/readyz`)).text()).trim(), 'ready');
    for (const api of apis) await until(() => servesAll(api), 'rows of all venues');
  });

  test('the same snapshot has the same ETag on every process, and pages can be walked across them', async () => {
    const [first, second] = apis.map(({ baseUrl }) => baseUrl) as [string, string];
    await until(async () => {
      const [a, b] = await Promise.all(
        [first, second].map((baseUrl) => get(baseUrl, '/api/v1/funding?limit=20', key)),
      );
      const areServed = a?.status === 200 && b?.status === 200;
      return areServed && a.body.meta.as_of === b.body.meta.as_of && a.etag === b.etag;
    }, 'the same answer');
    for (const list of ['funding', 'spreads', 'listings', 'coins']) {
      const seen = new Set<string>();
      let total = 0;
      let cursor = '';
      let turn = 0;
      do {
        const path = `/api/v1/${list}?limit=20${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const page = await get(turn++ % 2 === 0 ? first : second, path, key);
        assert.equal(page.status, 200, `${list}: ${page.text.slice(0, 200)}`);
        for (const row of page.body.data) seen.add(JSON.stringify(row));
        total += page.body.data.length;
        cursor = page.body.meta.next_cursor ?? '';
      } while (cursor !== '');
      assert.equal(seen.size, total, `${list}: no row twice`);
      assert.ok(list === 'listings' || turn > 1, `${list} has several pages`);
    }
  });

  test('an API process that joins late has the newest snapshot and the ring at once', async () => {
    const late = await deployment.add('api');
    const reply = await get(late.baseUrl, '/api/v1/funding?limit=20', key);
    assert.equal(reply.status, 200, reply.text);
    const page = await get(apis[0]?.baseUrl ?? '', '/api/v1/funding?limit=20', key);
    const next = `/api/v1/funding?limit=20&cursor=${page.body.meta.next_cursor}`;
    const [here, there] = [await get(late.baseUrl, next, key), await get(apis[0]?.baseUrl ?? '', next, key)];
    assert.equal(here.status, 200, here.text);
    assert.equal(here.etag, there.etag);
    await deployment.kill(late);
  });

  test('status, history and exchanges work on a process that watches nothing', async () => {
    const { baseUrl, adminUrl } = apis[0] as Member;
    await until(async () => {
      const text = await (await fetch(`${baseUrl}/status`, { headers: { accept: 'text/markdown' } })).text();
      return /All 6 venues are giving data/.test(text);
    }, 'the status page');
    await until(async () => {
      const reply = await get(
        baseUrl,
        '/api/v1/funding/history?coin=BTC&exchange=Binance&resolution=settlement',
        key,
      );
      return reply.status === 200 && reply.text.includes('rate_pct');
    }, 'history');
    assert.equal((await get(baseUrl, '/api/v1/exchanges', key)).body.data.length, 6);
    await until(async () => (await (await fetch(`${adminUrl}/readyz`)).text()).trim() === 'ready', '/readyz');
    const reports = (await (await fetch(`${adminUrl}/venues`)).json()) as { contracts: number }[];
    assert.ok(reports.every(({ contracts }) => contracts > 0));
  });

  test('a process with both roles stands by and serves what the active collector publishes', async () => {
    const active = await activeOf(collectors);
    const both = await deployment.add('all');
    for (const path of [
      '/api/v1/funding',
      '/api/v1/spreads',
      '/api/v1/arbitrage',
      '/api/v1/listings',
      '/api/v1/exchanges',
    ])
      await until(async () => (await get(both.baseUrl, path, key)).status === 200, path);
    assert.equal(await activeOf([both, ...collectors]), active);
    await deployment.stopCleanly(both);
  });

  test('when the active collector is killed, the other takes over, with all venues and without a removed row', async () => {
    const dying = await activeOf(collectors);
    const living = collectors.find((one) => one !== dying) as Member;
    const stream = await openStream(`${(apis[1] as Member).baseUrl}/api/v1/stream/funding?limit=500`, key);
    await stream.next('snapshot');
    await deployment.kill(dying);
    const [api] = apis as [Member];
    const { as_of } = (await get(api.baseUrl, '/api/v1/funding?limit=1', key)).body.meta;
    await until(async () => (await leasesOf(living)).includes('engine'), 'the takeover');
    await until(() => servesAll(api, as_of), 'newer snapshots of all venues');
    const moved = stream.events.length;
    await until(() => stream.events.length >= moved + 3, 'its snapshots in the stream');
    const removed = stream.events.flatMap(({ event, data }) => (event === 'change' ? data.remove : []));
    assert.deepEqual(removed, [], 'no row left for the time of the takeover');
    stream.close();
    collectors = [living, await deployment.add('collector')];
  });

  test('when the active collector is stopped, the other takes over at once; restarted, it stands by', async () => {
    const stopping = await activeOf(collectors);
    const living = collectors.find((one) => one !== stopping) as Member;
    await deployment.stopCleanly(stopping);
    await until(async () => (await leasesOf(living)).includes('engine'), 'the takeover');
    collectors = [living, await deployment.add('collector')];
    assert.equal(await activeOf(collectors), living);
  });

  test('when the active collector hangs, the other takes over, and it does nothing more when it wakes up', async () => {
    const hanging = await activeOf(collectors);
    const living = collectors.find((one) => one !== hanging) as Member;
    hanging.process.child.kill('SIGSTOP');
    const since = new Date().toISOString();
    try {
      await until(async () => (await leasesOf(living)).includes('engine'), 'the takeover');
      await until(() => servesAll(apis[0] as Member, since), 'newer snapshots');
    } finally {
      hanging.process.child.kill('SIGCONT');
    }
    await until(async () => (await leasesOf(hanging)).length === 0, 'it notices');
    const venues = async () => (await (await fetch(`${hanging.adminUrl}/venues`)).json()) as unknown[];
    await until(async () => (await venues()).length === 0, 'it watches nothing any more');
    assert.equal(await activeOf(collectors), living);
  });
});

suite('settings of roles', () => {
  const opening = (environment: Record<string, string>) =>
    openFoundation(readSettings([], environment), systemClock, createLog('silent'));

  for (const role of ['collector', 'api']) {
    test(`--role ${role} without PostgreSQL and Redis says what it needs`, async () => {
      await assert.rejects(opening({ ROLE: role }), /needs DATABASE_URL \(PostgreSQL\) and REDIS_URL/);
    });

    test(`--role ${role} without Redis says what it needs`, async () => {
      const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
      await assert.rejects(
        opening({ ROLE: role, DATABASE_URL: databaseUrl }),
        /needs REDIS_URL; without them/,
      );
    });
  }

  test('--role with another word names the roles', () => {
    assert.throws(() => readSettings(['--role', 'reader'], {}), /--role takes one of all, collector, api/);
  });

  test('LEASE_SECONDS takes whole seconds', () => {
    assert.throws(() => readSettings([], { LEASE_SECONDS: '0.5' }), /LEASE_SECONDS takes a whole number/);
  });

  test('without PostgreSQL no process starts, and it says why without the password', async () => {
    const settings = {
      ROLE: 'api',
      DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    };
    await assert.rejects(opening(settings), (error) => {
      assert.match(String(error), /the connection was refused/);
      assert.doesNotMatch(String(error), /secret/);
      return true;
    });
  });
});
