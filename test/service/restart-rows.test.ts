import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { type Receiver, startReceiver } from '../alerts/receiver.ts';
import { type OpenStream, openStream } from '../streams/client.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { until } from '../support/until.ts';

const VENUES = ['bingx', 'bybit'];
const COIN_LIST = '/bingx/rest/openApi/cswap/v1/market/contracts';
const COIN_RATES = '/bingx/rest/openApi/cswap/v1/market/premiumIndex';

type Answer = (path: string, respond: () => Promise<void>, response: ServerResponse) => Promise<void>;

/** Stands between the service and the simulated venues, so that a test decides when and how a call is answered. */
async function startProxy(target: string) {
  const proxy = { url: '', answer: ((_path, respond) => respond()) as Answer, close: async () => {} };
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const respond = async () => {
      const reply = await fetch(`${target}${request.url}`);
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await reply.arrayBuffer()));
    };
    await proxy.answer(path, respond, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return proxy;
}

suite('rows after a restart', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-restart-'));
  let sim: SimServer;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let receiver: Receiver;
  let running: Running;
  let keys: string[];
  let stream: OpenStream;
  let lastId: string;

  const start = () =>
    runService({
      ...{ venues: VENUES, coins: 12, dataDir, isCollecting: true },
      settings: { VENUES_URL: proxy.url, ALERT_NETWORKS: 'loopback', HISTORY_DAYS: '2' },
    });
  const read = async () => {
    const reply = await running.get('/api/v1/funding?limit=500');
    return reply.status === 200 ? rowsOf(reply) : [];
  };
  const keysOf = (rows: Record<string, unknown>[]) =>
    rows.map(({ exchange, venue_symbol }) => `${exchange}/${venue_symbol}`).sort();
  const follow = async (headers: Record<string, string> = {}) => {
    stream = await openStream(
      `${running.service.baseUrl}/api/v1/stream/funding?limit=500`,
      running.keys.business,
      headers,
    );
  };
  const removedRows = () =>
    stream.events.flatMap(({ event, data }) => (event === 'change' ? (data.remove as unknown[]) : []));
  const leftEvents = () => receiver.posts.map(({ body }) => body.data ?? body);
  /** Stops and starts the service. The stream continues where it was. */
  const restart = async (answer: Answer) => {
    lastId = stream.events.findLast(({ id }) => id !== null)?.id ?? '';
    await running.stop();
    stream.close();
    proxy.answer = answer;
    running = await start();
    await follow({ 'last-event-id': lastId });
  };
  /** Waits until some snapshots after the restart were sent. */
  const newSnapshots = async (count: number) =>
    await until(
      () =>
        stream.events.filter(({ event, id }) => event === 'change' && id !== null && id > lastId).length >=
        count,
      `${count} snapshots after the restart`,
    );

  before(async () => {
    sim = await startSimServer({ seed: 1, coins: 12, venues: VENUES, port: 0 });
    proxy = await startProxy(sim.url);
    receiver = await startReceiver();
    running = await start();
    await until(
      async () => new Set((await read()).map((row) => `${row.exchange} ${row.is_inverse}`)).size === 4,
      'linear and inverse rows of both venues',
    );
    const account = await running.service.accounts.accounts.create({
      ...{ name: 'alerted', plan: 'business', email: 'alerted@example.com' },
    });
    const { alerts } = running.service.alerts;
    const { endpoint } = await alerts.createEndpoint(account.id, 'webhook', { url: `${receiver.url}/hook` });
    await alerts.createRule(account.id, {
      ...{ name: 'left', operation: 'funding', query: '', everyMinutes: 0, endpointIds: [endpoint.id] },
      condition: { kind: 'leaves' },
    });
    keys = keysOf(await read());
    await follow();
    await until(() => stream.events.some(({ id }) => id !== null), 'a snapshot in the stream');
  });
  after(async () => {
    stream.close();
    await running.stop();
    await proxy.close();
    await sim.close();
    await receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const assertNothingLeft = async () => {
    const now = new Set(keysOf(await read()));
    assert.deepEqual(
      keys.filter((key) => !now.has(key)),
      [],
      'every row of before is there',
    );
    assert.deepEqual(removedRows(), [], 'no row was removed in the stream');
    await running.service.alerts.runOnce();
    assert.deepEqual(leftEvents(), [], 'no alert was sent');
  };

  test('rates that come before their contract list: no row vanishes, in the stream or for alerts', async () => {
    const rates = Promise.withResolvers<void>();
    await restart(async (path, respond) => {
      if (path === COIN_LIST) await rates.promise;
      await respond();
    });
    const goodCalls = async () => (await running.service.metrics.venueCalls.get()).values;
    await until(
      async () =>
        (await goodCalls()).some(
          ({ labels }) => labels.poll === 'coin-m premiumIndex' && labels.outcome === 'good',
        ),
      'the rates of the coin-margined contracts',
    );
    rates.resolve();
    await newSnapshots(2);
    await assertNothingLeft();
  });

  test('sources that fail: no row vanishes', async () => {
    const failing = ['/bybit/rest/v5/market/tickers', COIN_RATES, COIN_LIST];
    await restart(async (path, respond, response) => {
      if (failing.includes(path)) response.writeHead(500).end('{}');
      else await respond();
    });
    await newSnapshots(2);
    await assertNothingLeft();
  });
});

suite('intervals that only settlements show', () => {
  const HOUR_MS = 3_600_000;
  const EIGHT = Date.UTC(2026, 10, 14, 8);

  test('a restart keeps them, also after hours and settlements', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-intervals-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const clock = new ManualClock(EIGHT - 60_000);
    /** The intervals of the coin-margined contracts, of which BingX states none, at each of these times of one run. */
    const run = async (...timesMs: number[]) => {
      const running = await runService({ venues: ['bingx'], coins: 6, clock, dataDir });
      try {
        const seen: Record<string, unknown>[] = [];
        for (const timeMs of timesMs) {
          clock.setMs(timeMs);
          await collectOnce(running);
          const rows = rowsOf(await running.get('/api/v1/funding?limit=500&is_inverse=true'));
          seen.push(Object.fromEntries(rows.map(({ symbol, interval_hours }) => [symbol, interval_hours])));
        }
        return seen;
      } finally {
        await running.stop();
      }
    };
    const [before, proven] = await run(EIGHT - 60_000, EIGHT + 60_000);
    assert.deepEqual(new Set(Object.values(before ?? {})), new Set([null]), 'nothing is assumed');
    assert.equal(proven?.['BTC-USD'], 8, 'a settlement has passed');
    assert.deepEqual(await run(EIGHT + 5 * HOUR_MS), [proven], 'hours later');
    // Two settlements pass while nothing runs; the next one is on the same grid.
    assert.deepEqual(await run(EIGHT + 17 * HOUR_MS), [proven], 'settlements later');
  });
});
