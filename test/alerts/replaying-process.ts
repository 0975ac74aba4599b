/**
 * A process that evaluates the stored snapshots and ends. It prints `evaluated` before it stores the result of a snapshot
 * and `stored` after it, and waits for a line each time.
 */
import { createInterface } from 'node:readline';
import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { startEvaluator } from './replay-setting.ts';

const [databaseUrl = '', sqliteFile = '', nowMs = ''] = process.argv.slice(2);
const storage = await openStorage({ databaseUrl: databaseUrl || null, sqliteFile, log: createLog('silent') });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (word: string) => async () => {
  process.stdout.write(`${word}\n`);
  await lines.next();
};
const evaluator = await startEvaluator(storage, Number(nowMs), {
  beforeSave: say('evaluated'),
  afterSave: say('stored'),
});
await evaluator.run();
process.exit(0);
