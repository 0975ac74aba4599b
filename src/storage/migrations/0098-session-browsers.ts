import type { MigrationContext } from '../migrate.ts';

declare module './0020-users.ts' {
  interface UserSessionsTable {
    /** The browser and system in words, such as "Firefox on Linux"; null if the browser does not say. */
    browser: string | null;
    /** Written at most every few minutes; null: not since it was created. */
    last_used_at_ms: number | null;
  }
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema.alterTable('user_sessions').addColumn('browser', 'text').execute();
  await trx.schema.alterTable('user_sessions').addColumn('last_used_at_ms', 'bigint').execute();
}
