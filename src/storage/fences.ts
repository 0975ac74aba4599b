import './migrations/0030-fences.ts';
import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';
import type { Storage } from './storage.ts';

/** A lease under which something is written. */
export interface Fence {
  name: string;
  number: number;
}

/** Another holder has begun meanwhile: what this one wanted to write is no longer its business. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** Begins to write under a lease. From now on all lower numbers are refused. Returns the number before. */
export async function claimFence({ db }: Storage, { name, number }: Fence): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('fences')
      .values({ name, fence: 0 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const before = await trx
      .selectFrom('fences')
      .select('fence')
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (before.fence > number) throw new FencedError(`${name} is held under ${before.fence}, not ${number}`);
    await trx.updateTable('fences').set({ fence: number }).where('name', '=', name).execute();
    return before.fence;
  });
}

/** To be called first in a transaction: it commits before any later holder begins, or not at all. */
export async function checkFence(trx: Transaction<Schema>, { name, number }: Fence): Promise<void> {
  const held = await trx
    .selectFrom('fences')
    .select('fence')
    .where('name', '=', name)
    .forShare()
    .executeTakeFirst();
  if ((held?.fence ?? 0) > number) throw new FencedError(`${name} is held by another process now`);
}
