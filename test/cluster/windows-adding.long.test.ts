import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { openProcess, openThree, ownRedis, untilAll } from './processes.ts';
import { SpreadLoad, slots, slotsOn, untilSpread } from './spread-load.ts';

const redis = await startRedis();
if (typeof redis !== 'string') await redis.stop();
const skip = typeof redis === 'string' ? redis : skipPostgres;
const LIMIT = 8;
const holders = slots(24, LIMIT);

describe('windows over several Redis servers', { skip }, () => {
  test('on two servers and three processes exactly the limit of each key passes', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const three = await openThree(t, await freshPostgres(t), `${one.url},${two.url}`);
    await untilSpread(three, 2);
    await untilAll(three, null);
    const takes = await Promise.all(
      holders.flatMap((holder) =>
        three.flatMap(({ accounts }) =>
          Array.from({ length: LIMIT }, async () => accounts.windows.take(holder)),
        ),
      ),
    );
    assert.equal(takes.filter(({ allowed }) => allowed).length, holders.length * LIMIT);
    for (const holder of holders)
      assert.equal((await three[0].accounts.windows.read(holder)).minute.used, LIMIT);
    const [here, there] = [await slotsOn(three[0], 0), await slotsOn(three[0], 1)];
    assert.ok(here.size > 0 && there.size > 0);
    assert.equal(here.size + there.size, holders.length, 'each key is on one server');

    // A server that does not answer holds up only its own keys, though all requests are sent in one turn.
    const held = three[0].redisServers[1]?.redis ?? assert.fail();
    const run = held.run.bind(held);
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    held.run = async (...args) => {
      await isReleased;
      return await run(...args);
    };
    const answered = new Set<string>();
    const all = holders.map(async (holder) => {
      assert.equal((await three[0].accounts.windows.take(holder)).allowed, false);
      answered.add(holder.slotId);
    });
    await until(() => answered.size === here.size, 'answers of the other server');
    assert.deepEqual(answered, here);
    release();
    await Promise.all(all);
  });

  test('a server is added process by process while requests run, and no key passes more or less', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const options = await freshPostgres(t);
    const old = [await openProcess(t, options, one.url), await openProcess(t, options, one.url)];
    const load = new SpreadLoad(t, old, holders);
    await load.untilEach(2);
    const list = `${one.url},${two.url}`;
    const fresh = [await openProcess(t, options, list), await openProcess(t, options, list)];
    await load.moveTo(fresh);
    for (const process of old) await process.close();
    await untilSpread(fresh, 2);
    await load.untilEach(LIMIT);
    await load.stop();
    load.assertWithinLimits();
    const first = fresh[0] ?? assert.fail();
    assert.ok((await slotsOn(first, 1)).size > 0, 'keys have moved');
    await Promise.all(fresh.map(({ accounts }) => accounts.flushUsage()));
    const months = await first.storage.db.selectFrom('slot_months').select('used').execute();
    assert.equal(
      months.reduce((sum, { used }) => sum + Number(used), 0),
      load.total,
    );
    for (const holder of holders)
      assert.equal((await first.accounts.windows.read(holder)).month.used, load.count(holder.slotId));
  });

  test('a refund after a move makes room on the new server', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const options = await freshPostgres(t);
    const old = await openProcess(t, options, one.url);
    const fresh = await openProcess(t, options, `${one.url},${two.url}`);
    await untilAll([fresh], null);
    const takes = await Promise.all(holders.map(async (holder) => fresh.accounts.windows.take(holder)));
    await old.close();
    await untilSpread([fresh], 2);
    await untilAll([fresh], null);
    for (const take of takes) {
      const states = await fresh.accounts.windows.refund(
        take.allowed ? take.receipt : assert.fail(take.spent),
      );
      assert.deepEqual([states.minute.used, states.month.used], [0, 0]);
    }
  });
});
