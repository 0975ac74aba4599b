import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, startPerpwire } from './processes.ts';
import { SIZE } from './size.ts';

/** A demo as users start it, which has said that it is ready. */
export interface Demo extends Program {
  base_url: string;
  admin_url: string;
  keys: { demo: string; pro: string; business: string };
}

/** Of the test that runs the cases. */
const SMALL = SIZE === 'tiny' ? ['--coins', '4', '--venues', 'binance,okx'] : [];

export async function startDemo(
  data: string,
  startedWith: Parameters<typeof startPerpwire>[1] = {},
): Promise<Demo> {
  const program = startPerpwire(['demo', '--port', '0', '--data', data, ...SMALL], startedWith);
  return { ...program, ...(JSON.parse(await program.line(/^\{"ready"/)) as Omit<Demo, keyof Program>) };
}

export async function inFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
