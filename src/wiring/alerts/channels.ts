import type { Mailer } from '../../accounts/people/mail.ts';
import type { Channel } from '../../alerts/channels/channel.ts';
import { discordChannel } from '../../alerts/channels/discord.ts';
import { emailChannel } from '../../alerts/channels/email.ts';
import { ntfyChannel } from '../../alerts/channels/ntfy.ts';
import { slackChannel } from '../../alerts/channels/slack.ts';
import { openBotApi } from '../../alerts/channels/telegram/bot-api.ts';
import { telegramChannel } from '../../alerts/channels/telegram/channel.ts';
import { openChatLinks } from '../../alerts/channels/telegram/chat-links.ts';
import type { TelegramLinking } from '../../alerts/channels/telegram/linking.ts';
import { type TelegramUpdates, telegramUpdates } from '../../alerts/channels/telegram/updates.ts';
import type { GuardedPoster } from '../../base/http/guarded-post.ts';
import { fieldsOf } from '../../base/parsing.ts';
import type { PartContext } from '../part.ts';

interface AlertChannelsOptions extends Pick<PartContext, 'settings' | 'storage' | 'clock' | 'log'> {
  baseUrl: string;
  mailer: Mailer;
  poster: GuardedPoster;
}

interface AlertChannels {
  /** All channels except webhooks. */
  channels: readonly Channel[];
  /** Null if the operator has set no token. */
  telegram: TelegramLinking | null;
  /**
   * Reads the messages to the bot; null without a bot. Of several processes only one may run it. `link` makes an endpoint
   * of kind telegram with the field `code`.
   */
  telegramUpdates(link: (accountId: string, code: string) => Promise<void>): TelegramUpdates | null;
  /** Deletes codes that are too old. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export function openAlertChannels(options: AlertChannelsOptions): AlertChannels {
  const { settings, storage, clock, log, baseUrl, mailer, poster } = options;
  const { telegramBotToken: token, telegramApiUrl: apiUrl } = settings;
  const bot = token === '' || apiUrl === null ? null : openBotApi({ apiUrl, token });
  const links = openChatLinks(storage.db, clock);
  let name: string | null = null;
  return {
    channels: [
      emailChannel({ mailer, baseUrl }),
      telegramChannel({ bot, links }),
      discordChannel(poster),
      slackChannel(poster),
      ntfyChannel(poster),
    ],
    telegram: bot && {
      issueCode: links.issue,
      botName: async () => {
        if (name !== null) return name;
        const reply = await bot.call('getMe', {}, new AbortController().signal);
        const { username } = fieldsOf(reply.isOk ? reply.result : null);
        name = typeof username === 'string' ? username : null;
        return name;
      },
    },
    telegramUpdates: (link) => bot && telegramUpdates({ bot, links, link, baseUrl, clock, log }),
    sweep: links.sweep,
    close: async () => {
      await bot?.close();
    },
  };
}
