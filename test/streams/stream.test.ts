import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { slotIdOf } from '../../src/accounts/keys/slots.ts';
import { openOperator } from '../../src/accounts/operator/operator.ts';
import { PLAN_NAMES, PLANS } from '../../src/accounts/plans.ts';
import { monthStartMs } from '../../src/accounts/windows/months.ts';
import { isStreamed } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { fillEveryPart, type Rest, startRest } from '../rest/rest-service.ts';
import { collectOnce, until } from '../support/service.ts';
import { Followed, type OpenStream, openStream } from './client.ts';

const STREAMED = OPERATIONS.filter(isStreamed);

suite('GET /api/v1/stream/{operation}', () => {
  let rest: Rest;
  let opened: OpenStream[] = [];
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 8 });
    await fillEveryPart(rest);
  });
  after(() => rest.stop());

  const open = async (key: string, path: string, headers: Record<string, string> = {}) => {
    const stream = await openStream(`${rest.service.baseUrl}/api/v1/stream${path}`, key, headers);
    opened.push(stream);
    return stream;
  };
  const closeAll = async () => {
    for (const stream of opened) stream.close();
    opened = [];
    await until(async () => (await connectionCount()) === 0, 'no open streams');
  };
  const connectionCount = async () => {
    const { values } = await rest.service.metrics.streamConnections.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  const newKey = async (plan: 'demo' | 'developer' | 'pro' | 'business') => (await rest.newKey(plan)).text;
  /** Publishes a snapshot at a later time and lets the streams notice it. */
  const publish = async (afterMs = 61_000) => {
    rest.clock.advanceMs(afterMs);
    await collectOnce(rest);
    await fillEveryPart(rest);
    rest.clock.advanceMs(300);
  };
  /** Moves the clock in steps, so that everything that waits for it runs, until the condition holds. */
  const untilMoved = async (isTrue: () => boolean | Promise<boolean>, what: string, stepMs = 300) => {
    const pump = setInterval(() => rest.clock.advanceMs(stepMs), 5);
    await until(isTrue, what).finally(() => clearInterval(pump));
  };
  /** Makes sure that there is a snapshot of 15 minutes ago and one of now. */
  const publishForDemo = async () => {
    await publish();
    await publish(PLANS.demo.delaySeconds * 1000);
  };
  const usedMonth = async (key: string) => {
    const reply = await rest.getWith(key, '/api/v1/usage');
    return (reply.body as { data: { month: { used: number } } }).data.month.used;
  };

  test('there is one for funding, spreads, backtest, listings, arbitrage and depth, and not for the catalogue', async () => {
    assert.deepEqual(
      STREAMED.map(({ path }) => path),
      ['/funding', '/spreads', '/spreads/backtest', '/arbitrage', '/depth', '/listings'],
    );
    const key = await newKey('business');
    const reply = await rest.getWith(key, '/api/v1/stream/coins');
    assert.equal(reply.status, 404);
    assert.equal((reply.body as { code: string }).code, 'not-found');
  });

  for (const { path, rows, data } of STREAMED) {
    const rowsField = data.type === 'array' ? null : Object.keys(data.properties as object).at(-1);
    test(`${path}: the snapshot is the answer of the list, and changes lead to later answers`, async () => {
      const key = await newKey('business');
      const query = `${path}?limit=7`;
      const stream = await open(key, query);
      assert.equal(stream.status, 200);
      assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
      const first = await stream.next();
      assert.equal(first.event, 'snapshot');
      const answer = async () => {
        const { data: of, meta } = (await rest.getWith(key, `/api/v1${query}`)).body as {
          data: Record<string, unknown>;
          meta: Record<string, unknown>;
        };
        delete meta.next_cursor;
        return { data: of, meta };
      };
      const whole = await answer();
      const { headers } = await rest.getWith(key, `/api/v1${query}`);
      assert.ok(
        headers.get('link')?.includes(`/api/v1/stream${path}>; rel="alternate"`),
        'the list names its stream',
      );
      assert.ok(
        headers.get('link')?.includes(`/account/alerts/new?operation=${path.slice(1)}>; rel="monitor"`),
        'the list names the form of an alert on it',
      );
      assert.ok(stream.headers.get('link')?.includes('/developers/streams>; rel="help"'));
      assert.deepEqual(first.data, whole);
      assert.equal(first.id, whole.meta.as_of);

      const followed = new Followed(rows.identity, rowsField ?? null);
      followed.apply(first);
      for (let round = 0; round < 2; round++) {
        await publish();
        const later = await answer();
        assert.notEqual(later.meta.as_of, first.id);
        // Without a changed row, the next heartbeat has the new as_of.
        await untilMoved(() => {
          for (const event of stream.events.splice(1)) followed.apply(event);
          return followed.asOf === later.meta.as_of;
        }, 'the new as_of');
        const list = rowsField ? later.data[rowsField] : later.data;
        assert.deepEqual(
          [...followed.rows.values()].sort(),
          (list as object[]).map((row) => JSON.stringify(row)).sort(),
        );
      }
      assert.equal(followed.snapshots, 1);
      await closeAll();
    });
  }

  test('rows enter and leave the best N; `fields` keeps the identity of rows', async () => {
    const key = await newKey('business');
    const stream = await open(key, '/funding?limit=3&sort=apr_desc&fields=apr_pct');
    const first = await stream.next('snapshot');
    const rows = first.data.data as Record<string, unknown>[];
    assert.equal(rows.length, 3);
    assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), ['apr_pct', 'exchange', 'venue_symbol']);
    const followed = new Followed(['exchange', 'venue_symbol']);
    followed.apply(first);
    const before = new Set(followed.rows.keys());
    let removed = 0;
    for (let hour = 0; hour < 12 && removed === 0; hour++) {
      await publish(3_600_000);
      await untilMoved(() => {
        for (const event of stream.events.splice(1)) {
          followed.apply(event);
          if (event.event === 'change') removed += (event.data.remove as unknown[]).length;
        }
        return followed.asOf > (first.id ?? '');
      }, 'a later as_of');
      assert.equal(followed.rows.size, 3);
    }
    assert.ok(removed > 0, 'a row has left');
    assert.ok([...followed.rows.keys()].some((row) => !before.has(row)));
    await closeAll();
  });

  test('Last-Event-ID resumes with one change, or with nothing, or after a gap with a snapshot', async () => {
    const key = await newKey('business');
    const stream = await open(key, '/funding?limit=5');
    const first = await stream.next('snapshot');
    stream.close();
    const same = await open(key, '/funding?limit=5', { 'last-event-id': first.id ?? '' });
    await publish();
    await publish();
    const change = await same.next('change');
    assert.ok(!same.events.some(({ event }) => event === 'snapshot'));
    const later = await open(key, '/funding?limit=5', { 'last-event-id': first.id ?? '' });
    const resumed = await later.next();
    assert.equal(resumed.event, 'change');
    assert.ok((resumed.id ?? '') >= (change.id ?? ''));
    const followed = new Followed(['exchange', 'venue_symbol']);
    followed.apply(first);
    followed.apply(resumed);
    const now = await (await open(key, '/funding?limit=5')).next();
    assert.deepEqual(
      [...followed.rows.values()].sort(),
      (now.data.data as object[]).map((row) => JSON.stringify(row)).sort(),
    );
    for (const id of ['2026-01-01T00:00:00Z', 'x', '2099-01-01T00:00:00Z']) {
      const gap = await open(key, '/funding?limit=5', { 'last-event-id': id });
      assert.equal((await gap.next()).event, 'snapshot', id);
    }
    await closeAll();
  });

  test('heartbeats come every 15 s', async () => {
    const stream = await open(await newKey('pro'), '/funding?limit=1');
    const { id } = await stream.next('snapshot');
    const startedMs = rest.clock.nowMs();
    const count = () => stream.events.filter(({ event }) => event === 'heartbeat').length;
    await untilMoved(() => count() >= 4, 'four heartbeats');
    const expected = (rest.clock.nowMs() - startedMs) / 15_000;
    assert.ok(count() <= expected && count() >= expected - 2, `${count()} heartbeats, not ${expected}`);
    const heartbeat = await stream.next('heartbeat');
    assert.deepEqual([heartbeat.id, heartbeat.data], [id, { as_of: id }]);
    await closeAll();
  });

  test('Demo gets the delayed snapshots', async () => {
    await publishForDemo();
    const [demo, live] = await Promise.all([newKey('demo'), newKey('developer')]);
    const delayed = await (await open(demo, '/funding')).next('snapshot');
    const current = await (await open(live, '/funding')).next('snapshot');
    const behindMs = Date.parse(current.id ?? '') - Date.parse(delayed.id ?? '');
    assert.ok(behindMs > 0);
    assert.ok(Date.parse(delayed.id ?? '') <= rest.clock.nowMs() - 900_000);
    assert.equal((delayed.data.meta as { delayed_seconds: number }).delayed_seconds, 900);
    const ahead = await open(demo, '/funding', { 'last-event-id': current.id ?? '' });
    assert.equal(ahead.status, 429, 'one stream at a time');
    await closeAll();
    const resumed = await open(demo, '/funding', { 'last-event-id': current.id ?? '' });
    const { id } = await resumed.next('snapshot');
    assert.ok(
      Date.parse(id ?? '') <= rest.clock.nowMs() - 900_000,
      'an id of a live stream shows nothing newer',
    );
    await closeAll();
  });

  test('opening costs one request, and each started minute one more on the month window', async () => {
    const { text: key } = await rest.newKey('pro');
    const before = await usedMonth(key);
    const stream = await open(key, '/funding?limit=1');
    assert.equal(stream.headers.get('x-ratelimit-remaining'), String(PLANS.pro.requestsPerMinute - 2));
    assert.equal(await usedMonth(key), before + 3, 'opening, the first minute, and the question itself');
    const startedMs = rest.clock.nowMs();
    await untilMoved(() => rest.clock.nowMs() - startedMs >= 130_000, '130 s');
    const reply = await rest.getWith(key, '/api/v1/usage');
    const { month, minute } = (reply.body as { data: { month: { used: number }; minute: { used: number } } })
      .data;
    assert.equal(month.used, before + 6, 'three started minutes');
    assert.equal(minute.used, 1, 'the minutes are not on the minute window');
    await closeAll();
  });

  for (const name of PLAN_NAMES) {
    const { streamCount, title } = PLANS[name];
    test(`${title}: ${streamCount} streams of a key at a time`, async () => {
      const key = await newKey(name);
      const streams: OpenStream[] = [];
      for (let i = 0; i < streamCount; i++) {
        // Demo has few requests a minute; streams are few too.
        streams.push(await open(key, '/listings?limit=1'));
        assert.equal(streams[i]?.status, 200);
      }
      const refused = await rest.getWith(key, '/api/v1/stream/listings?limit=1');
      assert.equal(refused.status, 429);
      const { code, detail } = refused.body as { code: string; detail: string };
      assert.equal(code, 'rate-limited');
      assert.match(detail, new RegExp(`${title} plan allows ${streamCount} open stream`));
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
      streams[0]?.close();
      await until(async () => (await connectionCount()) === streamCount - 1, 'one closed');
      assert.equal((await open(key, '/listings?limit=1')).status, 200);
      await closeAll();
    });
  }

  suite('a stream ends with the problem', () => {
    const endOf = async (stream: OpenStream) => {
      await untilMoved(() => stream.events.some(({ event }) => event === 'end'), 'the end');
      await until(() => stream.isClosed(), 'the closed connection');
      const end = stream.events.at(-1);
      assert.equal(end?.event, 'end');
      return end?.data as {
        problem: { code: string; status: number; detail: string; instance: string };
        retry_after_seconds: number | null;
      };
    };

    test('of a revoked key', async () => {
      const { text, key } = await rest.newKey('pro');
      const stream = await open(text, '/funding?limit=1');
      await stream.next('snapshot');
      await rest.service.accounts.keys.revoke(key.id);
      const { problem, retry_after_seconds } = await endOf(stream);
      assert.deepEqual([problem.code, problem.status, retry_after_seconds], ['unauthenticated', 401, null]);
      assert.match(problem.detail, /revoked/);
      assert.equal(problem.instance, stream.headers.get('x-request-id'));
    });

    test('of an expired key', async () => {
      const { text } = await rest.newKey('pro', { expiresAtMs: rest.clock.nowMs() + 5_000 });
      const stream = await open(text, '/funding?limit=1');
      await stream.next('snapshot');
      assert.match((await endOf(stream)).problem.detail, /expired/);
    });

    test('of a suspended account', async () => {
      const { text, key } = await rest.newKey('pro');
      const stream = await open(text, '/funding?limit=1', { 'accept-encoding': 'identity' });
      await stream.next('snapshot');
      const { context, accounts } = rest.service;
      const by = { actor: 'operator', name: 'grace' } as const;
      // As a command does it, in a process of its own: nobody tells the service.
      await openOperator(
        context.storage,
        rest.clock,
        accounts.securityLog,
        by,
        async () => undefined,
      ).suspend(key.accountId, null);
      assert.match((await endOf(stream)).problem.detail, /suspended/);
    });

    test('of a spent month, with the time to wait', async () => {
      await publishForDemo();
      const { text, key } = await rest.newKey('demo');
      const { context, accounts } = rest.service;
      const month_start_ms = monthStartMs(rest.clock.nowMs());
      const slot_id = slotIdOf(key.accountId, 1);
      const used = PLANS.demo.requestsPerMonth - 4;
      await context.storage.db.insertInto('slot_months').values({ month_start_ms, slot_id, used }).execute();
      assert.equal((await rest.getWith(text, '/api/v1/exchanges')).status, 200);
      await accounts.flushUsage();
      const stream = await open(text, '/funding?limit=1');
      await stream.next('snapshot');
      const { problem, retry_after_seconds } = await endOf(stream);
      assert.deepEqual([problem.code, problem.status], ['quota-exhausted', 429]);
      assert.ok((retry_after_seconds ?? 0) > 3600);
      assert.equal((await rest.getWith(text, '/api/v1/stream/funding')).status, 429);
    });
  });

  test('a changed plan takes effect on an open stream, with a new snapshot', async () => {
    await publishForDemo();
    const { text, key } = await rest.newKey('demo');
    const stream = await open(text, '/funding');
    const delayed = await stream.next('snapshot');
    await rest.service.accounts.accounts.setPlan(key.accountId, 'pro');
    await untilMoved(
      () => stream.events.filter(({ event }) => event === 'snapshot').length > 1,
      'a snapshot',
    );
    const live = await stream.next('snapshot');
    assert.ok((live.id ?? '') > (delayed.id ?? ''));
    assert.equal((live.data.meta as { delayed_seconds: number }).delayed_seconds, 0);
    await closeAll();
  });

  test('bad input is the same problem as on the list', async () => {
    const key = await newKey('demo');
    const scoped = (await rest.newKey('pro', { scopes: ['listings:read'] })).text;
    for (const [of, query] of [
      [key, 'limit=x'],
      [key, 'limit=500'],
      [key, 'exchange=Nowhere'],
      [key, 'min_rate_pct=2&max_rate_pct=1'],
      [key, 'fields=nothing'],
      [scoped, ''],
      [null, ''],
      ['pw_live_wrong', ''],
    ] as const) {
      const list = await rest.getWith(of, `/api/v1/funding?${query}`);
      const stream = await rest.getWith(of, `/api/v1/stream/funding?${query}`);
      assert.ok(list.status >= 400, query);
      const problem = ({ body }: typeof list) => ({ ...(body as object), instance: '' });
      assert.deepEqual(problem(stream), problem(list));
    }
  });

  test('HEAD has the headers and no stream, and pages of other origins may send Last-Event-ID', async () => {
    const key = await newKey('pro');
    const head = await rest.getWith(key, '/api/v1/stream/funding', {}, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.match(head.headers.get('content-type') ?? '', /^text\/event-stream/);
    const preflight = await rest.getWith(null, '/api/v1/stream/funding', {}, 'OPTIONS');
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Last-Event-ID/);
  });
});

suite('stopping with open streams', () => {
  test('each client gets `end` with the time to connect again', async () => {
    const rest = await startRest({ venues: ['binance'], coins: 4 });
    const { text: key } = await rest.newKey('business');
    const streams = await Promise.all(
      ['identity', 'gzip'].map((encoding) =>
        openStream(`${rest.service.baseUrl}/api/v1/stream/funding`, key, { 'accept-encoding': encoding }),
      ),
    );
    for (const stream of streams) await stream.next('snapshot');
    await rest.stop();
    for (const stream of streams) {
      const end = await stream.next('end');
      assert.equal(end.data.problem, null);
      assert.ok((end.retryMs ?? 0) >= 1_000 && (end.retryMs ?? 0) <= 5_000);
      assert.equal(end.data.retry_after_seconds, Math.ceil((end.retryMs ?? 0) / 1_000));
      await until(() => stream.isClosed(), 'the closed connection');
    }
  });
});
