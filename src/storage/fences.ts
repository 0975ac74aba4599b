import './migrations/0030-fences.ts';
import type { Transaction } from 'kysely';
import type { PostgresSession } from './postgres/session.ts';
import type { Schema } from './schema.ts';

/** The number of a lock's present holder, under which it writes. */
export interface Fence {
  name: string;
  number: number;
}

/** A newer holder of the lock has started to write, so this write is refused. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/**
 * Starts writing under a lock that the session holds: from now on the writes of all former holders are refused. Waits for
 * a write of the former holder that is being committed. Returns the new number, which is one more than the last.
 */
export async function raiseFence(session: Pick<PostgresSession, 'query'>, name: string): Promise<number> {
  const [row] = await session.query<{ fence: number }>(
    `insert into fences (name, fence) values ($1, 1)
     on conflict (name) do update set fence = fences.fence + 1 returning fence`,
    [name],
  );
  return row?.fence ?? 0;
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
