import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/packages');
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

/**
 * Packages from npm that are no dependencies of ours, because they would add hundreds of packages to every installation.
 * They are installed into a folder of their own when first needed. Returns the folder, or why there is none.
 */
export async function installedPackages(
  name: string,
  versions: Readonly<Record<string, string>>,
  { runsScripts = false } = {},
): Promise<{ folder: string } | { reason: string }> {
  const exact = Object.entries(versions).map(([one, version]) => `${one}@${version}`);
  const folder = join(CACHE, name, exact.join('+').replaceAll('/', '-'));
  const done = join(folder, 'installed');
  if (existsSync(done)) return { folder };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const options = [
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(runsScripts ? [] : ['--ignore-scripts']),
  ];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...exact], { cwd: folder });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (UNREACHABLE.test(text)) return { reason: 'the npm registry cannot be reached' };
    throw error;
  }
  writeFileSync(done, '');
  return { folder };
}
