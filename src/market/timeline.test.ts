import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../base/log.ts';
import { TableBuilder, type TableSpec } from './table.ts';
import { type FrameStore, Timeline } from './timeline.ts';

const SPEC: TableSpec = {
  name: 'tiny',
  columns: [{ name: 'n', type: 'integer', nullable: false, description: '' }],
};
const START = Date.UTC(2026, 10, 14);

function tableOf(n: number) {
  const builder = new TableBuilder(SPEC);
  builder.add({ n });
  return builder.build();
}

function memoryStore(): FrameStore & { frames: Map<number, Uint8Array> } {
  const frames = new Map<number, Uint8Array>();
  return {
    frames,
    save: async (_, asOfMs, frame) => void frames.set(asOfMs, frame),
    load: async (_, fromMs) =>
      [...frames].filter(([at]) => at >= fromMs).map(([asOfMs, frame]) => ({ asOfMs, frame })),
    deleteBefore: async (_, beforeMs) => {
      for (const at of frames.keys()) if (at < beforeMs) frames.delete(at);
    },
  };
}

async function filled(store: FrameStore, minutes: number) {
  const timeline = new Timeline(SPEC, store, createLog('silent'));
  for (let minute = 0; minute <= minutes; minute++)
    await timeline.publish(START + minute * 60_000, tableOf(minute));
  return timeline;
}

suite('timeline', () => {
  test('live readers get the newest snapshot, delayed ones the newest of at least 900 s ago', async () => {
    const timeline = await filled(memoryStore(), 30);
    const nowMs = START + 30 * 60_000 + 20_000;
    assert.equal(timeline.at(0, nowMs)?.table.numbers('n')[0], 30);
    assert.equal(timeline.at(900, nowMs)?.table.numbers('n')[0], 15);
    assert.equal(timeline.at(900, START + 899_999), null);
  });

  test('a snapshot can be requested exactly, 20 minutes after a delayed reader saw it', async () => {
    const timeline = await filled(memoryStore(), 40);
    const seenByDemo = START + 5 * 60_000;
    assert.equal(timeline.exactly(seenByDemo)?.table.numbers('n')[0], 5);
    assert.equal(timeline.exactly(seenByDemo + 1), null);
    assert.equal(timeline.exactly(START), null, 'older ones are gone');
  });

  test('a new process serves the stored snapshot, if it is not too old', async () => {
    const store = memoryStore();
    await filled(store, 20);
    const again = new Timeline(SPEC, store, createLog('silent'));
    await again.restore(START + 25 * 60_000, 3_600_000);
    assert.equal(again.at(0, START + 25 * 60_000)?.table.numbers('n')[0], 20);
    assert.equal(again.at(900, START + 25 * 60_000)?.table.numbers('n')[0], 10);
    const tooLate = new Timeline(SPEC, store, createLog('silent'));
    await tooLate.restore(START + 25 * 60_000, 60_000);
    assert.equal(tooLate.at(0, START + 25 * 60_000), null);
  });

  test('of prints every few seconds, delayed readers see one a minute, and cursors still find theirs', async () => {
    const store = memoryStore();
    const timeline = new Timeline(SPEC, store, createLog('silent'), { delayedEveryMs: 60_000 });
    const endMs = START + 45 * 60_000;
    for (let atMs = START + 7000; atMs <= endMs; atMs += 5000)
      await timeline.publish(atMs, tableOf((atMs - START) / 1000));
    const secondsAt = (found: { asOfMs: number } | null | undefined) =>
      found && (found.asOfMs - START) / 1000;
    assert.equal(secondsAt(timeline.at(0, endMs)), 45 * 60 - 3);
    for (const [nowMs, seconds] of [
      [endMs, 29 * 60 + 2],
      [endMs + 1999, 29 * 60 + 2],
      [endMs + 2000, 30 * 60 + 2],
    ] as const)
      assert.equal(secondsAt(timeline.at(900, nowMs)), seconds);
    for (const ago of [0, 600, 1195])
      assert.equal(secondsAt(timeline.exactly(endMs - 3000 - ago * 1000)), 45 * 60 - 3 - ago);
    // What a delayed reader saw 20 minutes ago was 16 minutes old then.
    assert.equal(secondsAt(timeline.exactly(START + 9 * 60_000 + 2000)), 9 * 60 + 2);
    assert.equal(timeline.exactly(START + 9 * 60_000 + 7000), null, 'those in between are no longer held');
    const again = new Timeline(SPEC, store, createLog('silent'), { delayedEveryMs: 60_000 });
    await again.restore(endMs, 3_600_000);
    assert.equal(secondsAt(again.at(900, endMs)), 29 * 60 + 2, 'also after a restart');
  });

  test('a store that fails affects only the restart', async () => {
    const store = { ...memoryStore(), save: () => Promise.reject(new Error('disk full')) };
    const timeline = await filled(store, 1);
    assert.equal(timeline.at(0, START)?.table.numbers('n')[0], 1);
  });
});
