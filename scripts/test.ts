import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `npm test`: types, lint and format, then all tests; `npm run check` leaves out those that start servers. */
const root = join(import.meta.dirname, '..');
const isUnitOnly = process.argv.includes('--unit');
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

function step(name: string, command: string, args: readonly string[]): void {
  const startedMs = Date.now();
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${name} failed`);
    process.exit(status ?? 1);
  }
  console.log(`${name}: ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const filesOf = (patterns: readonly string[]) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
const all = isUnitOnly ? ['src/**/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts'];

if (only.length === 0) {
  step('types', bin('tsc'), ['--noEmit']);
  step('types of the browser code', bin('tsc'), ['--noEmit', '-p', 'src/doors/web/client']);
  step('lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']);
}

interface Tests {
  name: string;
  files: readonly string[];
  concurrency: number;
  environment?: Readonly<Record<string, string>>;
  /** A file for what it prints; by default it is printed at once. */
  output?: number;
}

/** Every test file is a process, and many start others: what one has compiled the next need not. */
const COMPILED = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };

/** Runs test files, and says whether all have passed. */
function run({ name, files, concurrency, environment, output }: Tests): Promise<boolean> {
  const startedMs = Date.now();
  const args = ['--test', `--test-concurrency=${concurrency}`, '--test-timeout=300000', ...files];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: output === undefined ? 'inherit' : ['ignore', output, output],
    env: { ...process.env, ...COMPILED, ...environment },
  });
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
      console.log(`${name}: ${code === 0 ? '' : 'failed, '}${seconds} s`);
      resolve(code === 0);
    });
  });
}

/** What clients see must not depend on where the data is kept: these suites run on both. */
const AGAIN = ['test/rest/*.test.ts', 'test/mcp/*.test.ts', 'test/history/api.test.ts'];

async function runAgain(): Promise<boolean> {
  const { launchPostgres, launchRedis } = await import('../test/support/servers.ts');
  const servers = await Promise.all([launchPostgres(), launchRedis()]);
  const [postgres, redis] = servers;
  if (typeof postgres === 'string' || typeof redis === 'string') {
    const why = servers.filter((server) => typeof server === 'string').join('; ');
    console.log(`REST, MCP and history on PostgreSQL and Redis are left out: ${why}`);
    return true;
  }
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-tests-'));
  const file = join(folder, 'output');
  const isGood = await run({
    name: 'REST, MCP and history on PostgreSQL and Redis',
    files: filesOf(AGAIN),
    concurrency: 1,
    environment: {
      PERPWIRE_TEST_BACKEND: 'postgres+redis',
      PERPWIRE_TEST_POSTGRES_URL: postgres.url,
      PERPWIRE_TEST_REDIS_URL: redis.url,
    },
    output: openSync(file, 'w'),
  });
  await Promise.all([postgres.stop(), redis.stop()]);
  const lines = readFileSync(file, 'utf8').split('\n');
  // Of tests that pass the numbers will do: their names have been printed once.
  console.log((isGood ? lines.filter((line) => line.startsWith('ℹ')) : lines).join('\n'));
  rmSync(folder, { recursive: true });
  return isGood;
}

console.log('\n== tests');
const runs = [run({ name: 'tests', files: only.length > 0 ? only : filesOf(all), concurrency: 2 })];
// Beside the others, because many of those wait for something.
if (!isUnitOnly && only.length === 0) runs.push(runAgain());
const isGood = (await Promise.all(runs)).every(Boolean);
process.exit(isGood ? 0 : 1);
