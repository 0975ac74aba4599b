import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { GROWTH_AT_START_PERCENT, heapGrowthFlag } from '../../src/base/v8/heap-growth.ts';

const MODULE = join(import.meta.dirname, '../../src/base/v8/heap-growth.ts');

/** Full collections of a process that keeps a hundred megabytes of objects, after it has set the limit. */
function collections(flag: string, percent: number): number {
  const script = `
    import { PerformanceObserver, constants } from 'node:perf_hooks';
    import { limitHeapGrowth } from ${JSON.stringify(MODULE)};
    limitHeapGrowth(${percent});
    let count = 0;
    const seen = (entries) => {
      count += entries.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
    };
    const observer = new PerformanceObserver((list) => seen(list.getEntries()));
    observer.observe({ entryTypes: ['gc'] });
    const kept = [];
    for (let step = 0; step < 1200; step++) {
      for (let i = 0; i < 4000; i++) kept.push({ step, i });
      await new Promise((resolve) => setImmediate(resolve));
    }
    seen(observer.takeRecords());
    console.log(count);`;
  // At once and in one piece, so that their number does not depend on the machine.
  const flags = [flag, '--no-incremental-marking', '--no-concurrent-marking'];
  const args = [...flags, '--input-type=module', '-e', script];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

suite('how much the heap may grow', () => {
  test('a limit that is set later holds from then on', () => {
    const flag = heapGrowthFlag(GROWTH_AT_START_PERCENT);
    const [unlimited, limited] = [collections(flag, GROWTH_AT_START_PERCENT), collections(flag, 5)];
    assert.ok(limited > unlimited, `${limited} collections with the limit, ${unlimited} without`);
  });

  test('a process that began with another limit keeps it', () => {
    const [own, begun] = [collections(heapGrowthFlag(400), 5), collections(heapGrowthFlag(5), 5)];
    assert.ok(own < begun, `${own} collections at 400 percent, ${begun} at 5`);
  });
});
