import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { progressLines, redraw } from './progress-bar.ts';

const progress = (changes: object) => ({
  exchange: 'OKX',
  contracts: 40,
  contractsDone: 10,
  prints: 12_000,
  daysWanted: 7200,
  daysLeft: 5400,
  failures: 0,
  ...changes,
});

suite('progress bar', () => {
  test('venue, bar, contracts done, prints, rate and time left', () => {
    const [line] = progressLines([progress({})], 10_000);
    assert.equal(
      line,
      'OKX  [#####...............]   25 %  10/40 contracts  12,000 prints  1,200/s  30 s left',
    );
  });

  test('long times are in minutes, and failed calls are counted', () => {
    const [line] = progressLines([progress({ failures: 3 })], 600_000);
    assert.match(line ?? '', /30 min left {2}3 failed calls$/);
  });

  test('nothing fetched yet, and everything fetched', () => {
    assert.match(progressLines([progress({ daysLeft: 7200 })], 1000)[0] ?? '', /0 % .*time left unknown$/);
    assert.match(progressLines([progress({ daysLeft: 0 })], 1000)[0] ?? '', /100 % .*done$/);
  });

  test('names are aligned', () => {
    const lines = progressLines([progress({}), progress({ exchange: 'Hyperliquid' })], 1000);
    assert.deepEqual(
      lines.map((line) => line.indexOf('[')),
      [13, 13],
    );
  });

  test('a redraw replaces the former lines and never wraps', () => {
    assert.equal(redraw(['a', 'b'], 0, 80), '\u001B[2Ka\n\u001B[2Kb\n');
    assert.equal(redraw(['x'.repeat(100)], 1, 41), `\u001B[1A\u001B[2K${'x'.repeat(40)}\n`);
  });
});
