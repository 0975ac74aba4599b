import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { type GuardedPoster, PostError, type PostReply } from '../../base/http/guarded-post.ts';
import { listOf, nullable, number, objectOf, text } from '../../base/parsing.ts';
import { Problem } from '../../base/problems.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../base/times.ts';
import type { AlertMessage } from '../message.ts';
import { canonicalUrl, describeUrl } from './address.ts';
import { type Channel, defineChannel, type SendResult } from './channel.ts';
import { replyFields } from './post-message.ts';

interface WebhookSecret {
  value: string;
  /** A replaced secret signs until then; null: it is the current one. */
  untilMs: number | null;
}

interface WebhookTarget {
  url: string;
  /** The current one first. */
  secrets: readonly WebhookSecret[];
}

const SIGNATURE_HEADER = 'perpwire-signature';
/** How long a replaced secret signs beside the new one. */
const ROTATION_MS = DAY_MS;
/** Replaced secrets that sign beside the current one; each adds 68 bytes to every request. */
const MAX_REPLACED_SECRETS = 2;
const MAX_URL_LENGTH = 2_000;
const GONE = 410;

const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;

/** Posts JSON with a signature. Any status from 200 to 299 counts as delivered; redirects are not followed. */
export function webhookChannel(poster: GuardedPoster, clock: Clock): Channel {
  return defineChannel<WebhookTarget>({
    kind: 'webhook',
    title: 'Webhook',
    isOffered: true,
    create: ({ url = '' }) => {
      const refusal = url.length > MAX_URL_LENGTH ? 'the address is too long' : poster.refusalOf(url);
      if (refusal !== null) throw new Problem('invalid-parameter', `"url": ${refusal}.`);
      const secret = newSecret();
      return { target: { url, secrets: [{ value: secret, untilMs: null }] }, secret };
    },
    parseTarget: (stored) => parseWebhook(stored, 'webhook'),
    needsConfirmation: true,
    describe: ({ url }) => describeUrl(url),
    addressOf: ({ url }) => canonicalUrl(url),
    hostOf: ({ url }) => new URL(url).hostname,
    rotateSecret: ({ url, secrets }, nowMs) => {
      const secret = newSecret();
      const replaced = secrets
        .filter(({ untilMs }) => untilMs === null || untilMs > nowMs)
        .map(({ value, untilMs }) => ({ value, untilMs: untilMs ?? nowMs + ROTATION_MS }))
        .slice(0, MAX_REPLACED_SECRETS);
      return { target: { url, secrets: [{ value: secret, untilMs: null }, ...replaced] }, secret };
    },
    send: async ({ url, secrets }, messages, signal): Promise<SendResult> => {
      // A webhook has no digests, so there is always one.
      const [message] = messages;
      if (!message) return { isDelivered: true };
      const body = JSON.stringify(webhookBody(message));
      const nowMs = clock.nowMs();
      const valid = secrets.filter(({ untilMs }) => untilMs === null || untilMs > nowMs);
      const headers = {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: signature(
          valid.map(({ value }) => value),
          Math.floor(nowMs / SECOND_MS),
          body,
        ),
      };
      try {
        const reply = await poster.post(url, { headers, body }, signal);
        const { status, retryAfterMs } = reply;
        if (status >= 200 && status < 300)
          return isEchoed(reply, message.challenge)
            ? { isDelivered: true, isConfirmed: true }
            : { isDelivered: true };
        const reason =
          status >= 300 && status < 400 ? `HTTP ${status}; redirects are not followed` : `HTTP ${status}`;
        return {
          ...{ isDelivered: false, reason, isRetryable: true, isGone: status === GONE },
          ...(retryAfterMs === null ? {} : { retryAfterMs }),
        };
      } catch (error) {
        if (!(error instanceof PostError)) throw error;
        return { isDelivered: false, reason: error.message, isRetryable: true };
      }
    },
  });
}

/** `t` is the Unix time in seconds; each `v1` is the HMAC-SHA256 of `t.body` with one secret, in hex. */
export function signature(secrets: readonly string[], atSeconds: number, body: string): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')}`,
  );
  return [`t=${atSeconds}`, ...signatures].join(',');
}

function webhookBody(message: AlertMessage) {
  const { eventId, isTest, ruleId, ruleName, operation, kind, row, asOfMs, text, pageUrl, pauseUrl } =
    message;
  const { challenge } = message;
  return {
    event_id: eventId,
    is_test: isTest,
    rule: { id: ruleId, name: ruleName },
    operation,
    kind,
    row,
    as_of: isoTime(asOfMs),
    text,
    page_url: pageUrl,
    pause_url: pauseUrl,
    ...(challenge === undefined ? {} : { challenge }),
  };
}

/** Whether the receiver answers with the challenge. A server that returns whatever it gets has not said that it wants it. */
function isEchoed(reply: PostReply, challenge: string | undefined): boolean {
  if (challenge === undefined) return false;
  const answer = replyFields(reply);
  return reply.text.trim() === challenge || (answer.challenge === challenge && !('event_id' in answer));
}

const parseWebhook = objectOf<WebhookTarget>({
  url: text,
  secrets: listOf(objectOf<WebhookSecret>({ value: text, untilMs: nullable(number) })),
});
