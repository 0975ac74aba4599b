import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { fieldsOf } from '../../../base/parsing.ts';
import { Problem } from '../../../base/problems.ts';
import { oneLine, truncated } from '../plain-text.ts';
import type { BotApi } from './bot-api.ts';
import type { ChatLinks, LinkedChat } from './chat-links.ts';

interface TelegramUpdatesOptions {
  bot: BotApi;
  links: Pick<ChatLinks, 'confirm'>;
  /** Makes an endpoint of the account from a confirmed code. A Problem is sent to the chat. */
  link: (accountId: string, code: string) => Promise<void>;
  baseUrl: string;
  clock: Clock;
  log: Log;
}

export interface TelegramUpdates {
  start(): void;
  stop(): Promise<void>;
}

interface StartCommand extends LinkedChat {
  code: string;
}

const LONG_POLL_SECONDS = 50;
const PAUSE_AFTER_FAILURE_MS = 5_000;
/** In a group the command names the bot: /start@my_bot CODE. */
const START = /^\/start(?:@\w+)?(?:\s+(\S{1,64}))?\s*$/;

/**
 * Reads what people write to the bot, by long polling. Telegram answers one caller at a time, so only the owner of the
 * alerts runs this.
 */
export function telegramUpdates(options: TelegramUpdatesOptions): TelegramUpdates {
  const { bot, links, link, baseUrl, clock, log } = options;
  const page = `${baseUrl}/account/alerts`;

  const answerTo = async ({ chatId, title, code }: StartCommand): Promise<string> => {
    if (code === '') return `To get alerts here, make a code on ${page} and send it as /start CODE.`;
    const confirmed = await links.confirm(code, { chatId, title });
    if (confirmed === null)
      return `This code is unknown, used, or older than 15 minutes. Make a new one on ${page}.`;
    try {
      if (!confirmed.isUsed) await link(confirmed.accountId, code);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return `This chat cannot be linked: ${error.detail}`;
    }
    return `This chat is linked. Choose it for your alerts on ${page}.`;
  };

  /** The id of the update; null for one that has none. */
  const handle = async (update: unknown, signal: AbortSignal): Promise<number | null> => {
    const { update_id: id, message } = fieldsOf(update);
    if (typeof id !== 'number') return null;
    const command = startCommandOf(message);
    if (command) {
      const text = await answerTo(command);
      await bot.call(
        'sendMessage',
        { chat_id: command.chatId, text, link_preview_options: { is_disabled: true } },
        signal,
      );
    }
    return id;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    let offset = 0;
    while (!signal.aborted) {
      let pauseMs = PAUSE_AFTER_FAILURE_MS;
      try {
        const reply = await bot.call(
          'getUpdates',
          { offset, timeout: LONG_POLL_SECONDS, allowed_updates: ['message'] },
          signal,
          LONG_POLL_SECONDS,
        );
        if (reply.isOk) {
          // A higher offset confirms the updates before it, so an update that fails is read again.
          for (const update of Array.isArray(reply.result) ? reply.result : [])
            offset = Math.max(offset, ((await handle(update, signal)) ?? offset - 1) + 1);
          continue;
        }
        const { code, description, retryAfterSeconds } = reply;
        log.warn({ code, description }, 'could not read the messages to the Telegram bot');
        if (retryAfterSeconds !== null) pauseMs = retryAfterSeconds * 1000;
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'could not handle a message to the Telegram bot');
      }
      await clock.sleep(pauseMs, signal);
    }
  };

  let running: { stopping: AbortController; ended: Promise<void> } | null = null;
  return {
    start: () => {
      if (running) return;
      const stopping = new AbortController();
      running = { stopping, ended: run(stopping.signal) };
    },
    stop: async () => {
      running?.stopping.abort();
      await running?.ended;
      running = null;
    },
  };
}

function startCommandOf(message: unknown): StartCommand | null {
  const { text, chat } = fieldsOf(message);
  const { id: chatId, title, first_name: firstName, username } = fieldsOf(chat);
  const match = typeof text === 'string' ? START.exec(text) : null;
  if (!match || typeof chatId !== 'number') return null;
  const name = [title, username, firstName].find((one) => typeof one === 'string' && one !== '');
  return { chatId, title: truncated(oneLine(String(name ?? 'Telegram')), 60), code: match[1] ?? '' };
}
