import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { openScratchFile } from '../storage/scratch-file.ts';
import { type KeptFrame, scratchRoom } from './frame-room.ts';

suite('frames in a scratch file', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 120 });

  test('are read as they were written, as long as they are in use', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 20 }), (lengths, wanted) => {
        const scratch = openScratchFile(tmpdir());
        const room = scratchRoom(scratch);
        let live: { bytes: Uint8Array; kept: KeptFrame }[] = [];
        for (const [i, length] of lengths.entries()) {
          const bytes = new Uint8Array(length).fill(i % 251);
          const kept = room.keep(
            bytes,
            live.map((one) => one.kept),
          );
          live = [...live, { bytes, kept }].slice(-wanted);
          for (const one of live) assert.deepEqual(one.kept.read(), one.bytes);
        }
        scratch.close();
      }),
      { numRuns: 60 },
    );
  });

  test('take about twice the space of the frames in use, however many are written', () => {
    const scratch = openScratchFile(tmpdir());
    const room = scratchRoom(scratch);
    let live: KeptFrame[] = [];
    let end = 0;
    for (let i = 0; i < 2000; i++) {
      const kept = room.keep(new Uint8Array(900 + (i % 200)), live);
      end = Math.max(end, kept.offset + kept.length);
      live = [...live, kept].slice(-50);
    }
    scratch.close();
    assert.ok(end < 50 * 1100 * 2.5, `${end} bytes`);
  });
});
