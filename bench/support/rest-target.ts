import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAccounts } from '../../src/accounts/accounts.ts';
import type { Authenticate } from '../../src/accounts/keys/authenticate.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { holdTickShape } from '../../src/base/v8/tick-shape.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { restDoor } from '../../src/doors/rest/rest.ts';
import type { ArbitrageSource } from '../../src/engines/arbitrage/source.ts';
import type { Table } from '../../src/market/tables/table.ts';
import type { TableSnapshot, TableSource } from '../../src/market/timeline.ts';
import { Entrance } from '../../src/operations/access/entrance.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { freePort } from '../../test/support/free-port.ts';
import { benchArbitrage } from './arbitrage-tables.ts';
import { naiveAnswers } from './naive-answers.ts';
import { AS_OF_MS, benchFunding, benchSpreads } from './rest-tables.ts';

/** One recorded answer, which the bare server repeats. */
export interface RecordedAnswer {
  status: number;
  headers: [string, string][];
  bodyBase64: string;
}

export type ToTarget = { answers: RecordedAnswer[] } | 'cpu' | 'stop';
export type FromTarget = { port: number; key: string } | { cpuMicroseconds: number } | 'ready';

const HOST = '127.0.0.1';
const NAIVE_ENDPOINTS = ['funding', 'spreads', 'arbitrage'] as const;
/** More requests than any run sends. */
const PLENTY = 3_000_000;
/** On a busy machine Redis may get no processor time for a while. It answers late then, but it answers. */
const REDIS_TIMEOUT_MS = 10_000;

const send = (message: FromTarget) => process.send?.(message);

/**
 * With the address of a Redis, rate-limit windows are counted there; with that of a PostgreSQL too, all processes on both
 * share them.
 */
async function startOurs(redisUrl: string | null, databaseUrl: string | null): Promise<void> {
  // First, as in main.ts.
  holdTickShape();
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
  const log = createLog('silent');
  const clock = new ManualClock(AS_OF_MS);
  const metrics = createMetrics();
  const port = await freePort();
  const baseUrl = `http://${HOST}:${port}`;
  const storage = await openStorage({ databaseUrl, sqliteFile: join(folder, 'bench.sqlite'), log });
  const redis =
    redisUrl === null ? null : await openRedis({ url: redisUrl, log, timeoutMs: REDIS_TIMEOUT_MS });
  const accounts = await openAccounts({
    ...{ storage, redis, clock, log, baseUrl, tierGrants: new Map() },
  });
  const account = await accounts.accounts.create({ name: 'bench', plan: 'business' });
  const { text: key } = await accounts.keys.create({ accountId: account.id, name: 'bench', kind: 'test' });
  const entrance = new Entrance({
    authenticate: withPlenty(accounts.authenticate),
    windows: accounts.windows,
    rejectedKeys: accounts.rejectedKeys,
    clock,
    baseUrl,
    isApiEnabled: true,
    data: {
      venues: VENUES,
      funding: held(benchFunding),
      spreads: held(benchSpreads),
      arbitrage: heldArbitrage(),
    } as unknown as DataSources,
  });
  const server = createHttpServer({ baseUrl: () => baseUrl, trustedProxies: [], log, metrics });
  await server.register(restDoor({ entrance, operations: OPERATIONS, metrics }));
  await server.listen({ host: HOST, port });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  send({ port, key });
}

/** The Business plan with room for a load test; everything else about the caller is real. */
function withPlenty(authenticate: Authenticate): Authenticate {
  const plan = { ...PLANS.business, requestsPerMinute: PLENTY, requestsPerMonth: PLENTY * 10 };
  const known = new Map<object, ReturnType<Authenticate>>();
  return (keyText, memory) => {
    const found = authenticate(keyText, memory);
    if (!found.ok) return found;
    const lifted = known.get(found.caller) ?? { ok: true, caller: { ...found.caller, plan } };
    known.set(found.caller, lifted);
    return lifted;
  };
}

/** Most cases ask for one list, and a quick run starts a dozen such processes. */
function held(make: () => Table): TableSource {
  let snapshot: TableSnapshot | null = null;
  const made = () => {
    snapshot ??= { asOfMs: AS_OF_MS, table: make() };
    return snapshot;
  };
  return { at: made, exactly: made, after: () => null };
}

function heldArbitrage(): ArbitrageSource {
  let source: ArbitrageSource | null = null;
  const made = () => {
    source ??= benchArbitrage();
    return source;
  };
  return {
    at: (...asked) => made().at(...asked),
    exactly: (...asked) => made().exactly(...asked),
    after: (...asked) => made().after(...asked),
    view: (...asked) => made().view(...asked),
  };
}

/** Only node:http and prepared bytes: the upper bound for any server on Node. */
function startBare(): void {
  let answers: { status: number; headers: string[]; body: Buffer }[] = [];
  let next = 0;
  listen((_request, response) => {
    const answer = answers[next++ % answers.length];
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  process.on('message', (message: ToTarget) => {
    if (typeof message === 'string') return;
    answers = message.answers.map(({ status, headers, bodyBase64 }) => ({
      status,
      headers: headers.flat(),
      body: Buffer.from(bodyBase64, 'base64'),
    }));
    send('ready');
  });
}

function startNaive(): void {
  const answer = naiveAnswers();
  listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://naive');
    const [endpoint] = NAIVE_ENDPOINTS.filter((name) => url.pathname.endsWith(name));
    const body = answer(endpoint ?? 'funding', url.searchParams);
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
}

function listen(handler: RequestListener): void {
  const server = createServer(handler).listen(0, HOST, () => {
    send({ port: (server.address() as AddressInfo).port, key: '' });
  });
}

process.on('message', (message: ToTarget) => {
  if (message === 'stop') process.exit(0);
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  send({ cpuMicroseconds: user + system });
});
process.on('disconnect', () => process.exit(0));
// Its folder is removed at the exit.
process.once('SIGTERM', () => process.exit(0));

// Not strict, because of the flags of the size.
const { positionals } = parseArgs({ allowPositionals: true, strict: false });
const [kind, redisUrl = null, databaseUrl = null] = positionals;
if (kind === 'ours') await startOurs(redisUrl, databaseUrl);
else if (kind === 'bare') startBare();
else startNaive();
