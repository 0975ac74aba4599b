import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { usualRule } from '../../src/engines/backtest/rule.ts';
import { LocalBacktest } from '../../src/engines/backtest/running/host.ts';
import { PRICE_COLUMNS } from '../../src/history/samples/model.ts';
import { beginWithADay, nextBlock } from '../backtest/engine.ts';
import { benchMarket, VENUES } from '../backtest/market.ts';
import { NaiveBacktest } from '../backtest/naive.ts';
import type { RequestOrder, RequestOutcome } from '../backtest/requests.ts';
import type { FromServing, ToServing } from '../backtest/serving.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { SIZE, sized } from '../size.ts';

/** 455 coins on 18 of 34 venues each: 8,190 contracts, 69,615 pairs. */
const FULL_COINS = sized(455, 40, 4);
const SMALL_COINS = sized(8, 2, 1);
/** Of the naive way, whose windows grow to 24 hours. */
const NAIVE_MINUTES = { warmUp: sized(300, 60, 5), measured: sized(60, 10, 2) };
/** The most that the thread may spend every minute. */
const MAX_CPU_MS = 120;
/** As long as the longest-lived bound, so that every walk has computed its median at least once. */
const WALKED_HOURS = sized(8, 2, 1);
const WEEK_MINUTES = 7 * 1440;
const SERVED = { perSecond: sized(1000, 1000, 50), seconds: sized(20, 3, 1) };

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU of one minute: blocks are decoded and walked, and a report is made once an hour. */
async function walkedMinuteMs(
  coins: number,
): Promise<{ msPerMinute: number; pairs: number; contracts: number }> {
  const market = benchMarket(coins);
  const host = new LocalBacktest();
  await beginWithADay(host, market);
  let spentMs = 0;
  for (let hour = 0; hour < WALKED_HOURS; hour++) {
    const { block } = nextBlock(market, 60);
    const before = process.cpuUsage();
    await host.take({ block, contracts: [], reportAt: [] });
    await host.report();
    spentMs += cpuMs(before);
  }
  return {
    msPerMinute: spentMs / (WALKED_HOURS * 60),
    pairs: market.pairCount,
    contracts: market.contracts.length,
  };
}

/** The naive way beside ours, on a small market: on the full one it would take minutes for one minute. */
async function besideNaive(): Promise<{ oursMs: number; naiveMs: number; pairs: number }> {
  const market = benchMarket(SMALL_COINS);
  const naive = new NaiveBacktest(usualRule(), market.takerFeesPct, market.contracts);
  const host = new LocalBacktest();
  await host.begin({ rule: usualRule(), takerFeesPct: market.takerFeesPct }, null, market.contracts);
  let [oursMs, naiveMs] = [0, 0];
  const { warmUp, measured } = NAIVE_MINUTES;
  for (let minute = 0; minute < warmUp + measured; minute++) {
    const { block, samples } = nextBlock(market, 1);
    let before = process.cpuUsage();
    for (const sample of samples) naive.advance(sample);
    if (minute >= warmUp) naiveMs += cpuMs(before);
    before = process.cpuUsage();
    await host.take({ block, contracts: [], reportAt: [] });
    await host.report();
    if (minute >= warmUp) oursMs += cpuMs(before);
  }
  return { oursMs: oursMs / measured, naiveMs: naiveMs / measured, pairs: market.pairCount };
}

async function computing(): Promise<BenchResult[]> {
  const small = await besideNaive();
  const half = await walkedMinuteMs(Math.round(FULL_COINS / 2));
  const full = await walkedMinuteMs(FULL_COINS);
  const size = `${VENUES} venues, ${full.contracts} contracts, ${full.pairs} pairs, 3 sizes, 2 directions`;
  const naiveFullMs = (small.naiveMs / small.pairs) * full.pairs;
  return [
    result({
      name: `CPU of one backtest minute with all rows (${small.pairs} pairs)`,
      value: small.oursMs,
      unit: 'ms',
      baseline: 'the naive way: objects, every window sorted, all rows sorted and serialised',
      baselineValue: small.naiveMs,
      target: { at: 'most', ratio: 0.2 },
    }),
    result({
      name: `CPU of one backtest minute (${size})`,
      value: full.msPerMinute,
      unit: 'ms',
      baseline: `the naive way, from its CPU per pair on ${small.pairs} pairs with ${NAIVE_MINUTES.warmUp} minutes of 24 hours`,
      baselineValue: naiveFullMs,
      target: { at: 'most', ratio: 0.2 },
    }),
    result({
      name: 'the same',
      value: full.msPerMinute,
      unit: 'ms',
      baseline: 'allowed',
      baselineValue: MAX_CPU_MS,
      target: { at: 'most', ratio: 1 },
    }),
    result({
      name: `growth: CPU of one backtest minute at ${full.pairs} pairs`,
      value: full.msPerMinute,
      unit: 'ms',
      baseline: `at ${half.pairs} pairs`,
      baselineValue: half.msPerMinute,
      target: { at: 'most', ratio: 2.6 },
    }),
    result({
      name: `CPU of a rebuild of 7 days (from ${WALKED_HOURS} hours of them)`,
      value: (full.msPerMinute * WEEK_MINUTES) / 1000,
      unit: 's',
      baseline: 'the naive way, from its CPU per pair',
      baselineValue: (naiveFullMs * WEEK_MINUTES) / 1000,
      target: { at: 'most', ratio: 0.2 },
    }),
  ];
}

async function storing(): Promise<BenchResult[]> {
  const market = benchMarket(FULL_COINS);
  const { block, samples } = nextBlock(market, 60);
  const count = samples.reduce((sum, sample) => sum + sample.ids.length, 0);
  const single = nextBlock(market, 1);
  return [
    result({
      name: `bytes of one sample, six prices, in an hour's block of ${count} samples`,
      value: block.length / count,
      unit: 'bytes',
      baseline: 'six bare single-precision numbers',
      baselineValue: PRICE_COLUMNS * 4,
      target: { at: 'most', ratio: 0.5 },
    }),
    result({
      name: 'bytes of one sample before its hour is packed',
      value: single.block.length / market.contracts.length,
      unit: 'bytes',
      baseline: 'six bare single-precision numbers',
      baselineValue: PRICE_COLUMNS * 4,
    }),
  ];
}

interface Served {
  p99Ms: number;
  minutes: number;
  answered: number;
}

const child = (script: string, args: string[] = []) =>
  fork(join(import.meta.dirname, '../backtest', script), [...args, `--${SIZE}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

const messageOf = <T>(from: ChildProcess) =>
  new Promise<T>((resolve, reject) => {
    from.once('message', (message) => resolve(message as T));
    from.once('exit', (code) => reject(new Error(`a benchmark process ended with ${code}`)));
  });

interface Serving {
  process: ChildProcess;
  port: number;
  key: string;
}

/** Resolves when it answers. It computes nothing until it is watched. */
async function startServing(mode: 'thread' | 'here'): Promise<Serving> {
  const process = child('serving.ts', [mode]);
  return { process, ...(await messageOf<{ port: number; key: string }>(process)) };
}

async function serve({ process, port, key }: Serving): Promise<Served> {
  const requests = child('requests.ts');
  try {
    const watched = messageOf<FromServing>(process);
    const answered = messageOf<RequestOutcome>(requests);
    requests.send({ port, key, ...SERVED } satisfies RequestOrder);
    process.send({ watchSeconds: SERVED.seconds } satisfies ToServing);
    const { p99Ms, minutes } = (await watched) as { p99Ms: number; minutes: number };
    return { p99Ms, minutes, answered: (await answered).good };
  } finally {
    process.kill();
    requests.kill();
  }
}

const LIMIT_MS = 20;

async function serving(): Promise<BenchResult[]> {
  // Both load at the same time, on a core each.
  const [thread, same] = await Promise.all([startServing('thread'), startServing('here')]);
  const inThread = await serve(thread);
  const here = await serve(same);
  const sent = SERVED.perSecond * SERVED.seconds;
  const what = `event loop's p99 delay: prints every 5 s, ${inThread.minutes} backtest minutes and ${SERVED.perSecond} requests a second in ${SERVED.seconds} s`;
  return [
    result({
      name: what,
      value: inThread.p99Ms,
      unit: 'ms',
      baseline: 'the limit',
      baselineValue: LIMIT_MS,
      target: { at: 'most', ratio: 1 },
    }),
    result({
      name: what,
      value: inThread.p99Ms,
      unit: 'ms',
      baseline: `the same with the backtest in the serving thread (${here.minutes} minutes)`,
      baselineValue: here.p99Ms,
    }),
    result({
      name: 'requests answered meanwhile',
      value: inThread.answered,
      unit: 'requests',
      baseline: 'requests sent',
      baselineValue: sent,
      target: { at: 'least', ratio: 0.99 },
    }),
  ];
}

export const cases: BenchCase[] = [
  { name: 'backtest', isOneCore: true, quickSeconds: 20, run: computing },
  { name: 'depth samples', isOneCore: true, run: storing },
  { name: 'backtest while serving', hasRoom: true, run: serving },
];
