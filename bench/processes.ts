import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startOptions } from '../scripts/start-options.ts';
import { SIZE } from './size.ts';

const ROOT = join(import.meta.dirname, '..');

/** One of our programs in a process of its own. */
export interface Program {
  pid: number;
  stdin: NonNullable<ChildProcess['stdin']>;
  /** The first line of its output that matches. */
  line(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

interface StartedWith {
  /** Flags of Node. */
  flags?: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

/** Starts the service as npm does. */
export function startPerpwire(
  args: readonly string[],
  { flags = [], environment = {} }: StartedWith = {},
): Program {
  const options = startOptions();
  return start('src/perpwire.js', args, {
    flags: [...options.flags, ...flags],
    environment: { ...options.variables, LOG_LEVEL: 'fatal', ...environment },
  });
}

/** Starts another program of the repository, at the size of this run. */
export function startScript(
  file: string,
  args: readonly string[] = [],
  startedWith: StartedWith = {},
): Program {
  return start(file, args, startedWith);
}

/** Starts a program of bench/ at the size of this run; its first line is JSON. */
export async function startServer<Ready>(file: string): Promise<Program & Ready> {
  const program = start(`bench/servers/${file}`, [`--${SIZE}`], {});
  return { ...program, ...(JSON.parse(await program.line(/^\{/)) as Ready) };
}

function start(
  file: string,
  args: readonly string[],
  { flags = [], environment = {} }: StartedWith,
): Program {
  const child = spawn(process.execPath, [...flags, join(ROOT, file), ...args], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
    // `ws` must not use native add-ons, which only development packages install.
    env: { ...process.env, WS_NO_BUFFER_UTIL: '1', ...environment },
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const killIt = () => child.kill('SIGKILL');
  process.once('exit', killIt);
  return {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then((code) =>
          reject(new Error(`${file} ended with ${code} before it printed ${pattern}`)),
        );
      }),
    stop: async () => {
      process.off('exit', killIt);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** CPU time of all threads of a process. Linux counts in hundredths of a second. */
export function cpuSecondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory of a process: what is shared with others, such as the program itself, is included. */
export function residentMbOf(pid: number): number {
  return statusMb(pid, 'VmRSS');
}

/** The most that was resident since the process began. */
export function peakResidentMbOf(pid: number): number {
  return statusMb(pid, 'VmHWM');
}

function statusMb(pid: number, field: string): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
