import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '../../src/base/log.ts';
import { AuditStore } from '../../src/history/audit/store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { AuditSteps } from './audit-steps.ts';

/** Audits hour after hour, prints what is saved, and runs until it is killed. */
const [databaseUrl = '', sqliteFile = ''] = process.argv.slice(2);
const storage = await openStorage({ databaseUrl: databaseUrl || null, sqliteFile, log: createLog('silent') });
const steps = new AuditSteps(new AuditStore(storage));
for (let hour = 1; ; hour++) {
  await steps.pass(hour, (saved) => process.stdout.write(`${saved}\n`));
  process.stdout.write(`hour ${hour}\n`);
  // With SQLite nothing else waits: what did not fit into the pipe would never be written, and the test would wait for ever.
  await nextTurn();
}
