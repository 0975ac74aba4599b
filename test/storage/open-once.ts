import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';

/** A process that opens the storage named in its arguments, which migrates it, and ends. */
const [databaseUrl = '', sqliteFile = ''] = process.argv.slice(2);
const storage = await openStorage({
  databaseUrl: databaseUrl === '' ? null : databaseUrl,
  sqliteFile,
  log: createLog('silent'),
});
await storage.close();
