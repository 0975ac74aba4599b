import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
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
import { marketOn, OUTAGE_STRETCH, openedIn } from './listing-seed.ts';
import { Load, seeded } from './load.ts';
import { framesHeld, printsHeld, untilListsStored, venueSymbolsListed } from './stored.ts';

const skip = await missingServers();
const { venues: VENUES, coins: COINS, days: OUTAGE_DAYS } = OUTAGE_STRETCH;
const OUTAGE_MS = 30_000;
const DAY_MS = 24 * 3_600_000;

suite('a PostgreSQL outage under load', { skip }, () => {
  let deployment: Deployment;
  let apis: Member[];
  let key = '';
  const market = marketOn(OUTAGE_STRETCH, Date.now());

  before(async () => {
    deployment = await Deployment.start({
      venues: VENUES,
      coins: COINS,
      seed: market.seed,
      settings: { HISTORY_DAYS: '30' },
    });
    deployment.sim.time.holdAt(market.startMs);
    await Promise.all(
      (['collector', 'collector', 'api', 'api'] as const).map((role) => deployment.add(role)),
    );
    apis = deployment.members.filter(({ role }) => role === 'api');
    key = await deployment.key('business');
    await Promise.all(apis.map((api) => untilServing(api, key)));
  });
  after(() => deployment.stop());

  test('while PostgreSQL is stopped for 30 s the last snapshot is served with its time; what was collected is stored later, and no client sees an error', async (t) => {
    const { sim, databaseUrl } = deployment;
    await until(
      async () => (await printsHeld(databaseUrl, market.startMs - 20 * DAY_MS)).size > 10,
      'some history',
    );
    await untilListsStored(databaseUrl, VENUES);
    const active = await Promise.all(deployment.members.map(leasesOf));
    const load = new Load({
      targets: () => apis.map(({ baseUrl }) => baseUrl),
      keys: [key],
      perSecond: 8,
      random: seeded(4),
    });
    load.start(4);
    t.after(() => load.stop());
    await until(() => load.answered >= 4, 'the load running');
    const [api] = apis as [Member];
    await untilAllHaveNext(apis, key);
    await deployment.postgres.halt();
    const haltedMs = performance.now();
    const seen = new Set<string>();
    try {
      for (const member of deployment.members)
        await until(
          async () => /PostgreSQL is unavailable: the connection was refused/.test(await readyz(member)),
          '/readyz',
        );
      assert.equal((await metric(api.adminUrl, 'dependency_up')).get('dependency="postgres"'), 0);
      const history = await get(api.baseUrl, '/api/v1/funding/history?coin=BTC&days=2', key);
      assert.equal(history.status, 503, 'only the database has history');
      assert.match(history.text, /"code":"snapshot-unavailable"/);
      const requests = new Map(sim.requests);
      // Two weeks of the venues' time: contracts are listed, and prints are settled.
      for (let day = 1; performance.now() - haltedMs < OUTAGE_MS; day++) {
        sim.time.holdAt(market.startMs + Math.min(day, OUTAGE_DAYS) * DAY_MS);
        await until(() => performance.now() - haltedMs >= day * 1000, 'the next second of the outage');
        const { status, body } = await get(api.baseUrl, '/api/v1/funding?limit=5', key);
        if (status === 200) seen.add(body.meta.as_of);
      }
      // A snapshot that was stored just before may still have been on its way.
      assert.ok(seen.size >= 1 && seen.size <= 2, `the last snapshot: ${[...seen]}`);
      for (const slug of VENUES)
        assert.ok((sim.requests.get(slug) ?? 0) > (requests.get(slug) ?? 0), `${slug} is still watched`);
    } finally {
      await deployment.postgres.resume();
    }
    const resumed = new Date().toISOString();
    await until(async () => {
      const { status, body } = await get(api.baseUrl, '/api/v1/funding?limit=5', key);
      return status === 200 && body.meta.as_of > resumed;
    }, 'new snapshots');
    await until(async () => (await readyz(api)).trim() === 'ready', 'the process ready');
    await load.stop();
    assert.deepEqual(load.wrong, []);
    assert.deepEqual(
      await Promise.all(deployment.members.map(leasesOf)),
      active,
      'the collector that kept what it collected is active again',
    );

    const held = await framesHeld(databaseUrl, 'funding');
    assert.ok(
      [...seen].every((asOf) => held.has(Date.parse(asOf))),
      'every snapshot that was served is stored',
    );
    const fresh = openedIn(sim.universe, VENUES, market);
    await until(
      async () => {
        const listed = await venueSymbolsListed(databaseUrl);
        return fresh.every((one) => listed.has(one));
      },
      `rows for ${fresh.join(', ')}`,
    );
    const counted = load.counted.get(key) ?? 0;
    await until(async () => (await deployment.usedBy(api, key)) >= counted, 'every request counted');
    const late = await deployment.add('api');
    assert.ok((await deployment.usedBy(late, key)) >= counted, 'also for a process that starts now');
  });
});

/** Only the database could give a process the further pages of a snapshot that another one has already shown. */
async function untilAllHaveNext(apis: readonly Member[], key: string): Promise<void> {
  const newest = async ({ baseUrl }: Member): Promise<string> =>
    (await get(baseUrl, '/api/v1/spreads?limit=1', key)).body.meta.as_of;
  const shown = new Set(await Promise.all(apis.map(newest)));
  await until(async () => {
    const [first, ...others] = await Promise.all(apis.map(newest));
    return first !== undefined && !shown.has(first) && others.every((one) => one === first);
  }, 'the next spreads at all processes');
}

async function readyz({ adminUrl }: Member): Promise<string> {
  return await (await fetch(`${adminUrl}/readyz`)).text();
}
