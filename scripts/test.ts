import { launchPostgres, launchRedis } from '../test/support/servers.ts';
import { longJobs, secondPassJobs, serverJobs, slowestUnitJobs, unitJobs } from './test-files.ts';
import { type Job, program, runJobs, tests } from './test-jobs.ts';

/**
 * `npm run check` (--check): types, lint, format and the tests that start no server, except the slowest. `npm test`: these,
 * the slowest and the tests that start servers. `npm run test:long` (--long): the tests that are slow by nature. With names of files: only those.
 */
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const unknown = options.find((option) => !['--check', '--long', '--help'].includes(option));
if (unknown !== undefined) {
  console.error(`unknown flag ${unknown}; there are --check and --long, or names of test files`);
  process.exit(2);
}
if (options.includes('--help')) {
  console.log('npm test [-- FILE...], npm run check, npm run test:long: see CONTRIBUTING.md');
  process.exit(0);
}

/** Many tests wait for timers and browsers: with two more than there are cores, these are busy. */
const CONCURRENCY = 4;
/** Most of the slow ones have a browser, which occupies a core and more. */
const LONG_CONCURRENCY = 3;

const TYPE_CACHE = 'node_modules/.cache/types.tsbuildinfo';

process.exit((await runWanted()) ? 0 : 1);

function runWanted(): Promise<boolean> {
  if (files.length > 0)
    return runJobs(
      files.map((file) => tests({ name: file, files: [file] }, {})),
      CONCURRENCY,
    );
  if (options.includes('--check')) return runJobs(checkJobs(), CONCURRENCY);
  return options.includes('--long') ? runLong() : runAll();
}

function checkJobs(): Job[] {
  return [
    // What was checked before is read from the cache: most of the time goes into files that nobody changed.
    program('types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', TYPE_CACHE]),
    ...unitJobs().map((job) => tests(job, {})),
    program('lint and format', 'biome', ['ci', '--error-on-warnings', '.']),
    program('types of the browser code', 'tsc', ['--noEmit', '-p', 'src/doors/web/client']),
  ];
}

async function runAll(): Promise<boolean> {
  const postgres = await launchPostgres();
  // To create a database server takes longer than most tests, so tests share one unless they stop it.
  const shared = typeof postgres === 'string' ? {} : { PERPWIRE_TEST_POSTGRES_URL: postgres.url };
  const servers = serverJobs().map((job) => tests(job, shared));
  const jobs = [...checkJobs(), ...slowestUnitJobs().map((job) => tests(job, {})), ...servers];
  const isGood = await runJobs(jobs, CONCURRENCY);
  if (typeof postgres !== 'string') await postgres.stop();
  return isGood;
}

async function runLong(): Promise<boolean> {
  const [postgres, redis] = await Promise.all([launchPostgres(), launchRedis()]);
  const shared = typeof postgres === 'string' ? {} : { PERPWIRE_TEST_POSTGRES_URL: postgres.url };
  const long = longJobs().map((job) => tests(job, shared));
  const secondPass: Job[] = [];
  if (typeof postgres === 'string' || typeof redis === 'string') {
    const reasons = [postgres, redis].filter((server) => typeof server === 'string');
    console.log(`the second pass on PostgreSQL and Redis is skipped: ${reasons.join('; ')}`);
  } else {
    const servers = { PERPWIRE_TEST_BACKEND: 'postgres+redis', PERPWIRE_TEST_REDIS_URL: redis.url };
    secondPass.push(...secondPassJobs().map((job) => tests(job, { ...shared, ...servers })));
  }
  const isGood = await runJobs([...secondPass, ...long], LONG_CONCURRENCY);
  for (const server of [postgres, redis]) if (typeof server !== 'string') await server.stop();
  return isGood;
}
