import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { launchPostgres, launchRedis } from '../test/support/servers.ts';
import { filesOf, runTests, runTogether } from './test-files.ts';

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
const UNIT = ['src/**/*.test.ts', 'sim/**/*.test.ts'];
/** What clients see must not depend on where the data is kept: these suites run on both. */
const ON_BOTH = ['test/rest/*.test.ts', 'test/mcp/*.test.ts', 'test/history/api.test.ts'];

if (only.length === 0) {
  step('types', bin('tsc'), ['--noEmit']);
  step('types of the browser code', bin('tsc'), ['--noEmit', '-p', 'src/doors/web/client']);
  step('lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']);
}

console.log('\n== tests');
const print = (text: string) => void process.stdout.write(text);
process.exit((await runWanted()) ? 0 : 1);

function runWanted(): Promise<boolean> {
  if (only.length > 0)
    return runTests({ name: 'tests', files: only, concurrency: 3, environment: {}, print });
  if (isUnitOnly) return runTogether({ name: 'unit tests', files: filesOf(UNIT), environment: {}, print });
  return runAll();
}

/** Two lanes side by side, because many tests wait for something: files that need a process of their own, and others. */
async function runAll(): Promise<boolean> {
  const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
  // To make a server is more work than most tests, so it serves all who need no server of their own.
  const shared = typeof postgres === 'string' ? {} : { PERPWIRE_TEST_POSTGRES_URL: postgres.url };
  const together = filesOf([...UNIT, ...ON_BOTH]);
  const apart = filesOf(['test/**/*.test.ts']).filter((file) => !together.includes(file));
  const lanes = [
    runTests({ name: 'tests', files: apart, concurrency: 3, environment: shared, print }),
    runTold('unit, REST, MCP and history tests', together, shared).then(async (isGood) => {
      const name = 'REST, MCP and history on PostgreSQL and Redis';
      if (typeof postgres !== 'string' && typeof redis !== 'string') {
        const servers = { PERPWIRE_TEST_BACKEND: 'postgres+redis', PERPWIRE_TEST_REDIS_URL: redis.url };
        return (await runTold(name, filesOf(ON_BOTH), { ...shared, ...servers })) && isGood;
      }
      const why = [postgres, redis].filter((server) => typeof server === 'string').join('; ');
      console.log(`${name} are left out: ${why}`);
      return isGood;
    }),
  ];
  const isGood = (await Promise.all(lanes)).every(Boolean);
  await Promise.all([postgres, redis].map((server) => (typeof server === 'string' ? null : server.stop())));
  return isGood;
}

/** In one piece, so that it does not mix with what runs beside it; of tests that pass the numbers will do. */
async function runTold(name: string, files: readonly string[], environment: Record<string, string>) {
  let printed = '';
  const isGood = await runTogether({
    name,
    files,
    environment,
    print: (text) => {
      printed += text;
    },
  });
  const lines = printed.split('\n').filter((line) => !isGood || line.startsWith('ℹ'));
  console.log(lines.join('\n'));
  return isGood;
}
