import type { Load } from './load.ts';
import { PinnedProcess } from './pinned.ts';

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
