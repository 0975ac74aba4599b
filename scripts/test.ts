import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

/** `npm test`: types, lint and format, then all tests; `npm run check` leaves out those that start servers. */
const root = join(import.meta.dirname, '..');
const isUnitOnly = process.argv.includes('--unit');
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

function step(
  name: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  const startedMs = Date.now();
  console.log(`\n== ${name}`);
  const env = { ...process.env, ...environment };
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) {
    console.error(`\n${name} failed`);
    process.exit(status ?? 1);
  }
  console.log(`${name}: ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const patterns = isUnitOnly ? ['src/**/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts'];
const files = only.length > 0 ? only : patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();

if (only.length === 0) {
  step('types', bin('tsc'), ['--noEmit']);
  step('types of the browser code', bin('tsc'), ['--noEmit', '-p', 'src/doors/web/client']);
  step('lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']);
}
const testing = ['--test', '--test-concurrency=2', '--test-timeout=300000'];
step('tests', process.execPath, [...testing, ...files]);

/** What clients see must not depend on where the data is kept: these suites run on both. */
const AGAIN = ['test/rest/*.test.ts', 'test/mcp/*.test.ts', 'test/history/api.test.ts'];
if (!isUnitOnly && only.length === 0) {
  const { launchPostgres, launchRedis } = await import('../test/support/servers.ts');
  const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
  if (typeof postgres === 'string' || typeof redis === 'string') {
    console.log(
      `\n== tests on PostgreSQL and Redis left out: ${[postgres, redis].filter((server) => typeof server === 'string').join('; ')}`,
    );
  } else {
    const again = AGAIN.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
    step('REST, MCP and history again, on PostgreSQL and Redis', process.execPath, [...testing, ...again], {
      PERPWIRE_TEST_BACKEND: 'postgres+redis',
      PERPWIRE_TEST_POSTGRES_URL: postgres.url,
      PERPWIRE_TEST_REDIS_URL: redis.url,
    });
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}
