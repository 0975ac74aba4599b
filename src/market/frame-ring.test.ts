import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { openScratchFile } from '../storage/scratch-file.ts';
import { type RingFrame, scratchRing } from './frame-ring.ts';

suite('frames in a scratch file', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 120 });

  test('are read as they were written, as long as they are in use', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 20 }), (lengths, wanted) => {
        const scratch = openScratchFile(tmpdir());
        const ring = scratchRing(scratch);
        let live: { bytes: Uint8Array; frame: RingFrame }[] = [];
        for (const [i, length] of lengths.entries()) {
          const bytes = new Uint8Array(length).fill(i % 251);
          const frame = ring.add(
            bytes,
            live.map((one) => one.frame),
          );
          live = [...live, { bytes, frame }].slice(-wanted);
          for (const one of live) assert.deepEqual(one.frame.read(), one.bytes);
        }
        scratch.close();
      }),
      { numRuns: 60 },
    );
  });

  test('take about twice the space of the frames in use, however many are written', () => {
    const scratch = openScratchFile(tmpdir());
    const ring = scratchRing(scratch);
    let live: RingFrame[] = [];
    let end = 0;
    for (let i = 0; i < 2000; i++) {
      const frame = ring.add(new Uint8Array(900 + (i % 200)), live);
      end = Math.max(end, frame.offset + frame.length);
      live = [...live, frame].slice(-50);
    }
    scratch.close();
    assert.ok(end < 50 * 1100 * 2.5, `${end} bytes`);
  });
});
