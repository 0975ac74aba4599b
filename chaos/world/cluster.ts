import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { launchPostgres, launchRedis } from '../../test/support/servers.ts';
import type { Plan } from '../plan.ts';
import { commonSettings, type Deployment } from './deployment.ts';
import { slowProxy } from './slow-proxy.ts';
import { storedInPostgres } from './stored-prints.ts';

/** Leases and messages between processes run in real time: a message needs up to 200 ms. */
const REAL_MS_PER_TICK = 350;
const BASE_URL = 'http://127.0.0.1:8080';

/** Two API processes and two collectors with PostgreSQL, behind a proxy that can be slow, and Redis. */
export async function clusterOf(plan: Plan, simUrl: string): Promise<Deployment> {
  const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
  if (typeof postgres === 'string') throw new Error(postgres);
  if (typeof redis === 'string') throw new Error(redis);
  const databaseUrl = await postgres.createDatabase();
  const proxy = await slowProxy(Number(new URL(databaseUrl).port));
  const proxied = new URL(databaseUrl);
  proxied.port = String(proxy.port);
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-chaos-'));
  const settings = {
    ...commonSettings(plan, simUrl, folder),
    DATABASE_URL: proxied.href,
    REDIS_URL: redis.url,
    BASE_URL,
    LEASE_SECONDS: '2',
    SECRET_KEY: 'chaos'.repeat(8),
  };
  const api = async (name: string) => {
    const port = await freePort();
    return {
      name,
      settings: { ...settings, ROLE: 'api', PORT: String(port) },
      address: `http://127.0.0.1:${port}`,
    };
  };
  const collector = (name: string) => ({ name, settings: { ...settings, ROLE: 'collector' } });
  return {
    members: [await api('api 1'), collector('collector 1'), await api('api 2'), collector('collector 2')],
    disk: null,
    realMsPerTick: REAL_MS_PER_TICK,
    storedPrints: () => storedInPostgres(databaseUrl),
    slowDatabase: (delayMs) => {
      proxy.delayMs = delayMs;
    },
    onTick: () => undefined,
    emptyRedis: () => flushAll(redis.port),
    stop: async () => {
      await proxy.close();
      await Promise.all([postgres.stop(), redis.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function flushAll(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('FLUSHALL\r\n'));
    socket.once('error', reject);
    socket.once('data', (reply) => {
      socket.destroy();
      if (reply.toString().startsWith('+OK')) resolve();
      else reject(new Error(`FLUSHALL: ${reply.toString()}`));
    });
  });
}
