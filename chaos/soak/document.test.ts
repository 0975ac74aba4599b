import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { soakPicture, soakTables } from './document.ts';
import { type SoakSample, slopePerHour } from './samples.ts';

const MEGABYTE = 1024 * 1024;

/** Memory that grows by 2 MB an hour in the first half and stays the same in the second. */
const samples: SoakSample[] = Array.from({ length: 9 }, (_, i) => ({
  hour: i,
  residentBytes: (100 + 2 * Math.min(i, 4)) * MEGABYTE,
  heapBytes: 40 * MEGABYTE,
  bufferBytes: MEGABYTE,
  descriptors: 30 + i,
  loopDelayP99Ms: 12,
  loopDelayMaxMs: 40,
  databaseBytes: (1 + i) * MEGABYTE,
}));

suite('the figures of a soak', () => {
  test('the slope of a line is its change per hour', () => {
    const line = [0, 1, 2, 3].map((hour) => ({ hour, value: 5 - 2 * hour }));
    assert.equal(slopePerHour(line), -2);
    assert.equal(slopePerHour(line.slice(0, 1)), 0);
  });

  test('the tables have the slopes of the run and of its second half, and what has grown', () => {
    const text = soakTables({
      venues: 2,
      contracts: 50,
      tickMinutes: 5,
      samples,
      grownTables: new Map([
        ['depth_blocks', 8 * 1024],
        ['accounts', 0],
      ]),
    });
    assert.match(text, /\| resident memory, MB +\| +100\.0 \| +108\.0 \| +\d\.\d\d \| +0\.00 \|/);
    assert.match(text, /\| descriptors +\| +30\.0 \| +38\.0 \| +1\.00 \| +1\.00 \|/);
    assert.match(text, /\| `depth_blocks` \| +2\.0 \|/);
    assert.doesNotMatch(text, /accounts/);
  });

  test('the picture has a line of every sample for each figure', () => {
    const lines = [...soakPicture(samples).matchAll(/<polyline points="([^"]+)"/g)];
    assert.deepEqual(
      lines.map(([, points = '']) => points.split(' ').length),
      Array(7).fill(samples.length),
    );
  });
});
