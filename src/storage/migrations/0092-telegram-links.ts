import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    telegram_links: TelegramLinksTable;
  }
}

/** Codes that link a Telegram chat with an account, for a few minutes. */
interface TelegramLinksTable {
  code_hash: string;
  account_id: string;
  expires_at_ms: number;
  /** Set when a chat has sent the code to the bot. */
  chat_id: number | null;
  chat_title: string | null;
  /** 1: the chat is an endpoint of the account. The row stays until it expires, because Telegram may repeat a message. */
  is_used: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('telegram_links')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('chat_id', 'bigint')
    .addColumn('chat_title', 'text')
    .addColumn('is_used', 'integer', (column) => column.notNull())
    .execute();
}
