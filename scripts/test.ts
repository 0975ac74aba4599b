import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
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
const patterns = isUnitOnly ? ['src/**/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts'];
const files = only.length > 0 ? only : patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();

if (only.length === 0) {
  step('types', bin('tsc'), ['--noEmit']);
  step('types of the browser code', bin('tsc'), ['--noEmit', '-p', 'src/doors/web/client']);
  step('lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']);
}
step('tests', process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=300000', ...files]);
