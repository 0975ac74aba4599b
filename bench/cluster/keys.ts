import { openStores } from '../../src/accounts/accounts.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { openStorage } from '../../src/storage/storage.ts';

/** Creates keys of the largest plan, in as many accounts as needed. */
export async function makeKeys(
  databaseUrl: string | null,
  sqliteFile: string,
  count: number,
): Promise<string[]> {
  const storage = await openStorage({ databaseUrl, sqliteFile, log: createLog('silent') });
  try {
    const { accounts, keys } = openStores(storage, systemClock, new Map());
    const made: string[] = [];
    while (made.length < count) {
      const { id: accountId } = await accounts.create({ name: `bench ${made.length}`, plan: 'business' });
      for (let i = 0; i < PLANS.business.keyCount && made.length < count; i++)
        made.push((await keys.create({ accountId, name: `bench ${i}`, kind: 'test' })).text);
    }
    return made;
  } finally {
    await storage.close();
  }
}
