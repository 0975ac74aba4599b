import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openRedis } from '../../src/storage/redis/open.ts';
import { freshPostgres, silentLog, skipPostgres } from '../storage/databases.ts';
import { launchRedisCluster } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { hammer, holderOf, keyOn, openProcess, openThree, passed, untilAll } from './processes.ts';

const cluster = await launchRedisCluster();
if (typeof cluster !== 'string') after(() => cluster.stop());
const skip = typeof cluster === 'string' ? cluster : skipPostgres;
const { url, nodes, ask } =
  typeof cluster === 'string' ? { url: '', nodes: [], ask: async () => '' } : cluster;

const LIMIT = 20;
const owners = Array.from({ length: 12 }, (_, number) => ({
  ...holderOf(LIMIT, 10_000),
  slotId: `acc_${number}/key/1`,
}));

describe('a Redis Cluster of three nodes', { skip }, () => {
  test('counts exactly for three processes, and every node has its part of the keys', async (t) => {
    const three = await openThree(t, await freshPostgres(t), url);
    for (const owner of owners) {
      const takes = await hammer(three, () => owner, 60);
      assert.equal(passed(takes), LIMIT, owner.slotId);
    }
    for (const { port } of nodes) assert.match(await ask(port, 'DBSIZE'), /^:[1-9]/, 'no node is idle');
    const monthOnly = { ...holderOf(1_000, 10), slotId: 'acc_month/key/1' };
    assert.equal(passed(await hammer(three, () => monthOnly, 60)), 10);
    const openings = await Promise.all(
      three.map(({ accounts }) => accounts.openStreams.open('acc_1/key/1', 2)),
    );
    assert.equal(openings.filter(Boolean).length, 2);
    const attempts = three.map(({ accounts }) =>
      accounts.limitAttempts('sign-in', { most: 2, withinMs: 60_000 }),
    );
    const waits = await Promise.all(attempts.map((limit) => limit.take('ada')));
    assert.equal(waits.filter((wait) => wait === null).length, 2);
  });

  test('a revoked key fails at the next request, and a new key is known at once', async (t) => {
    const options = await freshPostgres(t);
    const [first, second] = [await openProcess(t, options, url), await openProcess(t, options, url)];
    const { text, key } = await keyOn(first, 'developer');
    assert.equal((await second.accounts.authenticateAgain?.(text))?.ok, true);
    const caller = second.callerOf(text);
    assert.equal((await second.accounts.windows.take(caller)).allowed, true);
    await first.accounts.keys.revoke(key.id);
    const take = await second.accounts.windows.take(caller);
    assert.ok(!take.allowed && (take.spent === 'outdated' || take.spent === 'revoked'));
    assert.deepEqual(second.accounts.authenticate(text), { ok: false, reason: 'revoked' });
  });

  test('while one node hangs each process passes its share of every limit, and the cluster counts again afterwards', async (t) => {
    const options = await freshPostgres(t);
    const two = [
      await openProcess(t, options, url, undefined, 500),
      await openProcess(t, options, url, undefined, 500),
    ];
    for (const owner of owners) assert.equal(passed(await hammer(two, () => owner, 10)), 10);
    nodes[1]?.child.kill('SIGSTOP');
    await untilAll(two, /each of 2 processes/);
    for (const owner of owners) assert.equal(passed(await hammer(two, () => owner, 40)), 10);
    nodes[1]?.child.kill('SIGCONT');
    await untilAll(two, null);
    for (const owner of owners) {
      assert.equal(passed(await hammer(two, () => owner, 10)), 0, 'the limit is used up');
      assert.equal((await two[0]?.accounts.windows.read(owner))?.month.used, LIMIT);
    }
  });

  test('a password of the address is used on all nodes', async (t) => {
    for (const { port } of nodes) await ask(port, 'CONFIG SET requirepass secret,1');
    t.after(async () => {
      for (const { port } of nodes) await ask(port, 'AUTH secret,1\r\nCONFIG SET requirepass ""');
    });
    const link = await openRedis({
      url: url.replace('://', '://:secret%2C1@'),
      log: silentLog,
      timeoutMs: 5_000,
    });
    t.after(() => link.close());
    await until(() => link.isUp);
    for (const key of ['a', 'b', 'c', 'd']) {
      await link.command(['SET', key, key]);
      assert.equal(await link.command(['GET', key]), key);
    }
    const without = await openRedis({ url, log: silentLog });
    t.after(() => without.close());
    assert.equal(without.isUp, false);
  });
});
