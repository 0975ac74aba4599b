import type { GuardedPoster, PostReply } from '../../base/http/guarded-post.ts';
import type { AlertMessage } from '../message.ts';
import { type Channel, defineChannel, type SendResult } from './channel.ts';
import {
  CHAT_ADDRESS,
  type ChatProduct,
  type ChatWebhook,
  chatWebhook,
  parseChatWebhook,
} from './chat-webhook.ts';
import { headline, OPEN_LABEL, PAUSE_LABEL, truncated } from './plain-text.ts';
import { gone, postMessage } from './post-message.ts';

const SLACK: ChatProduct = {
  name: 'Slack',
  hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
  path: /^\/services\/[\w/-]+$/,
  example: 'https://hooks.slack.com/services/T…/B…/…',
};

/** The most that a text of a block may have. */
const MAX_TEXT = 3_000;

/** Slack answers with a word in plain text. These mean that the webhook will not work again. */
const GONE: Readonly<Record<string, string>> = {
  no_service: 'Slack says that this webhook was removed or disabled',
  no_active_hooks: 'Slack says that this webhook was removed or disabled',
  no_team: 'Slack says that the workspace does not exist any more',
  team_disabled: 'Slack says that the workspace does not exist any more',
  channel_not_found: 'Slack says that the channel of this webhook does not exist any more',
  channel_is_archived: 'Slack says that the channel of this webhook is archived',
  invalid_token: 'Slack does not accept the token in the address of this webhook',
  action_prohibited: 'an administrator of the Slack workspace has blocked this webhook',
};

/** Incoming webhooks of Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export function slackChannel(poster: GuardedPoster): Channel {
  return defineChannel<ChatWebhook>({
    kind: 'slack',
    title: 'Slack',
    isOffered: true,
    create: (input) => ({ target: chatWebhook(input, SLACK, poster) }),
    parseTarget: parseChatWebhook,
    ...CHAT_ADDRESS,
    send: ({ url }, messages, signal) =>
      postMessage({
        poster,
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payloadOf(messages)),
        signal,
        receiver: 'Slack',
        explain,
        detailOf: ({ text }) => text,
      }),
  });
}

/** Texts are in blocks of plain text, which have neither formatting nor mentions. */
function payloadOf(messages: readonly AlertMessage[]): object {
  return {
    // Shown in notifications.
    text: plain(messages.map((message) => `${headline(message)}: ${message.text}`).join('\n')),
    blocks: messages.flatMap((message) => [
      section(`${headline(message)}\n${message.text}`),
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `<${linkAddress(message.pageUrl)}|${OPEN_LABEL}> · <${linkAddress(message.pauseUrl)}|${PAUSE_LABEL}>`,
          },
        ],
      },
    ]),
    unfurl_links: false,
    unfurl_media: false,
  };
}

function section(text: string): object {
  return { type: 'section', text: { type: 'plain_text', text: plain(text), emoji: false } };
}

/** Slack reads these three characters as the start of links, mentions and entities. */
function plain(text: string): string {
  return truncated(text, MAX_TEXT).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A vertical bar or an angle bracket would end the address. */
function linkAddress(url: string): string {
  return url.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('&', '&amp;');
}

function explain({ status, text }: PostReply): SendResult | null {
  if (status >= 200 && status <= 299) return null;
  const reason = GONE[text.trim()];
  return reason === undefined ? null : gone(reason);
}
