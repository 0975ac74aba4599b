import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createMailer, MailError } from '../../src/accounts/people/mail.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { until } from '../support/until.ts';

const options = {
  from: 'Perpwire <no-reply@perpwire.example>',
  folder: '',
  clock: systemClock,
  log: createLog('silent'),
};

suite('mail through a server', () => {
  test('a message arrives with sender, recipient, subject and text', async () => {
    const smtp = await startSmtpServer();
    const mailer = createMailer({ ...options, smtpUrl: smtp.url });
    mailer.send({
      to: 'someone@example.com',
      subject: 'Confirm your address',
      text: 'https://perpwire.example/x',
    });
    await mailer.close();
    await smtp.stop();
    assert.equal(mailer.messages, null, 'nothing is kept here');
    const [message = ''] = smtp.received;
    assert.match(message, /^From: Perpwire <no-reply@perpwire\.example>$/m);
    assert.match(message, /^To: someone@example\.com$/m);
    assert.match(message, /^Subject: Confirm your address$/m);
    assert.match(message, /https:\/\/perpwire\.example\/x/);
  });

  test('a mail server that is down is logged, and nothing fails', async () => {
    const smtp = await startSmtpServer();
    await smtp.stop();
    const mailer = createMailer({ ...options, smtpUrl: smtp.url });
    mailer.send({ to: 'someone@example.com', subject: 'x', text: 'x' });
    await mailer.close();
  });

  test('a mail of an account does not wait behind mails of alerts', async () => {
    const smtp = await startSmtpServer();
    const mailer = createMailer({ ...options, smtpUrl: smtp.url });
    smtp.holdAlerts();
    const alerts = Array.from({ length: 20 }, (_, i) =>
      mailer.deliver({ to: 'alerts@example.com', subject: `Alert ${i}`, text: 'x' }),
    );
    mailer.send({ to: 'someone@example.com', subject: 'Your link to sign in', text: 'x' });
    await until(() => smtp.received.length === 1, 'the mail of the account');
    assert.match(smtp.received[0] ?? '', /^Subject: Your link to sign in$/m);
    smtp.release();
    await Promise.all(alerts);
    assert.equal(smtp.received.length, 21);
    await mailer.close();
    await smtp.stop();
  });

  test('deliver waits for the mail server and reports whether a refusal is permanent', async () => {
    const smtp = await startSmtpServer();
    const mailer = createMailer({ ...options, smtpUrl: smtp.url });
    const message = { to: 'someone@example.com', subject: 'x', text: 'x', messageId: 'one@perpwire.example' };
    const refusal = (pattern: RegExp, isRetryable: boolean) => (error: unknown) =>
      error instanceof MailError && pattern.test(error.message) && error.isRetryable === isRetryable;
    await mailer.deliver({ ...message, headers: { 'Auto-Submitted': 'auto-generated' } });
    assert.equal(smtp.received.length, 1);
    assert.match(smtp.received[0] ?? '', /^Message-ID: <one@perpwire\.example>$/m);
    assert.match(smtp.received[0] ?? '', /^Auto-Submitted: auto-generated$/m);
    smtp.refuseWith('550 no such mailbox');
    await assert.rejects(mailer.deliver(message), refusal(/refused the message \(550\)/, false));
    smtp.refuseWith('451 come back later');
    await assert.rejects(mailer.deliver(message), refusal(/put the message off \(451\)/, true));
    await smtp.stop();
    await assert.rejects(mailer.deliver(message), refusal(/cannot be reached/, true));
    await mailer.close();
  });
});
