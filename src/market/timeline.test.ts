import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import type { TableSpec } from './tables/table.ts';
import { TableBuilder } from './tables/table-builder.ts';
import { decodeTable, encodeTable } from './tables/table-codec.ts';
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

type MemoryStore = FrameStore & { frames: Map<number, Uint8Array> };

function memoryStore(): MemoryStore {
  const frames = new Map<number, Uint8Array>();
  return {
    frames,
    load: async (_, fromMs) =>
      [...frames].filter(([at]) => at >= fromMs).map(([asOfMs, frame]) => ({ asOfMs, frame })),
  };
}

/** What the collector does: it stores a frame, and the timeline takes it. */
function publish(timeline: Timeline, store: MemoryStore, asOfMs: number, n: number): void {
  const frame = encodeTable(tableOf(n));
  store.frames.set(asOfMs, frame);
  timeline.take(asOfMs, frame, asOfMs);
}

function filled(store: MemoryStore, minutes: number) {
  const timeline = new Timeline(SPEC, store, createLog('silent'));
  for (let minute = 0; minute <= minutes; minute++) publish(timeline, store, START + minute * 60_000, minute);
  return timeline;
}

suite('timeline', () => {
  test('live readers get the newest snapshot, delayed ones the newest of at least 900 s ago', async () => {
    const timeline = filled(memoryStore(), 30);
    const nowMs = START + 30 * 60_000 + 20_000;
    assert.equal(timeline.at(0, nowMs)?.table.numbers('n')[0], 30);
    assert.equal(timeline.at(900, nowMs)?.table.numbers('n')[0], 15);
    assert.equal(timeline.at(900, START + 899_999), null);
  });

  test('a snapshot can be requested exactly, 20 minutes after a delayed reader saw it', async () => {
    const timeline = filled(memoryStore(), 40);
    const seenByDemo = START + 5 * 60_000;
    assert.equal(timeline.exactly(seenByDemo)?.table.numbers('n')[0], 5);
    assert.equal(timeline.exactly(seenByDemo + 1), null);
    assert.equal(timeline.exactly(START), null, 'older ones are gone');
  });

  test('readers of one snapshot share its decoded table; the newest is never decoded', async () => {
    const timeline = filled(memoryStore(), 30);
    const nowMs = START + 30 * 60_000;
    const newest = timeline.at(0, nowMs);
    assert.equal(timeline.at(1, nowMs + 1000), newest, 'a reader with a short delay');
    assert.equal(timeline.exactly(nowMs), newest);
    const delayed = timeline.at(900, nowMs);
    assert.equal(timeline.at(900, nowMs), delayed);
    assert.equal(timeline.exactly(START + 15 * 60_000), delayed);
    const next = timeline.at(900, nowMs + 60_000);
    assert.equal(next?.table.numbers('n')[0], 16);
    assert.equal(timeline.exactly(START + 15 * 60_000), delayed, 'a cursor still points into it');
  });

  test('a reader that catches up finds the snapshots after the one it had, and a delayed reader those of its age', async () => {
    const timeline = filled(memoryStore(), 30);
    const nowMs = START + 30 * 60_000 + 20_000;
    assert.equal(timeline.after(START + 28 * 60_000, 0, nowMs), START + 29 * 60_000);
    assert.equal(timeline.after(START + 28 * 60_000 + 1, 0, nowMs), START + 29 * 60_000);
    assert.equal(timeline.after(START + 30 * 60_000, 0, nowMs), null);
    assert.equal(timeline.after(START + 14 * 60_000, 900, nowMs), START + 15 * 60_000);
    assert.equal(timeline.after(START + 15 * 60_000, 900, nowMs), null);
  });

  test('a new process serves the stored snapshot, if it is not too old', async () => {
    const store = memoryStore();
    filled(store, 20);
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
      publish(timeline, store, atMs, (atMs - START) / 1000);
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
});

/** Ways in which a stored frame can be damaged. */
const DAMAGES: [string, (frame: Uint8Array) => Uint8Array][] = [
  ['0 bytes', () => new Uint8Array(0)],
  ['foreign bytes', () => Buffer.from('{"not": "a frame"}')],
  ['its first half', (frame) => frame.slice(0, frame.length / 2)],
  ['all but its last byte', (frame) => frame.slice(0, -1)],
  ['one flipped byte', (frame) => frame.map((byte, i) => (i === frame.length - 10 ? byte ^ 0x10 : byte))],
];

suite('a damaged frame', () => {
  for (const [name, damaged] of DAMAGES)
    test(`is skipped, logged and counted: ${name}`, async () => {
      const store = memoryStore();
      filled(store, 20);
      const nowMs = START + 20 * 60_000;
      for (const minute of [5, 19, 20]) {
        const atMs = START + minute * 60_000;
        store.frames.set(atMs, damaged(store.frames.get(atMs) ?? new Uint8Array(0)));
      }
      const [lines, metrics] = [[] as string[], createMetrics()];
      const log = createLog('warn', { write: (line) => void lines.push(line) });
      const timeline = new Timeline(SPEC, store, log, { metrics });
      await timeline.restore(nowMs, 3_600_000);
      for (let reader = 0; reader < 3; reader++) {
        assert.equal(timeline.at(0, nowMs)?.table.numbers('n')[0], 18, 'the newest readable one is served');
        assert.equal(timeline.at(900, nowMs)?.table.numbers('n')[0], 4);
        assert.equal(timeline.exactly(START + 19 * 60_000), null);
      }
      assert.equal(lines.filter((line) => line.includes('skipped a stored snapshot')).length, 3, 'once each');
      assert.deepEqual((await metrics.framesSkipped.get()).values, [
        { labels: { series: 'tiny', reason: 'damaged' }, value: 3 },
      ]);
      publish(timeline, store, nowMs + 1, 21);
      assert.equal(timeline.at(0, nowMs)?.table.numbers('n')[0], 21);
    });

  test('no flipped bit of a frame changes a value', () => {
    const frame = encodeTable(tableOf(1234567));
    for (let bit = 0; bit < frame.length * 8; bit++) {
      const flipped = Buffer.from(frame);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      let read: number | undefined;
      try {
        read = decodeTable(flipped, SPEC)?.numbers('n')[0];
      } catch {
        continue;
      }
      // Two bits of the head of a zstd frame have no meaning for its content.
      assert.equal(read, 1234567, `bit ${bit}`);
    }
  });

  test('while another process sends frames of another version, the last readable one is served, and no frame is wanted twice', () => {
    const later = new TableBuilder({
      ...SPEC,
      columns: [{ name: 'm', type: 'integer', nullable: false, description: '' }],
    });
    later.add({ m: 1 });
    const frame = encodeTable(later.build());
    const timeline = new Timeline(SPEC, memoryStore(), createLog('silent'));
    assert.ok(timeline.take(START, encodeTable(tableOf(7)), START));
    for (let minute = 1; minute <= 120; minute++) {
      const asOfMs = START + minute * 60_000;
      assert.ok(timeline.wants(asOfMs));
      assert.ok(!timeline.take(asOfMs, frame, asOfMs));
      assert.ok(!timeline.wants(asOfMs));
    }
    const nowMs = START + 120 * 60_000;
    assert.equal(timeline.at(0, nowMs)?.table.numbers('n')[0], 7);
    assert.equal(timeline.at(900, nowMs)?.table.numbers('n')[0], 7);
    const next = nowMs + 60_000;
    assert.ok(timeline.take(next, encodeTable(tableOf(8)), next), 'a collector of this version again');
    assert.equal(timeline.at(0, next)?.table.numbers('n')[0], 8);
  });

  test('a damaged frame is wanted again: the database may have an intact copy', () => {
    const timeline = new Timeline(SPEC, memoryStore(), createLog('silent'));
    const intact = encodeTable(tableOf(7));
    assert.ok(!timeline.take(START, intact.subarray(0, -5), START));
    assert.ok(timeline.wants(START));
    assert.ok(timeline.take(START, intact, START));
  });
});
