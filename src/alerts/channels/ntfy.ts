import type { GuardedPoster, PostReply } from '../../base/http/guarded-post.ts';
import { objectOf, text } from '../../base/parsing.ts';
import { Problem } from '../../base/problems.ts';
import { describeAddress } from './address.ts';
import { type Channel, defineChannel, type SendResult } from './channel.ts';
import { headline, OPEN_LABEL, oneLine, PAUSE_LABEL, truncated, truncatedBytes } from './plain-text.ts';
import { postMessage, replyFields } from './post-message.ts';

interface NtfyTopic {
  /** Without a slash at the end. */
  server: string;
  topic: string;
}

const DEFAULT_SERVER = 'https://ntfy.sh';
const TOPIC = /^[\w-]{1,64}$/;
/** A longer body becomes an attachment. */
const MAX_BODY_BYTES = 4_096;
const MAX_TITLE = 200;
/** ntfy shows the first known tag as an emoji. */
const TAGS = 'chart_with_upwards_trend';

/** Topics of an ntfy server: https://docs.ntfy.sh/publish/ */
export function ntfyChannel(poster: GuardedPoster): Channel {
  return defineChannel<NtfyTopic>({
    kind: 'ntfy',
    title: 'ntfy',
    isOffered: true,
    create: (input) => ({ target: checkedTopic(input, poster) }),
    parseTarget: (stored) => objectOf<NtfyTopic>({ server: text, topic: text })(stored, 'topic'),
    needsConfirmation: true,
    describe: ({ server, topic }) => describeAddress(new URL(server).host, topic),
    addressOf: ({ server, topic }) => `${server}/${topic}`,
    // The public server limits its users itself.
    hostOf: ({ server }) => (server === DEFAULT_SERVER ? null : new URL(server).hostname),
    send: async ({ server, topic }, messages, signal) => {
      const [first] = messages;
      if (!first) throw new Error('there is no message to send');
      const body = messages.map(({ text }) => text).join('\n');
      return await postMessage({
        poster,
        url: `${server}/${topic}`,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          title: headerText(truncated(headline(first), MAX_TITLE)),
          click: first.pageUrl,
          tags: TAGS,
          actions: [`view, ${OPEN_LABEL}`, `view, ${PAUSE_LABEL}`]
            .map((action, i) => `${action}, "${i === 0 ? first.pageUrl : first.pauseUrl}"`)
            .join('; '),
        },
        body: truncatedBytes(body, MAX_BODY_BYTES),
        signal,
        receiver: 'the ntfy server',
        explain,
        detailOf: (reply) => replyFields(reply).error,
      });
    },
  });
}

function checkedTopic(
  input: Readonly<Record<string, string>>,
  poster: Pick<GuardedPoster, 'refusalOf'>,
): NtfyTopic {
  const server = (input.server ?? '').trim() || DEFAULT_SERVER;
  const topic = (input.topic ?? '').trim();
  const url = URL.parse(server);
  const refusal = url === null ? 'the address must be an https URL' : poster.refusalOf(url.href);
  if (url === null || refusal !== null)
    throw new Problem('invalid-parameter', `"server" cannot be used: ${refusal}.`);
  if (url.search !== '' || url.hash !== '' || url.pathname !== '/')
    throw new Problem(
      'invalid-parameter',
      '"server" must be an address without a path, such as https://ntfy.sh.',
    );
  if (!TOPIC.test(topic))
    throw new Problem('invalid-parameter', '"topic" must be 1 to 64 letters, digits, - or _.');
  return { server: url.origin, topic };
}

/** Headers are ASCII; ntfy decodes other texts in the form of RFC 2047. */
function headerText(text: string): string {
  const line = oneLine(text);
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?UTF-8?B?${Buffer.from(line).toString('base64')}?=`;
}

function explain(reply: PostReply): SendResult | null {
  const { status } = reply;
  if (status >= 200 && status <= 299)
    return replyFields(reply).event === 'message'
      ? null
      : {
          isDelivered: false,
          reason: 'the server does not answer like ntfy; check its address',
          isRetryable: false,
        };
  if (status === 401 || status === 403)
    return {
      isDelivered: false,
      reason: `the ntfy server does not allow to publish to this topic (HTTP ${status})`,
      isRetryable: false,
    };
  return null;
}
