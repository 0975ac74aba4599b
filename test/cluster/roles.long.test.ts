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

  test('two collectors share the venues, one has the engine, and every API process serves all venues', async () => {
    const isShared = async () => {
      const held = await Promise.all(collectors.map(leasesOf));
      return held.every((leases) => leases.filter((lease) => lease !== 'engine').length === 3);
    };
    let held: string[] = [];
    await until(async () => {
      held = (await Promise.all(collectors.map(leasesOf))).flat();
      return held.length === 7 && (await isShared());
    }, 'three venues each, and the engine');
    assert.equal(held.filter((lease) => lease === 'engine').length, 1);
    assert.equal(new Set(held).size, 7, 'no lease has two holders');
    for (const { baseUrl } of apis) {
      await until(async () => {
        const { status, body } = await get(baseUrl, '/api/v1/funding?limit=500', key);
        return status === 200 && new Set(body.data.map((row) => row.exchange)).size === 6;
      }, 'rows of all venues');
    }
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

  test('a process with both roles takes its share of the venues, serves, and gives back when it stops', async () => {
    const both = await deployment.add('all');
    const venuesOf = async (member: Member) =>
      (await leasesOf(member)).filter((lease) => lease !== 'engine').length;
    const isShared = async () =>
      (await Promise.all([both, ...collectors].map(venuesOf))).every((count) => count === 2);
    await until(isShared, 'two venues each');
    for (const path of [
      '/api/v1/funding',
      '/api/v1/spreads',
      '/api/v1/arbitrage',
      '/api/v1/listings',
      '/api/v1/exchanges',
    ])
      await until(async () => (await get(both.baseUrl, path, key)).status === 200, path);
    await deployment.stopCleanly(both);
    const isBack = async () => (await Promise.all(collectors.map(venuesOf))).every((count) => count === 3);
    await until(isBack, 'three venues each');
  });

  test('when the collector with the engine dies, everything moves to the other', async () => {
    let place = -1;
    await until(async () => {
      const held = await Promise.all(collectors.map(leasesOf));
      place = held.findIndex((leases) => leases.includes('engine'));
      return place >= 0;
    }, 'a collector with the engine');
    const dying = collectors[place] as Member;
    const living = collectors.find((one) => one !== dying) as Member;
    const followed = (apis[1] as Member).baseUrl;
    const stream = await openStream(`${followed}/api/v1/stream/funding?limit=500`, key);
    await stream.next('snapshot');
    await deployment.kill(dying);
    await until(async () => (await leasesOf(living)).length === 7, 'everything moved');
    const { baseUrl } = apis[0] as Member;
    const { as_of } = (await get(baseUrl, '/api/v1/funding?limit=1', key)).body.meta;
    await until(async () => {
      const { status, body } = await get(baseUrl, '/api/v1/funding?limit=500', key);
      return (
        status === 200 && body.meta.as_of > as_of && new Set(body.data.map((row) => row.exchange)).size === 6
      );
    }, 'newer snapshots of all venues');
    const moved = stream.events.length;
    await until(() => stream.events.length >= moved + 3, 'snapshots of the new engine in the stream');
    const removed = stream.events.flatMap(({ event, data }) => (event === 'change' ? data.remove : []));
    assert.deepEqual(removed, [], 'no row left for the time of the takeover');
    stream.close();
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
      assert.match(String(error), /nothing listens there/);
      assert.doesNotMatch(String(error), /secret/);
      return true;
    });
  });
});
