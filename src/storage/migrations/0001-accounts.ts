import type { MigrationContext } from '../migrate.ts';

export async function up({ trx }: MigrationContext): Promise<void> {
  const { schema } = trx;
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('host_tier', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('accounts_revision').on('accounts').column('revision').execute();

  await schema
    .createTable('slots')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addUniqueConstraint('slots_place', ['account_id', 'kind', 'number'])
    .execute();

  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('slot_id', 'text', (column) => column.notNull().references('slots.id'))
    .addColumn('slot_number', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('key_prefix', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at_ms', 'bigint')
    .addColumn('replaced_until_ms', 'bigint')
    .addColumn('last_used_at_ms', 'bigint')
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('api_keys_revision').on('api_keys').column('revision').execute();
  await schema.createIndex('api_keys_account').on('api_keys').column('account_id').execute();
  await schema.createIndex('api_keys_prefix').on('api_keys').column('key_prefix').execute();

  await schema
    .createTable('directory_revision')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await trx.insertInto('directory_revision').values({ id: 1, revision: 0 }).execute();
}
