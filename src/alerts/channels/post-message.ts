import { type GuardedPoster, PostError, type PostReply } from '../../base/http/guarded-post.ts';
import { type Fields, fieldsOf, jsonOf } from '../../base/parsing.ts';
import type { SendFailure, SendResult } from './channel.ts';
import { oneLine, truncated } from './plain-text.ts';

interface Posting {
  poster: Pick<GuardedPoster, 'post'>;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  /** The receiver as its owner calls it: "Slack", "the ntfy server". */
  receiver: string;
  /** What this receiver means with a reply; null: what the status means everywhere. */
  explain: (reply: PostReply) => SendResult | null;
  /** The receiver's own words for a refusal; null if the reply has none. */
  detailOf: (reply: PostReply) => unknown;
}

/** Sends one request. Statuses of 5xx, 408, 425 and 429 are retried, other refusals are not. */
export async function postMessage(posting: Posting): Promise<SendResult> {
  const { poster, url, headers, body, signal, receiver, explain, detailOf } = posting;
  let reply: PostReply;
  try {
    reply = await poster.post(url, { headers, body }, signal);
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    return { isDelivered: false, reason: `${receiver}: ${error.message}`, isRetryable: true };
  }
  return explain(reply) ?? meaningOf(reply, receiver, detailOf(reply));
}

const RETRYABLE = new Set([408, 425, 429]);

function meaningOf({ status, retryAfterMs }: PostReply, receiver: string, detail: unknown): SendResult {
  if (status >= 200 && status <= 299) return { isDelivered: true };
  const failure: SendFailure = {
    isDelivered: false,
    reason: `${wordsOf(status, receiver)}${detailText(detail)}`,
    isRetryable: status >= 500 || RETRYABLE.has(status),
  };
  return retryAfterMs === null ? failure : { ...failure, retryAfterMs };
}

function wordsOf(status: number, receiver: string): string {
  if (status === 429) return `${receiver} limits how many messages it accepts (HTTP 429)`;
  if (status >= 500) return `${receiver} has a fault (HTTP ${status})`;
  if (status >= 300 && status <= 399)
    return `${receiver} answered with a redirect (HTTP ${status}), which is not followed`;
  return `${receiver} refused the message (HTTP ${status})`;
}

const MAX_DETAIL = 120;

/** Shown to the owner, so it is one short line. A web page of some proxy is left out. */
function detailText(detail: unknown): string {
  const line = typeof detail === 'string' ? oneLine(detail) : '';
  return line === '' || line.startsWith('<') ? '' : `: ${truncated(line, MAX_DETAIL)}`;
}

/** The target does not exist any more, so the endpoint is paused. */
export function gone(reason: string): SendFailure {
  return { isDelivered: false, reason, isRetryable: false, isGone: true };
}

/** The fields of a reply that is a JSON object; none of another. */
export function replyFields({ text }: PostReply): Fields {
  return fieldsOf(jsonOf(text));
}
