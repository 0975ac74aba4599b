import { openAccounts } from '../../src/accounts/accounts.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { until } from '../support/until.ts';

/** A process that counts 100 requests, waits until they are stored, counts 7 more and kills itself before the next write. */
const [databaseUrl = '', sqliteFile = '', keyText = '', nowMs = ''] = process.argv.slice(2);
const log = createLog('silent');
const options = { databaseUrl: databaseUrl === '' ? null : databaseUrl, sqliteFile, log };
const clock = new ManualClock(Number(nowMs));
const storage = await openStorage(options);
const accounts = await openAccounts({
  storage,
  clock,
  log,
  baseUrl: 'http://127.0.0.1',
  tierGrants: new Map(),
});
const take = (times: number) => {
  for (let count = 0; count < times; count++) {
    const found = accounts.authenticate(keyText);
    if (!found.ok || !accounts.windows.take(found.caller).allowed) throw new Error('refused');
  }
};

take(100);
clock.advanceMs(500);
const other = await openStorage(options);
await until(async () => {
  const row = await other.db.selectFrom('slot_months').select('used').executeTakeFirst();
  return row?.used === 100;
}, 'the first write');
take(7);
process.kill(process.pid, 'SIGKILL');
