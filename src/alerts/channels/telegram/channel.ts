import { number, objectOf, text } from '../../../base/parsing.ts';
import { Problem } from '../../../base/problems.ts';
import type { AlertMessage } from '../../message.ts';
import { type Channel, defineChannel, type SendFailure, type SendResult } from '../channel.ts';
import { headline, OPEN_LABEL, PAUSE_LABEL, truncated } from '../plain-text.ts';
import { gone } from '../post-message.ts';
import type { BotApi, BotReply } from './bot-api.ts';
import type { ChatLinks, LinkedChat } from './chat-links.ts';

interface TelegramOptions {
  /** Null: the operator has set no token. */
  bot: BotApi | null;
  links: Pick<ChatLinks, 'take'>;
}

/** Counted without the tags: https://core.telegram.org/bots/api#sendmessage */
const MAX_MESSAGE = 4_096;

/** Messages of the operator's bot to chats that were linked with a code. */
export function telegramChannel({ bot, links }: TelegramOptions): Channel {
  return defineChannel<LinkedChat>({
    kind: 'telegram',
    title: 'Telegram',
    isOffered: bot !== null,
    create: async ({ code = '' }, { accountId }) => {
      const chat = await links.take(code, accountId);
      if (chat === null)
        throw new Problem(
          'invalid-parameter',
          '"code" must be one that was sent to the bot in the last 15 minutes.',
        );
      return { target: chat };
    },
    parseTarget: (stored) => objectOf<LinkedChat>({ chatId: number, title: text })(stored, 'chat'),
    // The chat has sent a code.
    needsConfirmation: false,
    describe: ({ title }) => title,
    addressOf: ({ chatId }) => `telegram:${chatId}`,
    send: async ({ chatId }, messages, signal) => {
      if (bot === null)
        return { isDelivered: false, reason: 'this service has no Telegram bot any more', isRetryable: true };
      const send = (to: number) =>
        bot.call(
          'sendMessage',
          {
            chat_id: to,
            text: markupOf(messages),
            parse_mode: 'HTML',
            link_preview_options: { is_disabled: true },
          },
          signal,
        );
      const reply = await send(chatId);
      if (!reply.isOk && reply.migratedToChatId !== null) return resultOf(await send(reply.migratedToChatId));
      return resultOf(reply);
    },
  });
}

function markupOf(messages: readonly AlertMessage[]): string {
  const labels = OPEN_LABEL.length + PAUSE_LABEL.length + ' · '.length;
  const most = Math.floor(MAX_MESSAGE / messages.length) - labels - 4;
  return messages
    .map((message) => {
      const title = truncated(headline(message), 200);
      const text = truncated(message.text, most - title.length);
      return `<b>${escaped(title)}</b>\n${escaped(text)}\n<a href="${escaped(message.pageUrl)}">${OPEN_LABEL}</a> · <a href="${escaped(message.pauseUrl)}">${PAUSE_LABEL}</a>`;
    })
    .join('\n\n');
}

/** Telegram knows these four entities only. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function resultOf(reply: BotReply): SendResult {
  if (reply.isOk) return { isDelivered: true };
  const { code, description, retryAfterSeconds } = reply;
  if (code === 403) return gone(whyForbidden(description));
  if (code === 400 && /chat not found/i.test(description))
    return gone('Telegram does not know this chat any more');
  const failure: SendFailure = { isDelivered: false, ...reasonOf(code, description) };
  return retryAfterSeconds === null ? failure : { ...failure, retryAfterMs: retryAfterSeconds * 1000 };
}

function whyForbidden(description: string): string {
  if (/blocked by the user/i.test(description)) return 'the bot was blocked in Telegram';
  if (/kicked|not a member/i.test(description)) return 'the bot was removed from this Telegram chat';
  if (/deactivated/i.test(description)) return 'the Telegram account was deleted';
  return 'Telegram does not allow the bot to write to this chat';
}

function reasonOf(code: number | null, description: string): Pick<SendFailure, 'reason' | 'isRetryable'> {
  if (code === null) return { reason: `Telegram: ${description}`, isRetryable: true };
  if (code === 429)
    return { reason: 'Telegram limits how many messages it accepts (HTTP 429)', isRetryable: true };
  // A wrong token is the operator's to correct; then the messages can be sent.
  if (code === 401 || code === 404)
    return {
      reason: 'Telegram does not accept the bot of this service; its operator must set a new token',
      isRetryable: true,
    };
  if (code >= 500) return { reason: `Telegram has a fault (HTTP ${code})`, isRetryable: true };
  return { reason: `Telegram refused the message: ${description}`, isRetryable: false };
}
