import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { openStores } from '../../src/accounts/accounts.ts';
import { slotIdOf } from '../../src/accounts/keys/slots.ts';
import type { PlanName } from '../../src/accounts/plans.ts';
import { monthStartMs } from '../../src/accounts/windows/months.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { freePort } from '../support/free-port.ts';
import { killStarted, type RunningProcess, startPerpwire } from '../support/process.ts';
import {
  findOrInstall,
  findPostgres,
  launchPostgres,
  launchRedis,
  onPath,
  type PostgresServer,
  type RedisServer,
} from '../support/servers.ts';
import { until } from '../support/until.ts';

type Role = 'all' | 'collector' | 'api';

export interface Member {
  name: string;
  role: Role;
  port: number;
  process: RunningProcess;
  /** Empty for a collector. */
  baseUrl: string;
  adminUrl: string;
}

export interface Reply {
  status: number;
  etag: string | null;
  text: string;
  body: { data: Record<string, unknown>[]; meta: { as_of: string; next_cursor?: string } };
}

interface DeploymentOptions {
  venues?: readonly string[];
  coins?: number;
  /** Of the simulated market. */
  seed?: number;
  settings?: Record<string, string>;
}

const VENUES = ['binance', 'okx', 'bybit', 'kraken', 'hyperliquid', 'gate'];
/** One BASE_URL for all processes, as behind a load balancer; test keys work because it is a loopback address. */
const BASE_URL = 'http://127.0.0.1:8080';

/** PostgreSQL, Redis, simulated venues and the service processes that a test starts. */
export class Deployment {
  readonly sim: SimServer;
  readonly postgres: PostgresServer;
  redis: RedisServer;
  readonly databaseUrl: string;
  readonly members: Member[] = [];
  readonly #settings: Record<string, string>;
  readonly #slots = new Map<string, string>();

  private constructor(
    sim: SimServer,
    postgres: PostgresServer,
    redis: RedisServer,
    databaseUrl: string,
    settings: Record<string, string>,
  ) {
    this.sim = sim;
    this.postgres = postgres;
    this.redis = redis;
    this.databaseUrl = databaseUrl;
    this.#settings = settings;
  }

  static async start({
    venues = VENUES,
    coins = 25,
    seed = 1,
    settings = {},
  }: DeploymentOptions = {}): Promise<Deployment> {
    const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
    if (typeof postgres === 'string') throw new Error(postgres);
    if (typeof redis === 'string') throw new Error(redis);
    const sim = await startSimServer({ seed, coins, venues, port: 0, pushEveryMs: 500 });
    const databaseUrl = await postgres.createDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-cluster-'));
    return new Deployment(sim, postgres, redis, databaseUrl, {
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      BASE_URL,
      VENUES: venues.join(','),
      VENUES_URL: sim.url,
      SNAPSHOT_SECONDS: '1',
      SPREADS_SECONDS: '1',
      LEASE_SECONDS: '3',
      HISTORY_DAYS: '3',
      HISTORY_PACED: 'false',
      LOG_LEVEL: 'silent',
      ADMIN_PORT: '0',
      ...settings,
    });
  }

  /** A process that replaces another may reuse its port. */
  async add(role: Role, givenPort?: number): Promise<Member> {
    // The port is chosen here, because the process prints BASE_URL and not its own address.
    const port = givenPort ?? (await freePort());
    const process = startPerpwire(['serve', '--role', role, '--port', String(port)], this.#settings);
    const line = await process.line((one) => one.includes('operators:'));
    const adminUrl = /operators: (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1] ?? '';
    const baseUrl = role === 'collector' ? '' : `http://127.0.0.1:${port}`;
    const member = { name: `${role} at ${port}`, role, port, process, baseUrl, adminUrl };
    this.members.push(member);
    return member;
  }

  async kill(member: Member): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    member.process.child.kill('SIGKILL');
    await member.process.ended;
  }

  async stopCleanly(member: Member): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    member.process.child.kill('SIGTERM');
    const code = await member.process.ended;
    if (code !== 0) throw new Error(`${member.name} stopped with ${code}`);
  }

  /** Restarts Redis without data. */
  async emptyRedis(): Promise<void> {
    const { port } = this.redis;
    await this.redis.stop();
    const again = await launchRedis(port);
    if (typeof again === 'string') throw new Error(again);
    this.redis = again;
  }

  /** Creates an account with one test key, which serving processes accept at once. */
  async key(plan: PlanName): Promise<string> {
    const log = createLog('silent');
    const storage = await openStorage({ databaseUrl: this.databaseUrl, sqliteFile: '', log });
    try {
      const { accounts, keys } = openStores(storage, systemClock, new Map());
      const { id: accountId } = await accounts.create({ name: plan, plan });
      const { text, key } = await keys.create({ accountId, name: 'test', kind: 'test' });
      this.#slots.set(text, slotIdOf(accountId, key.slotNumber));
      return text;
    } finally {
      await storage.close();
    }
  }

  /** The counted requests of a key: of this month, as the process says, and of months that ended during the test. */
  async usedBy({ baseUrl }: Member, key: string): Promise<number> {
    const { text } = await get(baseUrl, '/api/v1/usage', key);
    const { data } = JSON.parse(text) as { data?: { month: { used: number; resets_at: string } } };
    if (!data) throw new Error(text);
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ used: number }>(
        'select coalesce(sum(used), 0)::int as used from slot_months where slot_id = $1 and month_start_ms < $2',
        [this.#slots.get(key), monthStartMs(Date.parse(data.month.resets_at) - 1)],
      );
      return data.month.used + (rows[0]?.used ?? 0);
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    killStarted();
    await Promise.all(this.members.map((member) => member.process.ended));
    await this.sim.close();
    await Promise.all([this.postgres.stop(), this.redis.stop()]);
    rmSync(this.#settings.DATA_DIR ?? '', { recursive: true, force: true });
  }
}

export async function get(
  baseUrl: string,
  path: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': key, ...headers } });
  const text = await reply.text();
  return {
    status: reply.status,
    etag: reply.headers.get('etag'),
    text,
    body: text === '' ? { data: [], meta: { as_of: '' } } : JSON.parse(text),
  };
}

/** The current values of a metric, by its labels in text form. */
export async function metric(adminUrl: string, name: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const found = new Map<string, number>();
  for (const [, labels = '', value] of text.matchAll(
    new RegExp(`^perpwire_${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'),
  ))
    found.set(labels, Number(value));
  return found;
}

/** The locks that the process holds, without that of the alerts. */
export async function leasesOf(member: Member): Promise<string[]> {
  const held = await metric(member.adminUrl, 'lease_held');
  return [...held]
    .filter(([, value]) => value === 1)
    .map(([labels]) => /lease="([^"]+)"/.exec(labels)?.[1] ?? '')
    .filter((lease) => lease !== 'alerts');
}

export async function untilServing(member: Member, key: string): Promise<void> {
  for (const kind of ['funding', 'spreads', 'listings', 'coins'])
    await until(
      async () => (await get(member.baseUrl, `/api/v1/${kind}?limit=1`, key)).status === 200,
      `${member.name} serving ${kind}`,
    );
}

/** Why tests with several processes are skipped; false if they run. */
export async function missingServers(): Promise<string | false> {
  const programs = [
    await findOrInstall('PostgreSQL', 'postgresql', findPostgres),
    await findOrInstall('Redis', 'redis-server', () => onPath('redis-server')),
  ];
  return programs.find(({ path }) => path === null)?.reason ?? false;
}
