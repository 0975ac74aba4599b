import type { Kysely } from 'kysely';
import { tokenHash } from '../../../accounts/secrets.ts';
import type { Clock } from '../../../base/clock.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import type { Schema } from '../../../storage/schema.ts';
import { newCode } from '../codes.ts';

export interface LinkedChat {
  chatId: number;
  /** The person or group, for the owner to recognise. */
  title: string;
}

interface ConfirmedCode {
  accountId: string;
  /** The chat is linked already. */
  isUsed: boolean;
}

/** One-time codes that link a chat with an account: the owner gets one on the account page and sends it to the bot. */
export interface ChatLinks {
  /** Older codes of the account that no chat has sent stop working. */
  issue(accountId: string): Promise<string>;
  /**
   * The chat has sent this code. Null if the code is unknown, too old, or was sent by another chat. Telegram repeats a
   * message that was not confirmed before a restart; the same chat may therefore send a code again.
   */
  confirm(code: string, chat: LinkedChat): Promise<ConfirmedCode | null>;
  /** Uses a code of this account that a chat has sent. Of two concurrent calls one gets the chat. */
  take(code: string, accountId: string): Promise<LinkedChat | null>;
  sweep(): Promise<void>;
}

export const CODE_LIFETIME_MS = 15 * MINUTE_MS;
/** 59 bits. */
const CODE_LENGTH = 12;

export function openChatLinks(db: Kysely<Schema>, clock: Clock): ChatLinks {
  const sweep = async () => {
    await db.deleteFrom('telegram_links').where('expires_at_ms', '<=', clock.nowMs()).execute();
  };
  return {
    issue: async (accountId) => {
      await sweep();
      const code = newCode(CODE_LENGTH);
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('telegram_links')
          .where('account_id', '=', accountId)
          .where('chat_id', 'is', null)
          .execute();
        await trx
          .insertInto('telegram_links')
          .values({
            code_hash: tokenHash(code),
            account_id: accountId,
            expires_at_ms: clock.nowMs() + CODE_LIFETIME_MS,
            chat_id: null,
            chat_title: null,
            is_used: 0,
          })
          .execute();
      });
      return code;
    },
    confirm: async (code, { chatId, title }) => {
      const codeHash = tokenHash(code);
      await db
        .updateTable('telegram_links')
        .set({ chat_id: chatId, chat_title: title })
        .where('code_hash', '=', codeHash)
        .where('chat_id', 'is', null)
        .execute();
      const row = await db
        .selectFrom('telegram_links')
        .select(['account_id', 'is_used'])
        .where('code_hash', '=', codeHash)
        .where('chat_id', '=', chatId)
        .where('expires_at_ms', '>', clock.nowMs())
        .executeTakeFirst();
      return row ? { accountId: row.account_id, isUsed: row.is_used === 1 } : null;
    },
    take: async (code, accountId) => {
      const row = await db
        .updateTable('telegram_links')
        .set({ is_used: 1 })
        .where('code_hash', '=', tokenHash(code))
        .where('account_id', '=', accountId)
        .where('chat_id', 'is not', null)
        .where('is_used', '=', 0)
        .where('expires_at_ms', '>', clock.nowMs())
        .returning(['chat_id', 'chat_title'])
        .executeTakeFirst();
      if (!row || row.chat_id === null) return null;
      return { chatId: row.chat_id, title: row.chat_title ?? 'Telegram' };
    },
    sweep,
  };
}
