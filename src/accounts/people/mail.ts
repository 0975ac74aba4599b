import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Neither throws nor waits for delivery: whether an address can be reached must not show, not even by its time. */
  send(message: MailMessage): void;
  /** What was sent while no mail server is configured, newest last; null when one is. */
  kept: readonly MailMessage[] | null;
  /** After what is under way has been delivered. */
  close(): Promise<void>;
}

export interface MailOptions {
  /** smtp:// or smtps://, with user and password where needed; null keeps mail in a folder. */
  smtpUrl: string | null;
  from: string;
  folder: string;
  clock: Clock;
  log: Log;
}

const KEPT_MESSAGES = 100;

export function createMailer(options: MailOptions): Mailer {
  return options.smtpUrl === null ? mailSink(options) : smtpMailer(options.smtpUrl, options);
}

function smtpMailer(smtpUrl: string, { from, log }: MailOptions): Mailer {
  // Only who sends mail needs its code.
  const opened = import('nodemailer').then(({ createTransport }) => createTransport(smtpUrl));
  const underWay = new Set<Promise<void>>();
  const deliver = async (message: MailMessage): Promise<void> => {
    try {
      await (await opened).sendMail({ from, ...message });
    } catch (error) {
      log.error({ err: error, subject: message.subject }, 'mail not sent');
    }
  };
  return {
    kept: null,
    send: (message) => {
      const delivery = deliver(message).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    close: async () => {
      await Promise.all(underWay);
      (await opened).close();
    },
  };
}

/** For development: mail goes into files that a person can open, and into memory. */
function mailSink({ folder, from, clock, log }: MailOptions): Mailer {
  const kept: MailMessage[] = [];
  let count = 0;
  return {
    kept,
    send: (message) => {
      kept.push(message);
      if (kept.length > KEPT_MESSAGES) kept.shift();
      try {
        mkdirSync(folder, { recursive: true });
        const file = join(folder, `${clock.nowMs()}-${++count}.eml`);
        const head = `From: ${from}\r\nTo: ${message.to}\r\nSubject: ${message.subject}\r\n\r\n`;
        writeFileSync(file, `${head}${message.text}\r\n`, { mode: 0o600 });
        log.info({ file }, 'no mail server is configured; the mail was written to a file');
      } catch (error) {
        log.error({ err: error, folder }, 'mail not written');
      }
    },
    close: async () => undefined,
  };
}
