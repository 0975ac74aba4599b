import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { startSimServer } from '../../sim/server.ts';
import { killStarted, startPerpwire } from '../support/process.ts';
import { until } from '../support/until.ts';

after(killStarted);

const STOPPED_MS = 6_000;
const RUNNING_MS = 2_000;

/** On a connection of its own: one that is kept may expire while the process is stopped. */
const get = (url: string) => fetch(url, { headers: { connection: 'close' } });

suite('a process that gets a quarter of a core', () => {
  test('stops work in order, refuses requests with 503 and Retry-After, and recovers', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-overload-'));
    const sim = await startSimServer({ seed: 1, coins: 5, venues: ['binance'], port: 0 });
    t.after(async () => {
      await sim.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const { child, line, ended } = startPerpwire(['serve', '--port', '0'], {
      DATA_DIR: folder,
      VENUES: 'binance',
      VENUES_URL: sim.url,
      LOG_LEVEL: 'silent',
      ADMIN_PORT: '0',
    });
    const listening = await line((one) => one.includes('listening'));
    const [baseUrl = '', adminUrl = ''] = [...listening.matchAll(/http:\/\/[^\s/)]+/g)].map(([url]) => url);
    assert.equal((await get(`${baseUrl}/api/v1`)).status, 200);

    // The scheduler of the machine gives the process turns of two seconds in eight.
    let isStarved = true;
    const starving = (async () => {
      while (isStarved) {
        child.kill('SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
        child.kill('SIGCONT');
        await new Promise((resolve) => setTimeout(resolve, RUNNING_MS));
      }
    })();
    const seen = new Set<string>();
    /** What the two sides have stopped, a line each. */
    const stopped = async () => {
      const text = await (await get(`${adminUrl}/readyz`)).text();
      const found = [...text.matchAll(/stopped ([a-z, ]+);/g)].map(([, what = '']) => what);
      for (const what of found) seen.add(what);
      return found;
    };
    await until(
      () => stopped().then(() => seen.has('pages, api') && seen.has('backtest, backfill, samples')),
      'every stage',
    );
    const orders = ['backtest, backfill, samples', 'pages, api'];
    for (const found of seen)
      assert.ok(
        orders.some((order) => order.startsWith(found)),
        [...seen].join(' | '),
      );
    await until(async () => (await stopped()).includes('pages, api'), 'the doors being closed');
    for (const path of ['/api/v1', '/', '/mcp']) {
      const reply = await get(`${baseUrl}${path}`);
      assert.equal(reply.status, 503, path);
      assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
      assert.ok(reply.headers.get('x-request-id'));
      assert.equal(((await reply.json()) as { code: string }).code, 'overloaded');
    }

    isStarved = false;
    await starving;
    await until(async () => (await stopped()).length === 0, 'the end of the overload');
    assert.equal((await get(`${baseUrl}/api/v1`)).status, 200);
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  });
});
