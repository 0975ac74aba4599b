import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { ManualClock } from './clock.ts';

suite('a clock that is moved', () => {
  test('shows whole milliseconds to who wakes after a fraction of one, as the system clock does', async () => {
    const clock = new ManualClock(1_000);
    const woken = clock.sleep(422.68).then(() => clock.nowMs());
    clock.setMs(1_422);
    assert.equal(clock.nextWakeMs, 1_423);
    clock.setMs(1_423);
    assert.equal(await woken, 1_423);
  });
});

test('only the clock reads the time of day', () => {
  const src = join(import.meta.dirname, '..');
  const readers = globSync('**/*.ts', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith(join('doors', 'web', 'client')))
    .filter((file) => /\bDate\.now\(|\bnew Date\(\)/.test(readFileSync(join(src, file), 'utf8')));
  assert.deepEqual(readers, [join('base', 'clock.ts')]);
});
