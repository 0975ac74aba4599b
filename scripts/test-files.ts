import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Tests that start no server; they lie beside their source. */
const UNIT = ['src', 'sim', 'chaos', 'golden', 'scripts', 'clients'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
/** Tests that start a server or a process. */
const SERVER = ['test/**/*.test.ts'];
/** The name of a test that is slow by nature: `npm run test:long` runs it. */
const isLong = (file: string) => file.endsWith('.long.test.ts');

/**
 * Folders whose files run in one process: loading the service takes a second of CPU time, which is longer than many files
 * take.
 */
const TOGETHER = [
  'test/accounts',
  'test/alerts',
  'test/alerts/channels',
  'test/backtest',
  'test/clients',
  'test/cluster',
  'test/history',
  'test/lake',
  'test/mcp',
  'test/oauth',
  'test/rest',
  'test/security',
  'test/service',
  'test/storage',
  'test/web',
];
/** Folders with few tests share a process. */
const SMALL_FOLDERS = [
  ['test/arbitrage', 'test/depth', 'test/listings', 'test/spreads', 'test/streams'],
  ['test/architecture', 'test/base', 'test/commands', 'test/docs', 'test/sim', 'test/support', 'test/venues'],
];
/** The answers to clients must not depend on the database: these run a second time, on PostgreSQL and Redis. */
const ON_BOTH_DATABASES = [
  'test/rest/*.test.ts',
  'test/mcp/*.test.ts',
  'test/history/api.test.ts',
  'test/web/account-alerts.test.ts',
];

/** Files that one process runs. */
export interface TestJob {
  name: string;
  files: readonly string[];
}

function find(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
}

/**
 * The slowest tests without a server: they go through many venues and hours. `npm run check` leaves them out, so that it
 * takes less than a minute; `npm test` runs them.
 */
const SLOWEST_UNIT = [
  'src/venues/conformance/roundtrip.test.ts',
  'src/history/settlements/fetching/collecting.test.ts',
  'src/engines/audit/every-venue.test.ts',
  'src/engines/listings/venue-clock.test.ts',
  'src/operations/next-funding.property.test.ts',
  'sim/market.test.ts',
  'sim/traps.test.ts',
  'src/engines/backtest/equality.test.ts',
  'src/engines/backtest/example.test.ts',
];
const BROWSER_JOB = 'test/web in a browser';
/** Tests with a browser: one process, and so one browser, runs them. It starts first, because it takes longest. */
const IN_A_BROWSER = [
  'test/web/alert-sentence.test.ts',
  'test/web/injection.test.ts',
  'test/web/lists-second-round.test.ts',
  'test/web/second-round-documents.test.ts',
  'test/web/second-round-funding.test.ts',
  'test/web/seo.test.ts',
  'test/web/ten-tasks.test.ts',
];
/** More parts than cores, because they differ in length; not many, because each loads the same modules. */
const UNIT_PARTS = 3;
const SLOWEST_UNIT_PARTS = 2;

/** Tests without a server, except the slowest. */
export function unitJobs(): TestJob[] {
  const files = find(UNIT).filter((file) => !isLong(file) && !SLOWEST_UNIT.includes(file));
  return inParts('unit tests', files, UNIT_PARTS);
}

/** The slowest tests without a server. */
export function slowestUnitJobs(): TestJob[] {
  return inParts('slowest unit tests', SLOWEST_UNIT, SLOWEST_UNIT_PARTS);
}

function inParts(name: string, files: readonly string[], parts: number): TestJob[] {
  return Array.from({ length: parts }, (_, part) => ({
    name: `${name}, part ${part + 1} of ${parts}`,
    files: files.filter((_file, index) => index % parts === part),
  }));
}

/** Tests with a server. */
export function serverJobs(): TestJob[] {
  return inProcesses(find(SERVER).filter((file) => !isLong(file)));
}

/** Tests that are slow by nature. */
export function longJobs(): TestJob[] {
  return inProcesses(find([...UNIT, ...SERVER]).filter(isLong));
}

/** The second pass of the suites of the doors. */
export function secondPassJobs(): TestJob[] {
  const jobs = inProcesses(find(ON_BOTH_DATABASES));
  return jobs.map(({ name, files }) => ({ name: `${name} on PostgreSQL and Redis`, files }));
}

/** A process for each file, or for the files of a folder that run together. The longest jobs come first. */
function inProcesses(files: readonly string[]): TestJob[] {
  const nameOf = (file: string) => {
    if (isLong(file)) return file;
    if (IN_A_BROWSER.includes(file)) return BROWSER_JOB;
    const folder = dirname(file);
    const small = SMALL_FOLDERS.find((folders) => folders.includes(folder));
    if (small) return small.join(', ');
    return TOGETHER.includes(folder) ? folder : file;
  };
  const jobs = [...Map.groupBy(files, nameOf)].map(([name, group]) => ({ name, files: group }));
  const isInBrowser = ({ name }: TestJob) => Number(name === BROWSER_JOB);
  return jobs.sort((a, b) => isInBrowser(b) - isInBrowser(a) || b.files.length - a.files.length);
}
