import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { killStarted, perpwire, startPerpwire } from '../support/process.ts';
import { rawRequest } from '../support/raw-http.ts';
import { until } from '../support/until.ts';
import { ADMIN_OPENINGS, BROKEN_HANDSHAKES, publicOpenings, resetConnections } from './resets.ts';

const root = mkdtempSync(join(tmpdir(), 'perpwire-resets-'));
const [cert, key] = [join(root, 'tls.crt'), join(root, 'tls.key')];
let sim: SimServer | null = null;
after(async () => {
  killStarted();
  await sim?.close();
  rmSync(root, { recursive: true, force: true });
});

/** A process with one account, and its key. */
async function startServe(name: string, settings: Record<string, string>) {
  sim ??= await startSimServer({ seed: 1, coins: 20, venues: ['binance', 'okx'], port: 0 });
  const environment = {
    DATA_DIR: join(root, name),
    VENUES: 'binance,okx',
    VENUES_URL: sim.url,
    SNAPSHOT_SECONDS: '1',
    LOG_LEVEL: 'silent',
    ADMIN_PORT: '0',
    ...settings,
  };
  const made = await perpwire(['accounts', 'create', '--name', 'a', '--plan', 'business'], environment);
  const account = /account (\S+)/.exec(made.stdout)?.[1] ?? '';
  const created = await perpwire(['keys', 'create', '--account', account, '--test'], environment);
  const apiKey = created.stdout.split('\n')[0] ?? '';
  const process = startPerpwire(['serve', '--port', '0'], environment);
  const line = await process.line((text) => text.includes('listening'));
  const [baseUrl = '', adminUrl = ''] = line.match(/https?:\/\/[\d.]+:\d+/g) ?? [];
  const status = async (path: string) => {
    const headers = { 'x-api-key': apiKey };
    return (await rawRequest(`${baseUrl}${path}`, { rejectUnauthorized: false, headers })).status;
  };
  await until(async () => (await status('/api/v1/funding')) === 200, 'the first snapshot');
  return { process, baseUrl, adminUrl, apiKey, status };
}

suite('20,000 connections that are reset at random moments', () => {
  test('plain HTTP: 14,000 to the public port and 2,000 to the admin port, and the process lives', async () => {
    const { process, baseUrl, adminUrl, apiKey, status } = await startServe('plain', {});
    await resetConnections(baseUrl, publicOpenings(apiKey), 14_000);
    await resetConnections(adminUrl, ADMIN_OPENINGS, 2_000);
    assert.equal(await status('/api/v1'), 200);
    process.child.kill('SIGTERM');
    assert.equal(await process.ended, 0, 'it lived, and no connection keeps it from ending');
  });

  test('TLS: 4,000, and the process lives', async () => {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync(
      'openssl',
      ['req', '-x509', ...curve, '-nodes', '-days', '2', '-subj', '/CN=x', '-keyout', key, '-out', cert],
      { stdio: 'pipe' },
    );
    const { process, baseUrl, apiKey, status } = await startServe('tls', { TLS_CERT: cert, TLS_KEY: key });
    await resetConnections(baseUrl, [...publicOpenings(apiKey), ...BROKEN_HANDSHAKES], 4_000);
    assert.equal(await status('/api/v1'), 200);
    process.child.kill('SIGTERM');
    assert.equal(await process.ended, 0);
  });
});
