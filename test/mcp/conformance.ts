import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

interface ConformanceRun {
  /** What the program printed. */
  output: string;
  /** `scenario: check` of every check that passed, and of every one that failed. */
  passed: Set<string>;
  failed: Set<string>;
}

/** Runs the official conformance program and reads what it wrote about each check. */
export async function runConformance(
  args: readonly string[],
  folder: string,
  onLine: (line: string) => void = () => undefined,
): Promise<ConformanceRun> {
  const child = spawn(process.execPath, [PROGRAM, ...args, '-o', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
    for (const line of String(chunk).split('\n')) onLine(line);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  await new Promise((resolve) => child.on('close', resolve));
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const name of readdirSync(folder)) {
    const scenario = /^(?:server-|authorization-)?(.*)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1] ?? name;
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as {
      id: string;
      status: string;
    }[];
    for (const { id, status } of checks) {
      if (status === 'SUCCESS') passed.add(`${scenario}: ${id}`);
      if (status === 'FAILURE') failed.add(`${scenario}: ${id}`);
    }
  }
  return { output, passed, failed };
}
