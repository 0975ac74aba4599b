import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  longJobs,
  secondPassJobs,
  serverJobs,
  slowestUnitJobs,
  type TestJob,
  unitJobs,
} from './test-files.ts';

const filesOf = (jobs: readonly TestJob[]) => jobs.flatMap(({ files }) => files);

suite('what npm test and npm run test:long run', () => {
  test('together they run every test file once', () => {
    const all = globSync('**/*.test.ts', {
      cwd: join(import.meta.dirname, '..'),
      exclude: (path) => path === 'node_modules' || path === '.git',
    });
    const run = filesOf([...unitJobs(), ...slowestUnitJobs(), ...serverJobs(), ...longJobs()]);
    assert.ok(all.length > 200, `${all.length} files`);
    assert.deepEqual(run.toSorted(), all.toSorted());
  });

  test('files that start a server lie in test/, all others beside their source', () => {
    assert.ok(filesOf([...unitJobs(), ...slowestUnitJobs()]).every((file) => !file.startsWith('test/')));
    assert.ok(filesOf(serverJobs()).every((file) => file.startsWith('test/')));
  });

  test('the second pass runs the suites of REST, MCP, history and alerts again', () => {
    const again = filesOf(secondPassJobs());
    const doors = filesOf([...serverJobs(), ...longJobs()]).filter((file) =>
      /^test\/(rest|mcp)\//.test(file),
    );
    assert.deepEqual(
      again.toSorted(),
      [...doors, 'test/history/api.test.ts', 'test/web/account-alerts.test.ts'].toSorted(),
    );
  });
});
