import { ARBITRAGE_ROWS } from '../data/arbitrage.ts';
import { naiveList } from '../data/naive-lists.ts';
import { naiveSizes } from '../data/naive-sizes.ts';
import { type Endpoint, pathOf, type Query, queriesOf } from '../data/queries.ts';
import { FUNDING_ROWS, SPREAD_ROWS } from '../data/tables.ts';
import { type BenchCase, type Figure, ratioAtLeast } from '../figure.ts';
import { answersPerCpuSecond } from '../load.ts';
import { startServer } from '../processes.ts';
import type { Bare, RecordedAnswer } from '../servers/bare.ts';
import type { Ours } from '../servers/ours.ts';
import { sized } from '../size.ts';

interface Scenario {
  name: string;
  endpoint: Endpoint;
  /** What is requested: the same list, the same with its ETag, or a list with another filter or size each time. */
  way: 'same' | 'known' | 'filtered' | 'sized';
  leastRatio: number;
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: `/funding (${FUNDING_ROWS} rows), the same URL`,
    endpoint: 'funding',
    way: 'same',
    leastRatio: 0.85,
  },
  { name: '/funding, 304', endpoint: 'funding', way: 'known', leastRatio: 0.85 },
  { name: '/funding, a new filter each time', endpoint: 'funding', way: 'filtered', leastRatio: 0.5 },
  {
    name: `/spreads (${SPREAD_ROWS} rows), the same URL`,
    endpoint: 'spreads',
    way: 'same',
    leastRatio: 0.85,
  },
  { name: '/spreads, a new filter each time', endpoint: 'spreads', way: 'filtered', leastRatio: 0.4 },
  {
    name: `/arbitrage with forecasts (${ARBITRAGE_ROWS} rows), a new filter each time`,
    endpoint: 'arbitrage',
    way: 'filtered',
    leastRatio: 0.4,
  },
  {
    name: `/arbitrage (${ARBITRAGE_ROWS} rows), a new size_usd each time`,
    endpoint: 'arbitrage',
    way: 'sized',
    leastRatio: 0.25,
  },
];
const FASTER_THAN_WALKING = 20;
const FASTER_THAN_NAIVE = 10;
/** More than a server answers in a round: a filter that comes again would be cached. */
const QUERIES = sized(30_000, 10_000, 2_000);
const SAMPLED_ANSWERS = 50;
const NAIVE_QUERIES = sized(10, 4, 1);
const UNIT = 'requests/s of one core';
/** Node adds these headers itself, to the bare server as to ours. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Our server beside bare node:http that sends the same bytes and headers, in turns, by CPU time. */
async function run(): Promise<Figure[]> {
  const ours = await startServer<Ours>('ours.ts');
  const bare = await startServer<Bare>('bare.ts');
  const figures: Figure[] = [];
  try {
    for (const scenario of SCENARIOS) {
      const { name, endpoint, way, leastRatio } = scenario;
      const headers = await headersFor(ours, scenario);
      await fetch(bare.url, { method: 'PUT', body: JSON.stringify(await record(ours, scenario, headers)) });
      const path = pathOf(endpoint, {});
      const paths = (round: number) =>
        queriesFor(scenario, QUERIES, round).map((query) => pathOf(endpoint, query));
      const isNew = way === 'filtered' || way === 'sized';
      const load = isNew ? { headers, lines: { method: 'GET', of: paths } as const } : { headers };
      const measured = await answersPerCpuSecond(
        { ...load, pid: ours.pid, url: ours.url + path },
        { ...load, pid: bare.pid, url: bare.url + path },
      );
      figures.push({
        name,
        value: measured.ours,
        unit: UNIT,
        baseline: { name: 'bare node:http, same bytes', value: measured.baseline },
        target: ratioAtLeast(leastRatio),
      });
      if (!isNew) continue;
      figures.push({
        name: `${name}, to the naive way`,
        value: measured.ours,
        unit: UNIT,
        baseline:
          way === 'sized'
            ? { name: 'walk all books, sort and JSON.stringify', value: walkingPerCpuSecond() }
            : { name: 'filter, sort and JSON.stringify', value: naivePerCpuSecond(endpoint) },
        target: ratioAtLeast(way === 'sized' ? FASTER_THAN_WALKING : FASTER_THAN_NAIVE),
      });
    }
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
  return figures;
}

async function headersFor({ url, key }: Ours, { way, endpoint }: Scenario): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
  if (way !== 'known') return headers;
  const reply = await fetch(url + pathOf(endpoint, {}), { headers });
  await reply.arrayBuffer();
  return { ...headers, 'if-none-match': reply.headers.get('etag') ?? '' };
}

/** Answers of our server as sent; with filters a sample, so that the average sizes are the same. */
async function record(
  { url }: Ours,
  scenario: Scenario,
  headers: Record<string, string>,
): Promise<RecordedAnswer[]> {
  const { endpoint, way } = scenario;
  const isNew = way === 'filtered' || way === 'sized';
  const queries = isNew ? queriesFor(scenario, SAMPLED_ANSWERS, 1_000) : [{}];
  const answers: RecordedAnswer[] = [];
  for (const query of queries) {
    const reply = await fetch(url + pathOf(endpoint, query), { headers });
    const body = Buffer.from(await reply.arrayBuffer());
    if (reply.status >= 400) throw new Error(`${reply.status}: ${body}`);
    const sent = [...reply.headers].filter(([name]) => !BY_NODE.has(name));
    answers.push({ status: reply.status, headers: sent, bodyBase64: body.toString('base64') });
  }
  return answers;
}

function queriesFor({ endpoint, way }: Scenario, count: number, round: number): Query[] {
  if (way !== 'sized') return queriesOf(endpoint, count, round);
  return Array.from({ length: count }, (_, i) => ({ size_usd: String(sizeAt(round * count + i)) }));
}

/** Sizes from 100 to 250,000 USD in an order in which all of them come before one comes again. */
const SIZES = 249_901;
const sizeAt = (place: number) => 100 + ((place * 7_919) % SIZES);

/** Without HTTP, which favours the naive way. */
function naivePerCpuSecond(endpoint: Endpoint): number {
  const answer = naiveList(endpoint);
  answer({});
  return perCpuSecond(queriesOf(endpoint, NAIVE_QUERIES, 1), answer);
}

function walkingPerCpuSecond(): number {
  const answer = naiveSizes();
  answer(100);
  return perCpuSecond(
    Array.from({ length: NAIVE_QUERIES }, (_, i) => sizeAt(i)),
    answer,
  );
}

function perCpuSecond<T>(requests: readonly T[], answer: (request: T) => string): number {
  const before = process.cpuUsage();
  for (const request of requests) Buffer.from(answer(request));
  const { user, system } = process.cpuUsage(before);
  return (requests.length * 1e6) / (user + system);
}

export const bench: BenchCase = { run };
