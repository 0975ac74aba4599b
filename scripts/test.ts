import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { launchPostgres, launchRedis } from '../test/support/servers.ts';
import { filesOf, runTests } from './test-files.ts';

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
const all = isUnitOnly ? ['src/**/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts'];
/** What clients see must not depend on where the data is kept: these suites run on both. */
const AGAIN = ['test/rest/*.test.ts', 'test/mcp/*.test.ts', 'test/history/api.test.ts'];

if (only.length === 0) {
  step('types', bin('tsc'), ['--noEmit']);
  step('types of the browser code', bin('tsc'), ['--noEmit', '-p', 'src/doors/web/client']);
  step('lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']);
}

console.log('\n== tests');
const first = {
  name: 'tests',
  files: only.length > 0 ? only : filesOf(all),
  concurrency: isUnitOnly ? 2 : 3,
  environment: {},
  print: (text: string) => process.stdout.write(text),
};
const isGood = isUnitOnly || only.length > 0 ? await runTests(first) : await runBoth();
process.exit(isGood ? 0 : 1);

/** All tests, and beside them, because many of those wait for something, some of them again on other databases. */
async function runBoth(): Promise<boolean> {
  const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
  // To make a server is more work than most tests, so it serves all who need no server of their own.
  const shared = typeof postgres === 'string' ? {} : { PERPWIRE_TEST_POSTGRES_URL: postgres.url };
  const runs = [runTests({ ...first, environment: shared })];
  const name = 'REST, MCP and history on PostgreSQL and Redis';
  if (typeof postgres === 'string' || typeof redis === 'string') {
    const why = [postgres, redis].filter((server) => typeof server === 'string').join('; ');
    console.log(`${name} are left out: ${why}`);
  } else {
    runs.push(runAgain(name, { ...shared, PERPWIRE_TEST_REDIS_URL: redis.url }));
  }
  const isGood = (await Promise.all(runs)).every(Boolean);
  await Promise.all([postgres, redis].map((server) => (typeof server === 'string' ? null : server.stop())));
  return isGood;
}

async function runAgain(name: string, servers: Record<string, string>): Promise<boolean> {
  let printed = '';
  const isGood = await runTests({
    name,
    files: filesOf(AGAIN),
    concurrency: 1,
    environment: { PERPWIRE_TEST_BACKEND: 'postgres+redis', ...servers },
    print: (text) => {
      printed += text;
    },
  });
  // Of tests that pass the numbers will do: their names have been printed once.
  const lines = printed.split('\n').filter((line) => !isGood || line.startsWith('ℹ'));
  console.log(lines.join('\n'));
  return isGood;
}
