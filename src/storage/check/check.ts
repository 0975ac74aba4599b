import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { isObject, jsonOf } from '../../base/parsing.ts';
import { MINUTE_MS } from '../../base/times.ts';

export interface FileCheck {
  /** What is damaged, at most three lines for a table. */
  findings: string[];
  /** Tables that were not read to their end, because the time was over or the check failed. */
  unchecked: string[];
  /** Why the file could not be checked; null if it could. */
  failure: string | null;
}

interface FileCheckOptions {
  /** The check ends after this time, wherever it is. */
  limitMs?: number;
  /** Ends the check at once. */
  signal?: AbortSignal;
}

export const CHECK_LIMIT_MS = 3 * MINUTE_MS;
const PROGRAM = join(import.meta.dirname, 'program.ts');

/**
 * Reads every page of the tables and indexes of a SQLite file, as `PRAGMA quick_check` does. It runs in a process of low
 * priority, which can be ended at any moment: SQLite cannot be interrupted in a thread.
 */
export async function checkDatabaseFile(
  file: string,
  { limitMs = CHECK_LIMIT_MS, signal }: FileCheckOptions = {},
): Promise<FileCheck> {
  const { stdout, failure } = await outputOf([PROGRAM, resolve(file)], limitMs, signal);
  const findings: string[] = [];
  const unchecked = new Set(['all tables']);
  for (const line of stdout.split('\n')) {
    const said = jsonOf(line);
    if (!isObject(said)) continue;
    for (const table of textsOf(said.tables)) unchecked.add(table);
    if (said.tables !== undefined) unchecked.delete('all tables');
    if (typeof said.table === 'string') unchecked.delete(said.table);
    const where = typeof said.table === 'string' ? `table ${said.table}: ` : '';
    findings.push(...textsOf(said.findings).map((text) => `${where}${text}`));
  }
  return { findings, unchecked: [...unchecked], failure };
}

function outputOf(args: string[], limitMs: number, signal?: AbortSignal) {
  const options = { timeout: limitMs, killSignal: 'SIGKILL', ...(signal ? { signal } : {}) } as const;
  return new Promise<{ stdout: string; failure: string | null }>((resolve) => {
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const isCutShort = error?.killed === true || signal?.aborted === true;
      const message = /^\w*Error: .*/m.exec(stderr)?.[0] ?? error?.message ?? null;
      resolve({ stdout, failure: error === null || isCutShort ? null : message });
    });
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended already.
    }
  });
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
