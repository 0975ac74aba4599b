import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { startSimServer } from '../../sim/server.ts';
import { killStarted, perpwire, startPerpwire } from '../support/process.ts';
import { until } from '../support/service.ts';

after(killStarted);

suite('restart', () => {
  test('after SIGKILL a restart serves the last snapshot at once, without any venue', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-kill-'));
    const sim = await startSimServer({ seed: 1, coins: 20, venues: ['binance', 'okx'], port: 0 });
    const settings = {
      DATA_DIR: folder,
      VENUES: 'binance,okx',
      VENUES_URL: sim.url,
      SNAPSHOT_SECONDS: '1',
      LOG_LEVEL: 'silent',
      ADMIN_PORT: '0',
    };
    const account = await perpwire(['accounts', 'create', '--name', 'killer', '--plan', 'pro'], settings);
    const accountId = /account (\S+)/.exec(account.stdout)?.[1] ?? '';
    const key =
      (await perpwire(['keys', 'create', '--account', accountId, '--test'], settings)).stdout.split(
        '\n',
      )[0] ?? '';
    const read = async (baseUrl: string) => {
      const reply = await fetch(`${baseUrl}/api/v1/funding?limit=500`, { headers: { 'x-api-key': key } });
      return {
        status: reply.status,
        body: (await reply.json()) as { data: unknown[]; meta: { as_of: string } },
      };
    };
    const statusOf = async (baseUrl: string, path: string) =>
      (await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': key } })).status;
    const urlOf = (line: string) => /http:\/\/\S+:\d+/.exec(line)?.[0] ?? '';

    const first = startPerpwire(['serve', '--port', '0'], settings);
    const firstUrl = urlOf(await first.line((line) => line.includes('listening')));
    await until(async () => (await read(firstUrl)).status === 200, 'the first snapshot');
    await until(async () => (await statusOf(firstUrl, '/api/v1/arbitrage')) === 200, 'the first pairs');
    const before = await read(firstUrl);
    first.child.kill('SIGKILL');
    await first.ended;
    await sim.close();

    const second = startPerpwire(['serve', '--port', '0'], settings);
    const secondUrl = urlOf(await second.line((line) => line.includes('listening')));
    const after = await read(secondUrl);
    assert.equal(after.status, 200, 'served at once');
    assert.equal(await statusOf(secondUrl, '/api/v1/arbitrage'), 200, 'pairs too');
    assert.equal(after.body.data.length, before.body.data.length);
    assert.ok(after.body.meta.as_of >= before.body.meta.as_of, 'nothing older than what was seen');
    second.child.kill('SIGTERM');
    assert.equal(await second.ended, 0, 'SIGTERM stops cleanly');
    rmSync(folder, { recursive: true, force: true });
  });
});
