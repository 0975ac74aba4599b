import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runTiny } from './run-tiny.ts';

suite('npm run bench, every case at the smallest size', () => {
  test('each figure has a value and a baseline', async () => {
    const figures = await runTiny([]);
    const wrong = figures.filter(({ ratio }) => !(ratio >= 0));
    assert.deepEqual(wrong, []);
    assert.ok(figures.some(({ name }) => name.includes('between two turns of the event loop')));
  });
});
