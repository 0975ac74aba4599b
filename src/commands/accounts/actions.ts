import { writeFileSync } from 'node:fs';
import type { Account } from '../../accounts/account-store.ts';
import { personData } from '../../accounts/operator/person-data.ts';
import { deleteMailFiles, mailFolder } from '../../accounts/people/mail.ts';
import type { Settings } from '../../settings.ts';
import { purgeSqlite } from '../../storage/purge.ts';
import { UsageError } from '../command.ts';
import { fileCause, refuseMore, table, timeText } from '../flags.ts';
import { type OperatorFlags, type Stores, sqliteFile, storeSettings, withStores } from '../stores.ts';

/** Actions of operators on one account. */
export const ACTIONS = [
  'suspend',
  'unsuspend',
  'end-sessions',
  'end-grants',
  'revoke-keys',
  'export',
  'delete',
  'erase',
  'log',
] as const;

export type Action = (typeof ACTIONS)[number];

interface ActionFlags extends OperatorFlags {
  reason?: string | undefined;
  output?: string | undefined;
  limit?: string | undefined;
  yes: boolean;
}

/** What cannot be undone, as a sentence about the account. */
const FINAL: Partial<Record<Action, string>> = {
  'revoke-keys': 'revokes all its keys',
  delete: 'ends its keys, sessions, assistants and password for good',
  erase: 'deletes it and all that identifies the person',
};

export async function runAction(
  action: Action,
  [reference, ...more]: readonly string[],
  flags: ActionFlags,
): Promise<void> {
  refuseMore(`accounts ${action} ACCOUNT`, more);
  if (action === 'log') return await printLog(reference, flags);
  if (reference === undefined)
    throw new UsageError(`accounts ${action} needs ACCOUNT: its id or e-mail address`);
  const final = FINAL[action];
  if (final !== undefined && !flags.yes)
    throw new UsageError(`accounts ${action} ${reference} ${final}; confirm it with --yes`);
  const account = await withStores(flags, async (stores) => {
    // A deleted account may still have data to export or to erase.
    const found = await stores.accountOf(reference, action === 'export' || action === 'erase');
    if (action === 'export') await exportData(stores, found, flags.output);
    else console.log(await act(action, stores, found, flags.reason ?? null));
    return found;
  });
  if (action === 'delete' || action === 'erase') await forgetAddress(storeSettings(flags), account);
}

/** Removes what is left of the address outside of the tables. The database must be closed. */
async function forgetAddress(settings: Settings, { id, email }: Account): Promise<void> {
  if (email !== null) deleteMailFiles(mailFolder(settings.dataDir), email);
  const fault = settings.databaseUrl === null ? await purgeSqlite(sqliteFile(settings), email) : null;
  if (fault !== null)
    console.log(
      `The files of the database may still have copies of the address: ${fault}. Later, run "accounts erase ${id} --yes".`,
    );
}

async function act(
  action: Exclude<Action, 'export' | 'log'>,
  { operator }: Stores,
  { id }: Account,
  reason: string | null,
): Promise<string> {
  switch (action) {
    case 'suspend':
      await operator.suspend(id, reason);
      return `account ${id} is suspended; its keys, assistants and sign-ins are refused`;
    case 'unsuspend':
      await operator.unsuspend(id);
      return `account ${id} is no longer suspended`;
    case 'end-sessions':
      return `${await operator.endSessions(id)} sessions of account ${id} are ended`;
    case 'end-grants':
      return `${await operator.endGrants(id)} grants of assistants of account ${id} are ended`;
    case 'revoke-keys':
      return `${await operator.revokeKeys(id)} keys of account ${id} are revoked`;
    case 'delete':
      await operator.delete(id);
      return `account ${id} is deleted`;
    case 'erase':
      await operator.erase(id);
      return `account ${id} and the data of its person are erased; backups made before still have them`;
  }
}

async function exportData({ storage, note }: Stores, account: Account, output?: string): Promise<void> {
  const text = `${JSON.stringify(await personData(storage.db, account), null, 2)}\n`;
  if (output === undefined) process.stdout.write(text);
  else {
    try {
      writeFileSync(output, text, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      const cause = exists ? 'it exists already' : fileCause(error);
      if (cause === null) throw error;
      throw new UsageError(`cannot write ${output}: ${cause}; choose another --output`);
    }
    console.log(`wrote the data of account ${account.id} to ${output}`);
  }
  await note('exported', account.id);
}

async function printLog(reference: string | undefined, flags: ActionFlags): Promise<void> {
  const limit = flags.limit ?? '100';
  if (!/^[1-9]\d{0,5}$/.test(limit))
    throw new UsageError(`--limit takes a whole number from 1 to 999999; it is "${limit}"`);
  await withStores(flags, async ({ accountOf, securityLog }) => {
    const accountId = reference === undefined ? null : (await accountOf(reference, true)).id;
    const rows = (await securityLog.read(accountId, Number(limit))).map((event) => [
      timeText(event.at_ms),
      event.actor_name === null ? event.actor : `${event.actor} ${event.actor_name}`,
      event.account_id ?? '-',
      event.action,
      event.detail ?? '',
    ]);
    console.log(table(['time', 'who', 'account', 'what', 'details'], rows));
  });
}
