import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openStores } from '../../src/accounts/accounts.ts';
import { keysOfSetting } from '../../src/accounts/vault/secret-keys.ts';
import { openVault } from '../../src/accounts/vault/vault.ts';
import { openEndpointStore } from '../../src/alerts/store/endpoints.ts';
import { openRuleStore } from '../../src/alerts/store/rules.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { Deployment, type Member, missingServers } from '../cluster/deployment.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const skip = await missingServers();
const KEY = 'a key for tests of at least 32 characters';

suite('alerts among several processes', { skip }, () => {
  let deployment: Deployment;
  let receiver: Receiver;
  let storage: Storage;

  before(async () => {
    receiver = await startReceiver();
    deployment = await Deployment.start({
      venues: ['binance', 'okx'],
      coins: 10,
      settings: { SECRET_KEY: KEY, ALERT_NETWORKS: 'loopback' },
    });
    await Promise.all((['collector', 'api', 'api'] as const).map((role) => deployment.add(role)));
    const log = createLog('silent');
    storage = await openStorage({ databaseUrl: deployment.databaseUrl, sqliteFile: '', log });
    const { accounts } = openStores(storage, systemClock, new Map());
    const { id: accountId } = await accounts.create({ name: 'Ada', plan: 'business' });
    const vault = await openVault({ storage, clock: systemClock, log, source: keysOfSetting([KEY]) });
    const target = { url: receiver.url, secrets: [{ value: 'whsec_test', untilMs: null }] };
    const endpoint = await openEndpointStore(storage, systemClock, vault).create(accountId, {
      ...{ kind: 'webhook', description: '', target, isConfirmed: true },
    });
    const rules = openRuleStore(storage, systemClock);
    // Quotes age and are renewed all the time, so rows enter and leave with every print.
    for (const kind of ['enters', 'leaves'] as const)
      await rules.create(
        accountId,
        {
          ...{ name: kind, operation: 'spreads', query: 'max_age_seconds=1', condition: { kind } },
          ...{ everyMinutes: 0, endpointIds: [endpoint.id] },
        },
        2,
      );
  });
  after(async () => {
    await storage.close();
    await deployment.stop();
    await receiver.close();
  });

  const isOwner = async ({ adminUrl }: Member) => {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    return /perpwire_lease_held\{[^}]*lease="alerts"[^}]*\} 1/.test(metrics);
  };
  const apis = () => deployment.members.filter(({ role }) => role === 'api');

  test('one process evaluates and delivers; after it was killed another one goes on, and no alert is made twice', async () => {
    await until(() => receiver.posts.length >= 10, 'alerts of the first owner');
    const owners = await Promise.all(apis().map(isOwner));
    assert.equal(owners.filter(Boolean).length, 1);
    await deployment.kill(apis()[owners.indexOf(true)] as Member);
    const count = receiver.posts.length;
    await until(() => receiver.posts.length >= count + 10, 'alerts of the second owner');
    const posts = receiver.posts.slice();
    const times = new Map<unknown, number>();
    for (const { body } of posts) times.set(body.event_id, (times.get(body.event_id) ?? 0) + 1);
    const repeated = [...times.values()].filter((one) => one > 1);
    assert.ok(
      repeated.every((one) => one === 2) && repeated.length <= 4,
      'only attempts that were under way',
    );
    // A row enters and leaves in turn: an alert that was lost or made twice would break the order.
    const events = await storage.db.selectFrom('alert_events').selectAll().orderBy('as_of_ms').execute();
    const last = new Map<string, string>();
    for (const { kind, row_key: row } of events) {
      if (kind === 'more' || kind === 'limited') continue;
      assert.notEqual(last.get(row), kind, `${row} ${kind} twice in a row`);
      last.set(row, kind);
    }
  });
});
