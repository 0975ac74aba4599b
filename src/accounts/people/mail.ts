import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { QueueFullError, WorkQueue } from '../../base/async/work-queue.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  /** Without angle brackets. Mail clients show messages with the same id once. */
  messageId?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A message that was not delivered. The reason is written for the recipient, without details of the mail server. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly isRetryable: boolean;

  constructor(reason: string, isRetryable: boolean) {
    super(reason);
    this.isRetryable = isRetryable;
  }
}

export interface Mailer {
  /** For links and notices of the account. Neither throws nor waits for delivery: neither result nor timing may reveal whether an address exists. */
  send(message: MailMessage): void;
  /** For alerts, which do not delay mails of `send`. Resolves when the mail server has accepted the message; rejects with a `MailError`. */
  deliver(message: MailMessage): Promise<void>;
  /** Sent messages, newest last, if no mail server is configured; null if one is. */
  messages: readonly MailMessage[] | null;
  /** Resolves when all pending messages are delivered. */
  close(): Promise<void>;
}

interface MailOptions {
  /** smtp:// or smtps://, with user and password if needed; null writes mail into a folder. */
  smtpUrl: string | null;
  from: string;
  folder: string;
  clock: Clock;
  log: Log;
}

const MAX_MESSAGES = 100;
/** Delivery starts after a random part of this, so that its work does not show in the time of the answer. */
const MAX_DELAY_MS = 300;
/** Connections to the mail server at the same time, for mails of accounts and again for alerts. */
const MAX_DELIVERIES = 4;
/** While the mail server does not answer, strangers who sign up could fill the memory with mail. */
const MAX_WAITING = 1_000;
/** By default nodemailer waits for up to ten minutes. */
const TIMEOUTS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };

export function createMailer(options: MailOptions): Mailer {
  return options.smtpUrl === null ? mailSink(options) : smtpMailer(options.smtpUrl, options);
}

function smtpMailer(smtpUrl: string, { from, log }: MailOptions): Mailer {
  // Loaded only by a process that sends mail.
  const opened = import('nodemailer').then(({ createTransport }) =>
    createTransport({ url: smtpUrl, ...TIMEOUTS }),
  );
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();
  const newQueue = () => new WorkQueue({ running: MAX_DELIVERIES, waiting: MAX_WAITING });
  const queues = { account: newQueue(), alerts: newQueue() };
  const deliver = (message: MailMessage, queue: WorkQueue): Promise<void> =>
    queue.run(async () => {
      // As an object the address is not parsed: it can only be one recipient.
      const to = { name: '', address: message.to };
      await (await opened).sendMail({ from, ...message, to });
    });
  const track = (delivery: Promise<void>): void => {
    const tracked: Promise<void> = delivery.catch(() => undefined).finally(() => pending.delete(tracked));
    pending.add(tracked);
  };
  return {
    messages: null,
    send: (message) => {
      const delivery = setTimeout(Math.random() * MAX_DELAY_MS, undefined, { signal: closing.signal })
        .catch(() => undefined)
        .then(() => deliver(message, queues.account))
        .catch((error: unknown) =>
          log.error({ ...mailFault(error), subject: message.subject }, 'could not send mail'),
        );
      track(delivery);
    },
    deliver: async (message) => {
      const delivery = deliver(message, queues.alerts);
      track(delivery);
      try {
        await delivery;
      } catch (error) {
        log.error({ ...mailFault(error), subject: message.subject }, 'could not send mail');
        throw mailError(error);
      }
    },
    close: async () => {
      closing.abort();
      await Promise.all(pending);
      (await opened).close();
    },
  };
}

/** Errors of nodemailer that come before a recipient was named. */
const CONNECTION_CODES: readonly unknown[] = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS'];

/**
 * What the log may say about a failed delivery. The words of a mail server, which are in the error's message too, often name
 * the recipient: of its reply only the codes are logged (RFC 5321 and RFC 3463).
 */
function mailFault(error: unknown): Record<string, unknown> {
  const { code, originalCode, command, responseCode, response, message } = error as Record<string, unknown>;
  const [, status] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response)) ?? [];
  const isUnsent =
    error instanceof QueueFullError || (response === undefined && CONNECTION_CODES.includes(code));
  return { code, originalCode, command, responseCode, status, reason: isUnsent ? message : undefined };
}

/** SMTP replies of 5xx are permanent. A refused sign-in is too, but it is the operator's to mend, so it is retried. */
function mailError(error: unknown): MailError {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH')
    return new MailError(`the mail server refused the message (${responseCode})`, false);
  if (typeof responseCode === 'number' && code !== 'EAUTH')
    return new MailError(`the mail server put the message off (${responseCode})`, true);
  return new MailError('the mail server of this service cannot be reached', true);
}

/** Where a service without a mail server writes mail. */
export function mailFolder(dataDir: string): string {
  return join(dataDir, 'mail');
}

/** Deletes the files of mail to this address, which a service without a mail server has written. */
export function deleteMailFiles(folder: string, to: string): void {
  for (const name of globSync('*.eml', { cwd: folder })) {
    const file = join(folder, name);
    if (readFileSync(file, 'utf8').includes(`\r\nTo: ${to}\r\n`)) rmSync(file, { force: true });
  }
}

/** For development: writes mail into files and keeps it in memory. */
function mailSink({ folder, from, clock, log }: MailOptions): Mailer {
  const messages: MailMessage[] = [];
  let count = 0;
  const write = (message: MailMessage): void => {
    messages.push(message);
    if (messages.length > MAX_MESSAGES) messages.shift();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${clock.nowMs()}-${++count}.eml`);
    const head = `From: ${from}\r\nTo: ${message.to}\r\nSubject: ${message.subject}\r\n\r\n`;
    writeFileSync(file, `${head}${message.text}\r\n`, { mode: 0o600 });
    log.info({ file }, 'no mail server is configured; wrote the mail to a file');
  };
  return {
    messages,
    send: (message) => {
      try {
        write(message);
      } catch (error) {
        log.error({ err: error, folder }, 'could not write mail');
      }
    },
    deliver: async (message) => {
      try {
        write(message);
      } catch (error) {
        log.error({ err: error, folder }, 'could not write mail');
        throw new MailError('the mail could not be written', true);
      }
    },
    close: async () => undefined,
  };
}
