import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { cutProxy } from './cut-proxy.ts';
import { hammer, holderOf, knowEachOther, openProcess, ownRedis, passed, untilAll } from './processes.ts';

const redis = await startRedis();
if (typeof redis !== 'string') await redis.stop();
const skip = typeof redis === 'string' ? redis : skipPostgres;

const mine = holderOf(120, 100_000);

describe('Redis or the database is unavailable for some processes', { skip }, () => {
  test('a process that alone has lost Redis passes nothing, the others pass the limit', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const proxy = await cutProxy(t, server.port);
    const cut = await openProcess(t, options, `redis://127.0.0.1:${proxy.port}`);
    const whole = await openProcess(t, options, server.url);
    await knowEachOther([cut, whole]);
    assert.equal(passed(await hammer([cut], () => mine, 10)), 10);
    proxy.cut();
    await until(() => !cut.redis.isUp);
    assert.equal(passed(await hammer([cut, whole], () => mine, 300)), 110);
    await untilAll([cut], /is unknown/);
    proxy.heal();
    await untilAll([cut], null);
    assert.equal((await cut.accounts.windows.read(mine)).minute.used, 120);
  });

  test('of several processes, one without Redis and without the database passes nothing', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const two = [await openProcess(t, options, server.url), await openProcess(t, options, server.url)];
    await knowEachOther(two);
    await hammer(two, () => mine, 2);
    await two[0]?.storage.db.destroy();
    await server.stop();
    await until(() => two.every(({ redis: link }) => !link.isUp));
    assert.equal(passed(await hammer(two.slice(0, 1), () => mine, 10)), 0);
  });

  test('a process that starts while Redis is unavailable passes requests once Redis is back', async (t) => {
    const server = await ownRedis(t);
    await server.stop();
    const one = await openProcess(t, await freshPostgres(t), server.url);
    assert.equal((await one.accounts.windows.take(mine)).allowed, false);
    await ownRedis(t, server.port);
    await untilAll([one], null);
    assert.equal((await one.accounts.windows.take(mine)).allowed, true);
  });

  test('without the database windows keep counting, and the counts are stored later', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const address = new URL(options.databaseUrl ?? '');
    const proxy = await cutProxy(t, Number(address.port));
    address.port = String(proxy.port);
    const one = await openProcess(t, { ...options, databaseUrl: address.href }, server.url);
    const fresh = { ...mine, slotId: 'first used without the database' };
    assert.equal(passed(await hammer([one], () => mine, 10)), 10);
    proxy.cut();
    assert.equal(passed(await hammer([one], () => mine, 200)), 110);
    assert.equal(passed(await hammer([one], () => fresh, 10)), 10);
    await assert.rejects(one.accounts.flushUsage());
    proxy.heal();
    await until(() =>
      one.accounts.flushUsage().then(
        () => true,
        () => false,
      ),
    );
    const rows = await one.storage.db.selectFrom('slot_months').select('used').orderBy('used').execute();
    assert.deepEqual(
      rows.map((row) => row.used),
      [10, 120],
    );
  });
});
