import type { Transaction } from 'kysely';
import { notify } from '../../storage/postgres/notify.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';

export const DIRECTORY_CHANNEL = 'perpwire_directory';

export interface DirectoryChange {
  revision: number;
  accountId: string;
  /** Set if the change revoked this key. */
  revokedKeyId?: string;
}

/** What a change has done. */
interface Changed<Result> {
  result: Result;
  accountId: string;
  revokedKeyId?: string;
}

/** Runs after the commit and before the caller continues, so that this process has read the change by then. */
export type AfterChange = (change: DirectoryChange) => Promise<void>;

/**
 * One change of accounts or keys. It increments the revision first: the row lock serializes the changes of all processes,
 * so two of them can never take the same slot.
 */
export async function changeDirectory<Result>(
  storage: Storage,
  afterChange: AfterChange,
  work: (trx: Transaction<Schema>, revision: number) => Promise<Changed<Result>>,
): Promise<Result> {
  const { result, ...change } = await storage.db.transaction().execute(async (trx) => {
    const raised = await trx
      .updateTable('directory_revision')
      .set((row) => ({ revision: row('revision', '+', 1) }))
      .where('id', '=', 1)
      .returning('revision')
      .executeTakeFirstOrThrow();
    const changed = await work(trx, raised.revision);
    // PostgreSQL delivers the notification when the transaction commits.
    if (storage.kind === 'postgres') await notify(trx, DIRECTORY_CHANNEL);
    return { ...changed, revision: raised.revision };
  });
  await afterChange(change);
  return result;
}
