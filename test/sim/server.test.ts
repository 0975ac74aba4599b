import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { WebSocket } from 'ws';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/base/times.ts';
import { until } from '../support/until.ts';

suite('prints that the simulator prepares', () => {
  const NOW_MS = Date.UTC(2026, 10, 1, 12, 30);
  const question = (toMs: number) => `/control/prints?from_ms=${toMs - 2 * DAY_MS}&to_ms=${toMs}`;
  const started = (printsDays: number) =>
    startSimServer({
      ...{ seed: 1, coins: 6, venues: ['binance', 'lighter', 'kraken'], port: 0 },
      ...{ clock: new ManualClock(NOW_MS), printsDays },
    });
  const bytes = async ({ url }: SimServer, path: string) =>
    Buffer.from(await (await fetch(`${url}${path}`)).arrayBuffer());

  test('are those of its start, even if its clock has been set back meanwhile', async () => {
    const [prepared, plain] = [await started(2), await started(0)];
    try {
      prepared.time.holdAt(NOW_MS - 30 * DAY_MS);
      const wanted = await bytes(plain, question(NOW_MS));
      assert.ok(wanted.length > 1000);
      assert.deepEqual(await bytes(prepared, question(NOW_MS + SECOND_MS)), wanted);
    } finally {
      await Promise.all([prepared.close(), plain.close()]);
    }
  });

  test('are computed anew for a second question, and for another time', async () => {
    const [prepared, plain] = [await started(2), await started(0)];
    try {
      const earlier = await bytes(plain, question(NOW_MS - HOUR_MS));
      assert.deepEqual(await bytes(prepared, question(NOW_MS - HOUR_MS)), earlier);
      assert.deepEqual(await bytes(prepared, question(NOW_MS)), await bytes(plain, question(NOW_MS)));
      assert.notDeepEqual(earlier, await bytes(plain, question(NOW_MS)));
    } finally {
      await Promise.all([prepared.close(), plain.close()]);
    }
  });
});

test('a socket that is not read gets the newest state later, not everything that was pushed meanwhile', async () => {
  const sim = await startSimServer({ seed: 1, coins: 60, venues: ['dydx'], port: 0, pushEveryMs: 5 });
  const symbols = sim.view('dydx').open.map(({ venueSymbol }) => venueSymbol);
  const opened = async (subscriptions: readonly object[]) => {
    const socket = new WebSocket(`${sim.url.replace('http', 'ws')}/dydx/ws/v4/ws`);
    const pushes = { count: 0 };
    socket.on('message', () => pushes.count++);
    await new Promise((resolve) => socket.once('open', resolve));
    for (const subscription of subscriptions)
      socket.send(JSON.stringify({ type: 'subscribe', ...subscription }));
    return { socket, pushes };
  };
  const books = symbols.map((id) => ({ channel: 'v4_orderbook', id }));
  const [slow, reading] = [await opened(books), await opened([{ channel: 'v4_block_height' }])];
  try {
    await until(() => slow.pushes.count > symbols.length);
    slow.socket.pause();
    await until(() => sim.unreadBytes() > 0);
    const unread = sim.unreadBytes();
    const before = reading.pushes.count;
    await until(() => reading.pushes.count > before + 20);
    assert.equal(sim.unreadBytes(), unread);
    slow.socket.resume();
    await until(() => sim.unreadBytes() === 0);
    const caughtUp = slow.pushes.count;
    await until(() => slow.pushes.count > caughtUp);
  } finally {
    for (const { socket } of [slow, reading]) socket.terminate();
    await sim.close();
  }
});

suite('the simulator over HTTP', () => {
  let sim: SimServer;
  before(async () => {
    sim = await startSimServer({
      seed: 1,
      coins: 15,
      venues: ['binance', 'hyperliquid'],
      port: 0,
      pushEveryMs: 50,
    });
  });
  after(() => sim.close());
  const get = (path: string) => fetch(`${sim.url}${path}`);
  const post = (path: string, body: unknown) =>
    fetch(`${sim.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  const tickers = '/binance/rest/fapi/v1/ticker/bookTicker';

  test('time can be held in the past and released', async () => {
    const atMs = Date.UTC(2026, 0, 1, 12);
    await post('/control/time', { atMs });
    const rows = (await (await get(tickers)).json()) as { time: number }[];
    assert.equal(rows[0]?.time, atMs);
    await post('/control/time', {});
    const now = (await (await get(tickers)).json()) as { time: number }[];
    assert.ok((now[0]?.time ?? 0) > atMs);
  });

  for (const [name, faults, check] of [
    [
      '429 with Retry-After',
      { rateLimitRetryAfterSeconds: 9 },
      async (r: Response) => assert.deepEqual([r.status, r.headers.get('retry-after')], [429, '9']),
    ],
    ['an error status', { errorStatus: 502 }, async (r: Response) => assert.equal(r.status, 502)],
    ['a page', { html: true }, async (r: Response) => assert.match(await r.text(), /<!doctype html>/)],
    ['a cut body', { truncated: true }, async (r: Response) => assert.rejects(r.text())],
    ['an empty list', { empty: true }, async (r: Response) => assert.deepEqual(await r.json(), [])],
    [
      'zero quotes',
      { zeroQuotes: true },
      async (r: Response) =>
        assert.equal(Number(((await r.json()) as { bidPrice: string }[])[0]?.bidPrice), 0),
    ],
    [
      'crossed quotes',
      { crossedQuotes: true },
      async (r: Response) => {
        const [row] = (await r.json()) as { bidPrice: string; askPrice: string }[];
        assert.ok(Number(row?.bidPrice) > Number(row?.askPrice));
      },
    ],
  ] as const) {
    test(`${name} can be switched on and off while it runs`, async () => {
      assert.equal((await post('/control/faults/binance', faults)).status, 200);
      await check(await get(tickers));
      await post('/control/faults/binance', {});
      assert.equal((await get(tickers)).status, 200);
    });
  }

  test('frozen data does not change, a skewed clock is off', async () => {
    const atMs = Date.UTC(2026, 0, 1, 12);
    const textAt = async (ms: number) => {
      await post('/control/time', { atMs: ms });
      return await (await get(tickers)).text();
    };
    assert.notEqual(await textAt(atMs), await textAt(atMs + 1000), 'moves unless it is frozen');
    await post('/control/faults/binance', { frozen: true });
    assert.equal(await textAt(atMs), await textAt(atMs + 1000));
    await post('/control/time', {});
    await post('/control/faults/binance', { clockSkewMs: 3_600_000 });
    const [row] = (await (await get(tickers)).json()) as { time: number }[];
    assert.ok((row?.time ?? 0) > Date.now() + 3_500_000);
    await post('/control/faults/binance', {});
  });

  test('a socket gets pushes, and is dropped by its fault', async () => {
    const socket = new WebSocket(`${sim.url.replace('http', 'ws')}/hyperliquid/ws/ws`);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ method: 'subscribe', subscription: { type: 'bbo', coin: 'BTC' } }));
    const pushed = new Promise((resolve) =>
      socket.on('message', (data) => String(data).includes('bbo') && resolve(true)),
    );
    assert.equal(await pushed, true);
    const closed = new Promise((resolve) => socket.once('close', () => resolve(true)));
    await post('/control/faults/hyperliquid', { droppedSockets: true });
    assert.equal(await closed, true);
    await post('/control/faults/hyperliquid', {});
  });

  for (const [body, message] of [
    [{ fire: true }, /no fault "fire"; there are latencyMs/],
    [{ html: 'yes' }, /"html" takes a boolean/],
    [[], /JSON object/],
  ] as const) {
    test(`faults ${JSON.stringify(body)} are refused with a reason`, async () => {
      const reply = await post('/control/faults/binance', body);
      assert.equal(reply.status, 400);
      assert.match(((await reply.json()) as { msg: string }).msg, message);
    });
  }
});
