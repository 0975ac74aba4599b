import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { FramePublisher } from '../../src/cluster/frame-publisher.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { storedFrames } from '../../src/market/frame-store.ts';
import { encodeTable } from '../../src/market/tables/table-codec.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { type Child, startChild } from '../collectors/children.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { sized } from '../size.ts';
import { benchPostgres } from '../support/lasting.ts';
import { benchFunding } from '../support/rest-tables.ts';

const PROCESSES = sized(4, 4, 1);
const FRAMES = sized(300, 100, 3);
const PAUSE_MS = 100;
const PROMISED_MS = 500;

/** The time from the store of a frame until each of several processes has read, decoded and shown it. */
async function run(): Promise<BenchResult[]> {
  const postgres = await benchPostgres();
  if (typeof postgres === 'string') throw new Error(postgres);
  const databaseUrl = await postgres.createDatabase();
  const storage = await openStorage({ databaseUrl, sqliteFile: '', log: createLog('fatal') });
  const children: Child[] = [];
  try {
    for (let i = 0; i < PROCESSES; i++)
      children.push(startChild('bench/cluster/feed-process.ts', [databaseUrl]));
    await Promise.all(children.map((child) => child.line(/following/)));
    const publisher = new FramePublisher({
      archive: storedFrames(storage),
      fence: () => ({ name: 'engine', number: 1 }),
    });
    const frame = encodeTable(benchFunding());
    const tookMs: number[] = [];
    for (let i = 0; i < FRAMES; i++) {
      const asOfMs = systemClock.nowMs();
      await publisher.save(FUNDING_TABLE.name, asOfMs, frame);
      const storedMs = systemClock.nowMs();
      const held = await Promise.all(children.map((child) => child.line(new RegExp(`^held ${asOfMs} `))));
      // The first frame compiles the code that reads it.
      if (i > 0) tookMs.push(Math.max(...held.map((line) => Number(line.split(' ')[3]) - storedMs)));
      await systemClock.sleep(PAUSE_MS);
    }
    tookMs.sort((a, b) => a - b);
    const at = (share: number) => Math.max(1, tookMs[Math.floor((tookMs.length - 1) * share)] ?? 0);
    const figure = (name: string, value: number) =>
      result({
        name: `a snapshot of ${benchFunding().rowCount} rows, from its store until ${PROCESSES} processes hold it, ${name}`,
        value,
        unit: 'ms',
        baseline: 'promised for 99 of 100',
        baselineValue: PROMISED_MS,
        target: { at: 'most', ratio: 1 },
      });
    return [figure('p50', at(0.5)), figure('p99', at(0.99))];
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    await storage.close();
    await postgres.stop();
  }
}

export const cases: BenchCase[] = [{ name: 'frames between processes', run }];
