import { checkFence, type Fence } from './fences.ts';
import './migrations/0122-coin-splits.ts';
import type { Storage } from './storage.ts';

const ONLY_ID = 1;

/** The stored JSON, or null. */
export async function loadCoinSplits({ db }: Storage): Promise<unknown> {
  const row = await db
    .selectFrom('coin_splits')
    .select('document')
    .where('id', '=', ONLY_ID)
    .executeTakeFirst();
  return row ? JSON.parse(row.document) : null;
}

/** Under a fence only its holder may write. */
export async function saveCoinSplits(
  { db }: Storage,
  value: unknown,
  savedAtMs: number,
  fence: Fence | null,
): Promise<void> {
  const row = { saved_at_ms: savedAtMs, document: JSON.stringify(value) };
  await db.transaction().execute(async (trx) => {
    if (fence) await checkFence(trx, fence);
    await trx
      .insertInto('coin_splits')
      .values({ id: ONLY_ID, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  });
}
