import { openStores } from '../../src/accounts/accounts.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';

/** Another process that revokes a key, as the `perpwire keys revoke` command does. */
const [databaseUrl = '', sqliteFile = '', keyId = ''] = process.argv.slice(2);
const storage = await openStorage({
  databaseUrl: databaseUrl === '' ? null : databaseUrl,
  sqliteFile,
  log: createLog('silent'),
});
await openStores(storage, systemClock, new Map()).keys.revoke(keyId);
await storage.close();
