import { ARBITRAGE_ROWS } from '../data/arbitrage.ts';
import { naiveList } from '../data/naive-lists.ts';
import { type Endpoint, pathOf, queriesOf } from '../data/queries.ts';
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
  /** What is requested: the same list, the same with its ETag, or a list with another filter each time. */
  way: 'same' | 'known' | 'filtered';
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
];
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
        queriesOf(endpoint, QUERIES, round).map((query) => pathOf(endpoint, query));
      const load =
        way === 'filtered' ? { headers, lines: { method: 'GET', of: paths } as const } : { headers };
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
      if (way !== 'filtered') continue;
      figures.push({
        name: `${name}, to the naive way`,
        value: measured.ours,
        unit: UNIT,
        baseline: { name: 'filter, sort and JSON.stringify', value: naivePerCpuSecond(endpoint) },
        target: ratioAtLeast(FASTER_THAN_NAIVE),
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
  { endpoint, way }: Scenario,
  headers: Record<string, string>,
): Promise<RecordedAnswer[]> {
  const queries = way === 'filtered' ? queriesOf(endpoint, SAMPLED_ANSWERS, 1_000) : [{}];
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

/** Without HTTP, which favours the naive way. */
function naivePerCpuSecond(endpoint: Endpoint): number {
  const answer = naiveList(endpoint);
  answer({});
  const before = process.cpuUsage();
  for (const query of queriesOf(endpoint, NAIVE_QUERIES, 1)) Buffer.from(answer(query));
  const { user, system } = process.cpuUsage(before);
  return (NAIVE_QUERIES * 1e6) / (user + system);
}

export const bench: BenchCase = { run };
