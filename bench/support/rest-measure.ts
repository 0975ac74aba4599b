import { sized } from '../size.ts';
import type { Load, LoadResult } from './load.ts';
import { type Endpoint, pathOf, queriesOf } from './rest-queries.ts';
import { cpuMicrosecondsOf, type Target } from './rest-servers.ts';
import type { RecordedAnswer } from './rest-target.ts';

const SEEDS_PER_ROUND = 1_000;
const SAMPLED_ANSWERS = 50;
/** Node adds these headers itself, to the bare server as to ours. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export interface Measure {
  /** Answers per second of CPU time: what one core can do, even if the load does not keep it busy. */
  perCoreSecond: number;
  perSecond: number;
  p99Ms: number;
}

export interface Scenario {
  name: string;
  path: string;
  endpoint: Endpoint | null;
  isKnown?: boolean;
  target: number;
  hasNaive?: boolean;
}

export type SendLoad = (load: Load, isEnough: () => Promise<boolean>) => Promise<LoadResult>;

export async function measure(
  target: Target,
  load: SendLoad,
  scenario: Scenario,
  headers: Record<string, string>,
  requests: number,
  round: number,
  cpuSeconds: number,
): Promise<Measure> {
  const cpu = () => cpuMicrosecondsOf(target);
  const before = await cpu();
  const { path, endpoint } = scenario;
  const seed = round * SEEDS_PER_ROUND;
  const wanted: Load = { port: target.port, requests, headers, path, endpoint, seed };
  const done = await load(wanted, async () => (await cpu()) - before >= cpuSeconds * 1e6);
  const coreSeconds = ((await cpu()) - before) / 1e6;
  if (done.bad > 0 || done.requests === 0) throw new Error(`${scenario.name}: ${done.bad} bad answers`);
  return {
    perCoreSecond: done.requests / coreSeconds,
    perSecond: done.requests / done.seconds,
    p99Ms: done.p99Ms,
  };
}

/** Requests of the naive server: each takes it up to seconds. */
const NAIVE_REQUESTS = sized(12, 1, 1);

/** One request after the other. The first one, to the whole list, makes its rows and warms up. */
export async function measureNaive(naive: Target, endpoint: Endpoint): Promise<Measure> {
  const ask = async (path: string) =>
    await (await fetch(`http://127.0.0.1:${naive.port}${path}`)).arrayBuffer();
  await ask(pathOf(endpoint, {}));
  const before = await cpuMicrosecondsOf(naive);
  for (const query of queriesOf(endpoint, NAIVE_REQUESTS, 1)) await ask(pathOf(endpoint, query));
  const perCoreSecond = (NAIVE_REQUESTS * 1e6) / ((await cpuMicrosecondsOf(naive)) - before);
  return { perCoreSecond, perSecond: 0, p99Ms: 0 };
}

/** Answers of our server as sent; with filters a sample, so that the average sizes are the same. */
export async function record(
  ours: Target,
  scenario: Scenario,
  headers: Record<string, string>,
): Promise<RecordedAnswer[]> {
  const { endpoint } = scenario;
  const paths = endpoint
    ? queriesOf(endpoint, SAMPLED_ANSWERS, 1).map((query) => pathOf(endpoint, query))
    : [scenario.path];
  const answers: RecordedAnswer[] = [];
  for (const path of paths) {
    const reply = await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers });
    const kept = [...reply.headers].filter(([name]) => !BY_NODE.has(name));
    const body = Buffer.from(await reply.arrayBuffer());
    answers.push({ status: reply.status, headers: kept, bodyBase64: body.toString('base64') });
  }
  return answers;
}

export async function headersFor(ours: Target, scenario: Scenario): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${ours.key}`, 'accept-encoding': 'identity' };
  if (!scenario.isKnown) return headers;
  const reply = await fetch(`http://127.0.0.1:${ours.port}${scenario.path}`, { headers });
  await reply.arrayBuffer();
  return { ...headers, 'if-none-match': reply.headers.get('etag') ?? '' };
}
