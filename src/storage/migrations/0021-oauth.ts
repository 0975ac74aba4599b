import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    oauth_records: OauthRecordsTable;
  }
}

/** All records of the authorization server: clients, grants, codes, tokens, sessions, interactions. */
interface OauthRecordsTable {
  model: string;
  /** SHA-256 in hex where the id itself is the secret; plain for clients and grants. */
  id: string;
  /** JSON without the id. */
  payload: string;
  grant_id: string | null;
  uid: string | null;
  account_id: string | null;
  client_id: string | null;
  created_at_ms: number;
  expires_at_ms: number | null;
  consumed_at_ms: number | null;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  const { schema } = trx;
  await schema
    .createTable('oauth_records')
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('grant_id', 'text')
    .addColumn('uid', 'text')
    .addColumn('account_id', 'text')
    .addColumn('client_id', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint')
    .addColumn('consumed_at_ms', 'bigint')
    .addPrimaryKeyConstraint('oauth_records_key', ['model', 'id'])
    .execute();
  await schema.createIndex('oauth_records_grant').on('oauth_records').column('grant_id').execute();
  await schema.createIndex('oauth_records_uid').on('oauth_records').column('uid').execute();
  await schema.createIndex('oauth_records_account').on('oauth_records').column('account_id').execute();
  await schema.createIndex('oauth_records_client').on('oauth_records').column('client_id').execute();
  await schema.createIndex('oauth_records_expiry').on('oauth_records').column('expires_at_ms').execute();
}
