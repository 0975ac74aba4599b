import './migrations/0030-fences.ts';
import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';
import type { Storage } from './storage.ts';

/** The fencing number of a lease under which a process writes. */
export interface Fence {
  name: string;
  number: number;
}

/** A newer holder of the lease has started to write, so this write is refused. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** Starts writing under a lease: from now on all lower numbers are refused. Returns the previous number. */
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
    if (before.fence > number)
      throw new FencedError(`${name} is held with number ${before.fence}, not ${number}`);
    await trx.updateTable('fences').set({ fence: number }).where('name', '=', name).execute();
    return before.fence;
  });
}

/** Must be the first call in a transaction, which then commits before any later holder starts, or not at all. */
export async function checkFence(trx: Transaction<Schema>, { name, number }: Fence): Promise<void> {
  const held = await trx
    .selectFrom('fences')
    .select('fence')
    .where('name', '=', name)
    .forShare()
    .executeTakeFirst();
  if ((held?.fence ?? 0) > number) throw new FencedError(`${name} is held by another process now`);
}
