import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { until } from '../../test/support/until.ts';
import { ManualClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import type { FrameArchive, FrameName, StoredFrame } from '../market/frame-store.ts';
import { FrameWriter } from '../market/frame-writer.ts';
import type { TableSpec } from '../market/tables/table.ts';
import { TableBuilder } from '../market/tables/table-builder.ts';
import { encodeTable } from '../market/tables/table-codec.ts';
import { Timeline } from '../market/timeline.ts';
import { FencedError } from '../storage/fences.ts';
import { FramePublisher } from './frame-publisher.ts';
import { PortFeed, PortOutlet, sendThrough } from './port-feed.ts';
import { PostgresFeed, PostgresOutlet } from './postgres-feed.ts';

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

/** The stored frames of one series, with the notifications of PostgreSQL. */
class MemoryArchive implements FrameArchive {
  readonly frames = new Map<number, StoredFrame>();
  isUnavailable = false;
  isFenced = false;
  /** Notifications are lost. */
  isDeaf = false;
  transactions = 0;
  loads = 0;
  readonly #heard = new Set<(payload: string) => void>();
  readonly #reconnected = new Set<() => void>();
  readonly listener = {
    on: async (_channel: string, handler: (payload: string) => void) => {
      this.#heard.add(handler);
      return () => void this.#heard.delete(handler);
    },
    onReconnect: (handler: () => void) => {
      this.#reconnected.add(handler);
      return () => void this.#reconnected.delete(handler);
    },
  };
  reconnect(): void {
    for (const handler of this.#reconnected) handler();
  }
  #check(): void {
    if (this.isFenced) throw new FencedError('another');
    if (this.isUnavailable) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  }
  async save(series: string, asOfMs: number, frame: Uint8Array): Promise<void> {
    await this.saveAll([{ series, asOfMs, frame }]);
  }
  async saveAll(frames: readonly StoredFrame[]): Promise<void> {
    this.#check();
    this.transactions++;
    for (const one of frames) this.frames.set(one.asOfMs, one);
    if (!this.isDeaf) for (const handler of this.#heard) handler('');
  }
  async load(_series: string, fromMs: number): Promise<StoredFrame[]> {
    this.#check();
    return [...this.frames.values()]
      .filter(({ asOfMs }) => asOfMs >= fromMs)
      .sort((a, b) => a.asOfMs - b.asOfMs);
  }
  async timesAfter(newestMs: ReadonlyMap<string, number>): Promise<Map<string, number[]>> {
    this.#check();
    const fromMs = newestMs.get(SPEC.name) ?? 0;
    const times = [...this.frames.keys()].filter((asOfMs) => asOfMs > fromMs).sort((a, b) => a - b);
    return new Map(times.length > 0 ? [[SPEC.name, times]] : []);
  }
  async loadThese(names: readonly FrameName[]): Promise<StoredFrame[]> {
    this.#check();
    this.loads += names.length;
    return names.flatMap(({ asOfMs }) => this.frames.get(asOfMs) ?? []);
  }
  async deleteAfter(timeMs: number): Promise<void> {
    for (const asOfMs of this.frames.keys()) if (asOfMs > timeMs) this.frames.delete(asOfMs);
  }
  async deleteBefore(): Promise<void> {
    this.#check();
  }
}

/** A writer whose clock is ahead of all frames of the tests. */
function writerTo(publisher: FramePublisher): FrameWriter {
  return new FrameWriter(SPEC, publisher, { log, clock: { nowMs: () => Number.MAX_SAFE_INTEGER } });
}

function publishing(archive: FrameArchive, isActive = () => true) {
  const fence = () => (isActive() ? { name: 'engine', number: 1 } : null);
  const publisher = new FramePublisher(new PostgresOutlet(archive, fence), archive);
  return { publisher, writer: writerTo(publisher) };
}

async function following(archive: MemoryArchive, clock: ManualClock) {
  const metrics = createMetrics();
  const timeline = new Timeline(SPEC, archive, log, { metrics });
  const feed = new PostgresFeed({
    listener: archive.listener,
    archive,
    timelines: new Map([[SPEC.name, timeline]]),
    clock,
    log,
    metrics,
  });
  await timeline.restore(clock.nowMs(), 3_600_000);
  await feed.start();
  return {
    timeline,
    feed,
    skipped: async () => (await metrics.framesSkipped.get()).values[0]?.value,
    n: (delay = 0) => timeline.at(delay, clock.nowMs())?.table.numbers('n')[0],
  };
}

suite('publishing', () => {
  for (const [name, hinder] of [
    ['while the database is unavailable', (archive: MemoryArchive) => (archive.isUnavailable = true)],
    ['after another process has become active', (archive: MemoryArchive) => (archive.isFenced = true)],
  ] as const)
    test(`${name} nothing is stored, and later frames are not held back`, async () => {
      const archive = new MemoryArchive();
      const { writer } = publishing(archive);
      hinder(archive);
      await writer.publish(START_MS, tableOf(1));
      archive.isUnavailable = false;
      archive.isFenced = false;
      assert.equal(archive.frames.size, 0);
      await writer.publish(START_MS + 1000, tableOf(2));
      assert.deepEqual([...archive.frames.keys()], [START_MS + 1000]);
    });

  test('without the lock nothing is stored', async () => {
    const archive = new MemoryArchive();
    let isActive = false;
    const { writer } = publishing(archive, () => isActive);
    await writer.publish(START_MS, tableOf(1));
    assert.equal(archive.frames.size, 0);
    isActive = true;
    await writer.publish(START_MS + 1000, tableOf(2));
    assert.equal(archive.frames.size, 1);
  });

  test('frames of one turn of the event loop are stored in one transaction', async () => {
    const archive = new MemoryArchive();
    const { publisher } = publishing(archive);
    const frame = encodeTable(tableOf(1));
    await Promise.all([1, 2, 3].map((n) => publisher.save(SPEC.name, START_MS + n, frame)));
    assert.equal(archive.transactions, 1);
    assert.equal(archive.frames.size, 3);
  });
});

suite('following', () => {
  const start = async () => {
    const [archive, clock] = [new MemoryArchive(), new ManualClock(START_MS)];
    const { writer } = publishing(archive);
    return { archive, clock, writer, api: await following(archive, clock) };
  };

  test('a notification brings the frame to every process', async () => {
    const { archive, clock, writer, api } = await start();
    const other = await following(archive, clock);
    await writer.publish(START_MS, tableOf(1));
    await until(() => api.n() === 1 && other.n() === 1, 'the frame at both');
    assert.equal(archive.loads, 2, 'each reads it once');
  });

  test('a process that starts late has the newest frame and the ring', async () => {
    const { archive, clock, writer } = await start();
    for (let minute = 0; minute <= 20; minute++) {
      clock.setMs(START_MS + minute * 60_000);
      await writer.publish(clock.nowMs(), tableOf(minute));
    }
    const late = await following(archive, clock);
    assert.deepEqual([late.n(), late.n(900)], [20, 5]);
  });

  test('a process that missed notifications serves the newest frame and fills the gap', async () => {
    const { archive, clock, writer, api } = await start();
    for (let minute = 0; minute <= 20; minute++) {
      clock.setMs(START_MS + minute * 60_000);
      archive.isDeaf = minute > 2 && minute < 20;
      await writer.publish(clock.nowMs(), tableOf(minute));
    }
    await until(() => api.n() === 20, 'the newest');
    await until(() => !api.feed.isFetching, 'the gap filled');
    for (let minute = 0; minute <= 20; minute++)
      assert.ok(api.timeline.holds(START_MS + minute * 60_000), `${minute}`);
    assert.equal(api.n(900), 5);
  });

  test('without notifications a process finds new frames every few seconds', async () => {
    const { archive, clock, writer, api } = await start();
    archive.isDeaf = true;
    await writer.publish(START_MS, tableOf(1));
    assert.equal(api.n(), undefined);
    await until(() => {
      clock.advanceMs(3000);
      return api.n() === 1;
    }, 'the snapshot found');
  });

  test('after a reconnect it looks at once', async () => {
    const { archive, writer, api } = await start();
    archive.isDeaf = true;
    await writer.publish(START_MS, tableOf(1));
    archive.reconnect();
    await until(() => api.n() === 1, 'the snapshot found');
  });

  test('while the database is unavailable the last one is served, and then the missed ones are read', async () => {
    const { archive, clock, writer, api } = await start();
    await writer.publish(START_MS, tableOf(1));
    await until(() => api.n() === 1, 'the first');
    archive.isDeaf = true;
    for (let n = 2; n <= 3; n++) await writer.publish(START_MS + n * 1000, tableOf(n));
    clock.advanceMs(3000);
    archive.isUnavailable = true;
    archive.reconnect();
    clock.advanceMs(3000);
    await assert.rejects(api.feed.fetch(SPEC.name, START_MS + 2000), /refused/);
    assert.equal(api.n(), 1);
    archive.isUnavailable = false;
    archive.reconnect();
    await until(() => api.n() === 3 && api.timeline.holds(START_MS + 2000), 'all of them');
  });

  test('a failure between the newest frame and the older ones leaves these for the next look', async () => {
    const { archive, clock, writer, api } = await start();
    archive.isDeaf = true;
    for (let n = 1; n <= 3; n++) await writer.publish(START_MS + n, tableOf(n));
    clock.advanceMs(1000);
    const loadThese = archive.loadThese.bind(archive);
    archive.loadThese = async (names) => {
      if (names.some(({ asOfMs }) => asOfMs < START_MS + 3)) archive.isUnavailable = true;
      return await loadThese(names);
    };
    archive.reconnect();
    await until(() => archive.isUnavailable, 'the failure');
    assert.equal(api.n(), 3);
    assert.equal(api.feed.isFetching, true, 'alerts must not take the newest for the next');
    archive.loadThese = loadThese;
    archive.isUnavailable = false;
    archive.reconnect();
    await until(() => !api.feed.isFetching, 'the rest');
    for (let n = 1; n <= 3; n++) assert.ok(api.timeline.holds(START_MS + n), `${n}`);
  });

  test('a frame that a cursor names and the process lacks is fetched once, and only if it can exist', async () => {
    const { archive, writer, api } = await start();
    archive.isDeaf = true;
    await writer.publish(START_MS, tableOf(1));
    assert.equal(await api.feed.fetch(SPEC.name, START_MS), true);
    assert.equal(api.timeline.exactly(START_MS)?.table.numbers('n')[0], 1);
    assert.equal(archive.loads, 1);
    assert.equal(await api.feed.fetch(SPEC.name, START_MS - 1000), false, 'never published');
    assert.equal(archive.loads, 2);
    assert.equal(await api.feed.fetch(SPEC.name, START_MS - 3 * 3_600_000), false);
    assert.equal(archive.loads, 2, 'too old to be anywhere');
  });

  test('a damaged frame is skipped; an intact copy replaces it', async () => {
    const { archive, clock, writer, api } = await start();
    await writer.publish(START_MS, tableOf(1));
    await until(() => api.n() === 1, 'the first');
    archive.isDeaf = true;
    clock.advanceMs(1000);
    await writer.publish(START_MS + 1000, tableOf(2));
    const intact = archive.frames.get(START_MS + 1000) as StoredFrame;
    const damaged = intact.frame.map((byte, i) => (i === intact.frame.length - 6 ? byte ^ 1 : byte));
    archive.frames.set(START_MS + 1000, { ...intact, frame: damaged });
    archive.reconnect();
    await until(async () => (await api.skipped()) === 1, 'the damaged one to be counted');
    assert.equal(api.n(), 1, 'the last intact one is served');
    archive.frames.set(START_MS + 1000, intact);
    archive.reconnect();
    await until(() => api.n() === 2, 'the intact copy');
    assert.equal(await api.skipped(), 1, 'counted once');
    await api.feed.stop();
  });

  for (const aheadMs of [3_600_000, 86_400_000])
    test(`frames of a collector whose clock was ${aheadMs / 3_600_000} h ahead are dropped with its first true frame`, async () => {
      const { archive, clock, writer, api } = await start();
      await writer.publish(START_MS, tableOf(1));
      await until(() => api.n() === 1, 'the first');
      await writer.publish(START_MS + aheadMs, tableOf(2));
      await until(() => api.n() === 2, 'this clock may be the wrong one');
      writer.clockStepped(-aheadMs, START_MS);
      await archive.deleteAfter(START_MS);
      clock.advanceMs(10_000);
      await writer.publish(START_MS + 10_000, tableOf(3));
      await until(() => api.n() === 3, 'the true one');
      assert.equal(api.timeline.exactly(START_MS)?.table.numbers('n')[0], 1, 'the true ones are still held');
      assert.equal(api.timeline.exactly(START_MS + aheadMs), null);
      await api.feed.stop();
    });

  test('after the local clock was set back, what it dropped is read again when its time has come', async () => {
    const { clock, writer, api } = await start();
    clock.advanceMs(2000);
    await writer.publish(START_MS + 2000, tableOf(1));
    await until(() => api.n() === 1, 'the first');
    clock.setMs(START_MS);
    api.timeline.clockStepped(-2000, START_MS);
    assert.equal(api.n(), undefined);
    await until(() => {
      clock.advanceMs(100);
      return api.n() === 1;
    }, 'it again');
    assert.ok(clock.nowMs() >= START_MS + 2000);
  });

  test('a frame ahead of the local clock is shown when its time has come', async () => {
    const { clock, writer, api } = await start();
    await writer.publish(START_MS + 800, tableOf(1));
    await until(() => {
      clock.advanceMs(100);
      return api.n() === 1;
    }, 'its time');
    assert.ok(clock.nowMs() >= START_MS + 800);
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

suite('the feed within a process', () => {
  const start = () => {
    const [archive, clock, metrics] = [new MemoryArchive(), new ManualClock(START_MS), createMetrics()];
    const timeline = new Timeline(SPEC, archive, log, { metrics });
    const feed = new PortFeed({ timelines: new Map([[SPEC.name, timeline]]), clock, log, metrics });
    const { port1, port2 } = new MessageChannel();
    feed.listen(port1);
    const publisher = new FramePublisher(new PortOutlet(sendThrough(port2), archive), archive);
    const n = () => timeline.at(0, clock.nowMs())?.table.numbers('n')[0];
    return { archive, timeline, feed, writer: writerTo(publisher), n };
  };

  test('a frame crosses a port, and is stored for the next start', async () => {
    const { archive, feed, writer, n } = start();
    await writer.publish(START_MS, tableOf(1));
    await until(() => n() === 1, 'the frame');
    const restored = new Timeline(SPEC, archive, log);
    await restored.restore(START_MS, 60_000);
    assert.equal(restored.at(0, START_MS)?.table.numbers('n')[0], 1);
    await feed.stop();
  });

  test('a full disk does not stop the answers', async () => {
    const { archive, feed, writer, n } = start();
    archive.isUnavailable = true;
    await writer.publish(START_MS, tableOf(1));
    await until(() => n() === 1, 'the frame');
    assert.equal(archive.frames.size, 0);
    await feed.stop();
  });

  test('after a restart of the collector the frames of its new port are taken', async () => {
    const { archive, feed, writer, n } = start();
    await writer.publish(START_MS, tableOf(1));
    await until(() => n() === 1, 'the frame');
    const { port1, port2 } = new MessageChannel();
    feed.listen(port1);
    const again = writerTo(new FramePublisher(new PortOutlet(sendThrough(port2), archive), archive));
    await again.publish(START_MS + 1000, tableOf(2));
    await until(() => n() === 2, 'the frame of the new one');
    await feed.stop();
  });

  test('a damaged frame is dropped, and the one before stays', async () => {
    const { feed, n } = start();
    feed.receive([{ series: SPEC.name, asOfMs: START_MS, frame: encodeTable(tableOf(1)) }]);
    feed.receive([{ series: SPEC.name, asOfMs: START_MS + 1, frame: Uint8Array.of(1, 2, 3) }]);
    assert.equal(n(), 1);
    assert.equal(await feed.fetch(), false, 'nothing else can have it');
    await feed.stop();
  });
});
