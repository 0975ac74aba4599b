import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { until } from '../../test/support/until.ts';
import { ManualClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import type { FrameArchive, StoredFrame } from '../market/frame-store.ts';
import { TableBuilder, type TableSpec } from '../market/tables/table.ts';
import { encodeTable } from '../market/tables/table-codec.ts';
import { type TableSnapshot, Timeline } from '../market/timeline.ts';
import { FencedError } from '../storage/fences.ts';
import type { Redis } from '../storage/redis/redis.ts';
import { pack, unpack } from './envelope.ts';
import { FrameFeed } from './frame-feed.ts';
import type { SnapshotReader } from './frame-intake.ts';
import { FrameSender } from './frame-sender.ts';
import { decodeFrames } from './frames.ts';

const START_MS = Date.UTC(2026, 10, 15, 7);
const log = createLog('silent');
const SPEC: TableSpec = {
  name: 'tiny',
  columns: [{ name: 'n', type: 'integer', nullable: false, description: '' }],
};

function tableOf(n: number) {
  const builder = new TableBuilder(SPEC);
  builder.add({ n });
  return builder.build();
}

class MemoryArchive implements FrameArchive {
  readonly frames = new Map<number, StoredFrame>();
  isUnavailable = false;
  isFenced = false;
  #check(): void {
    if (this.isFenced) throw new FencedError('another');
    if (this.isUnavailable) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  }
  async save(series: string, asOfMs: number, frame: Uint8Array): Promise<void> {
    await this.saveAll([{ series, asOfMs, frame }]);
  }
  async saveAll(frames: readonly StoredFrame[]): Promise<void> {
    this.#check();
    for (const one of frames) this.frames.set(one.asOfMs, one);
  }
  async load(_series: string, fromMs: number): Promise<StoredFrame[]> {
    this.#check();
    return [...this.frames.values()]
      .filter(({ asOfMs }) => asOfMs >= fromMs)
      .sort((a, b) => a.asOfMs - b.asOfMs);
  }
  async newest(): Promise<Map<string, number>> {
    this.#check();
    return new Map(this.frames.size === 0 ? [] : [[SPEC.name, Math.max(...this.frames.keys())]]);
  }
  async times(_series: string, fromMs: number): Promise<number[]> {
    this.#check();
    return [...this.frames.keys()].filter((asOfMs) => asOfMs >= fromMs);
  }
  async loadThese(_series: string, asOfMs: readonly number[]): Promise<StoredFrame[]> {
    this.#check();
    return asOfMs.flatMap((one) => this.frames.get(one) ?? []);
  }
  async deleteAfter(timeMs: number): Promise<void> {
    for (const asOfMs of this.frames.keys()) if (asOfMs > timeMs) this.frames.delete(asOfMs);
  }
  async deleteBefore(): Promise<void> {
    this.#check();
  }
}

/** A channel that delivers at once, or drops every message. */
class Channel {
  readonly sent: Buffer[] = [];
  isUp = true;
  isLossy = false;
  readonly #listeners = new Set<(message: Buffer) => void>();
  readonly redis = {
    command: async (args: readonly unknown[]) => {
      if (!this.isUp) throw new Error('unavailable');
      const message = args[2] as Buffer;
      this.sent.push(message);
      if (!this.isLossy) for (const listener of this.#listeners) listener(message);
      return 1;
    },
    subscribe: async (_name: string, listener: (message: Buffer) => void) => {
      this.#listeners.add(listener);
      return { close: async () => void this.#listeners.delete(listener) };
    },
  } as unknown as Redis;
}

function publishing(channel: Channel, archive: FrameArchive, clock: ManualClock, number = 1) {
  const sender = new FrameSender({
    redis: channel.redis,
    channel: '',
    archive,
    fence: () => ({ name: 'engine', number }),
    clock,
    log,
    metrics: createMetrics(),
  });
  const timeline = new Timeline(SPEC, sender, log);
  return { sender, timeline };
}

async function following(
  channel: Channel,
  archive: FrameArchive,
  clock: ManualClock,
  reader?: SnapshotReader,
) {
  const metrics = createMetrics();
  const timeline = new Timeline(SPEC, archive, log, { metrics });
  const feed = new FrameFeed({
    redis: channel.redis,
    channel: '',
    archive,
    timelines: new Map([[SPEC.name, timeline]]),
    readers: new Map(reader ? [[SPEC.name, reader]] : []),
    clock,
    log,
    metrics,
  });
  await timeline.restore(clock.nowMs(), 3_600_000);
  await feed.start();
  const outcomes = async () =>
    Object.fromEntries(
      (await metrics.clusterMessages.get()).values.map(({ labels, value }) => [labels.outcome, value]),
    );
  return {
    timeline,
    feed,
    outcomes,
    skipped: async () => (await metrics.framesSkipped.get()).values[0]?.value,
    n: (delay = 0) => timeline.at(delay, clock.nowMs())?.table.numbers('n')[0],
  };
}

/** Prepares a snapshot when the test says so. */
function waitingReader() {
  const waiting: (() => void)[] = [];
  const seen: string[] = [];
  const numberOf = ({ table }: TableSnapshot) => table.numbers('n')[0];
  const reader: SnapshotReader = {
    prepare: async (snapshot) => {
      seen.push(`prepare ${numberOf(snapshot)}`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    shown: async (asOfMs) => void seen.push(`shown ${(asOfMs - START_MS) / 1000}`),
  };
  const prepareNext = async () => {
    await until(() => waiting.length > 0, 'a snapshot to prepare');
    waiting.shift()?.();
  };
  return { reader, seen, prepareNext };
}

suite('frames that are prepared before they are shown', () => {
  const start = async (reader: SnapshotReader) => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline } = publishing(channel, archive, clock);
    const api = await following(channel, archive, clock, reader);
    const publish = async (n: number) => {
      clock.setMs(START_MS + n * 1000);
      await timeline.publish(clock.nowMs(), tableOf(n));
    };
    return { api, publish, archive, clock };
  };

  test('the one before is served until then', async () => {
    const { reader, seen, prepareNext } = waitingReader();
    const { api, publish } = await start(reader);
    await publish(1);
    await prepareNext();
    await until(() => api.n() === 1, 'the first one');
    await publish(2);
    await until(() => seen.includes('prepare 2'), 'the second one to begin');
    assert.equal(api.n(), 1);
    await prepareNext();
    await until(() => api.n() === 2, 'the second one');
    await api.feed.stop();
    assert.deepEqual(seen, ['prepare 1', 'shown 1', 'prepare 2', 'shown 2']);
  });

  test('those that arrive meanwhile are held in order, and of those that wait only the last is prepared', async () => {
    const { reader, seen, prepareNext } = waitingReader();
    const { api, publish } = await start(reader);
    for (let n = 1; n <= 4; n++) await publish(n);
    await prepareNext();
    await prepareNext();
    await until(() => api.n() === 4, 'the last one');
    await api.feed.stop();
    assert.deepEqual(
      seen.filter((what) => what.startsWith('prepare')),
      ['prepare 1', 'prepare 4'],
    );
    for (let n = 1; n <= 4; n++) assert.ok(api.timeline.holds(START_MS + n * 1000), `${n}`);
    assert.equal(api.feed.isFetching, false, 'a frame that waits is not missed');
  });

  test('a cursor that names one waits for it', async () => {
    const { reader, prepareNext } = waitingReader();
    const { api, publish } = await start(reader);
    await publish(1);
    assert.equal(api.feed.source(SPEC.name).exactly(START_MS + 1000), null);
    const fetched = api.feed.fetchMissed();
    await prepareNext();
    assert.equal(await fetched, true);
    assert.equal(api.n(), 1);
    await api.feed.stop();
  });

  test('one that cannot be prepared is shown nevertheless', async () => {
    const { api, publish } = await start({
      prepare: async () => assert.fail('cannot'),
      shown: async () => assert.fail('cannot either'),
    });
    await publish(1);
    await until(() => api.n() === 1, 'shown');
    await publish(2);
    await until(() => api.n() === 2, 'and the next');
    await api.feed.stop();
  });
});

suite('frame fan-out', () => {
  test('a frame is stored before it is sent, and every process receives it', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline } = publishing(channel, archive, clock);
    const [a, b] = [await following(channel, archive, clock), await following(channel, archive, clock)];
    const original = channel.redis.command;
    channel.redis.command = async (args) => {
      assert.equal(archive.frames.size, 1, 'stored first');
      return await original(args);
    };
    await timeline.publish(START_MS, tableOf(1));
    assert.deepEqual([a.n(), b.n()], [1, 1]);
  });

  test('a process that starts late has the newest frame and the ring', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline } = publishing(channel, archive, clock);
    for (let minute = 0; minute <= 20; minute++) {
      clock.setMs(START_MS + minute * 60_000);
      await timeline.publish(clock.nowMs(), tableOf(minute));
    }
    const late = await following(channel, archive, clock);
    assert.deepEqual([late.n(), late.n(900)], [20, 5]);
  });

  test('a process that missed messages serves the newest frame at once and then fills the gap', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline } = publishing(channel, archive, clock);
    const slow = await following(channel, archive, clock);
    for (let minute = 0; minute <= 20; minute++) {
      clock.setMs(START_MS + minute * 60_000);
      channel.isLossy = minute > 2 && minute < 20;
      await timeline.publish(clock.nowMs(), tableOf(minute));
    }
    assert.equal(slow.n(), 20);
    await until(() => slow.timeline.holds(START_MS + 10 * 60_000), 'the gap filled');
    for (let minute = 0; minute <= 20; minute++)
      assert.ok(slow.timeline.holds(START_MS + minute * 60_000), `${minute}`);
    assert.equal(slow.n(900), 5);
  });

  test('without messages a process finds new frames in the database every few seconds', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const deaf = await following(channel, archive, clock);
    channel.isLossy = true;
    await publishing(channel, archive, clock).timeline.publish(START_MS, tableOf(1));
    assert.equal(deaf.n(), undefined);
    clock.advanceMs(3000);
    await until(() => deaf.n() === 1, 'the snapshot found');
  });

  test('a frame that a cursor names and the process lacks is fetched once, and only if it can exist', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const behind = await following(channel, archive, clock);
    channel.isLossy = true;
    await publishing(channel, archive, clock).timeline.publish(START_MS, tableOf(1));
    const source = behind.feed.source(SPEC.name);
    assert.equal(behind.feed.fetchMissed(), null, 'no frame was requested');
    assert.equal(source.exactly(START_MS), null);
    assert.equal(await behind.feed.fetchMissed(), true);
    assert.equal(source.exactly(START_MS)?.table.numbers('n')[0], 1);
    assert.equal(source.exactly(START_MS - 3 * 3_600_000), null);
    assert.equal(behind.feed.fetchMissed(), null, 'too old to be anywhere');
  });

  test('frames of a former engine and malformed messages are dropped and counted', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const api = await following(channel, archive, clock);
    const [old, next] = [publishing(channel, archive, clock, 1), publishing(channel, archive, clock, 2)];
    await next.timeline.publish(START_MS, tableOf(2));
    clock.advanceMs(1000);
    await old.timeline.publish(clock.nowMs(), tableOf(1));
    assert.equal(api.n(), 2);
    await channel.redis.command(['PUBLISH', '', Buffer.from('???')]);
    await channel.redis.command(['PUBLISH', '', pack({ kind: 'frames', fence: 3, frames: [{ bytes: -1 }] })]);
    assert.deepEqual(await api.outcomes(), { received: 1, outdated: 1, 'unknown version': 1, unreadable: 1 });
    clock.advanceMs(1000);
    await next.timeline.publish(clock.nowMs(), tableOf(4));
    assert.equal(api.n(), 4, 'the next good message is received');
  });

  for (const [name, reader] of [
    ['a damaged frame is skipped; an intact copy in the database replaces it', undefined],
    [
      'the same with a reader, which does not get the damaged one',
      { prepare: async () => undefined, shown: async () => undefined },
    ],
  ] as const)
    test(name, async () => {
      const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
      const { timeline } = publishing(channel, archive, clock);
      await timeline.publish(START_MS, tableOf(1));
      channel.isLossy = true;
      clock.advanceMs(1000);
      const a = await following(channel, archive, clock, reader);
      await timeline.publish(START_MS + 1000, tableOf(2));
      const message = channel.sent.at(-1) ?? Buffer.alloc(0);
      const damaged = message.map((byte, i) => (i === message.length - 6 ? byte ^ 1 : byte));
      channel.isLossy = false;
      await channel.redis.command(['PUBLISH', '', Buffer.from(damaged)]);
      await until(async () => (await a.skipped()) === 1, 'the damaged one to be counted');
      assert.equal(a.n(), 1, 'the last intact one is served');
      clock.advanceMs(3000);
      await until(() => a.n() === 2, 'the copy in the database');
      assert.equal(await a.skipped(), 1, 'counted once');
      await a.feed.stop();
    });

  test('frames of an engine whose clock was an hour ahead are dropped with its first true frame', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline } = publishing(channel, archive, clock);
    const a = await following(channel, archive, clock);
    await timeline.publish(START_MS, tableOf(1));
    await timeline.publish(START_MS + 3_600_000, tableOf(2));
    assert.equal(a.n(), 2, 'this clock may be the wrong one');
    timeline.clockStepped(-3_600_000, START_MS);
    await archive.deleteAfter(START_MS);
    clock.advanceMs(10_000);
    await timeline.publish(START_MS + 10_000, tableOf(3));
    assert.equal(a.n(), 3);
    assert.equal(a.timeline.exactly(START_MS)?.table.numbers('n')[0], 1, 'the true ones are still held');
    assert.equal(a.timeline.exactly(START_MS + 3_600_000), null);
    await a.feed.stop();
  });

  test('a frame ahead of the local clock is shown when its time has come', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const api = await following(channel, archive, clock);
    await publishing(channel, archive, clock).timeline.publish(START_MS + 800, tableOf(1));
    assert.equal(api.n(), undefined);
    clock.advanceMs(800);
    await until(() => api.n() === 1, 'its time');
  });

  test('while the database is unavailable frames are sent, and stored when it is back', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline, sender } = publishing(channel, archive, clock);
    const api = await following(channel, archive, clock);
    archive.isUnavailable = true;
    for (let n = 1; n <= 3; n++) {
      clock.advanceMs(1000);
      await timeline.publish(clock.nowMs(), tableOf(n));
    }
    assert.equal(api.n(), 3);
    assert.equal(sender.unsavedFrames, 3);
    archive.isUnavailable = false;
    await until(() => archive.frames.size === 3, 'stored later');
    assert.equal(sender.unsavedFrames, 0);
    await sender.stop();
  });

  test('after another engine has begun, no frame of the former is stored', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline, sender } = publishing(channel, archive, clock);
    archive.isFenced = true;
    await timeline.publish(START_MS, tableOf(1));
    assert.equal(sender.unsavedFrames, 0);
    assert.equal(archive.frames.size, 0);
  });

  test('a message that cannot be made does not keep the next ones back', async (t) => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { timeline } = publishing(channel, archive, clock);
    const failing = t.mock.method(channel.redis, 'command', () => {
      throw new RangeError('too large');
    });
    await timeline.publish(START_MS, tableOf(1)).catch(() => undefined);
    failing.mock.restore();
    await timeline.publish(START_MS + 1000, tableOf(2));
    await until(() => channel.sent.length === 1, 'the next message');
  });

  test('frames saved in one turn of the event loop are sent in one message', async () => {
    const [channel, archive, clock] = [new Channel(), new MemoryArchive(), new ManualClock(START_MS)];
    const { sender } = publishing(channel, archive, clock);
    const frame = encodeTable(tableOf(1));
    await Promise.all(['25', '100', '500'].map((size) => sender.save(size, START_MS, frame)));
    assert.equal(channel.sent.length, 1);
    const message = unpack(channel.sent[0] as Buffer);
    assert.equal(message && decodeFrames(message)?.frames.length, 3);
  });

  test('whatever the order of the frames, every process shows the same to live and delayed readers', () => {
    const times = Array.from({ length: 60 }, (_, i) => START_MS + i * 23_000);
    const endMs = times.at(-1) ?? 0;
    const view = (order: readonly number[]) => {
      const timeline = new Timeline(SPEC, new MemoryArchive(), log, { delayedEveryMs: 60_000 });
      for (const i of order) timeline.take(times[i] ?? 0, encodeTable(tableOf(i)), times.at(-1) ?? 0);
      return [0, 900].map((delay) => timeline.at(delay, endMs)?.asOfMs);
    };
    const inOrder = view(times.map((_, i) => i));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          times.map((_, i) => i),
          { minLength: 60 },
        ),
        (order) => {
          assert.deepEqual(view(order), inOrder);
        },
      ),
      { numRuns: 30 },
    );
  });
});
