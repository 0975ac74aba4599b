import { openAccounts } from '../../src/accounts/accounts.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';

/** A starved process: it counts a request every 20 ms, gets no time for timers, and is killed. */
const [sqliteFile = '', keyText = '', count = ''] = process.argv.slice(2);
const log = createLog('silent');
const storage = await openStorage({ databaseUrl: null, sqliteFile, log });
const accounts = await openAccounts({
  storage,
  clock: systemClock,
  log,
  baseUrl: 'http://127.0.0.1',
  tierGrants: new Map(),
});
for (let i = 0; i < Number(count); i++) {
  const found = accounts.authenticate(keyText);
  if (!found.ok || !accounts.windows.take(found.caller).allowed) throw new Error('refused');
  const untilMs = performance.now() + 20;
  while (performance.now() < untilMs);
  // Microtasks run between two requests; timers do not.
  for (let turn = 0; turn < 100; turn++) await null;
}
process.kill(process.pid, 'SIGKILL');
