import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { SIZE } from '../size.ts';
import type { Load, LoadResult } from './load.ts';
import { IS_PINNED, LOAD_CORE, PinnedProcess } from './pinned.ts';
import { findWrk, loadByWrk } from './wrk.ts';

/** A process with our REST door. */
export interface Target {
  process: PinnedProcess;
  port: number;
  key: string;
}

/** `args` are the addresses of a Redis and a PostgreSQL, if any, and the flags of rest-target.ts. */
export async function startTarget(...args: string[]): Promise<Target> {
  const process = new PinnedProcess('servers', 'rest-target.ts', ['ours', ...args]);
  return { process, ...(await process.ask<{ port: number; key: string }>()) };
}

export async function cpuMicrosecondsOf({ process }: Target): Promise<number> {
  return (await process.ask<{ cpuMicroseconds: number }>('cpu')).cpuMicroseconds;
}

export function loadFor({ port, key }: Target, path: string, requests: number, connections?: number): Load {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
  return { port, requests, headers, path, endpoint: null, seed: 1, ...(connections ? { connections } : {}) };
}

/** Moves a server that is not measured from the core of the measured processes to that of the load. */
export function leaveServersCore(pid: number): void {
  if (IS_PINNED) execFileSync('taskset', ['-acp', LOAD_CORE.at(-1) ?? '1', String(pid)], { stdio: 'ignore' });
}

export interface CostOptions {
  path: string;
  /** Requests that wait at each process at the same time. */
  connections: number;
  /** How much each process is measured: by its processor time, or by its requests if wrk is not installed. */
  cpuMs: number;
  requests: number;
}

const LOOK_MS = 50;

/** Loads one or more targets at the same time, each with the same number of connections. */
export class TargetLoads {
  readonly #wrk: string | null;
  readonly #others: PinnedProcess[] = [];

  private constructor(wrk: string | null) {
    this.#wrk = wrk;
  }

  static async open(): Promise<TargetLoads> {
    return new TargetLoads(SIZE === 'tiny' ? null : await findWrk());
  }

  /** Processor time of all targets for 1,000 requests, in ms. `neighbours` are loaded at the same time and do not count. */
  async costOf(
    targets: readonly Target[],
    options: CostOptions,
    neighbours: readonly Target[] = [],
  ): Promise<number> {
    const sum = async () =>
      (await Promise.all(targets.map(cpuMicrosecondsOf))).reduce((all, one) => all + one, 0);
    const before = await sum();
    let isEnough = false;
    const all = [...targets, ...neighbours];
    const loaded = Promise.all(
      all.map((target, place) => this.#load(target, place, options, () => isEnough)),
    );
    if (this.#wrk !== null)
      while (!isEnough) {
        await delay(LOOK_MS);
        isEnough = (await sum()) - before >= options.cpuMs * 1000 * targets.length;
      }
    const results = await loaded;
    if (results.some(({ bad, requests }) => bad > 0 || requests === 0)) throw new Error('bad answers');
    const requests = results.slice(0, targets.length).reduce((count, one) => count + one.requests, 0);
    return ((await sum()) - before) / requests;
  }

  #load(
    target: Target,
    place: number,
    { path, connections, requests }: CostOptions,
    isEnough: () => boolean,
  ): Promise<LoadResult> {
    const wanted = loadFor(target, path, requests, connections);
    if (this.#wrk !== null) return loadByWrk(this.#wrk, wanted, async () => isEnough());
    this.#others[place] ??= new PinnedProcess('load', 'load.ts');
    return this.#others[place].ask<LoadResult>(wanted);
  }

  stop(): void {
    for (const process of this.#others) process.stop();
  }
}
