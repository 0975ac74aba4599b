import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { PLAN_NAMES, type PlanName } from '../../src/accounts/plans.ts';
import { type Clock, ManualClock, systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { readSettings } from '../../src/settings.ts';
import { hasSpoken } from '../../src/venues/health.ts';
import { type Depth, emptyBatch } from '../../src/venues/observations.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../src/wiring/local-service.ts';
import { assertFitsDescription } from './openapi.ts';
import { startPostgres, startRedis } from './servers.ts';
import { until } from './until.ts';

export { until };

export interface Running {
  sim: SimServer;
  service: LocalService;
  clock: Clock;
  keys: Record<PlanName, string>;
  dataDir: string;
  /** GET below the base address with a key, JSON body parsed. */
  get(
    path: string,
    options?: { plan?: PlanName; headers?: Record<string, string>; method?: string },
  ): Promise<Reply>;
  stop(): Promise<void>;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: unknown;
  text: string;
}

export interface RunOptions {
  venues?: readonly string[];
  coins?: number;
  hasNamesakes?: boolean;
  clock?: Clock;
  settings?: Record<string, string>;
  dataDir?: string;
  /** How often the venues push to their streams: less often takes less time with many contracts. */
  pushEveryMs?: number;
  /** Anything else that `startLocalService` takes. */
  serviceOptions?: Partial<LocalServiceOptions>;
  /** Collect live, as `serve` does. By default a test collects when it wants to. */
  isCollecting?: boolean;
}

/** The parsed JSON of a reply; null for an empty body or another format. */
export function bodyOf(reply: Response, text: string): unknown {
  return /json/.test(reply.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : null;
}

/** The whole service on simulated venues, over real HTTP and WebSocket, in a folder of its own. */
export async function runService(options: RunOptions = {}): Promise<Running> {
  const venues = options.venues ?? ['binance', 'bybit', 'okx', 'hyperliquid', 'kraken'];
  const sim = await startSimServer({
    seed: 1,
    coins: options.coins ?? 30,
    hasNamesakes: options.hasNamesakes ?? false,
    venues,
    port: 0,
    pushEveryMs: options.pushEveryMs ?? 200,
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'perpwire-test-'));
  const settings = readSettings([], {
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    VENUES: venues.join(','),
    VENUES_URL: sim.url,
    SNAPSHOT_SECONDS: '1',
    // Tests read pages faster than people, and their first answers compile the code.
    ...{ VISITOR_WORK_MS: '0', VISITORS_WORK_MS: '0', ACCOUNT_WORK_MS: '0' },
    ...(await backendSettings(dataDir)),
    ...options.settings,
  });
  const service = await startLocalService({
    settings,
    log: createLog('silent'),
    ...options.serviceOptions,
    ...(options.clock ? { clock: options.clock } : {}),
  }).catch(async (error: unknown) => {
    await sim.close();
    throw error;
  });
  const keys: Partial<Record<PlanName, string>> = {};
  for (const plan of PLAN_NAMES) {
    const account = await service.accounts.accounts.create({ name: plan, plan });
    keys[plan] = (
      await service.accounts.keys.create({ accountId: account.id, name: 'test', kind: 'test' })
    ).text;
  }
  if (options.isCollecting) service.startCollecting();
  return {
    sim,
    service,
    clock: options.clock ?? systemClock,
    keys: keys as Record<PlanName, string>,
    dataDir,
    get: async (path, { plan = 'business', headers = {}, method = 'GET' } = {}) => {
      const reply = await fetch(`${service.baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${keys[plan]}`, ...headers },
      });
      const text = await reply.text();
      if (path.startsWith('/api/')) assertFitsDescription(path, { ...answerOf(reply), text }, method);
      return {
        ...answerOf(reply),
        text,
        body: bodyOf(reply, text),
      };
    },
    stop: async () => {
      await service.stop();
      await sim.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** `npm test` runs the suites of the doors a second time with this, on the servers that it has started. */
const BACKEND = process.env.PERPWIRE_TEST_BACKEND ?? 'sqlite';
const databases = new Map<string, string>();

/** A database for each folder, so that a service that is started again in the same one finds its data. */
async function backendSettings(dataDir: string): Promise<Record<string, string>> {
  if (BACKEND === 'sqlite') return {};
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  if (typeof postgres === 'string' || typeof redis === 'string')
    throw new Error(`there is no ${BACKEND}: ${postgres} ${redis}`);
  const databaseUrl = databases.get(dataDir) ?? (await postgres.createDatabase());
  databases.set(dataDir, databaseUrl);
  return { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
}

function answerOf({ status, headers }: Response): { status: number; headers: Headers } {
  return { status, headers };
}

/** Reads every venue once and takes a snapshot: a state that does not depend on how fast the machine is. */
export async function collectOnce(
  { service, clock }: Running,
  /** The clock never passes `latestMs` while the venues are read. */
  {
    latestMs = Number.POSITIVE_INFINITY,
    hasCollected = () => true,
    withBooks = false,
  }: {
    latestMs?: number;
    hasCollected?: () => boolean;
    /** Whether venues also stream books; see streamBooks. */
    withBooks?: boolean;
  } = {},
): Promise<void> {
  const signal = new AbortController().signal;
  const advance = (manual: ManualClock) => manual.setMs(Math.min(manual.nowMs() + 100, latestMs));
  // Retries and budgets wait on the clock, so it must go on while they do.
  const pump = clock instanceof ManualClock ? setInterval(() => advance(clock), 10) : undefined;
  try {
    await Promise.all(service.collectors.map((collector) => collector.collectOnce(signal)));
    await until(
      () => service.collectors.every((collector) => hasSpoken(collector.health())) && hasCollected(),
      'every venue speaking',
    );
  } finally {
    clearInterval(pump);
  }
  if (withBooks) streamBooks({ service, clock });
  await service.publisher.publish(clock.nowMs());
  await service.spreads.publish(clock.nowMs());
}

/** Every venue streams a book of one level of each contract, its best bid and ask. */
export function streamBooks({ service, clock }: Pick<Running, 'service' | 'clock'>): void {
  const { market, venues } = service.context;
  for (const venue of venues) {
    const depths = market.statesOf(venue).flatMap(({ contract, top }): Depth[] => {
      if (!top) return [];
      const { venueSymbol } = contract;
      const { bidPrice, bidSize, askPrice, askSize } = top;
      return [
        {
          venueSymbol,
          bids: [[bidPrice, bidSize ?? 1]],
          asks: [[askPrice, askSize ?? 1]],
          venueTimeMs: null,
        },
      ];
    });
    const batch = { ...emptyBatch(), depths };
    service.collectorOptions(venue).accept(venue, batch, clock.nowMs(), new Map());
  }
}

/** The rows of a list answer. */
export function rowsOf(reply: Reply): Record<string, unknown>[] {
  const body = reply.body as { data?: unknown };
  if (!Array.isArray(body.data)) throw new Error(`no rows: ${reply.text.slice(0, 300)}`);
  return body.data as Record<string, unknown>[];
}
