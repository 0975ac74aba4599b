import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startOptions } from '../../scripts/start-options.ts';

const MAIN = join(import.meta.dirname, '../../src/perpwire.js');
const { flags, variables } = startOptions();
/** Processes that are started again and again need not compile the same code each time. */
export const COMPILED = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'perpwire-test-compiled'),
};

/** Tests read pages faster than people, and from one address. */
const UNLIMITED = { VISITOR_WORK_MS: '0', VISITORS_WORK_MS: '0', ACCOUNT_WORK_MS: '0' };

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a `perpwire` command to its end, in a process of its own. */
export function perpwire(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [...flags, MAIN, ...args], {
    env: { PATH: process.env.PATH, ...COMPILED, ...variables, ...environment },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code, stdout, stderr })));
}

const MAX_ERROR_CHARACTERS = 2000;
const started = new Set<ChildProcess>();

/** For `after`: a test that failed half-way must not leave servers behind. */
export function killStarted(): void {
  for (const child of started) child.kill('SIGKILL');
}

export interface RunningProcess {
  child: ChildProcess;
  /** What it has printed so far. */
  lines: string[];
  /** The first line that passes, now or later. */
  line(test: (line: string) => boolean): Promise<string>;
  ended: Promise<number | null>;
}

/** Starts a `perpwire` command that goes on, such as serve or demo. */
export function startPerpwire(
  args: readonly string[],
  environment: Record<string, string> = {},
): RunningProcess {
  const child = spawn(process.execPath, [...flags, MAIN, ...args], {
    env: { PATH: process.env.PATH, ...COMPILED, ...UNLIMITED, ...variables, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-MAX_ERROR_CHARACTERS);
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    child,
    lines,
    ended,
    line: (isWanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(isWanted);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void closed.then(() =>
          reject(
            new Error(`the process ended with ${child.exitCode} before that line; it printed: ${errors}`),
          ),
        );
      }),
  };
}
