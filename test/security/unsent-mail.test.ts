import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { refuseUnsentMail } from '../../src/commands/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { Browser, text } from '../oauth/browser.ts';
import { type Running, runService } from '../support/service.ts';

suite('mail that was not sent', () => {
  let running: Running;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 5 });
  });
  after(() => running.stop());

  const statusWith = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      request(`${running.service.baseUrl}/development/mail`, { headers }, (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  test('is shown to a browser on this machine', async () => {
    assert.equal(await statusWith({}), 200);
  });

  for (const [attack, headers] of [
    ['a visitor of a proxy on this machine', { 'x-forwarded-for': '203.0.113.9' }],
    ['one that claims to be on this machine', { 'x-forwarded-for': '127.0.0.1' }],
    ['a visitor of a proxy with the standard header', { forwarded: 'for=203.0.113.9' }],
    ['a visitor of a proxy that names itself only', { via: '1.1 proxy' }],
    ['a page of a foreign name that resolves to this machine', { host: 'evil.example' }],
  ] as const) {
    test(`${attack}: no such page`, async () => {
      assert.equal(await statusWith(headers), 404);
    });
  }

  const settings = (environment: Record<string, string>) => readSettings([], environment);

  test('behind a proxy without a mail server the service does not start, and names the settings', () => {
    const behindProxy = { TRUSTED_PROXIES: '10.0.0.2' };
    assert.throws(() => refuseUnsentMail(settings(behindProxy)), /SMTP_URL.*SIGN_UP=false/);
    refuseUnsentMail(settings({ ...behindProxy, SMTP_URL: 'smtp://mail.example' }));
    refuseUnsentMail(settings({ ...behindProxy, SIGN_UP: 'false' }));
    refuseUnsentMail(settings({ ...behindProxy, ROLE: 'collector' }));
    refuseUnsentMail(settings({}));
  });

  test('closed sign-up accepts no form', async () => {
    const closed = await runService({ venues: ['binance'], coins: 5, settings: { SIGN_UP: 'false' } });
    const { baseUrl, people } = closed.service;
    const browser = new Browser();
    const page = await browser.open(`${baseUrl}/sign-up`);
    assert.equal(page.status, 403);
    assert.match(text(page), /Sign-up is closed/);
    const signIn = await browser.open(`${baseUrl}/sign-in`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(signIn.html)?.[1] ?? '';
    const form = new URLSearchParams({ csrf, email: 'ada@example.com', password: 'correct horse battery' });
    assert.equal((await browser.post(new URL(`${baseUrl}/sign-up`), form)).status, 403);
    assert.deepEqual(people.mailer.messages, []);
    await closed.stop();
  });
});
