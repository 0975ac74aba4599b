import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { until } from '../support/until.ts';
import {
  Deployment,
  get,
  leasesOf,
  type Member,
  metric,
  missingServers,
  untilServing,
} from './deployment.ts';
import { Load, seeded } from './load.ts';

const skip = await missingServers();
const VENUES = ['binance', 'okx', 'gate', 'hyperliquid'];
const OUTAGE_MS = 30_000;

suite('a Redis outage under load', { skip }, () => {
  let deployment: Deployment;
  let collectors: Member[];
  let apis: Member[];
  let keys: string[];

  before(async () => {
    deployment = await Deployment.start({ venues: VENUES, coins: 12 });
    await Promise.all(
      (['collector', 'collector', 'api', 'api'] as const).map((role) => deployment.add(role)),
    );
    collectors = deployment.members.filter(({ role }) => role === 'collector');
    apis = deployment.members.filter(({ role }) => role === 'api');
    keys = await Promise.all([deployment.key('business'), deployment.key('business')]);
    await Promise.all(apis.map((api) => untilServing(api, keys[0] ?? '')));
  });
  after(() => deployment.stop());

  const loads: Load[] = [];
  afterEach(() => Promise.all(loads.splice(0).map((load) => load.stop())));
  const startLoad = () => {
    const load = new Load({
      targets: () => apis.map(({ baseUrl }) => baseUrl),
      keys,
      perSecond: 12,
      random: seeded(3),
      withHistory: true,
    });
    load.start(4);
    loads.push(load);
    return load;
  };
  /** Waits until every API process serves a snapshot of all venues that is newer than now. */
  const untilFresh = async () => {
    const since = new Date().toISOString();
    for (const { baseUrl } of apis) {
      await until(async () => {
        const { status, body } = await get(baseUrl, '/api/v1/funding?limit=500', keys[0] ?? '');
        // Requests are refused for a moment when Redis is lost.
        return (
          status === 200 &&
          body.meta.as_of > since &&
          new Set(body.data.map((row) => row.exchange)).size === VENUES.length
        );
      }, 'newer snapshots of all venues');
    }
  };
  const used = () => Promise.all(keys.map((key) => deployment.usedBy(apis[0] as Member, key)));

  test('after a restart with empty Redis the same collector is active, no count is lost, and new snapshots arrive', async () => {
    const held = await Promise.all(collectors.map(leasesOf));
    const load = startLoad();
    await until(() => load.answered >= 12, 'the load running');
    const before = await used();
    await deployment.emptyRedis();
    await untilFresh();
    await load.stop();
    assert.deepEqual(load.wrong, [], 'wrong answers');
    assert.deepEqual(await Promise.all(collectors.map(leasesOf)), held);
    for (const [i, count] of (await used()).entries()) {
      const mayMiss = 12 + 2;
      assert.ok(
        count >= (load.counted.get(keys[i] ?? '') ?? 0) - mayMiss,
        `${count} of ${load.counted.get(keys[i] ?? '')}`,
      );
      assert.ok(count >= (before[i] ?? 0) - mayMiss, 'earlier requests are still counted');
    }
  });

  test('while Redis is stopped for 30 s new snapshots arrive as before, and a process may start', async () => {
    const held = await Promise.all(collectors.map(leasesOf));
    const load = startLoad();
    await until(() => load.answered >= 6, 'the load running');
    deployment.redis.child.kill('SIGSTOP');
    const stoppedMs = performance.now();
    try {
      const [api] = apis as [Member];
      await until(async () => /Redis is unavailable/.test(await readyz(api)), '/readyz');
      assert.match(await readyz(api), /^ready\n/, 'it still serves');
      assert.equal((await metric(api.adminUrl, 'dependency_up')).get('dependency="redis"'), 0);
      await untilFresh();
      const late = await deployment.add('api');
      const first = await get(late.baseUrl, '/api/v1/coins?limit=1', keys[0] ?? '');
      assert.ok([200, 429].includes(first.status), `a process may start during the outage: ${first.text}`);
      await until(() => performance.now() - stoppedMs >= OUTAGE_MS, 'the end of the outage');
      await untilFresh();
      assert.deepEqual(await Promise.all(collectors.map(leasesOf)), held);
    } finally {
      deployment.redis.child.kill('SIGCONT');
    }
    await untilFresh();
    await load.stop();
    assert.deepEqual(load.wrong, []);
    for (const member of deployment.members)
      await until(async () => (await readyz(member)).trim() === 'ready', 'every process ready');
  });
});

async function readyz({ adminUrl }: Member): Promise<string> {
  return await (await fetch(`${adminUrl}/readyz`)).text();
}
