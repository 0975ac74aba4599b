import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import { FrameWriter } from './frame-writer.ts';
import type { TableSpec } from './tables/table.ts';
import { TableBuilder } from './tables/table-builder.ts';
import { decodeTable } from './tables/table-codec.ts';

const SPEC: TableSpec = {
  name: 'tiny',
  columns: [{ name: 'n', type: 'integer', nullable: false, description: '' }],
};
const START = Date.UTC(2026, 10, 14);
const MINUTE = 60_000;

function tableOf(n: number) {
  const builder = new TableBuilder(SPEC);
  builder.add({ n });
  return builder.build();
}

/** A writer on a clock, with what it has stored. */
function writing({ save }: { save?: () => Promise<void> } = {}) {
  const clock = new ManualClock(START);
  const frames = new Map<number, Uint8Array>();
  const sink = {
    save: save ?? (async (_: string, asOfMs: number, frame: Uint8Array) => void frames.set(asOfMs, frame)),
    deleteBefore: async (_: string, beforeMs: number) => {
      for (const at of frames.keys()) if (at < beforeMs) frames.delete(at);
    },
  };
  const writer = new FrameWriter(SPEC, sink, { log: createLog('silent'), clock });
  const minutes = () => [...frames.keys()].map((at) => (at - START) / MINUTE);
  return { writer, clock, frames, minutes };
}

suite('publishing frames', () => {
  test('a snapshot is stored as a frame', async () => {
    const { writer, frames } = writing();
    await writer.publish(START, tableOf(7));
    assert.equal(decodeTable(frames.get(START) ?? new Uint8Array(0), SPEC)?.numbers('n')[0], 7);
    assert.equal(writer.newestAsOfMs, START);
  });

  test('one that is not newer than the last is not stored, also after a restart', async () => {
    const { writer, minutes } = writing();
    writer.resume(START);
    await writer.publish(START, tableOf(1));
    await writer.publish(START - 1, tableOf(1));
    assert.deepEqual(minutes(), []);
  });

  test('one that was being computed when the clock was set back is not stored', async () => {
    const { writer, clock, minutes } = writing();
    await writer.publish(START, tableOf(1));
    clock.advanceMs(MINUTE);
    const asOfMs = clock.nowMs();
    clock.step(-60 * MINUTE);
    writer.clockStepped(-60 * MINUTE, clock.nowMs());
    await writer.publish(asOfMs, tableOf(2));
    assert.deepEqual(minutes(), [0]);
    await writer.publish(clock.nowMs(), tableOf(3));
    assert.deepEqual(minutes(), [0, -59]);
  });

  test('frames that nobody can request any more are deleted', async () => {
    const { writer, clock, minutes } = writing();
    for (let minute = 0; minute <= 50; minute++, clock.advanceMs(MINUTE))
      await writer.publish(clock.nowMs(), tableOf(minute));
    assert.equal(minutes()[0], 13, 'cursors of delayed readers live for 36 minutes, and a span for one more');
  });

  test('after the clock was set forward, those of before stay in case it is set back', async () => {
    const { writer, clock, minutes } = writing();
    await writer.publish(START, tableOf(1));
    clock.step(600 * MINUTE);
    writer.clockStepped(600 * MINUTE, clock.nowMs());
    await writer.publish(clock.nowMs(), tableOf(2));
    assert.deepEqual(minutes(), [0, 600]);
    clock.advanceMs(40 * MINUTE);
    await writer.publish(clock.nowMs(), tableOf(3));
    assert.deepEqual(minutes(), [640]);
  });

  test('a disk that refuses a frame does not stop the next one', async () => {
    const { writer, clock } = writing({ save: () => Promise.reject(new Error('disk full')) });
    await writer.publish(START, tableOf(1));
    clock.advanceMs(MINUTE);
    await writer.publish(clock.nowMs(), tableOf(2));
    assert.equal(writer.newestAsOfMs, START + MINUTE);
  });
});
