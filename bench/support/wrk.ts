import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { findOrInstall, onPath } from '../../test/support/servers.ts';
import { sized } from '../size.ts';
import type { Load, LoadResult } from './load.ts';
import { LOAD_CORE } from './pinned.ts';
import { pathOf, queriesOf } from './rest-queries.ts';

const CONNECTIONS = 16;
/** More than a server answers in one round of a few seconds. */
const QUERIES = sized(30_000, 10_000, 1_000);
/** Longer than any round: a round ends when the server has used its CPU time. */
const MAX_SECONDS = 300;
const LOOK_MS = 20;

/** wrk uses a tenth of the CPU of a load generator on Node, so the server is always the bottleneck. */
export async function findWrk(): Promise<string | null> {
  return (await findOrInstall('wrk', 'wrk', () => onPath('wrk'))).path;
}

/** Sends requests until `isEnough`. */
export function loadByWrk(wrk: string, wanted: Load, isEnough: () => Promise<boolean>): Promise<LoadResult> {
  const { port, path, headers, endpoint, seed, connections = CONNECTIONS } = wanted;
  const url = `http://127.0.0.1:${port}${path}`;
  const made =
    endpoint === null
      ? null
      : {
          method: 'GET' as const,
          lines: queriesOf(endpoint, QUERIES, seed).map((query) => pathOf(endpoint, query)),
        };
  return runWrk(wrk, { url, headers, connections, made }, isEnough);
}

export interface WrkLoad {
  url: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  /** The paths of GETs, or the bodies of POSTs; null: all are GETs of the URL. */
  made: { method: 'GET' | 'POST'; lines: readonly string[] } | null;
}

export async function runWrk(
  wrk: string,
  { url, headers, connections, made }: WrkLoad,
  isEnough: () => Promise<boolean>,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
  try {
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const args = ['-t1', `-c${connections}`, `-d${MAX_SECONDS}s`, '--timeout', '60s', '--latency', ...sent];
    const env = { ...process.env, METHOD: made?.method, LINES_FILE: join(folder, 'lines') };
    if (made !== null) {
      writeFileSync(env.LINES_FILE, `${made.lines.join('\n')}\n`);
      args.push('-s', join(import.meta.dirname, 'requests.lua'));
    }
    const [command = '', ...rest] = [...LOAD_CORE, wrk, ...args, url];
    const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const output = text(child.stdout);
    const ended = once(child, 'close');
    while (child.exitCode === null && !(await isEnough())) await delay(LOOK_MS);
    // wrk then prints what it has measured so far.
    child.kill('SIGINT');
    await ended;
    return parsed(await output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** Parses the output of wrk. */
function parsed(output: string): LoadResult {
  const [, requests = '0', took = '0', unit = 's'] = /(\d+) requests in ([\d.]+)(m?s)/.exec(output) ?? [];
  const [, p99 = '0', p99Unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s|m)\b/.exec(output) ?? [];
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? '0';
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output) ?? [];
  return {
    requests: Number(requests),
    seconds: (Number(took) * (UNITS[unit] ?? 1)) / 1000,
    p99Ms: Number(p99) * (UNITS[p99Unit] ?? 1),
    bad: [refused, ...broken.slice(1)].reduce((sum, count) => sum + Number(count), 0),
  };
}
