import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';

const root = join(import.meta.dirname, '..');
const PAUSE = /\bsetTimeout\b|\bscheduler\.wait\b|systemClock\.sleep|waitForTimeout/;

/** Files that may let real time pass, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'test/support/until.ts': 'polls for a condition',
  'test/service/clock-step.test.ts': 'its clock passes sleeps on to the system clock',
  'test/service/overload.long.test.ts': 'stops and continues a process in turns',
  'test/service/resets.ts': 'resets connections at random moments',
  'test/clients/typescript.test.ts': 'reads the delays of the client and pauses nothing itself',
  'test/cluster/load.ts': 'sends requests at a rate',
  'test/cluster/windows-outage.long.test.ts': 'sends requests at a rate',
  'test/cluster/kills.ts': 'kills at random times',
  'test/history/tape-kill.long.test.ts': 'kills some milliseconds into a write',
};

suite('no fixed pauses in tests', () => {
  test('tests await conditions with until, or move a clock', () => {
    const tests = globSync(['{src,sim,scripts}/**/*.test.ts', 'test/**/*.ts'], { cwd: root });
    assert.ok(tests.length > 200);
    const pausing = tests.filter(
      (file) => file !== 'scripts/test-pauses.test.ts' && PAUSE.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(pausing.sort(), Object.keys(ALLOWED).sort());
  });
});
