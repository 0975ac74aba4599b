import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { systemClock } from '../../base/clock.ts';
import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    security_log: SecurityLogTable;
  }
  interface AccountsTable {
    /** Keys, sessions and assistants of a suspended account are refused. */
    suspended_at_ms: number | null;
    /** Only a placeholder is left: id, plan and counts. */
    deleted_at_ms: number | null;
  }
}

/** What was done to an account or to the service, by whom and when. No foreign key: it outlives its account. */
export interface SecurityLogTable {
  id: string;
  at_ms: number;
  /** Null: the action concerns the whole service. */
  account_id: string | null;
  actor: 'owner' | 'operator' | 'system';
  /** The operator who ran the command; null for the others. */
  actor_name: string | null;
  action: string;
  detail: string | null;
}

export async function up(context: MigrationContext): Promise<void> {
  const { schema } = context.trx;
  for (const column of ['suspended_at_ms', 'deleted_at_ms'])
    await schema.alterTable('accounts').addColumn(column, 'bigint').execute();
  await schema
    .createTable('security_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('actor_name', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('detail', 'text')
    .execute();
  await schema
    .createIndex('security_log_account')
    .on('security_log')
    .columns(['account_id', 'at_ms'])
    .execute();
  await schema.createIndex('security_log_time').on('security_log').column('at_ms').execute();
  await schema.createIndex('mail_tokens_email').on('mail_tokens').column('email').execute();
  await normaliseAddresses(context);
}

/**
 * Older versions stored an international domain as it was typed; now only its ASCII form is found. If another account has
 * that form already, the address stays as it is and the log says so: an operator must decide.
 */
async function normaliseAddresses({ trx }: MigrationContext): Promise<void> {
  const accounts = await trx
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('email', 'is not', null)
    .$narrowType<{ email: string }>()
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute();
  const holders = new Map(accounts.map(({ email, id }) => [email, id]));
  for (const { id, email } of accounts) {
    const normal = normalForm(email);
    if (normal === email) continue;
    const holder = holders.get(normal);
    if (holder === undefined) {
      holders.set(normal, id);
      await trx.updateTable('accounts').set({ email: normal }).where('id', '=', id).execute();
    }
    await trx
      .insertInto('security_log')
      .values({
        id: randomUUID(),
        at_ms: systemClock.nowMs(),
        account_id: id,
        actor: 'system',
        actor_name: null,
        action: holder === undefined ? 'address-normalised' : 'address-conflict',
        detail:
          holder === undefined
            ? `${email} is now written ${normal}`
            : `${email} cannot be written ${normal}: account ${holder} has that address`,
      })
      .execute();
  }
  const pending = await trx.selectFrom('mail_tokens').select(['hash', 'email']).execute();
  for (const { hash, email } of pending)
    if (normalForm(email) !== email)
      await trx
        .updateTable('mail_tokens')
        .set({ email: normalForm(email) })
        .where('hash', '=', hash)
        .execute();
}

/** As `normalEmail` was when this migration was written; a migration must not change with later code. */
function normalForm(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  const domain = domainToASCII(lower.slice(at + 1));
  return at < 0 || domain === '' || lower.includes('%', at) ? lower : `${lower.slice(0, at)}@${domain}`;
}
