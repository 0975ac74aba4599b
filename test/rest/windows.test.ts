import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { slotIdOf } from '../../src/accounts/keys/slots.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import { monthStartMs } from '../../src/accounts/windows/months.ts';
import { problemOf, type Rest, remainingOf, startRest } from './rest-service.ts';

const PATH = '/api/v1/exchanges';
const DECEMBER_MS = Date.UTC(2026, 11, 1);

suite('minute and month windows over HTTP', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ venues: ['binance'] });
  });
  after(() => rest.stop());
  const many = (key: string, count: number, path = PATH) =>
    Promise.all(Array.from({ length: count }, () => rest.getWith(key, path)));
  const countBy = (replies: { status: number }[], status: number) =>
    replies.filter((reply) => reply.status === status).length;

  test('1,000 parallel requests against a 20-per-minute key pass exactly 20', async () => {
    const { text: key } = await rest.newKey('demo');
    const replies = await many(key, 1_000);
    assert.equal(countBy(replies, 200), 20);
    assert.equal(countBy(replies, 429), 980);
    const left = replies.filter((reply) => reply.status === 200).map((reply) => remainingOf(reply).minute);
    assert.deepEqual(
      left.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => i),
      'each sees its own place',
    );
    rest.clock.advanceMs(60_000);
    const next = await many(key, 30);
    assert.equal(countBy(next, 200), 20, 'refused requests have not counted');
  });

  test('the window slides: no 60 s ever hold more than the limit', async () => {
    const { text: key } = await rest.newKey('demo');
    assert.equal(countBy(await many(key, 10), 200), 10);
    rest.clock.advanceMs(30_000);
    assert.equal(countBy(await many(key, 20), 200), 10);
    rest.clock.advanceMs(30_000);
    assert.equal(countBy(await many(key, 20), 200), 10, 'only the first ten have left');
  });

  for (const plan of Object.values(PLANS)) {
    test(`${plan.title} passes ${plan.requestsPerMinute} in a minute`, async () => {
      const { text: key } = await rest.newKey(plan.name);
      const replies = await many(key, plan.requestsPerMinute + 5);
      assert.equal(countBy(replies, 200), plan.requestsPerMinute);
    });
  }

  test('the month is a hard cap too, and resets on the 1st at 00:00 UTC', async () => {
    const {
      text: key,
      key: { accountId },
    } = await rest.newKey('demo');
    // Counted by another process: the total is learned from storage.
    const { context, accounts } = rest.service;
    const month_start_ms = monthStartMs(rest.clock.nowMs());
    const row = { month_start_ms, slot_id: slotIdOf(accountId, 1), used: 2_984 };
    await context.storage.db.insertInto('slot_months').values(row).execute();
    assert.equal((await rest.getWith(key, PATH)).status, 200);
    await accounts.flushUsage();
    assert.equal(countBy(await many(key, 15), 200), 15);
    const reply = await rest.getWith(key, PATH);
    assert.match(problemOf(rest, reply, 429, 'quota-exhausted').detail, /3000 requests a month/);
    assert.deepEqual(remainingOf(reply), { minute: 4, month: 0 });
    const waitSeconds = Number(reply.headers.get('retry-after'));
    assert.equal(waitSeconds, Math.ceil((DECEMBER_MS - rest.clock.nowMs()) / 1_000));
    rest.clock.setMs(DECEMBER_MS);
    const fresh = await rest.getWith(key, '/api/v1/usage');
    assert.equal(fresh.status, 200);
    assert.equal(remainingOf(fresh).month, 2_999);
  });

  test('a 304 is given back on both windows, however often', async () => {
    const { text: key } = await rest.newKey('demo');
    const first = await rest.getWith(key, PATH);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    for (let round = 0; round < 50; round++) {
      const again = await rest.getWith(key, PATH, headers);
      assert.equal(again.status, 304);
      assert.deepEqual(remainingOf(again), { minute: 19, month: 2_999 });
    }
  });

  test('free work has a limit: 304s that had to be computed are refunded once the minute limit', async () => {
    const paths = Array.from({ length: 30 }, (_, i) => `${PATH}?limit=${i + 1}`);
    const tags: string[] = [];
    for (const [i, path] of paths.entries()) {
      // With a new key each time: this is not what is counted here.
      const { text: other } = await rest.newKey('demo');
      tags[i] = (await rest.getWith(other, path)).headers.get('etag') ?? '';
    }
    const { text: key } = await rest.newKey('demo');
    const remaining: number[] = [];
    for (const [i, path] of paths.entries()) {
      const reply = await rest.getWith(key, path, { 'if-none-match': tags[i] ?? '' });
      assert.equal(reply.status, 304);
      remaining.push(remainingOf(reply).minute);
    }
    assert.deepEqual(remaining, [...Array(20).fill(20), 19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
    // The same again comes from the cache and is free.
    const cached = await rest.getWith(key, paths[0] ?? '', { 'if-none-match': tags[0] ?? '' });
    assert.equal(cached.status, 304);
    assert.equal(remainingOf(cached).minute, 10);
  });

  test('a 304 needs room in the window like any other', async () => {
    const { text: key } = await rest.newKey('demo');
    const [first] = await many(key, 20);
    const reply = await rest.getWith(key, PATH, { 'if-none-match': first?.headers.get('etag') ?? '' });
    problemOf(rest, reply, 429, 'rate-limited');
  });

  test('a 503 is given back', async () => {
    const empty = await startRest({ isEmpty: true, venues: ['binance'] });
    const { text: key } = await empty.newKey('demo');
    for (let round = 0; round < 30; round++) {
      const reply = await empty.getWith(key, PATH);
      problemOf(empty, reply, 503, 'snapshot-unavailable');
      assert.deepEqual(remainingOf(reply), { minute: 20, month: 3_000 });
    }
    await empty.stop();
  });

  test('a 400, a 403 for the plan and a 404 for a name count', async () => {
    const { text: key } = await rest.newKey('demo');
    const bad = await rest.getWith(key, `${PATH}?sort=x`);
    problemOf(rest, bad, 400, 'invalid-parameter');
    const large = await rest.getWith(key, '/api/v1/coins?limit=51');
    problemOf(rest, large, 403, 'plan-limit');
    const unknown = await rest.getWith(key, '/api/v1/coins?exchange=NYSE');
    problemOf(rest, unknown, 404, 'unknown-exchange');
    assert.deepEqual(
      [bad, large, unknown].map((reply) => remainingOf(reply).month),
      [2_999, 2_998, 2_997],
    );
  });

  test('a missing scope, a wrong method and a wrong path do not', async () => {
    const { text: key } = await rest.newKey('demo', { scopes: ['usage:read'] });
    problemOf(rest, await rest.getWith(key, '/api/v1/funding'), 403, 'scope-missing');
    problemOf(rest, await rest.getWith(key, PATH, {}, 'POST'), 405, 'method-not-allowed');
    problemOf(rest, await rest.getWith(key, '/api/v1/nowhere'), 404, 'not-found');
    assert.equal(remainingOf(await rest.getWith(key, '/api/v1/usage')).month, 2_999);
  });

  test('the minute is checked before the parameters', async () => {
    const { text: key } = await rest.newKey('demo');
    await many(key, 20);
    problemOf(rest, await rest.getWith(key, `${PATH}?sort=x`), 429, 'rate-limited');
  });
});
