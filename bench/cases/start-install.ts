import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { endedCpuSeconds } from '../memory/resident.ts';
import { SIZE } from '../size.ts';

const ROOT = join(import.meta.dirname, '../..');
const MOST_INSTALLED_MB = 250;
/** What `scripts/ensure-install.cjs` reads. */
const INSTALL_FILES = ['package.json', 'package-lock.json', '.npmrc', 'scripts/ensure-install.cjs'];
/** A quick run measures how packages are unpacked and linked; what they take over the network is for the full one. */
const HAS_EMPTY_CACHE = SIZE === 'full';

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_NEEDED_BYTES = 2e9;

interface Installed {
  seconds: number;
  megabytes: number;
}

/** A quick run installs into memory where there is room: writing the files to a disk takes as long as unpacking them. */
function parentFolder(): string {
  if (SIZE === 'full' || !existsSync(MEMORY_FOLDER)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
}

function withFolder<T>(run: (folder: string) => T): T {
  const folder = mkdtempSync(join(parentFolder(), 'perpwire-install-'));
  try {
    mkdirSync(join(folder, 'scripts'));
    for (const file of INSTALL_FILES) cpSync(join(ROOT, file), join(folder, file));
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A quick run measures other cases at the same time, so it counts the CPU time of the processes that have ended. */
function spentSeconds(): number {
  return SIZE === 'full' ? performance.now() / 1000 : endedCpuSeconds();
}

/** Installs what an npm script of that name needs and the folder does not have. */
function install(folder: string, lifecycleEvent: string): Installed {
  const before = spentSeconds();
  const { status } = spawnSync('node', [join(folder, 'scripts/ensure-install.cjs')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      npm_lifecycle_event: lifecycleEvent,
      ...(HAS_EMPTY_CACHE ? { npm_config_cache: join(folder, 'npm-cache') } : {}),
    },
  });
  if (status !== 0)
    throw new Error('the packages could not be installed: neither the registry nor the cache has them');
  const seconds = spentSeconds() - before;
  return { seconds, megabytes: bytesIn(join(folder, 'node_modules')) / 1e6 };
}

/** The service's packages, and all. A quick run adds the others to the first, which takes as long as both apart. */
function bothInstalls(): { runtime: Installed; full: Installed } {
  const [forService, forTests] = ['predemo', 'pretest'];
  if (SIZE === 'full')
    return {
      runtime: withFolder((folder) => install(folder, forService)),
      full: withFolder((folder) => install(folder, forTests)),
    };
  return withFolder((folder) => {
    const runtime = install(folder, forService);
    const full = install(folder, forTests);
    return { runtime, full: { ...full, seconds: runtime.seconds + full.seconds } };
  });
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
  const { runtime, full } = bothInstalls();
  const cache = HAS_EMPTY_CACHE ? 'empty npm cache' : 'from the npm cache, CPU time';
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
  { name: 'start-install', isOneCore: true, quickSeconds: 45, run: installs },
];
