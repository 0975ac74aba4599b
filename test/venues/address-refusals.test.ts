import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { CallError, createHttpClient } from '../../src/base/http/http-client.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { binance } from '../../src/venues/binance/venue.ts';
import { bingx } from '../../src/venues/bingx/venue.ts';
import { bybit } from '../../src/venues/bybit/venue.ts';
import { Collector } from '../../src/venues/collecting/collector.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import type { BulkPoll, Venue } from '../../src/venues/venue.ts';
import { until } from '../support/until.ts';
import { fakeContract, fakeVenue, whileMoving } from './fake-venue.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

type Reply = readonly [status: number, body?: string, headers?: Record<string, string>];
const GOOD: Reply = [200, '{}'];
/** The server leaves the request without an answer. */
const NEVER: Reply = [0];
const CLOUDFRONT = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=iso-8859-1">
<TITLE>ERROR: The request could not be satisfied</TITLE><STYLE>body { color: red }</STYLE></HEAD><BODY>
<H1>403 ERROR</H1><H2>The request could not be satisfied.</H2><HR noshade size="1px">
The Amazon CloudFront distribution is configured to block access from your country.</BODY></HTML>`;

/** A collector whose venue has a list and a poll of rates, on a server whose replies depend on the path. */
async function stage(given: Partial<Venue> = {}) {
  const replies: Record<string, Reply> = { '/list': GOOD, '/rates': GOOD };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const [status, body = '{"msg":"no"}', headers = {}] = replies[path] ?? [404];
    if (status === 0) return;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = createHttpClient();
  const clock = new ManualClock(START_MS);
  const poll = (name: string, everySeconds: number): BulkPoll => ({
    kind: 'bulk',
    name,
    gives: name === 'list' ? ['contracts'] : ['rate'],
    everySeconds,
    weight: 1,
    call: `GET /${name}`,
    collect: async ({ send }) => {
      await send({ path: `/${name}` });
      const contractList = { part: 'all', contracts: [fakeContract('A')] };
      return { ...emptyBatch(), ...(name === 'list' ? { contractList } : {}) };
    },
  });
  const lines: { failure?: string; msg?: string }[] = [];
  const collector = new Collector({
    venue: fakeVenue({
      hosts: { rest: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      budgets: { rest: { capacity: 1000, windowSeconds: 1 } },
      polls: [poll('list', 300), poll('rates', 15)],
      ...given,
    }),
    http,
    clock,
    log: createLog('warn', { write: (line: string) => lines.push(JSON.parse(line)) }),
    metrics: createMetrics(),
    simUrl: null,
    accept: () => undefined,
  });
  closing.push(async () => {
    const stopped = collector.stop();
    clock.advanceMs(3_600_000);
    await stopped;
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const once = () => collector.collectOnce(new AbortController().signal);
  return { replies, requests, clock, collector, lines, once };
}

suite('a venue that refuses this address', () => {
  for (const [name, reply, given, refuses] of [
    ['451', [451], {}, true],
    [
      '451 of Binance',
      [451, '{"code":0,"msg":"Service unavailable from a restricted location"}'],
      binance,
      true,
    ],
    ['403 of a venue that has no other use for it', [403], {}, true],
    ['403 of Bybit from a country that its network blocks', [403, CLOUDFRONT], bybit, true],
    ['403 of Bybit, which means too many requests', [403, 'access too frequent'], bybit, false],
    ['403 of BingX, which means too many requests', [403], bingx, false],
    ['403 of the firewall of Binance', [403, '<html><h1>403 Forbidden</h1></html>'], binance, false],
    ['403 with a pause', [403, 'slow down', { 'retry-after': '60' }], {}, false],
    ['401', [401], {}, false],
    ['404', [404], {}, false],
    ['429', [429], {}, false],
    ['503', [503], {}, false],
  ] as const satisfies readonly (readonly [string, Reply, Partial<Venue>, boolean])[]) {
    test(`${name}: ${refuses ? 'refuses this address' : 'does not'}, in health and log`, async () => {
      const { pauseAfterStatus } = given as Partial<Venue>;
      const staged = await stage(pauseAfterStatus ? { pauseAfterStatus } : {});
      staged.replies['/list'] = reply;
      // A 503 is repeated after a moment of this clock.
      await whileMoving(staged.clock, 1000, staged.once());
      const { refusesAddress, sources, lastGoodAtMs } = staged.collector.health();
      assert.equal(refusesAddress, refuses || undefined);
      assert.equal(lastGoodAtMs, null);
      const failure = sources[0]?.lastFailure ?? '';
      assert.equal(failure.startsWith('refuses this address: HTTP 4'), refuses, failure);
      assert.equal(staged.lines[0]?.failure, failure);
      if (reply[1] === CLOUDFRONT) assert.match(failure, /block access from your country/);
    });
  }

  test('it is called twice an hour, and as usual once it answers again', async () => {
    const { replies, requests, clock, collector } = await stage();
    replies['/list'] = [451];
    collector.start();
    await until(() => requests.length === 1);
    await until(() => {
      clock.advanceMs(5 * MINUTE_MS);
      return clock.nowMs() >= START_MS + 125 * MINUTE_MS;
    });
    assert.ok(requests.length >= 3, `${requests.length} calls in 125 minutes`);
    assert.ok(requests.length <= 5, `${requests.length} calls in 125 minutes`);
    replies['/list'] = GOOD;
    await until(() => {
      clock.advanceMs(MINUTE_MS);
      return requests.filter((path) => path === '/rates').length >= 3;
    });
    assert.equal(collector.health().refusesAddress, undefined);
  });

  test('the other calls fail at once with the same cause, so that history and books do not call it either', async () => {
    const { replies, requests, collector, once } = await stage();
    replies['/list'] = [403];
    await once();
    const isRefusal = (error: unknown) =>
      error instanceof CallError && error.message.startsWith('refuses this address: HTTP 403');
    await assert.rejects(collector.caller.sender(3)({ path: '/history' }), isRefusal);
    assert.deepEqual(requests, ['/list']);
  });

  test('one call that is forbidden, while the others are answered, is only that call’s failure', async () => {
    const { replies, clock, collector, once } = await stage();
    replies['/rates'] = [403];
    for (let i = 0; i < 5; i++) {
      clock.advanceMs(MINUTE_MS);
      await once();
    }
    const { refusesAddress, sources } = collector.health();
    assert.equal(refusesAddress, undefined);
    assert.match(sources[1]?.lastFailure ?? '', /^HTTP 403/);
  });

  test('a venue that answered lately refuses this address from the third refusal in a row', async () => {
    const { replies, clock, collector, once } = await stage();
    await once();
    replies['/list'] = [403];
    replies['/rates'] = [403];
    clock.advanceMs(MINUTE_MS);
    await once();
    assert.equal(collector.health().refusesAddress, undefined);
    clock.advanceMs(MINUTE_MS);
    await once();
    assert.equal(collector.health().refusesAddress, true);
  });

  test('a venue with another host that answers does not refuse this address; the source of the refusing host says so', async () => {
    const { replies, collector, once } = await stage();
    collector.caller.refusals.succeeded('other');
    replies['/list'] = [451];
    await once();
    assert.equal(collector.health().refusesAddress, undefined);
    assert.match(collector.health().sources[0]?.lastFailure ?? '', /^refuses this address: HTTP 451/);
  });

  test('a trial that is aborted, because the round it belongs to gives up, is not another refusal', async () => {
    const { replies, requests, clock, collector, once } = await stage();
    replies['/list'] = [403];
    await once();
    const send = collector.caller.sender(3);
    const refusal: unknown = await send({ path: '/history' }).catch((error: unknown) => error);
    clock.advanceMs(31 * MINUTE_MS);
    replies['/trial'] = NEVER;
    const round = new AbortController();
    const trial = collector.caller.sender(3, round.signal)({ path: '/trial' });
    await until(() => requests.includes('/trial'));
    round.abort(refusal);
    await assert.rejects(trial, (error) => error === refusal);
    replies['/history'] = GOOD;
    clock.advanceMs(MINUTE_MS);
    await send({ path: '/history' });
    assert.equal(collector.health().refusesAddress, undefined);
  });
});
