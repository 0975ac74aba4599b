import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import type { PlanName } from '../../src/accounts/plans.ts';
import type { Condition, RuleInput } from '../../src/alerts/rule.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { Problem } from '../../src/base/problems.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const START_MS = Date.UTC(2026, 10, 16, 9, 30);

type Row = Record<string, unknown>;

suite('alert rules', () => {
  const clock = new ManualClock(START_MS);
  let running: Running;
  let receiver: Receiver;
  let accountId: string;
  let endpointId: string;
  let secret: string;

  const account = async (plan: PlanName) =>
    (
      await running.service.accounts.accounts.create({
        name: plan,
        plan,
        email: `${randomUUID()}@example.com`,
      })
    ).id;
  const endpointOf = async (owner: string, path = '/hook') =>
    await running.service.alerts.alerts.createEndpoint(owner, 'webhook', { url: `${receiver.url}${path}` });
  const rule = (changes: Partial<RuleInput>): RuleInput => ({
    name: '',
    operation: 'funding',
    query: '',
    condition: { kind: 'enters' },
    everyMinutes: 0,
    endpointIds: [endpointId],
    ...changes,
  });
  const create = (changes: Partial<RuleInput>) =>
    running.service.alerts.alerts.createRule(accountId, rule(changes));
  const funding = async (query = '') => rowsOf(await running.get(`/api/v1/funding?limit=500${query}`));
  const keyOf = ({ exchange, venue_symbol }: Row) => `${exchange} ${venue_symbol}`;
  /** Moves the clock, collects and publishes, evaluates and delivers. */
  const next = async (byMs = HOUR_MS) => {
    clock.advanceMs(byMs);
    await collectOnce(running);
    await running.service.alerts.runOnce();
  };
  const drain = async () => {
    for (let waiting = true; waiting; ) {
      const count = receiver.posts.length;
      await running.service.alerts.runOnce();
      waiting = receiver.posts.length > count;
    }
  };

  before(async () => {
    receiver = await startReceiver();
    running = await runService({
      venues: ['binance', 'bybit', 'okx'],
      coins: 12,
      clock,
      settings: { ALERT_NETWORKS: 'loopback' },
    });
    await collectOnce(running);
  });
  after(async () => {
    await running.stop();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.answer = (response) => response.writeHead(204).end();
    accountId = await account('business');
    const made = await endpointOf(accountId);
    endpointId = made.endpoint.id;
    secret = made.secret ?? '';
    receiver.posts.length = 0;
  });

  afterEach(async () => {
    for (const { id } of await running.service.alerts.alerts.rules(accountId))
      await running.service.alerts.alerts.deleteRule(accountId, id);
  });

  test('a row that enters is posted once, signed, with a sentence and its links', async () => {
    const before = await funding();
    const bound = Number(before[Math.floor(before.length / 2)]?.rate_pct);
    const created = await create({ name: 'High rates', query: `min_rate_pct=${bound}` });
    await running.service.alerts.runOnce();
    assert.equal(receiver.posts.length, 0, 'rows that match when the rule is made are not new');
    const earlier = new Set((await funding(`&min_rate_pct=${bound}`)).map(keyOf));
    await next();
    await drain();
    const entered = (await funding(`&min_rate_pct=${bound}`)).filter((row) => !earlier.has(keyOf(row)));
    assert.ok(entered.length > 0, 'the market has moved');
    assert.deepEqual(
      receiver.posts.map(({ body }) => keyOf(body.row as Row)).sort(),
      entered.map(keyOf).sort(),
    );
    const ids = receiver.posts.map(({ body }) => body.event_id);
    assert.equal(new Set(ids).size, ids.length);
    const post = receiver.posts[0];
    assert.ok(post);
    const [, at, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(post.headers['perpwire-signature'])) ?? [];
    assert.equal(at, String(Math.floor(clock.nowMs() / 1000)));
    assert.equal(signature, createHmac('sha256', secret).update(`${at}.${post.text}`).digest('hex'));
    const row = post.body.row as Row;
    assert.match(
      String(post.body.text),
      new RegExp(
        `^\\S+ funding on ${row.exchange} is [+-]?[\\d.]+ % per \\d+ h \\(-?[\\d.]+ % APR\\)\\. It is new on your list\\. As of \\d\\d:\\d\\d:\\d\\d UTC\\.$`,
      ),
    );
    assert.equal(post.body.page_url, `${running.service.baseUrl}/funding?min_rate_pct=${bound}`);
    assert.match(String(post.body.pause_url), /\/alerts\/pause\?token=alr_/);
    assert.deepEqual(post.body.rule, { id: created.id, name: 'High rates' });
  });

  test('crossings and returns follow the bound and the hysteresis, as a naive comparison finds them', async () => {
    const hysteresis = 0.001;
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    const bound = rates[Math.floor(rates.length * 0.6)] as number;
    const condition: Condition = {
      kind: 'crosses',
      figure: 'rate_pct',
      direction: 'above',
      bound,
      hysteresis,
      reportsReturn: true,
    };
    await create({ condition });
    await running.service.alerts.runOnce();
    const beyond = new Set((await funding()).filter((row) => Number(row.rate_pct) > bound).map(keyOf));
    const expected: string[] = [];
    for (let step = 0; step < 6; step++) {
      await next(5 * HOUR_MS);
      for (const row of await funding()) {
        const rate = Number(row.rate_pct);
        const key = keyOf(row);
        if (rate > bound && !beyond.has(key)) {
          beyond.add(key);
          expected.push(`crossed ${key}`);
        } else if (rate <= bound - hysteresis && beyond.has(key)) {
          beyond.delete(key);
          expected.push(`returned ${key}`);
        }
      }
    }
    await drain();
    assert.ok(
      expected.some((one) => one.startsWith('crossed')) && expected.some((one) => one.startsWith('returned')),
    );
    const told = receiver.posts.map(({ body }) => `${body.kind} ${keyOf(body.row as Row)}`);
    assert.deepEqual(told.sort(), expected.sort());
    for (const { body } of receiver.posts)
      assert.match(
        String(body.text),
        body.kind === 'crossed' ? /, above your [\d.-]+ %\. As/ : /, back below your/,
      );
  });

  test('at most one alert for a row in so many minutes', async () => {
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    const bound = rates[Math.floor(rates.length * 0.6)] as number;
    const condition: Condition = {
      kind: 'crosses',
      figure: 'rate_pct',
      direction: 'below',
      bound,
      hysteresis: 0,
      reportsReturn: true,
    };
    const free = await create({ condition });
    const limited = await create({ condition, everyMinutes: 7 * 24 * 60 });
    await running.service.alerts.runOnce();
    for (let step = 0; step < 6; step++) await next(6 * HOUR_MS);
    await drain();
    const of = (id: string) =>
      receiver.posts
        .filter(({ body }) => (body.rule as Row).id === id)
        .map(({ body }) => keyOf(body.row as Row));
    assert.ok(of(free.id).length > of(limited.id).length, 'a row has crossed more than once');
    assert.deepEqual(of(limited.id).sort(), [...new Set(of(free.id))].sort());
  });

  test('a paused rule reports nothing, and resumed not what happened meanwhile', async () => {
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    const { id } = await create({ query: `min_rate_pct=${rates[Math.floor(rates.length / 2)]}` });
    await running.service.alerts.runOnce();
    await running.service.alerts.alerts.pauseRule(accountId, id);
    await next();
    assert.equal(receiver.posts.length, 0);
    await running.service.alerts.alerts.resumeRule(accountId, id);
    await running.service.alerts.runOnce();
    assert.equal(receiver.posts.length, 0);
    await next();
    await drain();
    assert.ok(receiver.posts.length > 0);
  });

  test('an edited rule follows its new filters, and does not report what fits them already', async () => {
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    const bound = rates[Math.floor(rates.length / 2)] as number;
    const { id } = await create({ name: 'First', query: `min_rate_pct=${rates.at(-1)}` });
    await running.service.alerts.runOnce();
    const { alerts } = running.service.alerts;
    await assert.rejects(alerts.editRule(accountId, id, rule({ query: 'min_rate_pct=high' })), Problem);
    assert.equal((await alerts.rule(accountId, id))?.query, `min_rate_pct=${rates.at(-1)}`, 'unchanged');
    await alerts.editRule(accountId, id, rule({ name: 'Second', query: `min_rate_pct=${bound}` }));
    await running.service.alerts.runOnce();
    assert.equal(receiver.posts.length, 0, 'what fits when it is saved is not new');
    const earlier = new Set((await funding(`&min_rate_pct=${bound}`)).map(keyOf));
    await next();
    await drain();
    const entered = (await funding(`&min_rate_pct=${bound}`)).filter((row) => !earlier.has(keyOf(row)));
    assert.ok(entered.length > 0, 'the market has moved');
    assert.deepEqual(
      receiver.posts.map(({ body }) => `${(body.rule as Row).name} ${keyOf(body.row as Row)}`).sort(),
      entered.map((row) => `Second ${keyOf(row)}`).sort(),
    );
    const stranger = await account('business');
    await assert.rejects(
      alerts.editRule(stranger, id, rule({ endpointIds: [(await endpointOf(stranger)).endpoint.id] })),
      (error) => error instanceof Problem && error.code === 'not-found',
    );
  });

  test('an endpoint that fails for 24 hours is paused, its owner gets a mail, and it can be resumed and deleted', async () => {
    const { alerts } = running.service.alerts;
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    const { id } = await create({ query: `min_rate_pct=${rates[Math.floor(rates.length / 2)]}` });
    await running.service.alerts.runOnce();
    receiver.answer = (response) => response.writeHead(500).end();
    await next();
    const endpoint = async () => (await alerts.endpoints(accountId)).find((one) => one.id === endpointId);
    const [first] = await alerts.deliveries(accountId, { ruleId: id });
    assert.deepEqual([first?.state, first?.reason, first?.attempts], ['waiting', 'HTTP 500', 1]);
    while ((await endpoint())?.state === 'active') {
      const waiting = (await alerts.deliveries(accountId)).filter(({ state }) => state === 'waiting');
      clock.setMs(Math.max(clock.nowMs() + 1, ...waiting.map((one) => one.nextAttemptAtMs ?? 0)));
      await running.service.alerts.runOnce();
    }
    assert.equal((await endpoint())?.pausedReason, 'every attempt for 24 h failed: HTTP 500');
    const failed = await alerts.deliveries(accountId);
    assert.ok(failed.length > 0);
    for (const { state, reason } of failed) {
      assert.equal(state, 'failed');
      assert.match(
        reason ?? '',
        /^HTTP 500; given up after 24 h|^the endpoint was paused: every attempt for 24 h failed: HTTP 500$/,
      );
    }
    const email = (await running.service.accounts.accounts.find(accountId))?.email;
    const mail = running.service.people.mailer.kept?.findLast(({ to }) => to === email);
    assert.equal(mail?.subject, 'Alerts to one of your endpoints are paused');
    assert.match(
      mail?.text ?? '',
      /no longer sends alerts to 127\.0\.0\.1:\d+\/hook, because every attempt for 24 h failed: HTTP 500/,
    );
    assert.match(mail?.text ?? '', new RegExp(`${running.service.baseUrl}/account/alerts`));

    receiver.answer = (response) => response.writeHead(204).end();
    receiver.posts.length = 0;
    await alerts.resumeEndpoint(accountId, endpointId);
    assert.deepEqual(
      [(await endpoint())?.state, (await endpoint())?.pausedReason, (await endpoint())?.failingSinceMs],
      ['active', null, null],
    );
    for (let step = 0; step < 8 && receiver.posts.length === 0; step++) await next();
    assert.ok(receiver.posts.length > 0, 'new alerts are sent');
    const old = new Set<unknown>(failed.map(({ eventId }) => eventId));
    assert.ok(
      receiver.posts.every(({ body }) => !old.has(body.event_id)),
      'alerts of before are not',
    );

    await assert.rejects(alerts.deleteEndpoint(accountId, endpointId), /is used by the rule/);
    await assert.rejects(
      alerts.deleteEndpoint(await account('business'), endpointId),
      (error) => error instanceof Problem && error.code === 'not-found',
    );
    await alerts.deleteRule(accountId, id);
    await alerts.deleteEndpoint(accountId, endpointId);
    assert.deepEqual(await alerts.endpoints(accountId), []);
    await assert.rejects(alerts.resumeEndpoint(accountId, endpointId), Problem);
  });

  for (const [what, changes, code] of [
    ['an unknown list', { operation: 'fundings' }, 'not-found'],
    ['a list without a stream', { operation: 'exchanges' }, 'not-found'],
    ['a filter that is no number', { query: 'min_rate_pct=high' }, 'invalid-parameter'],
    ['a venue that is not served', { query: 'exchange=Binanze' }, 'unknown-exchange'],
    [
      'an unknown figure',
      {
        condition: {
          kind: 'crosses',
          figure: 'rate',
          direction: 'above',
          bound: 1,
          hysteresis: 0,
          reportsReturn: true,
        },
      },
      'invalid-parameter',
    ],
    [
      'a negative hysteresis',
      {
        condition: {
          kind: 'crosses',
          figure: 'rate_pct',
          direction: 'above',
          bound: 1,
          hysteresis: -1,
          reportsReturn: true,
        },
      },
      'invalid-parameter',
    ],
    ['no endpoint', { endpointIds: [] }, 'invalid-parameter'],
    ['an endpoint of another account', { endpointIds: ['end_0000000000000000'] }, 'not-found'],
    ['a pause of eight days', { everyMinutes: 8 * 24 * 60 }, 'invalid-parameter'],
  ] as const) {
    test(`refused: ${what}`, async () => {
      await assert.rejects(
        create(changes as Partial<RuleInput>),
        (error) => error instanceof Problem && error.code === code,
      );
    });
  }

  test('a bad filter is the problem that the list answers', async () => {
    const reply = await running.get('/api/v1/funding?exchange=Binanze');
    await assert.rejects(create({ query: 'exchange=Binanze' }), (error) => {
      const { detail, suggestions } = reply.body as { detail: string; suggestions: string[] };
      return (
        error instanceof Problem &&
        error.detail === detail &&
        error.suggestions?.join() === suggestions.join()
      );
    });
  });

  test('the Demo plan has one rule, and its data is delayed', async () => {
    accountId = await account('demo');
    endpointId = (await endpointOf(accountId)).endpoint.id;
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    await create({ query: `min_rate_pct=${rates[Math.floor(rates.length / 2)]}` });
    await assert.rejects(create({}), /Demo plan allows 1 alert rule/);
    clock.advanceMs(900_000);
    await running.service.alerts.runOnce();
    await next(3 * HOUR_MS);
    assert.equal(receiver.posts.length, 0, 'the newest snapshot is not visible yet');
    const asOfMs = clock.nowMs();
    clock.advanceMs(900_000);
    await running.service.alerts.runOnce();
    await drain();
    assert.ok(receiver.posts.length > 0);
    for (const { body } of receiver.posts) {
      assert.equal(Date.parse(String(body.as_of)), asOfMs);
      assert.match(String(body.text), /delayed by 15 minutes\.$/);
    }
  });

  test('after a change to a smaller plan the oldest rules stay active', async () => {
    for (let i = 0; i < 3; i++) await create({});
    await running.service.accounts.accounts.setPlan(accountId, 'demo');
    const states = (await running.service.alerts.alerts.rules(accountId)).map(({ state }) => state);
    assert.deepEqual(states, ['active', 'over-limit', 'over-limit']);
  });

  test('a test message is sent now and is marked', async () => {
    const { id } = await create({ name: 'Try me', query: 'coin=BTC' });
    const [sent] = await running.service.alerts.alerts.testRule(accountId, id);
    assert.deepEqual(sent?.result, { isDelivered: true });
    const body = receiver.posts[0]?.body;
    assert.equal(body?.is_test, true);
    assert.match(String(body?.text), /^This is a test of your rule “Try me”\. BTC funding on \w+ is /);
    receiver.answer = (response) => response.writeHead(500).end();
    const [failed] = await running.service.alerts.alerts.testRule(accountId, id);
    assert.equal(failed?.result.isDelivered === false && failed.result.reason, 'HTTP 500');
  });

  test('the secret is stored encrypted, and both secrets sign for a day after a rotation', async () => {
    const { storage } = running.service.context;
    const row = await storage.db
      .selectFrom('alert_endpoints')
      .selectAll()
      .where('id', '=', endpointId)
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(JSON.stringify(row), new RegExp(secret));
    const { id } = await create({ query: 'coin=BTC' });
    const newer = await running.service.alerts.alerts.rotateSecret(accountId, endpointId);
    const signaturesOf = async () => {
      receiver.posts.length = 0;
      await running.service.alerts.alerts.testRule(accountId, id);
      const [post] = receiver.posts;
      const [at, ...signatures] = String(post?.headers['perpwire-signature']).split(',');
      const signed = (key: string) =>
        `v1=${createHmac('sha256', key)
          .update(`${at?.slice(2)}.${post?.text}`)
          .digest('hex')}`;
      return { signatures, signed };
    };
    const first = await signaturesOf();
    assert.deepEqual(first.signatures, [first.signed(newer), first.signed(secret)]);
    clock.advanceMs(24 * HOUR_MS);
    const later = await signaturesOf();
    assert.deepEqual(later.signatures, [later.signed(newer)]);
  });

  test('the link of a message pauses the rule once, without sign-in', async () => {
    const { id } = await create({ query: 'coin=BTC' });
    await running.service.alerts.alerts.testRule(accountId, id);
    const url = String(receiver.posts[0]?.body.pause_url);
    const stateOf = async () => (await running.service.alerts.alerts.rule(accountId, id))?.state;
    const open = async () => {
      const page = await fetch(url);
      const html = await page.text();
      const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const cookie = page.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      return { status: page.status, html, csrf, cookie };
    };
    const page = await open();
    assert.equal(page.status, 200);
    assert.equal(await stateOf(), 'active', 'opening the link changes nothing');
    const send = () =>
      fetch(url.split('?')[0] ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: page.cookie },
        body: new URLSearchParams({ csrf: page.csrf, token: new URL(url).searchParams.get('token') ?? '' }),
      });
    assert.equal((await send()).status, 200);
    assert.equal(await stateOf(), 'paused');
    assert.equal((await send()).status, 404);
    await running.service.alerts.alerts.resumeRule(accountId, id);
    assert.equal((await send()).status, 404, 'a link from before the rule was resumed');
    assert.equal((await open()).status, 404);
    assert.equal(await stateOf(), 'active');
    const forged = await fetch(`${url.slice(0, -3)}abc`);
    assert.equal(forged.status, 404);
  });
});
