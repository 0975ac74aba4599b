import { openAccounts } from '../../src/accounts/accounts.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { openStorage } from '../../src/storage/storage.ts';

/** An API process that counts many requests at once, prints how many passed, and then stops or is killed. */
const [databaseUrl = '', redisUrl = '', keyText = '', count = '', end = ''] = process.argv.slice(2);
const log = createLog('silent');
const storage = await openStorage({ databaseUrl, sqliteFile: '', log });
const redis = await openRedis({ url: redisUrl, log, timeoutMs: 5_000 });
const baseUrl = 'http://127.0.0.1';
const accounts = await openAccounts({
  storage,
  redis,
  clock: systemClock,
  log,
  baseUrl,
  tierGrants: new Map(),
});
const found = accounts.authenticate(keyText);
if (!found.ok) throw new Error(found.reason);
const takes = await Promise.all(
  Array.from({ length: Number(count) }, async () => accounts.windows.take(found.caller)),
);
await new Promise((resolve) =>
  process.stdout.write(String(takes.filter((take) => take.allowed).length), resolve),
);
if (end === 'die') process.kill(process.pid, 'SIGKILL');
await accounts.close();
await redis.close();
await storage.close();
