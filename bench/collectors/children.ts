import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type StartOptions, startOptions } from '../../scripts/start-options.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Child {
  process: ChildProcess;
  /** The first line of its output that matches. */
  line(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the service as npm does. */
export function startPerpwire(args: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
  return startChild('src/perpwire.js', args, env, startOptions());
}

/** Starts one of our programs. `ws` must not use native add-ons that only development packages install. */
export function startChild(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { flags, variables }: StartOptions = { flags: [], variables: {} },
): Child {
  const child = spawn(process.execPath, [...flags, join(ROOT, file), ...args], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...variables, LOG_LEVEL: 'fatal', WS_NO_BUFFER_UTIL: '1', ...env },
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
    process: child,
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
        void ended.then((code) => reject(new Error(`${file} ended with ${code} before it said ${pattern}`)));
      }),
    stop: async () => {
      process.off('exit', killIt);
      child.kill('SIGTERM');
      await ended;
    },
  };
}
