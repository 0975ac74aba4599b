import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, beforeEach, suite, test } from 'node:test';
import { createMailer, type Mailer } from '../../../src/accounts/people/mail.ts';
import type { Channel } from '../../../src/alerts/channels/channel.ts';
import { emailChannel } from '../../../src/alerts/channels/email.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { parseMail, type SmtpServer, startSmtpServer } from '../../support/smtp-server.ts';
import { until } from '../../support/until.ts';
import { alertMessage } from './message.ts';
import { NEVER, OWNER, targetOf as storedTarget } from './targets.ts';

suite('alerts by e-mail', () => {
  let smtp: SmtpServer;
  let mailer: Mailer;
  let channel: Channel;
  const logged: string[] = [];

  before(async () => {
    smtp = await startSmtpServer();
    mailer = createMailer({
      smtpUrl: smtp.url,
      from: 'Perpwire <no-reply@perpwire.example>',
      folder: '',
      clock: systemClock,
      log: createLog('info', { write: (line: string) => logged.push(line) }),
    });
    channel = emailChannel({ mailer, baseUrl: 'https://perpwire.example' });
  });
  after(async () => {
    await mailer.close();
    await smtp.stop();
  });
  beforeEach(() => {
    smtp.received.length = 0;
    smtp.refuseWith(null);
    logged.length = 0;
  });

  const targetOf = (input: Record<string, string>) => storedTarget(channel, input);
  const mailAt = (place: number) => parseMail(smtp.received[place] ?? '');

  test('at once: the sentence, the links, and headers that mail programs use', async () => {
    const target = await targetOf({ digest: '' });
    assert.equal(channel.digestMinutes?.(target), null);
    assert.match(channel.describe(target), /ada@example\.com, each alert at once/);
    assert.deepEqual(await channel.send(target, [alertMessage({ ruleName: 'BTC' })], NEVER), {
      isDelivered: true,
    });
    const { headers, text } = mailAt(0);
    const { pageUrl, pauseUrl, eventId } = alertMessage();
    assert.equal(headers.get('to'), 'ada@example.com');
    assert.match(headers.get('subject') ?? '', /^BTC: BTC_USDT funding on Bybit is \+0\.052 %/);
    assert.equal(headers.get('message-id'), `<${eventId}@perpwire.example>`);
    assert.equal(headers.get('perpwire-event-id'), eventId);
    assert.equal(headers.get('auto-submitted'), 'auto-generated');
    assert.equal(headers.get('list-unsubscribe'), `<${pauseUrl}>`);
    assert.ok(text.includes(alertMessage().text));
    assert.ok(text.includes(`The list: ${pageUrl}`));
    assert.ok(text.includes(`Pause this alert: ${pauseUrl}`));
  });

  test('a digest has all alerts in one mail, each with its rule', async () => {
    const target = await targetOf({ digest: '1440' });
    assert.equal(channel.digestMinutes?.(target), 1440);
    assert.match(channel.describe(target), /one mail a day/);
    const messages = ['BTC', 'ETH', 'SOL'].map((name) =>
      alertMessage({ ruleName: name, eventId: `evt_${name}`, text: `${name} crossed.` }),
    );
    await channel.send(target, messages, NEVER);
    await channel.send(target, messages, NEVER);
    await channel.send(target, messages.slice(1), NEVER);
    const { headers, text } = mailAt(0);
    assert.equal(headers.get('subject'), '3 alerts');
    for (const name of ['BTC', 'ETH', 'SOL'])
      assert.match(text, new RegExp(`^${name}:\n${name} crossed\\.$`, 'm'));
    const ids = [0, 1, 2].map((place) => mailAt(place).headers.get('message-id'));
    assert.equal(ids[0], ids[1], 'a retry is the same mail');
    assert.notEqual(ids[0], ids[2], 'other alerts are another mail');
  });

  test('a name of a rule cannot add headers', async () => {
    await channel.send(
      await targetOf({}),
      [alertMessage({ ruleName: 'x\r\nBcc: victim@example.com\r\n\r\nhello' })],
      NEVER,
    );
    assert.equal(mailAt(0).headers.get('bcc'), undefined);
    assert.match(mailAt(0).headers.get('subject') ?? '', /x Bcc: victim@example\.com hello/);
  });

  test('each refusal is a reason for people, and says whether a retry makes sense', async () => {
    const target = await targetOf({});
    for (const [refusal, reason, isRetryable] of [
      ['550 5.1.1 no such mailbox', /^the mail server refused the message \(550\)$/, false],
      ['451 4.7.1 greylisted', /^the mail server put the message off \(451\)$/, true],
    ] as const) {
      smtp.refuseWith(refusal);
      const result = await channel.send(target, [alertMessage()], NEVER);
      assert.ok(!result.isDelivered);
      assert.match(result.reason, reason);
      assert.equal(result.isRetryable, isRetryable);
    }
  });

  for (const refusal of [
    '550 5.1.1 <ada@example.com>: no such mailbox',
    '550 5.1.1 no mailbox here for ada of example.com',
    '451 4.7.1 ada@example.com: greylisted',
    'no code, only ada@example.com',
  ])
    test(`the log does not name the recipient that is refused with "${refusal}"`, async () => {
      smtp.refuseWith(refusal);
      const mail = { to: 'ada@example.com', subject: 'Confirm your address', text: 'Hello' };
      await assert.rejects(mailer.deliver(mail));
      mailer.send(mail);
      await until(() => logged.length === 2);
      for (const line of logged) {
        assert.doesNotMatch(line, /\bada\b|example\.com/i);
        const { msg, subject, responseCode, status } = JSON.parse(line);
        assert.deepEqual([msg, subject], ['could not send mail', 'Confirm your address']);
        const [code, enhanced] = /^\d/.test(refusal) ? refusal.split(' ') : [];
        assert.deepEqual([responseCode, status], [code && Number(code), enhanced]);
      }
    });

  test('mail goes to the address of the account only', async () => {
    const target = await targetOf({ address: 'victim@example.com', email: 'victim@example.com' });
    assert.match(channel.describe(target), /^ada@example\.com/);
    assert.throws(() => channel.create({}, { accountId: 'account', email: null }), /no e-mail address/);
    assert.throws(() => channel.create({ digest: '7' }, OWNER), /"digest" must be/);
  });
});

test('mail that waits for a mail server which does not answer is bounded, and what is dropped is logged', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const reasons: unknown[] = [];
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    from: 'no-reply@perpwire.example',
    folder: '',
    clock: systemClock,
    log: createLog('info', { write: (line: string) => reasons.push(JSON.parse(line).reason) }),
  });
  for (let i = 0; i < 1_100; i++)
    mailer.send({ to: `person${i}@example.com`, subject: 'Confirm your address', text: 'Hello' });
  // Four are being sent and a thousand wait.
  await until(() => reasons.length === 96 && sockets.length === 4);
  assert.deepEqual([...new Set(reasons)], ['too many tasks are waiting']);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await mailer.close();
});
