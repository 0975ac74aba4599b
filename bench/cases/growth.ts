import { launchRedis } from '../../test/support/servers.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { SIZE, sized } from '../size.ts';
import { atEnd, benchPostgres } from '../support/lasting.ts';
import { leaveServersCore, startTarget, type Target, TargetLoads } from '../support/target.ts';

/**
 * How the cost of a request grows with the number of processes. In processor time, because two cores cannot run four
 * processes and their load side by side.
 */
/** Processor time of each process before it is measured, and in each measurement; without wrk, its requests. */
const WARM_UP_CPU_MS = sized(4_000, 600, 0);
const CPU_MS = sized(500, 150, 0);
const REQUESTS = sized(8_000, 1_500, 80);
const ROUNDS = sized(5, 2, 1);
/** So many that requests wait while others are answered, as they do at a process that is at the limit of its core. */
const CONNECTIONS = 64;
const FEW_CONNECTIONS = 16;
const KEYS = 64;
/** A tiny run only proves that the case runs. */
const PROCESSES = sized(4, 4, 2);
const PATH = '/api/v1/funding?limit=1';
const LOAD = { path: PATH, connections: CONNECTIONS, requests: REQUESTS };

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
/** Of two, their mean. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return mean([sorted[(sorted.length - 1) >> 1] ?? Number.NaN, sorted[sorted.length >> 1] ?? Number.NaN]);
}

const UNIT = 'CPU ms per 1,000 requests';
const SLOTS_OF_TARGET = ['--slots', String(KEYS)];

interface Parts {
  loads: TargetLoads;
  /** Warm processes with windows in memory, and in Redis. They are stopped in the end. */
  memory(count: number): Promise<Target[]>;
  shared(count: number): Promise<Target[]>;
}

async function openParts(): Promise<{ parts: Parts; close(): Promise<void> }> {
  const [postgres, redis] = await Promise.all([benchPostgres(), launchRedis()]);
  if (typeof postgres === 'string') throw new Error(postgres);
  if (typeof redis === 'string') throw new Error(redis);
  // In production it runs on another machine. On the core of the measured processes it would empty their caches.
  if (redis.child.pid !== undefined) leaveServersCore(redis.child.pid);
  const databaseUrl = await postgres.createDatabase();
  const loads = await TargetLoads.open();
  const started: Target[] = [];
  const starting = (...args: string[]) => {
    const own: Target[] = [];
    return async (count: number) => {
      while (own.length < count) {
        const target = await startTarget(...args, ...SLOTS_OF_TARGET);
        started.push(target);
        own.push(target);
        await loads.costOf([target], { ...LOAD, cpuMs: WARM_UP_CPU_MS });
      }
      return own.slice(0, count);
    };
  };
  return {
    parts: { loads, memory: starting(), shared: starting(redis.url, databaseUrl) },
    close: async () => {
      loads.stop();
      for (const { process } of started) process.stop();
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

/** Of a quick run: the second case measures processes that the first one has started. */
let lastingParts: ReturnType<typeof openParts> | null = null;

async function withParts(
  run: (parts: Parts) => Promise<BenchResult[]>,
  { isLast }: { isLast: boolean },
): Promise<BenchResult[]> {
  const opening = lastingParts ?? openParts();
  const isKept = SIZE === 'quick' && !isLast;
  if (isKept && lastingParts === null) atEnd(async () => await (await lastingParts)?.close());
  lastingParts = isKept ? opening : null;
  const { parts, close } = await opening;
  try {
    return await run(parts);
  } finally {
    if (!isKept) await close();
  }
}

/**
 * Every process is measured equally often, and has answered as many requests before: V8 compiles for each process what it
 * has run often. One and two processes are measured beside neighbours that count in memory, so that four loaded processes
 * always take turns on the core: heartbeats and the storing of usage follow the clock, and processes that take turns empty
 * each other's caches, however many of them share their windows.
 */
async function processes({ loads, ...started }: Parts): Promise<BenchResult[]> {
  const own = await started.shared(PROCESSES);
  // One key for all of them, so that they share its windows.
  const shared = own.map((target) => ({ ...target, key: own[0]?.key ?? target.key }));
  const neighbours = await started.memory(PROCESSES - 1);
  const costs = { one: [] as number[], two: [] as number[], four: [] as number[] };
  const costOf = (targets: Target[]) =>
    loads.costOf(targets, { ...LOAD, cpuMs: CPU_MS }, neighbours.slice(targets.length - 1));
  const measure = {
    one: async () => {
      const alone: number[] = [];
      for (const target of shared) alone.push(await costOf([target]));
      costs.one.push(mean(alone));
    },
    two: async () => {
      const pairs: number[] = [];
      for (let first = 0; first < PROCESSES; first += 2)
        pairs.push(await costOf(shared.slice(first, first + 2)));
      costs.two.push(mean(pairs));
    },
    four: async () => {
      costs.four.push(await costOf(shared));
    },
  };
  for (let round = 0; round < ROUNDS; round++) {
    const order = [measure.one, measure.two, measure.four];
    // There and back: requests become cheaper for minutes, which must not favour the one that is measured last.
    for (const next of round % 2 === 0 ? order : order.reverse()) await next();
  }
  const one = { unit: UNIT, baseline: 'one process', baselineValue: median(costs.one) };
  return [
    result({ name: 'requests on two API processes', value: median(costs.two), ...one }),
    result({
      name: 'requests on four API processes',
      value: median(costs.four),
      ...one,
      target: { at: 'most', ratio: 1.1 },
    }),
  ];
}

/** The same process with windows in memory and in Redis, in turn. */
async function windows({ loads, ...started }: Parts): Promise<BenchResult[]> {
  const [[memory], [shared]] = [await started.memory(1), await started.shared(1)];
  if (!memory || !shared) throw new Error('no process was started');
  const variants = [
    { connections: CONNECTIONS, memory: [] as number[], shared: [] as number[] },
    { connections: FEW_CONNECTIONS, memory: [] as number[], shared: [] as number[] },
  ];
  for (let round = 0; round < ROUNDS * PROCESSES; round++)
    for (const variant of variants) {
      const options = { ...LOAD, connections: variant.connections, cpuMs: CPU_MS };
      variant.memory.push(await loads.costOf([memory], options));
      variant.shared.push(await loads.costOf([shared], options));
    }
  return variants.map((variant) => {
    const whole = median(variant.shared);
    return result({
      name: `what windows in Redis cost an API process, ${variant.connections} requests at once`,
      value: whole - median(variant.memory),
      unit: UNIT,
      baseline: 'the whole request',
      baselineValue: whole,
    });
  });
}

export const cases: BenchCase[] = [
  { name: 'growth: processes', hasRoom: true, run: () => withParts(processes, { isLast: false }) },
  { name: 'growth: windows in Redis', hasRoom: true, run: () => withParts(windows, { isLast: true }) },
];
