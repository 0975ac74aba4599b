import { Agent, request } from 'node:http';
import { createLog } from '../../src/base/log.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { launchRedis } from '../../test/support/servers.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';
import type { LoadResult } from '../support/load.ts';
import { PinnedProcess } from '../support/pinned.ts';
import { cpuMicrosecondsOf, loadFor, startTarget, type Target } from '../support/target.ts';

/**
 * Runs the same server twice, with rate-limit windows in memory and in a Redis on this machine, and sends requests to
 * both in turn: the difference is what one round trip and one script add to an answer.
 */
const ROUNDS = sized(3_000, 500, 5);
const WARM_UP = sized(500, 100, 1);
const LOAD_REQUESTS = sized(12_000, 2_000, 20);
const PATH = '/api/v1/funding?limit=1';

function ask({ port, key }: Target, agent: Agent): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: PATH, headers, agent }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`an answer with ${reply.statusCode}`));
      reply.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}

async function inTurn(
  actions: Record<string, () => Promise<unknown>>,
): Promise<(name: string, share: number) => number> {
  const samples = new Map(Object.keys(actions).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [name, act] of Object.entries(actions)) {
      const startedMs = performance.now();
      await act();
      if (round >= WARM_UP) samples.get(name)?.push(performance.now() - startedMs);
    }
  }
  for (const list of samples.values()) list.sort((a, b) => a - b);
  return (name, share) => samples.get(name)?.[Math.floor(ROUNDS * share)] ?? Number.NaN;
}

/** Requests per second of the server's processor time. */
async function pace(target: Target, load: PinnedProcess): Promise<number> {
  const cpu = () => cpuMicrosecondsOf(target);
  const wanted = loadFor(target, PATH, LOAD_REQUESTS);
  await load.ask<LoadResult>(wanted);
  const before = await cpu();
  const done = await load.ask<LoadResult>(wanted);
  if (done.bad > 0) throw new Error(`${done.bad} bad answers`);
  return done.requests / (((await cpu()) - before) / 1e6);
}

async function run(): Promise<BenchResult[]> {
  const server = await launchRedis();
  if (typeof server === 'string') throw new Error(server);
  const link = await openRedis({ url: server.url, log: createLog('silent') });
  const load = new PinnedProcess('load', 'load.ts');
  const [memory, shared] = [await startTarget(), await startTarget(server.url)];
  const agent = new Agent({ keepAlive: true });
  try {
    const took = await inTurn({
      memory: () => ask(memory, agent),
      shared: () => ask(shared, agent),
      ping: () => link.command(['GET', 'nothing']),
    });
    const windows = { unit: 'ms', baseline: 'windows in memory' };
    return [
      result({
        name: 'an answer with windows in Redis',
        value: took('shared', 0.5),
        baselineValue: took('memory', 0.5),
        ...windows,
      }),
      result({
        name: 'an answer with windows in Redis, slowest of a hundred',
        value: took('shared', 0.99),
        baselineValue: took('memory', 0.99),
        ...windows,
      }),
      result({
        name: 'what Redis windows add to an answer',
        value: took('shared', 0.5) - took('memory', 0.5),
        unit: 'ms',
        baseline: 'one bare GET of the same Redis',
        baselineValue: took('ping', 0.5),
        target: { at: 'most', ratio: 3 },
      }),
      result({
        name: 'answers with windows in Redis',
        value: await pace(shared, load),
        unit: "requests per second of the server's processor time",
        baseline: 'windows in memory',
        baselineValue: await pace(memory, load),
      }),
    ];
  } finally {
    agent.destroy();
    for (const { process } of [memory, shared]) process.stop();
    load.stop();
    await link.close();
    await server.stop();
  }
}

export const cases: BenchCase[] = [{ name: 'cluster-windows', hasRoom: true, run }];
