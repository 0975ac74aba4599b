import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { memoryScratch, openScratchFile, type ScratchStore } from '../../storage/scratch-file.ts';
import { MidRings } from './mids.ts';
import { usualRule } from './rule.ts';

const KINDS: Readonly<Record<string, () => ScratchStore>> = {
  'in memory': memoryScratch,
  'in a file': () => openScratchFile(tmpdir()),
};

for (const [kind, open] of Object.entries(KINDS)) {
  suite(`a scratch store ${kind}`, () => {
    test('returns the last bytes written, and zeros elsewhere', () => {
      const write = fc.record({ offset: fc.nat(3_000_000), bytes: fc.uint8Array({ maxLength: 400 }) });
      fc.assert(
        fc.property(fc.array(write, { maxLength: 20 }), fc.nat(3_000_000), (writes, from) => {
          const scratch = open();
          const expected = new Uint8Array(3_100_000);
          for (const { offset, bytes } of writes) {
            scratch.write(offset, bytes);
            expected.set(bytes, offset);
          }
          for (const offset of [from, ...writes.map((one) => Math.max(0, one.offset - 10))]) {
            const read = new Uint8Array(500).fill(7);
            scratch.read(offset, read);
            assert.deepEqual(read, expected.slice(offset, offset + 500));
          }
          scratch.close();
        }),
        { numRuns: 30 },
      );
    });
  });
}

suite('rings of mid prices', () => {
  const rule = { ...usualRule(), windowMinutes: 10, rangeStepMinutes: 4 };
  const stepOf = (value: number) => ({
    mids: new Float32Array(4).fill(value),
    filled: new Uint8Array(4).fill(value % 8),
  });

  test('hold every step that the window touches, at its minutes', () => {
    const rings = new MidRings(rule, memoryScratch());
    for (let step = 0; step < 9; step++) {
      rings.put(0, step, stepOf(step + 1));
      rings.put(3, step, stepOf(100 + step));
    }
    const { mids, filled } = rings.read(0);
    assert.equal(rings.ringMinutes, 16);
    for (let minute = 20; minute < 36; minute++) {
      assert.equal(mids[minute % 16], Math.floor(minute / 4) + 1);
      assert.equal(filled[minute % 16], (Math.floor(minute / 4) + 1) % 8);
    }
    assert.equal(rings.read(3).mids[(8 * 4) % 16], 108);
  });

  test('clearing a ring leaves its neighbours unchanged', () => {
    const rings = new MidRings(rule, memoryScratch());
    for (const ring of [0, 1, 2]) rings.put(ring, 5, stepOf(9));
    assert.equal(rings.read(1).mids[20 % 16], 9);
    rings.clear(1);
    assert.ok(rings.read(1).mids.every((mid) => mid === 0));
    assert.equal(rings.read(0).mids[20 % 16], 9);
    assert.equal(rings.read(2).mids[20 % 16], 9);
  });
});
