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
import { gone, postMessage, replyFields } from './post-message.ts';

const DISCORD: ChatProduct = {
  name: 'Discord',
  hosts: ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'],
  path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/,
  example: 'https://discord.com/api/webhooks/…/…',
};

const MAX_CONTENT = 2_000;
const SUPPRESS_EMBEDS = 1 << 2;
/** Codes in the body of a refusal. */
const [UNKNOWN_WEBHOOK, INVALID_TOKEN] = [10_015, 50_027];
const MAX_RETRY_AFTER_SECONDS = 3_600;

/** Incoming webhooks of Discord: https://docs.discord.com/developers/resources/webhook#execute-webhook */
export function discordChannel(poster: GuardedPoster): Channel {
  return defineChannel<ChatWebhook>({
    kind: 'discord',
    title: 'Discord',
    isOffered: true,
    create: (input) => ({ target: chatWebhook(input, DISCORD, poster) }),
    parseTarget: parseChatWebhook,
    ...CHAT_ADDRESS,
    send: ({ url }, messages, signal) =>
      postMessage({
        poster,
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          content: contentOf(messages),
          allowed_mentions: { parse: [] },
          flags: SUPPRESS_EMBEDS,
        }),
        signal,
        receiver: 'Discord',
        explain,
        detailOf: (reply) => replyFields(reply).message,
      }),
  });
}

/** Only the sentences are shortened: a cut in a link would break it. */
function contentOf(messages: readonly AlertMessage[]): string {
  const most = Math.floor(MAX_CONTENT / messages.length) - 1;
  return messages
    .map((message) => {
      const title = `**${escaped(truncated(headline(message), 100))}**`;
      const links = `[${OPEN_LABEL}](<${linkAddress(message.pageUrl)}>) · [${PAUSE_LABEL}](<${linkAddress(message.pauseUrl)}>)`;
      const textLength = most - title.length - links.length - 2;
      return `${title}\n${fitted(message.text, textLength)}\n${links}`;
    })
    .join('\n')
    .slice(0, MAX_CONTENT);
}

/** Escaped, and shortened character by character, so that no escape is cut in two. */
function fitted(text: string, maxLength: number): string {
  const whole = escaped(text);
  if (whole.length <= maxLength) return whole;
  let start = '';
  for (const character of text) {
    const next = escaped(character);
    if (start.length + next.length >= maxLength) break;
    start += next;
  }
  return `${start}…`;
}

/** Markdown, mentions and links are shown as they are written. */
function escaped(text: string): string {
  return text.replaceAll(/[\\*_~`|<>#[\]]/g, '\\$&');
}

function linkAddress(url: string): string {
  return url.replaceAll('>', '%3E').replaceAll('<', '%3C').replaceAll(')', '%29').replaceAll(' ', '%20');
}

function explain(reply: PostReply): SendResult | null {
  const { code, retry_after: seconds } = replyFields(reply);
  if (reply.status === 404 || code === UNKNOWN_WEBHOOK)
    return gone('Discord says that this webhook was deleted');
  if (reply.status === 401 || code === INVALID_TOKEN)
    return gone('Discord does not accept the token in the address of this webhook');
  if (reply.status !== 429 || typeof seconds !== 'number' || !(seconds >= 0)) return null;
  return {
    isDelivered: false,
    reason: 'Discord limits how many messages it accepts (HTTP 429)',
    isRetryable: true,
    // In seconds with a fraction, more exact than the header.
    retryAfterMs: Math.ceil(Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1000),
  };
}
