import { openAccounts } from '../../src/accounts/accounts.ts';
import type { WindowHolder } from '../../src/accounts/windows/windows.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { closeRedisServers, openRedisServers } from '../../src/storage/redis/servers.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { launchPostgres, launchRedis, type RedisServer } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';
import type { Load, LoadResult } from '../support/load.ts';
import { PinnedProcess } from '../support/pinned.ts';

/**
 * How the cost of a request grows with the number of processes, and the work of Redis with the number of servers. In
 * processor time, because two cores cannot run four processes and their load side by side.
 */
const REQUESTS = sized(8_000, 1_500, 40);
const ROUNDS = sized(5, 2, 1);
const COUNTED = sized(60_000, 12_000, 200);
/** Requests that wait for a server at the same time. */
const AT_ONCE_PER_SERVER = 128;
const SLOTS = 4_000;
const PATH = '/api/v1/funding?limit=1';

interface Target {
  process: PinnedProcess;
  port: number;
  key: string;
}

async function startTarget(...args: string[]): Promise<Target> {
  const process = new PinnedProcess('servers', 'rest-target.ts', ['ours', ...args]);
  return { process, ...(await process.ask<{ port: number; key: string }>()) };
}

const cpuOf = async ({ process }: Target) =>
  (await process.ask<{ cpuMicroseconds: number }>('cpu')).cpuMicroseconds;

/** Sends the same number of requests to each server at once; returns how many were answered. */
async function send(targets: readonly Target[], loads: readonly PinnedProcess[]): Promise<number> {
  const results = await Promise.all(
    targets.map(async ({ port, key }, place) => {
      const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
      const wanted: Load = { port, requests: REQUESTS, headers, path: PATH, endpoint: null, seed: 1 };
      return await (loads[place] as PinnedProcess).ask<LoadResult>(wanted);
    }),
  );
  if (results.some(({ bad }) => bad > 0)) throw new Error('bad answers');
  return results.reduce((sum, { requests }) => sum + requests, 0);
}

/** Processor time of all servers for 1,000 requests, in ms. */
async function costOf(targets: readonly Target[], loads: readonly PinnedProcess[]): Promise<number> {
  const sum = async () => (await Promise.all(targets.map(cpuOf))).reduce((all, one) => all + one, 0);
  const before = await sum();
  const requests = await send(targets, loads);
  return ((await sum()) - before) / requests;
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

async function processes(): Promise<BenchResult[]> {
  const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
  if (typeof postgres === 'string') throw new Error(postgres);
  if (typeof redis === 'string') throw new Error(redis);
  const databaseUrl = await postgres.createDatabase();
  const loads = Array.from({ length: 4 }, () => new PinnedProcess('load', 'load.ts'));
  const memory = await startTarget();
  const targets: Target[] = [];
  try {
    for (let count = 0; count < 4; count++) targets.push(await startTarget(redis.url, databaseUrl));
    // One key for all of them, so that they share its windows.
    const shared = targets.map((target) => ({ ...target, key: targets[0]?.key ?? '' }));
    const costs = { memory: [] as number[], 1: [] as number[], 2: [] as number[], 4: [] as number[] };
    for (const target of [memory, ...shared]) await send([target], loads);
    for (let round = 0; round < ROUNDS; round++) {
      costs.memory.push(await costOf([memory], loads));
      for (const count of [1, 2, 4] as const) costs[count].push(await costOf(shared.slice(0, count), loads));
    }
    const one = {
      unit: 'CPU ms per 1,000 requests',
      baseline: 'one process',
      baselineValue: median(costs[1]),
    };
    return [
      result({ name: 'requests on two API processes', value: median(costs[2]), ...one }),
      result({
        name: 'requests on four API processes',
        value: median(costs[4]),
        ...one,
        target: { at: 'most', ratio: 1.1 },
      }),
      result({
        name: 'what windows in Redis cost an API process',
        value: median(costs[1]) - median(costs.memory),
        unit: 'CPU ms per 1,000 requests',
        baseline: 'the whole request',
        baselineValue: median(costs[1]),
        target: { at: 'most', ratio: 0.15 },
      }),
    ];
  } finally {
    for (const process of [...loads, memory.process, ...targets.map((target) => target.process)])
      process.stop();
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}

/** Processor time that the busiest server needs for 1,000 counted requests of all servers, in ms. */
async function busiest(urls: readonly string[], storage: Storage): Promise<number> {
  const log = createLog('silent');
  const redisServers = await openRedisServers(urls, log, { timeoutMs: 10_000 });
  const [first] = redisServers;
  if (!first) throw new Error('no Redis');
  const accounts = await openAccounts({
    ...{ storage, redis: first.redis, redisServers, clock: systemClock, log },
    ...{ baseUrl: 'http://127.0.0.1', tierGrants: new Map() },
  });
  const holders = Array.from(
    { length: SLOTS },
    (_, number): WindowHolder => ({
      slotId: `bench ${number}/key/1`,
      keyId: null,
      plan: { requestsPerMinute: 1_000_000, requestsPerMonth: 1_000_000_000 },
    }),
  );
  const count = async (requests: number) => {
    let next = 0;
    const one = async () => {
      while (next < requests) {
        const take = await accounts.windows.take(holders[next++ % SLOTS] as WindowHolder);
        if (!take.allowed) throw new Error(`a request was refused: ${take.spent}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE_PER_SERVER * urls.length }, one));
  };
  const cpu = () =>
    Promise.all(
      redisServers.map(async ({ redis }) => {
        const text = String(await redis.command(['INFO', 'cpu']));
        const of = (name: string) => Number(new RegExp(`^${name}:(.*)`, 'm').exec(text)?.[1]);
        return (of('used_cpu_user') + of('used_cpu_sys')) * 1000;
      }),
    );
  try {
    await until(async () => {
      const row = await storage.db.selectFrom('window_layout').selectAll().executeTakeFirst();
      const used: unknown = JSON.parse(row?.servers ?? '["first"]');
      return Array.isArray(used) && used.length === urls.length && accounts.degraded().length === 0;
    }, 'requests counted on all servers');
    // Every slot once, so that each server has its month.
    await count(SLOTS);
    const before = await cpu();
    await count(COUNTED);
    const after = await cpu();
    return Math.max(...after.map((ms, place) => ms - (before[place] ?? 0))) / (COUNTED / 1000);
  } finally {
    await accounts.close();
    await closeRedisServers(redisServers);
  }
}

async function servers(): Promise<BenchResult[]> {
  const postgres = await launchPostgres();
  if (typeof postgres === 'string') throw new Error(postgres);
  const launched: RedisServer[] = [];
  const costOn = async (count: number) => {
    const own: string[] = [];
    for (let number = 0; number < count; number++) {
      const server = await launchRedis();
      if (typeof server === 'string') throw new Error(server);
      launched.push(server);
      own.push(server.url);
    }
    const databaseUrl = await postgres.createDatabase();
    const storage = await openStorage({ databaseUrl, sqliteFile: '', log: createLog('silent') });
    try {
      return await busiest(own, storage);
    } finally {
      await storage.close();
    }
  };
  try {
    const [one, two] = [await costOn(1), await costOn(2)];
    return [
      result({
        name: 'requests that two Redis servers can count',
        value: 1e6 / two,
        unit: "requests per second of the busiest server's processor time",
        baseline: 'one server',
        baselineValue: 1e6 / one,
        target: { at: 'least', ratio: 1.8 },
      }),
    ];
  } finally {
    await Promise.all([...launched.map((server) => server.stop()), postgres.stop()]);
  }
}

export const cases: BenchCase[] = [
  { name: 'growth: processes', run: processes },
  { name: 'growth: Redis servers', run: servers },
];
