import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WorkQueue } from '../../base/async/work-queue.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Neither throws nor waits for delivery: neither result nor timing may reveal whether an address exists. */
  send(message: MailMessage): void;
  /** Sent messages, newest last, if no mail server is configured; null if one is. */
  kept: readonly MailMessage[] | null;
  /** Resolves when all pending messages are delivered. */
  close(): Promise<void>;
}

export interface MailOptions {
  /** smtp:// or smtps://, with user and password if needed; null writes mail into a folder. */
  smtpUrl: string | null;
  from: string;
  folder: string;
  clock: Clock;
  log: Log;
}

const KEPT_MESSAGES = 100;
/** Delivery starts after a random part of this, so that its work does not show in the time of the answer. */
const MAX_DELAY_MS = 300;
/** Connections to the mail server at the same time. */
const MAX_DELIVERIES = 4;

export function createMailer(options: MailOptions): Mailer {
  return options.smtpUrl === null ? mailSink(options) : smtpMailer(options.smtpUrl, options);
}

function smtpMailer(smtpUrl: string, { from, log }: MailOptions): Mailer {
  // Loaded only by a process that sends mail.
  const opened = import('nodemailer').then(({ createTransport }) => createTransport(smtpUrl));
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();
  const queue = new WorkQueue({ running: MAX_DELIVERIES, waiting: Number.POSITIVE_INFINITY });
  const deliver = async (message: MailMessage): Promise<void> => {
    try {
      // As an object the address is not parsed: it can only be one recipient.
      const to = { name: '', address: message.to };
      await (await opened).sendMail({ from, ...message, to });
    } catch (error) {
      log.error({ err: error, subject: message.subject }, 'could not send mail');
    }
  };
  return {
    kept: null,
    send: (message) => {
      const delivery = setTimeout(Math.random() * MAX_DELAY_MS, undefined, { signal: closing.signal })
        .catch(() => undefined)
        .then(() => queue.run(() => deliver(message)))
        .finally(() => pending.delete(delivery));
      pending.add(delivery);
    },
    close: async () => {
      closing.abort();
      await Promise.all(pending);
      (await opened).close();
    },
  };
}

/** For development: writes mail into files and keeps it in memory. */
function mailSink({ folder, from, clock, log }: MailOptions): Mailer {
  const kept: MailMessage[] = [];
  let count = 0;
  return {
    kept,
    send: (message) => {
      kept.push(message);
      if (kept.length > KEPT_MESSAGES) kept.shift();
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = join(folder, `${clock.nowMs()}-${++count}.eml`);
        const head = `From: ${from}\r\nTo: ${message.to}\r\nSubject: ${message.subject}\r\n\r\n`;
        writeFileSync(file, `${head}${message.text}\r\n`, { mode: 0o600 });
        log.info({ file }, 'no mail server is configured; wrote the mail to a file');
      } catch (error) {
        log.error({ err: error, folder }, 'could not write mail');
      }
    },
    close: async () => undefined,
  };
}
