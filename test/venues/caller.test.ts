import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { CallError, createHttpClient } from '../../src/base/http/http-client.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { PRIORITY, type RequestBudget } from '../../src/base/request-budget.ts';
import { arcus } from '../../src/venues/arcus/venue.ts';
import { bitfinex } from '../../src/venues/bitfinex/venue.ts';
import { VenueCaller } from '../../src/venues/collecting/caller.ts';
import { htx } from '../../src/venues/htx/venue.ts';
import { lighter } from '../../src/venues/lighter/venue.ts';
import { mexc } from '../../src/venues/mexc/venue.ts';
import { okx } from '../../src/venues/okx/venue.ts';
import { phemex } from '../../src/venues/phemex/venue.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { type Answering, answering, fakeVenue, whileMoving } from './fake-venue.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const http = createHttpClient();
const servers: Answering[] = [];
after(async () => {
  await http.close();
  for (const server of servers) await server.close();
});

type Reply = Parameters<typeof answering>[number];
const good: Reply = (response) => response.end('{"ok":1}');
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(code, headers);
    response.end('{"msg":"no"}');
  };

async function stage(replies: Reply[], given: Partial<Venue> = {}) {
  const server = await answering(...replies);
  servers.push(server);
  const clock = new ManualClock(START_MS);
  const caller = new VenueCaller({
    venue: fakeVenue({ hosts: { rest: server.url }, ...given }),
    http,
    clock,
    metrics: createMetrics(),
    simUrl: null,
    isPaced: true,
    random: () => 0.5,
  });
  return { server, clock, caller, send: caller.sender(PRIORITY.live) };
}

type Sender = Pick<Awaited<ReturnType<typeof stage>>, 'clock' | 'caller' | 'send'>;

/** How long the next call waits before it is sent. */
async function pauseOf({ clock, send }: Pick<Sender, 'clock' | 'send'>): Promise<number> {
  const fromMs = clock.nowMs();
  await whileMoving(clock, 1000, send({ path: '/next' }));
  return Math.round((clock.nowMs() - fromMs) / 1000);
}

const refused = (code: number) => (error: unknown) => error instanceof CallError && error.status === code;

suite('a venue demands a pause', () => {
  for (const [name, code, retryAfter, seconds] of [
    ['429 with Retry-After in seconds', 429, '30', 30],
    ['429 without a time: ten seconds', 429, null, 10],
    ['418 (banned) without a time: two minutes', 418, null, 120],
    ['418 with Retry-After', 418, '45', 45],
    ['a Retry-After of a day is believed for ten minutes', 429, '86400', 600],
  ] as const) {
    test(`${name}; no call before its end, and no retry`, async () => {
      const staged = await stage([
        status(code, retryAfter === null ? {} : { 'retry-after': retryAfter }),
        good,
      ]);
      await assert.rejects(staged.send({ path: '/first' }), refused(code));
      assert.equal(staged.server.requests.length, 1, 'no retry');
      const waited = await pauseOf(staged);
      assert.ok(waited >= seconds && waited <= seconds + 5, `waited ${waited} s`);
    });
  }

  for (const [unit, scale] of [
    ['seconds', 1],
    ['milliseconds', 1000],
  ] as const)
    test(`a Retry-After that is a Unix time in ${unit}, as BTSE documents it`, async () => {
      const unlockAt = String(Math.round((Date.now() / 1000 + 100) * scale));
      const staged = await stage([status(429, { 'retry-after': unlockAt }), good]);
      await assert.rejects(staged.send({ path: '/first' }), refused(429));
      const waited = await pauseOf(staged);
      assert.ok(waited >= 90 && waited <= 106, `waited ${waited} s`);
    });

  test('a Retry-After that is a date', async () => {
    const date = new Date(Date.now() + 40_000).toUTCString();
    const staged = await stage([status(429, { 'retry-after': date }), good]);
    await assert.rejects(staged.send({ path: '/first' }), refused(429));
    const waited = await pauseOf(staged);
    assert.ok(waited >= 30 && waited <= 46, `waited ${waited} s`);
  });

  for (const [{ facts, pauseAfterStatus = {} }, code, seconds] of [
    [lighter, 405, 61],
    // The wait is in the body of the reply.
    [arcus, 429, 60],
  ] as const)
    test(`the pause of ${facts.exchange} after status ${code} without a Retry-After`, async () => {
      const staged = await stage([status(code), good], { pauseAfterStatus });
      await assert.rejects(staged.send({ path: '/first' }), refused(code));
      const waited = await pauseOf(staged);
      assert.ok(waited >= seconds && waited <= seconds + 5, `waited ${waited} s`);
    });

  for (const [venue, body] of [
    [okx, '{"code":"50011","msg":"Too Many Requests","data":[]}'],
    [mexc, '{"success":false,"code":510,"message":"Requests are too frequent"}'],
    [htx, '{"status":"error","err_code":1032,"err_msg":"The number of access exceeded the limit."}'],
    [htx, '{"status":"error","err-code":1032,"err-msg":"The number of access exceeded the limit."}'],
    [bitfinex, '{"error":"ERR_RATE_LIMIT"}'],
  ] as const) {
    test(`${venue.facts.exchange} says "too many" in HTTP 200 (${body.slice(0, 34)}…): a pause as after a 429`, async () => {
      const { tooManyCodes, pauseAfterStatus = {} } = venue;
      assert.ok(tooManyCodes);
      const given = { tooManyCodes, pauseAfterStatus };
      const staged = await stage([(response) => response.end(body), good], given);
      await assert.rejects(staged.send({ path: '/first' }), refused(429));
      assert.equal(staged.server.requests.length, 1, 'no retry');
      const waited = await pauseOf(staged);
      const wanted = pauseAfterStatus[429] ?? 10;
      assert.ok(waited >= wanted && waited <= wanted + 5, `waited ${waited} s`);
    });
  }

  test('other codes and other venues are not paused for', async () => {
    const body: Reply = (response) => response.end('{"code":"50011"}');
    const { send } = await stage([body]);
    assert.deepEqual((await send({ path: '/x' })).payload, { code: '50011' });
  });

  test('the pause of Phemex is in x-ratelimit-retry-after-<group>', async () => {
    const { retryAfterHeader } = phemex;
    assert.ok(retryAfterHeader);
    const staged = await stage([status(429, { 'x-ratelimit-retry-after-contract': '42' }), good], {
      retryAfterHeader,
    });
    await assert.rejects(staged.send({ path: '/first' }), refused(429));
    const waited = await pauseOf(staged);
    assert.ok(waited >= 42 && waited <= 47, `waited ${waited} s`);
  });

  test('a pause applies to the budgets of that call only', async () => {
    const minute = { capacity: 100, windowSeconds: 60 };
    const { send, clock, server } = await stage([status(429, { 'retry-after': '30' }), good], {
      budgets: { market: minute, history: minute },
    });
    await assert.rejects(send({ path: '/history', budget: 'history' }), refused(429));
    await send({ path: '/market', budget: 'market' });
    assert.equal(clock.nowMs(), START_MS);
    assert.equal(server.requests.length, 2);
  });
});

suite('one retry', () => {
  const cut: Reply = (response: ServerResponse) => {
    response.destroy();
  };
  const page: Reply = (response) => response.end('<!doctype html>');
  for (const [name, first] of [
    ['HTTP 500', status(500)],
    ['HTTP 503', status(503)],
    ['a connection that breaks', cut],
    ['a web page instead of JSON', page],
  ] as const) {
    test(`${name}: one retry succeeds`, async () => {
      const { send, clock, server } = await stage([first, good]);
      const reply = await whileMoving(clock, 100, send({ path: '/x' }));
      assert.deepEqual(reply.payload, { ok: 1 });
      assert.equal(server.requests.length, 2);
    });
    test(`${name} twice: the failure is reported after two calls, not more`, async () => {
      const { send, clock, server } = await stage([first]);
      await assert.rejects(whileMoving(clock, 100, send({ path: '/x' })), CallError);
      assert.equal(server.requests.length, 2);
    });
  }

  for (const code of [400, 401, 404]) {
    test(`HTTP ${code} is a refusal: no retry`, async () => {
      const { send, server } = await stage([status(code), good]);
      await assert.rejects(send({ path: '/x' }), refused(code));
      assert.equal(server.requests.length, 1);
    });
  }

  test('Phemex answers a wrong symbol with HTTP 500 and code 6001: a refusal, no retry', async () => {
    const body = '{"error":{"code":6001,"message":"invalid argument"},"id":null,"result":null}';
    const reply: Reply = (response) => {
      response.writeHead(500);
      response.end(body);
    };
    const { refusalCodes = [] } = phemex;
    const staged = await stage([reply, good], { refusalCodes });
    await assert.rejects(staged.send({ path: '/md/v2/orderbook' }), refused(500));
    assert.equal(staged.server.requests.length, 1);
  });

  test('an aborted call is not retried', async () => {
    const stopping = new AbortController();
    const server = await answering(() => stopping.abort());
    servers.push(server);
    const { caller } = await stage([good], { hosts: { rest: server.url } });
    await assert.rejects(caller.sender(PRIORITY.live, stopping.signal)({ path: '/x' }));
    assert.equal(server.requests.length, 1);
  });
});

suite('requests and budgets', () => {
  test('query, time parameter and body are sent as the venue expects them', async () => {
    const { send, server } = await stage([good]);
    await send({
      path: '/a',
      query: { symbol: 'BTC-USDT', limit: 5, from: undefined },
      timestampParameter: 'ts',
    });
    await send({ method: 'POST', path: '/info', body: { type: 'meta' } });
    assert.deepEqual(server.requests, [
      { method: 'GET', url: `/a?symbol=BTC-USDT&limit=5&ts=${START_MS}`, body: '' },
      { method: 'POST', url: '/info', body: '{"type":"meta"}' },
    ]);
  });

  test('every call names itself with a User-Agent, without which Extended answers 403', async () => {
    const unlessNamed: Reply = (response, request) => {
      response.writeHead(request.headers['user-agent'] ? 200 : 403);
      response.end('{"ok":1}');
    };
    const { send } = await stage([unlessNamed]);
    assert.deepEqual((await send({ path: '/info/markets' })).payload, { ok: 1 });
  });

  test('a full budget waits for its window', async () => {
    const staged = await stage([good], { budgets: { rest: { capacity: 10, windowSeconds: 20 } } });
    await staged.send({ path: '/x', weight: 10 });
    const waited = await pauseOf(staged);
    assert.ok(waited >= 20 && waited <= 25, `waited ${waited} s`);
  });

  test('venues of one host draw on one budget, and a pause that one of them is told holds for all', async () => {
    const server = await answering(good, status(429, { 'retry-after': '30' }), good);
    servers.push(server);
    const clock = new ManualClock(START_MS);
    const sharedBudgets = new Map<string, RequestBudget>();
    const limit = { capacity: 10, windowSeconds: 20, sharedAs: 'one host' };
    const [first, second, other] = [limit, limit, { ...limit, sharedAs: 'another host' }].map((info) => {
      const venue = fakeVenue({ hosts: { rest: server.url }, budgets: { info } });
      const metrics = createMetrics();
      const caller = new VenueCaller({
        ...{ venue, http, clock, metrics, simUrl: null, isPaced: true, sharedBudgets },
      });
      return { clock, caller, send: caller.sender(PRIORITY.live) };
    }) as [Sender, Sender, Sender];
    await first.send({ path: '/x', weight: 10 });
    assert.deepEqual(
      [first, second, other].map(({ caller }) => caller.budgets.get('info')?.spentWeight()),
      [10, 10, 0],
    );
    clock.advanceMs(21_000);
    await assert.rejects(first.send({ path: '/x' }), refused(429));
    const waited = await pauseOf(second);
    assert.ok(waited >= 30 && waited <= 35, `waited ${waited} s`);
    assert.deepEqual(
      [first, second].map(({ caller }) => caller.callsPerMinute),
      [2, 1],
      'counted for each venue',
    );
  });

  test('a call that counts against two budgets spends both; the last minute is reported with the limit', async () => {
    const { send, caller, clock } = await stage([good], {
      budgets: {
        address: { capacity: 100, windowSeconds: 5 },
        public: { capacity: 100, windowSeconds: 60 },
      },
    });
    await send({ path: '/x', weight: 3, budget: ['address', 'public'] });
    await send({ path: '/x', weight: 4, budget: 'address' });
    assert.deepEqual(caller.weightPerMinute('address'), { used: 7, limit: 1200 });
    assert.deepEqual(caller.weightPerMinute('public'), { used: 3, limit: 100 });
    assert.equal(caller.callsPerMinute, 2);
    clock.advanceMs(59_000);
    assert.equal(caller.callsPerMinute, 2);
    clock.advanceMs(2_000);
    assert.equal(caller.callsPerMinute, 0);
    assert.equal(caller.weightPerMinute('address').used, 0);
  });

  test('a reply that a cache has held for an hour is an hour old (Backpack: stale-if-error=3600)', async () => {
    const cached: Reply = (response) => {
      response.writeHead(200, { age: '3600' });
      response.end('{"ok":1}');
    };
    const { send } = await stage([cached, good]);
    assert.equal((await send({ path: '/x' })).receivedAtMs, START_MS - 3_600_000);
    assert.equal((await send({ path: '/x' })).receivedAtMs, START_MS);
  });

  test('an unknown budget or host is named', async () => {
    const { send } = await stage([good]);
    await assert.rejects(send({ path: '/x', budget: 'gold' }), /fake has no budget "gold"/);
    await assert.rejects(send({ path: '/x', host: 'moon' }), /fake has no host "moon"/);
  });
});
