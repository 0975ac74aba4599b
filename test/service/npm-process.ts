import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onPath } from '../support/servers.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Why npm cannot be tested here; false if it can. */
export const NO_NPM = onPath('npm') === null ? 'npm is not installed' : false;

interface NpmProcess {
  child: ChildProcess;
  /** What it and the service have printed so far. */
  printed(): string;
  /** The address of the service; rejects if npm ends before. */
  baseUrl(): Promise<string>;
  ended: Promise<number | null>;
}

/** Runs an npm script that starts the service, in a process group of its own, as a terminal does. */
export function startNpm(args: readonly string[], environment: Record<string, string>): NpmProcess {
  const child = spawn('npm', [...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  const urlIn = (text: string) => /(?:listening on|simulated venues, at) (http:\/\/\S+:\d+)/.exec(text)?.[1];
  return {
    child,
    printed: () => printed,
    ended,
    baseUrl: async () => {
      await until(
        () => urlIn(printed) !== undefined || child.exitCode !== null,
        'the address of the service',
      );
      const url = urlIn(printed);
      if (url === undefined) throw new Error(`npm ended with ${child.exitCode}; it printed: ${printed}`);
      return url;
    },
  };
}

/** Whether anybody accepts connections there. */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** For the end of a test that failed half way. */
export function killGroup({ child }: NpmProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
