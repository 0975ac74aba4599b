import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { limitedStart } from './memory-limits.ts';

const limits = { semiSpaceMb: 4, heapGrowthPercent: 25, mallocArenas: 2 };

suite('memory limits of a process', () => {
  test('V8 gets flags, glibc gets variables, other flags and variables stay', () => {
    assert.deepEqual(limitedStart(limits, ['--cpu-prof'], { HOME: '/root' }), {
      flags: [
        '--max-semi-space-size=4',
        '--page-promotion-threshold=30',
        '--heap-growing-percent=25',
        '--cpu-prof',
      ],
      environment: {
        HOME: '/root',
        MALLOC_ARENA_MAX: '2',
        MALLOC_MMAP_THRESHOLD_: '131072',
        MALLOC_TRIM_THRESHOLD_: '1048576',
      },
    });
  });

  test('a process that was started with them is not started again', () => {
    const start = limitedStart(limits, [], {});
    assert.ok(start);
    assert.equal(limitedStart(limits, start.flags, start.environment), null);
  });

  test('flags of the operator win over the settings', () => {
    assert.equal(limitedStart(limits, ['--max-semi-space-size=16'], {}), null);
  });

  test('variables of the operator win over the settings', () => {
    assert.equal(limitedStart(limits, [], { MALLOC_ARENA_MAX: '8' })?.environment.MALLOC_ARENA_MAX, '8');
  });
});
