import './migrations/0124-price-gap-days.ts';
import { checkFence, type Fence } from './fences.ts';
import type { Storage } from './storage.ts';

interface StoredGapDay {
  /** Days since 1970. */
  day: number;
  frame: Uint8Array;
}

export async function loadGapDay({ db }: Storage, day: number): Promise<Uint8Array | null> {
  const row = await db.selectFrom('price_gap_days').select('frame').where('day', '=', day).executeTakeFirst();
  return row?.frame ?? null;
}

/** Replaces a day and deletes those before `keepFromDay`, and later ones, which a wrong clock has dated. */
export async function saveGapDay(
  { db }: Storage,
  { day, frame }: StoredGapDay,
  keepFromDay: number,
  fence: Fence | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (fence) await checkFence(trx, fence);
    await trx
      .insertInto('price_gap_days')
      .values({ day, frame })
      .onConflict((conflict) => conflict.column('day').doUpdateSet({ frame }))
      .execute();
    await trx
      .deleteFrom('price_gap_days')
      .where((where) => where.or([where('day', '<', keepFromDay), where('day', '>', day)]))
      .execute();
  });
}
