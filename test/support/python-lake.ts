import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from './servers.ts';

const run = promisify(execFile);
const FOLDER = join(tmpdir(), 'perpwire-test-pyarrow');

/** A Python with httpx and pyarrow, which Debian does not have; or the reason why there is none. */
export async function pythonWithArrow(): Promise<{ python: string } | string> {
  const python = join(FOLDER, 'bin/python');
  const isComplete = async () =>
    existsSync(python) &&
    (await run(python, ['-c', 'import httpx, pyarrow']).then(
      () => true,
      () => false,
    ));
  if (await isComplete()) return { python };
  const base = onPath('python3');
  if (base === null) return 'there is no python3';
  try {
    await run(base, ['-m', 'venv', FOLDER]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--retries', '0', 'httpx', 'pyarrow']);
  } catch {
    return 'httpx and pyarrow could not be installed';
  }
  return (await isComplete()) ? { python } : 'httpx and pyarrow could not be installed';
}
