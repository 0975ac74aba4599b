import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimServer } from '../../sim/server.ts';
import { systemClock } from '../../src/base/clock.ts';
import { freePort } from '../../test/support/free-port.ts';
import { launchRedis } from '../../test/support/servers.ts';
import { makeKeys } from '../cluster/keys.ts';
import type { ClusterLoad, ClusterLoadResult } from '../cluster/load.ts';
import { type Child, startPerpwire } from '../collectors/children.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';
import { benchPostgres } from '../support/lasting.ts';
import { PinnedProcess } from '../support/pinned.ts';

const VENUES = 'binance,okx,bybit,gate,kraken,hyperliquid';
const COINS = sized(60, 10, 4);
const API_PROCESSES = sized(3, 3, 1);
const ROUNDS = sized(3, 1, 1);
const CONNECTIONS = 36;
/** A key may send 600 requests a minute; each connection has its own key in each run. */
const REQUESTS = CONNECTIONS * sized(400, 45, 2);
const WARM_REQUESTS = CONNECTIONS * sized(100, 15, 1);
const PATH = '/api/v1/funding?limit=100';
const HOST = '127.0.0.1';

interface Served {
  child: Child;
  port: number;
}

async function serve(settings: readonly string[]): Promise<Served> {
  const port = await freePort();
  const child = startPerpwire(['serve', ...settings, '--port', String(port), '--admin-port', '0']);
  await child.line(/operators: /);
  return { child, port };
}

async function untilServing(port: number, key: string): Promise<void> {
  const reply = async () => await fetch(`http://${HOST}:${port}${PATH}`, { headers: { 'x-api-key': key } });
  while (!(await reply()).ok) await systemClock.sleep(300);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

async function run(): Promise<BenchResult[]> {
  const [postgres, redis] = await Promise.all([benchPostgres(), launchRedis()]);
  if (typeof postgres === 'string' || typeof redis === 'string') throw new Error(`${postgres} ${redis}`);
  const sim = await startSimServer({ seed: 1, coins: COINS, venues: VENUES.split(','), port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
  const children: Child[] = [];
  const load = new PinnedProcess('load', '../cluster/load.ts');
  try {
    const common = [
      '--venues',
      VENUES,
      '--venues-url',
      sim.url,
      '--history-days',
      '1',
      '--base-url',
      `http://${HOST}`,
    ];
    const databaseUrl = await postgres.createDatabase();
    const shared = [...common, '--database-url', databaseUrl, '--redis-url', redis.url];
    const started = async (settings: readonly string[]) => {
      const served = await serve(settings);
      children.push(served.child);
      return served;
    };
    const [alone] = await Promise.all([
      started([...common, '--data-dir', folder]),
      started([...shared, '--role', 'collector']),
    ]);
    const apis = await Promise.all(
      Array.from({ length: API_PROCESSES }, () => started([...shared, '--role', 'api'])),
    );
    const wanted = CONNECTIONS * (ROUNDS + 1) * (API_PROCESSES + 1);
    const ownKeys = await makeKeys(null, join(folder, 'perpwire.sqlite'), CONNECTIONS * (ROUNDS + 1));
    const sharedKeys = await makeKeys(databaseUrl, '', wanted);
    await untilServing(alone.port, ownKeys[0] ?? '');
    for (const { port } of apis) await untilServing(port, sharedKeys[0] ?? '');

    const measure = async (served: readonly Served[], keys: string[], requests: number) => {
      const share = CONNECTIONS / served.length;
      const targets = served.map(({ port }) => ({ port, keys: keys.splice(0, share) }));
      const loaded = await load.ask<ClusterLoadResult>({
        targets,
        path: PATH,
        requests,
      } satisfies ClusterLoad);
      if (loaded.bad > 0) throw new Error(`${loaded.bad} answers were not 200`);
      return loaded.requestsPerSecond;
    };
    const variants = apis.map((_, last) => apis.slice(0, last + 1));
    const rates: number[][] = [[], [], [], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const requests = round === 0 ? WARM_REQUESTS : REQUESTS;
      const measured = [await measure([alone], ownKeys, requests)];
      for (const served of variants) measured.push(await measure(served, sharedKeys, requests));
      if (round > 0) for (const [i, rate] of measured.entries()) rates[i]?.push(rate);
    }
    const [aloneRate = 0, ...sharedRates] = rates.map(median);
    return sharedRates.map((value, i) =>
      result({
        name: `${i + 1} API process${i === 0 ? '' : 'es'} with PostgreSQL and Redis, ${PATH}`,
        value,
        unit: 'requests/s',
        baseline: 'one process alone, windows in memory',
        baselineValue: aloneRate,
      }),
    );
  } finally {
    load.stop();
    await Promise.all(children.map((child) => child.stop()));
    await sim.close();
    await Promise.all([postgres.stop(), redis.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

export const cases: BenchCase[] = [{ name: 'API processes', run }];
