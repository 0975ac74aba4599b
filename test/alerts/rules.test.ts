import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import type { PlanName } from '../../src/accounts/plans.ts';
import type { Condition, RuleInput } from '../../src/alerts/rule.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { Problem } from '../../src/base/problems.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const START_MS = Date.UTC(2026, 10, 16, 9, 30);

type Row = Record<string, unknown>;

const COST_ABOVE: Condition = {
  ...{ kind: 'crosses', figure: 'entry_cost_pct', direction: 'above', bound: 0 },
  ...{ hysteresis: 0, reportsReturn: true },
};

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
  const endpointOf = async (owner: string, path = '/hook') => {
    const { alerts } = running.service.alerts;
    // Each account has an address of its own, as confirmations of one address are limited.
    const url = `${receiver.url}${path}?${owner}`;
    const made = await alerts.createEndpoint(owner, 'webhook', { url });
    await alerts.sendCode(owner, made.endpoint.id);
    return made;
  };
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
    receiver.isConfirming = true;
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
    const mail = running.service.people.mailer.messages?.findLast(({ to }) => to === email);
    assert.equal(mail?.subject, 'Alerts to one of your endpoints are paused');
    assert.match(
      mail?.text ?? '',
      /no longer sends alerts to 127\.0\.0\.1:\d+, ending in \w{4}, because every attempt for 24 h failed: HTTP 500/,
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
    ['a cost without its size', { operation: 'arbitrage', condition: COST_ABOVE }, 'invalid-parameter'],
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

  test('the cost of a pair at a size reaches a bound', async () => {
    const query = 'size_usd=1000';
    // Before the first books no cost is known; then every pair that fills has one above the bound.
    await create({ operation: 'arbitrage', query, condition: COST_ABOVE });
    await next();
    await drain();
    assert.equal(receiver.posts.length, 0);
    const pump = setInterval(() => clock.advanceMs(20), 5);
    await running.service.samples.fetchBooks(clock.nowMs() + 25_000);
    clearInterval(pump);
    await next(MINUTE_MS);
    await next(MINUTE_MS);
    await drain();
    const rows = receiver.posts.map(({ body }) => body.row as Row);
    assert.ok(rows.length > 0, 'no alert');
    assert.ok(rows.every(({ entry_cost_pct, fills }) => Number(entry_cost_pct) > 0 && fills === 'full'));
    assert.match(String(receiver.posts[0]?.body.text), /entry cost is \+?0\.\d+ %/);
    const { alerts } = running.service.alerts;
    const spreads = await alerts.preview(accountId, { operation: 'spreads', query, condition: COST_ABOVE });
    assert.ok(spreads, 'a preview of /spreads');
  });

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
    const query = `min_rate_pct=${rates[Math.floor(rates.length / 2)]}`;
    await create({ query, everyMinutes: 15 });
    await assert.rejects(create({ everyMinutes: 15 }), /Demo plan allows 1 alert rule/);
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

  test('a pause that is shorter than the plan allows is refused, and an older rule has the least one', async () => {
    const { id } = await create({ everyMinutes: 0 });
    await running.service.accounts.accounts.setPlan(accountId, 'demo');
    assert.equal((await running.service.alerts.alerts.rule(accountId, id))?.everyMinutes, 15);
    await assert.rejects(
      running.service.alerts.alerts.editRule(accountId, id, rule({ everyMinutes: 14 })),
      (error) =>
        error instanceof Problem &&
        error.code === 'plan-limit' &&
        error.detail.startsWith('"everyMinutes" must be at least 15 on the Demo plan'),
    );
  });

  test('a Demo rule with many matches and ten endpoints is held to 60 messages an hour, and says how many it left out', async () => {
    clock.advanceMs(HOUR_MS);
    const { alerts } = running.service.alerts;
    const demo = await account('demo');
    const endpointIds: string[] = [];
    for (let i = 0; i < 10; i++) endpointIds.push((await endpointOf(demo, `/many${i}`)).endpoint.id);
    const atMs = new Map<unknown, number>();
    receiver.answer = (response, { body }) => {
      atMs.set(body.event_id, clock.nowMs());
      response.writeHead(204).end();
    };
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    const condition: Condition = {
      ...{ kind: 'crosses', figure: 'rate_pct', direction: 'above', hysteresis: 0, reportsReturn: true },
      bound: rates[Math.floor(rates.length / 2)] as number,
    };
    const free = await alerts.createRule(demo, rule({ condition, everyMinutes: 15, endpointIds }));
    // The same rule of a large plan tells what there was to report.
    const all = await create({ condition, everyMinutes: 15 });
    await running.service.alerts.runOnce();
    for (let step = 0; step < 9; step++) {
      await next(20 * 60_000);
      await drain();
    }
    clock.advanceMs(HOUR_MS);
    await running.service.alerts.runOnce();
    await drain();
    const idOf = ({ body }: { body: Row }) => (body.rule as Row).id;
    const sent = receiver.posts.filter((post) => idOf(post) === free.id);
    const limited = receiver.posts.filter(({ body }) => body.kind === 'limited');
    const times = sent.map(({ body }) => atMs.get(body.event_id) as number);
    for (const fromMs of times) {
      const within = times.filter((one) => one >= fromMs && one < fromMs + HOUR_MS).length;
      assert.ok(within <= 120, 'an hour of ours begins with its first message');
    }
    const counts = new Map(limited.map(({ body }) => [body.event_id, Number((body.row as Row).count)]));
    const leftOut = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const events = new Set(sent.map(({ body }) => body.event_id)).size;
    const expected = receiver.posts.filter((post) => idOf(post) === all.id).length;
    assert.ok(leftOut > 0, 'more happened than 60 messages an hour can say');
    assert.equal(events + leftOut, expected, 'every event is sent or counted');
    assert.match(
      String(limited[0]?.body.text),
      /^\d+ more events? (was|were) left out: your plan sends 60 messages an hour/,
    );
    await alerts.deleteRule(demo, free.id);
  });

  test('an address can be added once, also by requests at the same time', async () => {
    const { alerts } = running.service.alerts;
    const add = (path: string) =>
      alerts.createEndpoint(accountId, 'webhook', { url: `${receiver.url}${path}` });
    const results = await Promise.allSettled([add('/twice'), add('/twice'), add('/twice#here')]);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    await assert.rejects(
      add('/twice'),
      (error) =>
        error instanceof Problem && /^You have this address already: 127\.0\.0\.1/.test(error.detail),
    );
    await alerts.createEndpoint(accountId, 'ntfy', { server: receiver.url, topic: 'twice' });
    await assert.rejects(
      alerts.createEndpoint(accountId, 'ntfy', { server: `${receiver.url}/`, topic: 'twice' }),
      /this address already/,
    );
    await alerts.createEndpoint(accountId, 'email', {});
    await assert.rejects(alerts.createEndpoint(accountId, 'email', {}), /this address already/);
    await alerts.createEndpoint(accountId, 'email', { digest: '60' });
  });

  const unconfirmed = async (path: string) => {
    const url = `${receiver.url}${path}?${accountId}`;
    return (await running.service.alerts.alerts.createEndpoint(accountId, 'webhook', { url })).endpoint.id;
  };
  const stateOf = async (id: string) =>
    (await running.service.alerts.alerts.endpoints(accountId)).find((one) => one.id === id)?.state;

  test('an endpoint that is not confirmed gets neither alerts nor tests', async () => {
    const { alerts } = running.service.alerts;
    const quiet = await unconfirmed('/quiet');
    const rates = (await funding()).map((row) => Number(row.rate_pct)).sort((a, b) => a - b);
    const query = `min_rate_pct=${rates[Math.floor(rates.length / 2)]}`;
    const { id } = await create({ query, endpointIds: [quiet, endpointId] });
    await running.service.alerts.runOnce();
    await next();
    await drain();
    assert.ok(receiver.posts.length > 0);
    const results = (await alerts.deliveries(accountId)).filter((one) => one.endpointId === quiet);
    assert.ok(results.length > 0);
    for (const { reason } of results) assert.equal(reason, 'the endpoint is not confirmed');
    for (const { endpoint, result } of [
      ...(await alerts.testRule(accountId, id)),
      await alerts.testEndpoint(accountId, quiet),
    ])
      assert.equal(result.isDelivered, endpoint.id !== quiet);
    assert.ok(receiver.posts.every(({ path }) => path.startsWith('/hook')));
  });

  for (const [what, answer, isConfirmed] of [
    ['its challenge', (challenge: string) => `${challenge}\n`, true],
    ['its challenge in JSON', (challenge: string) => JSON.stringify({ challenge }), true],
    ['nothing', () => '', false],
    ['other words', () => 'OK', false],
    ['all that it got', (_challenge: string, text: string) => text, false],
  ] as const) {
    test(`a webhook that answers a confirmation with ${what} is ${isConfirmed ? '' : 'not '}confirmed`, async () => {
      clock.advanceMs(HOUR_MS);
      const { alerts } = running.service.alerts;
      const id = await unconfirmed('/new');
      receiver.isConfirming = false;
      receiver.answer = (response, { body, text }) =>
        response.writeHead(200).end(answer(String(body.challenge), text));
      const sent = await alerts.sendCode(accountId, id);
      assert.equal(sent.endpoint.state, isConfirmed ? 'active' : 'unconfirmed');
      assert.equal(await stateOf(id), sent.endpoint.state);
      const [post] = receiver.posts;
      assert.equal(post?.body.kind, 'confirmation');
      assert.match(String(post?.headers['perpwire-signature']), /^t=\d+,v1=[0-9a-f]{64}$/);
      if (isConfirmed) return;
      const code = String(post?.body.challenge);
      assert.match(String(post?.body.text), new RegExp(`enter the code ${code} at `));
      await assert.rejects(alerts.confirmEndpoint(accountId, id, 'ABCDEFGHJK'), /not the code/);
      await assert.rejects(alerts.confirmEndpoint(await account('pro'), id, code), /no such endpoint/);
      await alerts.confirmEndpoint(accountId, id, ` ${code.slice(0, 5)}-${code.slice(5).toLowerCase()} `);
      assert.equal(await stateOf(id), 'active');
    });
  }

  test('a code is refused after an hour, and few codes are sent to one address', async () => {
    clock.advanceMs(HOUR_MS);
    const { alerts } = running.service.alerts;
    const id = await unconfirmed('/late');
    receiver.isConfirming = false;
    await alerts.sendCode(accountId, id);
    const code = String(receiver.posts[0]?.body.challenge);
    clock.advanceMs(HOUR_MS);
    await assert.rejects(alerts.confirmEndpoint(accountId, id, code), /older than an hour/);
    for (let i = 0; i < 5; i++) await alerts.sendCode(accountId, id);
    await assert.rejects(
      alerts.sendCode(accountId, id),
      (error) =>
        error instanceof Problem && error.code === 'rate-limited' && /Too many codes/.test(error.detail),
    );
    assert.equal(receiver.posts.length, 6);
  });

  test('a secret is replaced at most five times an hour, and at most three secrets sign', async () => {
    const { alerts } = running.service.alerts;
    for (let i = 0; i < 5; i++) await alerts.rotateSecret(accountId, endpointId);
    await assert.rejects(
      alerts.rotateSecret(accountId, endpointId),
      (error) =>
        error instanceof Problem &&
        error.code === 'rate-limited' &&
        /Too many new secrets; try again in/.test(error.detail),
    );
    await alerts.testEndpoint(accountId, endpointId);
    assert.match(String(receiver.posts[0]?.headers['perpwire-signature']), /^t=\d+(,v1=[0-9a-f]{64}){3}$/);
    clock.advanceMs(HOUR_MS);
    await alerts.rotateSecret(accountId, endpointId);
  });

  test('descriptions show the host and the end of an address, also in the database', async () => {
    const { alerts } = running.service.alerts;
    const { host } = new URL(receiver.url);
    await alerts.createEndpoint(accountId, 'webhook', { url: `${receiver.url}/a/secret/path` });
    await alerts.createEndpoint(accountId, 'webhook', { url: `${receiver.url}/?token=a-secret-token` });
    await alerts.createEndpoint(accountId, 'ntfy', { server: receiver.url, topic: 'abc' });
    await alerts.createEndpoint(accountId, 'ntfy', { server: receiver.url, topic: 'a-secret-topic' });
    await alerts.createEndpoint(accountId, 'discord', { url: `${receiver.url}/api/webhooks/1/a-secret` });
    const { db } = running.service.context.storage;
    const rows = await db
      .selectFrom('alert_endpoints')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute();
    const descriptions = rows.map(({ description }) => description);
    for (const end of ['path', 'oken', 'c', 'opic', 'cret'])
      assert.ok(descriptions.includes(`${host}, ending in ${end}`), `${end}: ${descriptions.join()}`);
    assert.doesNotMatch(JSON.stringify(rows), /secret|abc/);
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
