import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { findOrInstall, onPath } from '../test/support/servers.ts';
import { median } from './figure.ts';
import { cpuSecondsOf } from './processes.ts';
import { sized } from './size.ts';

const CONNECTIONS = 16;
/** Longer than any round: a round ends when the server has used its CPU time. */
const MAX_SECONDS = 300;
const LOOK_MS = 10;
/** Rounds in which V8 compiles the code of both sides, and rounds that count. */
const WARM_UP_ROUNDS = sized(3, 2, 0);
const ROUNDS = sized(5, 3, 1);
/** CPU time of a server in a round: on a busy machine a second of the clock is too few requests. */
const CPU_SECONDS = sized(2, 0.5, 0.1);

export interface Load {
  /** The server whose CPU time counts. */
  pid: number;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The paths of GETs or the bodies of POSTs, different ones for each round; absent: all are GETs of the URL. */
  lines?: { method: 'GET' | 'POST'; of: (round: number) => readonly string[] };
}

/** wrk uses a tenth of the CPU of a load generator on Node, so the server is the bottleneck. */
export async function findWrk(): Promise<string> {
  const { path, reason } = await findOrInstall('wrk', 'wrk', () => onPath('wrk'));
  if (path === null) throw new Error(`the load comes from wrk: ${reason}`);
  return path;
}

/** Requests per second of CPU time of each server. They take turns, and the pair with the median ratio counts. */
export async function answersPerCpuSecond(
  ours: Load,
  baseline: Load,
): Promise<{ ours: number; baseline: number }> {
  const wrk = await findWrk();
  const pairs: { ours: number; baseline: number }[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const pair = {
      baseline: await perCpuSecond(wrk, baseline, round),
      ours: await perCpuSecond(wrk, ours, round),
    };
    if (round >= WARM_UP_ROUNDS) pairs.push(pair);
  }
  const middle = median(pairs.map((pair) => pair.ours / pair.baseline));
  const found = pairs.find((pair) => pair.ours / pair.baseline === middle);
  if (!found) throw new Error('no round was measured');
  return found;
}

async function perCpuSecond(wrk: string, { pid, url, headers, lines }: Load, round: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
  try {
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const args = ['-t1', `-c${CONNECTIONS}`, `-d${MAX_SECONDS}s`, '--timeout', '60s', ...sent];
    const env = { ...process.env, METHOD: lines?.method, LINES_FILE: join(folder, 'lines') };
    if (lines) {
      writeFileSync(env.LINES_FILE, `${lines.of(round).join('\n')}\n`);
      args.push('-s', join(import.meta.dirname, 'requests.lua'));
    }
    const before = cpuSecondsOf(pid);
    const child = spawn(wrk, [...args, url], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const output = text(child.stdout);
    const ended = once(child, 'close');
    while (child.exitCode === null && cpuSecondsOf(pid) - before < CPU_SECONDS) await pause(LOOK_MS);
    // wrk then prints what it has measured so far.
    child.kill('SIGINT');
    await ended;
    return goodAnswers(await output, url) / (cpuSecondsOf(pid) - before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The count of answers that wrk prints; throws if some were refused or broken. */
function goodAnswers(output: string, url: string): number {
  const requests = Number(/(\d+) requests in /.exec(output)?.[1] ?? 0);
  if (requests === 0 || /Non-2xx or 3xx responses|Socket errors/.test(output))
    throw new Error(`not every answer of ${url} was good:\n${output}`);
  return requests;
}
