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
  test('live readers get the newest, delayed ones that of at least 900 s ago', async () => {
    const timeline = await filled(memoryStore(), 30);
    const nowMs = START + 30 * 60_000 + 20_000;
    assert.equal(timeline.at(0, nowMs)?.table.numbers('n')[0], 30);
    assert.equal(timeline.at(900, nowMs)?.table.numbers('n')[0], 15);
    assert.equal(timeline.at(900, START + 899_999), null);
  });

  test('a snapshot can be asked for exactly, 20 minutes after a delayed reader saw it', async () => {
    const timeline = await filled(memoryStore(), 40);
    const seenByDemo = START + 5 * 60_000;
    assert.equal(timeline.exactly(seenByDemo)?.table.numbers('n')[0], 5);
    assert.equal(timeline.exactly(seenByDemo + 1), null);
    assert.equal(timeline.exactly(START), null, 'older ones are gone');
  });

  test('a new process serves what the old one kept, if it is not too old', async () => {
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

  test('a store that fails costs nothing but the restart', async () => {
    const store = { ...memoryStore(), save: () => Promise.reject(new Error('disk full')) };
    const timeline = await filled(store, 1);
    assert.equal(timeline.at(0, START)?.table.numbers('n')[0], 1);
  });
});
