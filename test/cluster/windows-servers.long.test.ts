import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { type ApiProcess, openProcess, openThree, ownRedis, untilAll } from './processes.ts';
import { SpreadLoad, slots, slotsOn, untilSpread } from './spread-load.ts';

const redis = await startRedis();
if (typeof redis !== 'string') await redis.stop();
const skip = typeof redis === 'string' ? redis : skipPostgres;
const LIMIT = 12;
const holders = slots(24, LIMIT);

/** Whether something that was counted before the last move still matters. */
async function isMoving([process]: readonly ApiProcess[]): Promise<boolean> {
  const row = await process?.storage.db.selectFrom('window_layout').selectAll().executeTakeFirst();
  return row !== undefined && row.previous !== null;
}

/** The next move begins only then. */
const untilMoved = (processes: readonly ApiProcess[]) =>
  until(async () => !(await isMoving(processes)), 'the end of the move');

describe('several Redis servers that come, go and die', { skip }, () => {
  test('on three servers and three processes under load exactly the limit passes', async (t) => {
    const servers = [await ownRedis(t), await ownRedis(t), await ownRedis(t)];
    const three = await openThree(t, await freshPostgres(t), servers.map(({ url }) => url).join());
    const load = new SpreadLoad(t, three, holders);
    await untilSpread(three, 3);
    await load.untilEach(LIMIT);
    await load.stop();
    load.assertWithinLimits();
    const sizes = await Promise.all([0, 1, 2].map(async (place) => (await slotsOn(three[0], place)).size));
    assert.ok(sizes[1] && sizes[2], 'all servers count');
  });

  test('a server that is marked as leaving hands its keys over while requests run', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const options = await freshPostgres(t);
    const list = `${one.url},${two.url}`;
    const old = [await openProcess(t, options, list), await openProcess(t, options, list)];
    await untilSpread(old, 2);
    await untilMoved(old);
    const load = new SpreadLoad(t, old, holders);
    await load.untilEach(3);
    await load.moveTo([]);
    const fresh = [
      await openProcess(t, options, `${list}#leaving`),
      await openProcess(t, options, `${list}#leaving`),
    ];
    for (const process of old) await process.close();
    await untilSpread(fresh, 1);
    await load.moveTo(fresh);
    await load.untilEach(4);
    assert.ok(await isMoving(fresh), 'no key has waited until its minute was over');
    await load.untilEach(LIMIT);
    await load.stop();
    load.assertWithinLimits();
  });

  test('a server that is taken off the list at once: its keys wait for a minute, the others go on', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const options = await freshPostgres(t);
    const old = await openProcess(t, options, `${one.url},${two.url}`);
    await untilSpread([old], 2);
    await untilMoved([old]);
    const load = new SpreadLoad(t, [old], holders);
    await load.untilEach(3);
    const [stay, move] = [[...(await slotsOn(old, 0))], [...(await slotsOn(old, 1))]];
    const fresh = await openProcess(t, options, one.url);
    await load.moveTo([fresh]);
    await old.close();
    await load.untilEach(
      LIMIT,
      stay.filter((slotId) => !move.includes(slotId)),
    );
    // Until what they counted on the other server has expired, and then their whole limit.
    await load.untilEach(LIMIT + 3, move);
    await load.stop();
    load.assertWithinLimits();
  });

  test('a dead server concerns its own keys only, and they stay within their limits', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const three = await openThree(t, await freshPostgres(t), `${one.url},${two.url}`);
    await untilSpread(three, 2);
    const load = new SpreadLoad(t, three, holders);
    await load.untilEach(2);
    const there = await slotsOn(three[0], 1);
    const here = holders.map(({ slotId }) => slotId).filter((slotId) => !there.has(slotId));
    assert.ok(here.length > 0 && there.size > 0);
    await two.stop();
    await load.untilEach(LIMIT, here);
    await untilAll(three, /an equal share .*keys on 1 of 2 Redis servers/);
    await until(() => [...there].every((slotId) => load.count(slotId) > 2), 'requests on shares');
    await ownRedis(t, two.port);
    await untilAll(three, null);
    await load.untilEach(LIMIT);
    await load.stop();
    load.assertWithinLimits();
  });

  test('a server that dies right after keys have moved to it: what they counted before is not forgotten', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const options = await freshPostgres(t);
    const list = `${one.url},${two.url}`;
    const old = await openProcess(t, options, one.url);
    const pair = [await openProcess(t, options, list), await openProcess(t, options, list)];
    const load = new SpreadLoad(t, pair, holders);
    await load.untilEach(5);
    await old.close();
    await untilSpread(pair, 2);
    await two.stop();
    await load.untilEach(LIMIT);
    await load.stop();
    load.assertWithinLimits();
  });

  test('a process whose list begins with another Redis passes nothing while the others count', async (t) => {
    const [one, two] = [await ownRedis(t), await ownRedis(t)];
    const options = await freshPostgres(t);
    const right = await openProcess(t, options, one.url);
    const wrong = await openProcess(t, options, two.url);
    const load = new SpreadLoad(t, [right, wrong], holders);
    const startedMs = performance.now();
    let passed = 0;
    await until(async () => {
      const holder = holders[0] ?? assert.fail();
      if ((await wrong.accounts.windows.take(holder)).allowed) passed++;
      return performance.now() - startedMs > 75_000;
    }, 'more than a minute');
    await load.stop();
    load.assertWithinLimits();
    assert.equal(passed, 0);
  });
});
