import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from './harness.ts';
import type { NamedCase } from './load-cases.ts';
import { SIZE } from './size.ts';
import { IS_PINNED } from './support/pinned.ts';

export interface Outcome {
  name: string;
  /** Null if the case failed; it has said why. */
  measured: BenchResult[] | null;
  seconds: number;
}

/** The measured servers of other cases are on the first core, their load generators on the second (support/pinned.ts). */
const [SERVERS_CORE, LOAD_CORE] = ['0', '1'] as const;

/**
 * Runs cases that need one core each, two at a time, each in a process that is pinned to its core. They compare CPU times
 * or sizes, which do not depend on what the other core does. Those that mostly wait run one after the other beside them,
 * on the second core. At first `others` has the first core, for cases that leave room on the second.
 */
export async function runOnOneCoreEach(
  cases: readonly NamedCase[],
  onOutcome: (outcome: Outcome) => void,
  others: () => Promise<void>,
): Promise<void> {
  const longestFirst = cases.toSorted((a, b) => (b.quickSeconds ?? 0) - (a.quickSeconds ?? 0));
  const queue = longestFirst.filter((one) => !one.isMostlyWaiting);
  const waiting = longestFirst.filter((one) => one.isMostlyWaiting);
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
  const worker = async (core: string, from: NamedCase[], file: string) => {
    for (let one = from.shift(); one !== undefined; one = from.shift())
      onOutcome(await runPinned(one, core, join(folder, file)));
  };
  const first = async () => {
    await others();
    await worker(SERVERS_CORE, queue, 'first.json');
  };
  const second = () => worker(LOAD_CORE, queue, 'second.json');
  try {
    const lanes = IS_PINNED ? [first(), second()] : [first()];
    await Promise.all([...lanes, worker(LOAD_CORE, waiting, 'waiting.json')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runPinned({ file, name }: NamedCase, core: string, json: string): Promise<Outcome> {
  const startedMs = performance.now();
  rmSync(json, { force: true });
  const run = [process.execPath, join(import.meta.dirname, 'run.ts'), `--${SIZE}`, '--json', json];
  const [command = '', ...args] = [
    // Only while the core has nothing else to do: a load generator on the same core must not wait for it.
    ...(IS_PINNED ? ['chrt', '-i', '0', 'taskset', '-c', core] : []),
    ...run,
    '--case',
    `${file}/${name}`,
  ];
  // Its figures come in the file; what it says meanwhile is shown at once.
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - startedMs) / 1000;
  const measured = code === 0 ? (JSON.parse(readFileSync(json, 'utf8')) as BenchResult[]) : null;
  return { name, measured, seconds };
}
