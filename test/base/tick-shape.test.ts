import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { suite, test } from 'node:test';

/** Records every tick object that is created, and reports which of them survive a garbage collection. */
const PROGRAM = `
import { createHook } from 'node:async_hooks';
import { holdTickShape } from ${JSON.stringify(new URL('../../src/base/v8/tick-shape.ts', import.meta.url).href)};
const seen = [];
const init = (_id, type, _trigger, resource) => { if (type === 'TickObject') seen.push(new WeakRef(resource)); };
const hook = createHook({ init, trackPromises: false }).enable();
holdTickShape();
holdTickShape();
process.nextTick(() => undefined);
hook.disable();
setImmediate(() => {
  gc();
  console.log(JSON.stringify(seen.map((ref) => ref.deref() !== undefined)));
});
`;

suite('the shape of ticks', () => {
  test('exactly one tick object survives a garbage collection, and a second call keeps no other', () => {
    const args = ['--expose-gc', '--input-type=module', '--eval', PROGRAM];
    assert.deepEqual(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })), [true, false]);
  });
});
