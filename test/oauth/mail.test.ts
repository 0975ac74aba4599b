import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { suite, test } from 'node:test';
import { createMailer } from '../../src/accounts/people/mail.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';

/** A minimal SMTP server that accepts one message at a time. */
async function startSmtp(): Promise<{ url: string; received: string[]; server: Server }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    let message = '';
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\r\n').slice(0, -1)) {
        if (isData && line === '.') {
          received.push(message);
          isData = false;
          socket.write('250 taken\r\n');
        } else if (isData) message += `${line}\n`;
        else if (line === 'DATA') {
          isData = true;
          message = '';
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received, server };
}

const options = {
  from: 'Perpwire <no-reply@perpwire.example>',
  folder: '',
  clock: systemClock,
  log: createLog('silent'),
};

suite('mail through a server', () => {
  test('a message arrives with sender, recipient, subject and text', async () => {
    const smtp = await startSmtp();
    const mailer = createMailer({ ...options, smtpUrl: smtp.url });
    mailer.send({
      to: 'someone@example.com',
      subject: 'Confirm your address',
      text: 'https://perpwire.example/x',
    });
    await mailer.close();
    smtp.server.close();
    assert.equal(mailer.kept, null, 'nothing is kept here');
    const [message = ''] = smtp.received;
    assert.match(message, /^From: Perpwire <no-reply@perpwire\.example>$/m);
    assert.match(message, /^To: someone@example\.com$/m);
    assert.match(message, /^Subject: Confirm your address$/m);
    assert.match(message, /https:\/\/perpwire\.example\/x/);
  });

  test('a mail server that is down is logged, and nothing fails', async () => {
    const smtp = await startSmtp();
    await new Promise((resolve) => smtp.server.close(resolve));
    const mailer = createMailer({ ...options, smtpUrl: smtp.url });
    mailer.send({ to: 'someone@example.com', subject: 'x', text: 'x' });
    await mailer.close();
  });
});
