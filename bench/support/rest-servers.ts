import { type Core, PinnedProcess } from './pinned.ts';

/** A server that is measured, in a process of its own. */
export interface Target {
  process: PinnedProcess;
  port: number;
  key: string;
}

export async function startTarget(kind: 'ours' | 'bare' | 'naive', core: Core = 'servers'): Promise<Target> {
  const process = new PinnedProcess(core, 'rest-target.ts', [kind]);
  return { process, ...(await process.ask<{ port: number; key: string }>()) };
}

export async function cpuMicrosecondsOf({ process }: Target): Promise<number> {
  return (await process.ask<{ cpuMicroseconds: number }>('cpu')).cpuMicroseconds;
}

export function stop(targets: readonly (Target | null)[]): void {
  for (const target of targets) target?.process.stop();
}
