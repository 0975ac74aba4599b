import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '../../src/base/log.ts';
import { DepthCostStore } from '../../src/history/depth/store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { costsAt } from './made-costs.ts';

/** Stores the costs of one time after the other, prints what is stored, and runs until it is killed. */
const [databaseUrl = '', sqliteFile = ''] = process.argv.slice(2);
const storage = await openStorage({ databaseUrl: databaseUrl || null, sqliteFile, log: createLog('silent') });
const store = new DepthCostStore(storage);
for (let minute = 5; ; minute += 5) {
  await store.save(minute, costsAt(minute), null);
  process.stdout.write(`${minute}\n`);
  // With SQLite nothing else waits: what did not fit into the pipe would never be written, and the test would wait for ever.
  await nextTurn();
}
