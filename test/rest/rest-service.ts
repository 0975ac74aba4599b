import assert from 'node:assert/strict';
import type { KeyRecord } from '../../src/accounts/keys/key-rows.ts';
import type { PlanName } from '../../src/accounts/plans.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { PROBLEMS, type ProblemCode } from '../../src/base/problems.ts';
import { minuteOf } from '../../src/history/samples/model.ts';
import { assertFitsDescription } from '../support/openapi.ts';
import {
  bodyOf,
  collectOnce,
  type Reply,
  type Running,
  type RunOptions,
  runService,
  streamBooks,
} from '../support/service.ts';

export const START_MS = Date.UTC(2026, 10, 14, 9, 30);
export const DELAY_MS = 900_000;

export interface Rest extends Running {
  clock: ManualClock;
  /** A new account with one key. */
  newKey(plan: PlanName, wanted?: { scopes?: readonly string[]; expiresAtMs?: number }): Promise<TestKey>;
  /** GET with any key, or none. */
  getWith(
    key: string | null,
    path: string,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<Reply>;
}

interface TestKey {
  text: string;
  key: KeyRecord;
}

/** The whole service on simulated venues, with a manual clock; by default with two snapshots, 900 s apart. */
export async function startRest(options: RunOptions & { isEmpty?: boolean } = {}): Promise<Rest> {
  const clock = new ManualClock(START_MS);
  const running = await runService({ venues: ['binance', 'okx', 'kraken'], coins: 20, clock, ...options });
  try {
    if (!options.isEmpty) await collectTwice(running, clock);
  } catch (error) {
    // A running service would keep the test process from ending.
    await running.stop();
    throw error;
  }
  const { accounts, keys } = running.service.accounts;
  return {
    ...running,
    clock,
    newKey: async (plan, wanted = {}) => {
      const account = await accounts.create({ name: 'test', plan });
      return await keys.create({ accountId: account.id, name: 'test', kind: 'test', ...wanted });
    },
    getWith: (key, path, headers = {}, method = 'GET') =>
      fetchReply(`${running.service.baseUrl}${path}`, {
        method,
        headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      }),
  };
}

async function collectTwice(running: Running, clock: ManualClock): Promise<void> {
  const hasCollected = () => {
    streamBooks(running);
    return true;
  };
  await collectOnce(running, { hasCollected });
  clock.advanceMs(DELAY_MS);
  await collectOnce(running, { hasCollected });
}

/** Runs everything once that a collecting service runs on timers; afterwards every endpoint has data. */
export async function fillEveryPart({ service, clock }: Pick<Rest, 'service' | 'clock'>): Promise<void> {
  await service.listings.publish(clock.nowMs());
  await service.samples.sample(minuteOf(clock.nowMs()));
  await service.backtest.catchUp();
}

async function fetchReply(url: string, init: RequestInit = {}): Promise<Reply> {
  const reply = await fetch(url, init);
  const text = await reply.text();
  if (new URL(url).pathname.startsWith('/api/'))
    assertFitsDescription(url, { status: reply.status, headers: reply.headers, text }, init.method);
  return { status: reply.status, headers: reply.headers, text, body: bodyOf(reply, text) };
}

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ProblemCode;
  docs: string;
  suggestions?: string[];
}

const PROBLEM_KEYS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'docs', 'suggestions'];

/** Asserts everything that the contract says about a problem, and that it has no other fields. */
export function assertProblem(
  reply: { status: number; text: string; header(name: string): string | null },
  baseUrl: string,
): ProblemBody {
  assert.match(
    reply.header('content-type') ?? '',
    /^application\/problem\+json(;|$)/,
    reply.text.slice(0, 300),
  );
  const body = JSON.parse(reply.text) as ProblemBody;
  assert.deepEqual(
    Object.keys(body).filter((key) => !PROBLEM_KEYS.includes(key)),
    [],
  );
  const known = PROBLEMS[body.code];
  assert.ok(known, `"${body.code}" is a known code`);
  assert.equal(body.status, reply.status);
  assert.equal(known.status, reply.status);
  assert.equal(body.title, known.title);
  assert.equal(body.type, `${baseUrl}/developers/errors#${body.code}`);
  assert.equal(body.docs, `${baseUrl}/developers`);
  assert.match(body.instance, /^[A-Za-z0-9._-]{1,64}$/);
  assert.ok(
    body.detail.length > 10 && body.detail.length < 1_500,
    `${body.detail.length} characters of detail`,
  );
  assert.doesNotMatch(body.detail, /\n\s+at |node:|\.ts\b/, 'nothing of the inside');
  if (body.suggestions !== undefined)
    assert.ok(body.suggestions.length > 0 && body.suggestions.every((one) => typeof one === 'string'));
  return body;
}

/** The problem in a reply, with the status and code that it must have. */
export function problemOf(
  { service }: Pick<Running, 'service'>,
  reply: Reply,
  status: number,
  code: ProblemCode,
): ProblemBody {
  const { headers, text } = reply;
  assert.equal(reply.status, status, text.slice(0, 300));
  const body = assertProblem({ status, text, header: (name) => headers.get(name) }, service.baseUrl);
  assert.equal(body.code, code);
  assert.equal(headers.get('x-request-id'), body.instance);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  return body;
}

interface MetaBody {
  as_of: string;
  delayed_seconds: number;
  source: string;
  url: string;
  count: number | null;
  total: number | null;
  next_cursor?: string;
}

export function metaOf(reply: Reply): MetaBody {
  return (reply.body as { meta: MetaBody }).meta;
}

/** `minute;r=19;t=60, month;r=2999;t=…` as numbers. */
export function remainingOf(reply: Pick<Reply, 'headers'>): { minute: number; month: number } {
  const found = /^minute;r=(\d+);t=\d+, month;r=(\d+);t=\d+$/.exec(reply.headers.get('ratelimit') ?? '');
  assert.ok(found, `RateLimit: ${reply.headers.get('ratelimit')}`);
  return { minute: Number(found[1]), month: Number(found[2]) };
}
