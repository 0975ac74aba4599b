import { hash } from 'node:crypto';
import { MailError, type Mailer, type MailMessage } from '../../accounts/people/mail.ts';
import { nullable, number, objectOf, text } from '../../base/parsing.ts';
import { Problem } from '../../base/problems.ts';
import type { AlertMessage } from '../message.ts';
import { type Channel, defineChannel, type SendResult } from './channel.ts';
import { headline, oneLine, truncated } from './plain-text.ts';

interface Mailbox {
  address: string;
  /** Null: each alert is a mail of its own. */
  digestMinutes: number | null;
}

const parseMailbox = objectOf<Mailbox>({ address: text, digestMinutes: nullable(number) });

interface EmailOptions {
  mailer: Pick<Mailer, 'deliver'>;
  baseUrl: string;
}

/** The choices of the form: minutes between digests, and their words. Empty: at once. */
export const DIGEST_CHOICES: readonly (readonly [value: string, label: string])[] = [
  ['', 'each alert at once'],
  ['60', 'one mail an hour'],
  ['1440', 'one mail a day'],
];
const MAX_SUBJECT = 150;

/** Mail to the verified address of the account, and to no other: nobody can be signed up for alerts by a stranger. */
export function emailChannel({ mailer, baseUrl }: EmailOptions): Channel {
  const { hostname } = new URL(baseUrl);
  return defineChannel<Mailbox>({
    kind: 'email',
    title: 'E-mail',
    isOffered: true,
    create: ({ digest = '' }, { email }) => {
      if (email === null) throw new Problem('invalid-parameter', 'Your account has no e-mail address.');
      if (!DIGEST_CHOICES.some(([value]) => value === digest))
        throw new Problem('invalid-parameter', '"digest" must be empty, 60 or 1440 (minutes).');
      return { target: { address: email, digestMinutes: digest === '' ? null : Number(digest) } };
    },
    parseTarget: (stored) => parseMailbox(stored, 'mailbox'),
    needsConfirmation: false,
    // Urgent alerts at once and the others as a digest are two choices of one person.
    addressOf: ({ address, digestMinutes }) => `mailto:${address} ${digestMinutes ?? ''}`,
    describe: ({ address, digestMinutes }) => {
      const [, words] = DIGEST_CHOICES.find(([value]) => value === String(digestMinutes ?? '')) ?? [];
      return `${address}, ${words ?? `every ${digestMinutes} minutes`}`;
    },
    digestMinutes: ({ digestMinutes }) => digestMinutes,
    send: ({ address }, messages, signal) =>
      delivered(mailer, mailOf(address, messages, { baseUrl, hostname }), signal),
  });
}

function mailOf(
  to: string,
  messages: readonly AlertMessage[],
  { baseUrl, hostname }: { baseUrl: string; hostname: string },
): MailMessage {
  const [first] = messages;
  if (!first) throw new Error('there is no message to send');
  const isDigest = messages.length > 1;
  const subject = isDigest ? `${messages.length} alerts` : `${headline(first)}: ${first.text}`;
  const sections = messages.map(({ ruleName, text, pageUrl, pauseUrl }) =>
    [
      ...(isDigest ? [`${oneLine(ruleName)}:`] : []),
      text,
      `The list: ${pageUrl}`,
      `Pause this alert: ${pauseUrl}`,
    ].join('\n'),
  );
  // A retry has the same id; a digest that has grown in between has another.
  const ids = isDigest ? hash('sha256', messages.map(({ eventId }) => eventId).join(' ')) : first.eventId;
  return {
    to,
    subject: truncated(oneLine(subject), MAX_SUBJECT),
    text: `${sections.join('\n\n')}\n\n--\nPerpwire sends this because of an alert of your account: ${baseUrl}/account/alerts`,
    messageId: `${ids}@${hostname}`,
    headers: {
      // Keeps out-of-office programs from answering (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(isDigest ? {} : { 'List-Unsubscribe': `<${first.pauseUrl}>`, 'Perpwire-Event-Id': first.eventId }),
    },
  };
}

/** The mailer has timeouts of its own; the signal only ends the wait. */
async function delivered(
  mailer: Pick<Mailer, 'deliver'>,
  mail: MailMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<SendResult>();
  const onAbort = () =>
    abort({ isDelivered: false, reason: 'the mail server did not answer in time', isRetryable: true });
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([mailer.deliver(mail).then(() => ({ isDelivered: true }) as const), aborted]);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return { isDelivered: false, reason: error.message, isRetryable: error.isRetryable };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
