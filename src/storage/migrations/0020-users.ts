import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    service_secrets: ServiceSecretsTable;
    user_passwords: UserPasswordsTable;
    user_sessions: UserSessionsTable;
    mail_tokens: MailTokensTable;
  }
}

/** Secrets created at the first start and shared by all processes. */
interface ServiceSecretsTable {
  name: string;
  value: string;
}

/** An account that a person can sign in to. Its e-mail address is verified. */
interface UserPasswordsTable {
  account_id: string;
  /** Argon2id with its parameters and salt. */
  password_hash: string;
  changed_at_ms: number;
}

export interface UserSessionsTable {
  /** SHA-256 of the cookie's token, in hex. */
  hash: string;
  account_id: string;
  created_at_ms: number;
  expires_at_ms: number;
}

/** Links sent by mail. A sign-up becomes an account when its link is opened. */
export interface MailTokensTable {
  /** SHA-256 of the link's token, in hex. */
  hash: string;
  purpose: 'sign-up' | 'reset';
  email: string;
  /** For a sign-up: the hash of the chosen password. */
  password_hash: string | null;
  /** The path to continue at afterwards. */
  return_path: string | null;
  expires_at_ms: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  const { schema } = trx;
  await schema
    .createTable('service_secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  await schema
    .createTable('user_passwords')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('changed_at_ms', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('user_sessions')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('user_sessions_account').on('user_sessions').column('account_id').execute();

  await schema
    .createTable('mail_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('return_path', 'text')
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute();
}
