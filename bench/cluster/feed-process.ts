import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { PostgresFeed } from '../../src/cluster/postgres-feed.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { storedFrames } from '../../src/market/frame-store.ts';
import { Timeline } from '../../src/market/timeline.ts';
import { openStorage } from '../../src/storage/storage.ts';

/** Follows the frames of a database, given as its URL, and says when it holds each: its time, and the time of day. */
const log = createLog('fatal');
const storage = await openStorage({ databaseUrl: process.argv[2] ?? '', sqliteFile: '', log });
if (storage.kind !== 'postgres') throw new Error('needs PostgreSQL');
const archive = storedFrames(storage);
const metrics = createMetrics();
const timeline = new Timeline(FUNDING_TABLE, archive, log);
const feed = new PostgresFeed({
  listener: storage.listener,
  archive,
  timelines: new Map([[FUNDING_TABLE.name, timeline]]),
  readers: new Map([
    [
      FUNDING_TABLE.name,
      {
        prepare: async () => undefined,
        shown: async (asOfMs) => console.log(`held ${asOfMs} at ${systemClock.nowMs()}`),
      },
    ],
  ]),
  clock: systemClock,
  log,
  metrics,
});
await feed.start();
console.log('following');
