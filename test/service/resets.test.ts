import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, suite, test } from 'node:test';
import { createMailer } from '../../src/accounts/people/mail.ts';
import { openBotApi } from '../../src/alerts/channels/telegram/bot-api.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createGuardedPoster } from '../../src/base/http/guarded-post.ts';
import { HostNames } from '../../src/base/http/host-names.ts';
import { createHttpClient } from '../../src/base/http/http-client.ts';
import { parseNetworks } from '../../src/base/http/networks.ts';
import { createLog } from '../../src/base/log.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { callSimulator } from '../../src/wiring/simulator-call.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';
import {
  ADMIN_OPENINGS,
  publicOpenings,
  type ResettingServer,
  resetConnections,
  SIMULATOR_OPENINGS,
  startResettingServer,
  watchUncaught,
} from './resets.ts';

const uncaught = watchUncaught();
afterEach(() => assert.deepEqual(uncaught.splice(0), [], 'errors that would have ended the process'));

suite('clients that reset their connection', () => {
  let running: Running;
  before(async () => {
    running = await runService({ venues: ['binance', 'okx'], coins: 20 });
    await collectOnce(running);
  });
  after(() => running.stop());

  test('the public port answers on, and no stream stays open', async () => {
    const { service, keys } = running;
    await resetConnections(service.baseUrl, publicOpenings(keys.business), 1_000);
    assert.equal((await running.get('/api/v1/funding')).status, 200);
    await until(async () => {
      const { values } = await service.metrics.streamConnections.get();
      return values.every(({ value }) => value === 0);
    }, 'the end of all streams');
  });

  test('the admin port answers on', async () => {
    await resetConnections(running.service.adminUrl, ADMIN_OPENINGS, 250);
    assert.equal((await fetch(`${running.service.adminUrl}/healthz`)).status, 200);
  });

  test('the simulator answers on', async () => {
    await resetConnections(running.sim.url, SIMULATOR_OPENINGS, 250);
    assert.equal((await fetch(`${running.sim.url}/control`)).status, 200);
  });

  test('the simulator outlives a WebSocket to no stream that sends no frame', async () => {
    const socket = await upgraded(running.sim.url, '/nowhere');
    socket.write(Buffer.from([0xff, 0xff]));
    await until(() => socket.closed, 'the end of the connection');
    assert.equal((await fetch(`${running.sim.url}/control`)).status, 200);
  });
});

/** A connection that the simulator has upgraded to a WebSocket. */
async function upgraded(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const headers = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await until(() => received.includes('101'), 'the upgrade');
  return socket;
}

const TRIES = 100;

suite('servers that reset our connections', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-resets-'));
  const log = createLog('silent');
  let server: ResettingServer;
  before(async () => {
    server = await startResettingServer();
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const tries = (once: () => Promise<unknown>) => Promise.all(Array.from({ length: TRIES }, once));

  test('a webhook', async () => {
    const poster = createGuardedPoster({
      allowedNetworks: parseNetworks(['loopback']),
      timeoutMs: 5_000,
      names: new HostNames({ clock: systemClock }),
    });
    const { signal } = new AbortController();
    const message = { headers: {}, body: '{}' };
    await tries(() =>
      poster.post(`http://127.0.0.1:${server.port}/`, message, signal).catch(() => undefined),
    );
    await poster.close();
  });

  test('Telegram', async () => {
    const bot = openBotApi({ apiUrl: `http://127.0.0.1:${server.port}`, token: 'token' });
    await tries(() => bot.call('sendMessage', {}, new AbortController().signal));
    await bot.close();
  });

  test('a mail server', async () => {
    const options = { from: 'a@example.com', folder, clock: systemClock, log };
    const mailer = createMailer({ ...options, smtpUrl: `smtp://127.0.0.1:${server.port}` });
    await tries(() =>
      mailer.deliver({ to: 'b@example.com', subject: 's', text: 't' }).catch(() => undefined),
    );
    await mailer.close();
  });

  test('a venue', async () => {
    const http = createHttpClient();
    const url = `http://127.0.0.1:${server.port}/`;
    await tries(() => http.json({ method: 'GET', url, timeoutMs: 5_000 }).catch(() => undefined));
    await http.close();
  });

  test('a venue that a service collects from, with its streams', async () => {
    const running = await runService({
      venues: ['binance'],
      coins: 1,
      settings: { VENUES_URL: `http://127.0.0.1:${server.port}` },
    });
    const before = server.accepted();
    running.service.startCollecting();
    await until(() => server.accepted() > before + 2, 'connections to the venue');
    await running.stop();
  });

  test('Redis', async () => {
    const redis = await openRedis({ url: `redis://127.0.0.1:${server.port}`, log });
    const before = server.accepted();
    await until(() => server.accepted() > before + 1, 'connections to Redis');
    await redis.close();
  });

  test('the simulator', async () => {
    const read = async () => {
      const reply = await callSimulator(`http://127.0.0.1:${server.port}/`);
      for await (const _chunk of reply);
    };
    await tries(() => read().catch(() => undefined));
  });
});
