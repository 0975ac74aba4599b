import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { SIZE } from '../size.ts';

const ROOT = join(import.meta.dirname, '../..');
const MOST_INSTALLED_MB = 250;
/** What `scripts/ensure-install.cjs` reads. */
const INSTALL_FILES = ['package.json', 'package-lock.json', '.npmrc', 'scripts/ensure-install.cjs'];
/** A quick run measures how packages are unpacked and linked; what they take over the network is for the full one. */
const HAS_EMPTY_CACHE = SIZE === 'full';

interface Installed {
  seconds: number;
  megabytes: number;
}

/** Installs as an npm script of that name would, into an empty folder. Null if the packages cannot be had. */
function install(lifecycleEvent: string): Installed | null {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-install-'));
  try {
    mkdirSync(join(folder, 'scripts'));
    for (const file of INSTALL_FILES) cpSync(join(ROOT, file), join(folder, file));
    const startedMs = performance.now();
    const { status } = spawnSync('node', [join(folder, 'scripts/ensure-install.cjs')], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        npm_lifecycle_event: lifecycleEvent,
        ...(HAS_EMPTY_CACHE ? { npm_config_cache: join(folder, 'npm-cache') } : {}),
      },
    });
    if (status !== 0) return null;
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, megabytes: bytesIn(join(folder, 'node_modules')) / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files with several names, such as the binary of Node, count once. */
function bytesIn(folder: string, seen = new Set<number>()): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      bytes += bytesIn(path, seen);
      continue;
    }
    const { ino, size } = lstatSync(path);
    if (!seen.has(ino)) bytes += size;
    seen.add(ino);
  }
  return bytes;
}

async function installs(): Promise<BenchResult[]> {
  const runtime = install('predemo');
  const full = runtime && install('pretest');
  if (!full)
    throw new Error('the packages could not be installed: neither the registry nor the cache has them');
  const cache = HAS_EMPTY_CACHE ? 'empty npm cache' : 'from the npm cache';
  return [
    result({
      name: `install of the packages that the service needs, ${cache}`,
      value: runtime.seconds,
      unit: 's',
      baseline: 'of all packages',
      baselineValue: full.seconds,
      target: { at: 'most', ratio: 1 / 3 },
    }),
    result({
      name: 'size of that install',
      value: runtime.megabytes,
      unit: 'MB',
      baseline: 'of all packages',
      baselineValue: full.megabytes,
    }),
    result({
      name: 'size of that install',
      value: runtime.megabytes,
      unit: 'MB',
      baseline: 'allowed',
      baselineValue: MOST_INSTALLED_MB,
      target: { at: 'most', ratio: 1 },
    }),
  ];
}

export const cases: BenchCase[] = [
  { name: 'start-install', isOneCore: true, quickSeconds: 30, run: installs },
];
