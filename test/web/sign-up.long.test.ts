import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { callTool, OAuthClient } from '../oauth/client.ts';
import { PASSWORD, signedUp } from '../oauth/person.ts';
import { follow, startBrowser, visit } from '../support/browser.ts';
import { onPath } from '../support/servers.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { assertLooksRight, nameOf } from './looks.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('from sign-up to the first API call, in a browser', { skip }, () => {
  let running: Running;
  const real = () => browser as Browser;
  const at = (path: string) => `${running.service.baseUrl}${path}`;
  before(async () => {
    // Demo data is 15 minutes old, so there must be some of that age.
    const clock = new ManualClock(Date.now() - 16 * MINUTE_MS);
    running = await runService({ venues: ['binance'], coins: 5, clock });
    await collectOnce(running);
    clock.setMs(Date.now());
    await collectOnce(running);
  });
  after(() => running.stop());

  for (const path of ['/sign-in', '/sign-up', '/forgot-password', '/development/mail']) {
    test(`${path}: accessible in light and dark, fits a phone, no browser errors`, async () => {
      const { page, context, complaints } = await visit(real());
      await page.goto(at(path));
      await assertLooksRight(page, nameOf(path));
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  const curl = onPath('curl') === null ? 'curl is not installed' : false;
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    test(`sign up, confirm, create a key, run the curl line of the page: ${how} scripts`, {
      skip: curl,
    }, async () => {
      const { page, context, complaints } = await visit(real(), { javaScriptEnabled });
      const email = `new-${how}@example.com`;
      await page.goto(at('/'));
      await follow(page, 'text=Sign in');
      await follow(page, 'main >> text=Sign up');
      await page.fill('input[name=email]', email);
      await page.fill('input[name=password]', PASSWORD);
      await follow(page, 'button:text-is("Sign up")');
      await follow(page, 'a[href="/development/mail"]');
      await follow(page, page.locator('section', { hasText: email }).locator('a'));
      await page.fill('input[name=password]', PASSWORD);
      await follow(page, 'button:text-is("Confirm")');
      assert.equal(new URL(page.url()).pathname, '/account');
      await follow(page, 'text=Create a key');
      await page.fill('input[name=name]', 'first key');
      await follow(page, 'text=Create the key');
      const line = (await page.locator('.once code', { hasText: 'curl' }).textContent()) ?? '';
      const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --fail`]);
      const { data } = JSON.parse(stdout) as { data: { coin: string }[] };
      assert.deepEqual([...new Set(data.map(({ coin }) => coin))], ['BTC']);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  test('an assistant requests access, the user allows it, it reads; then it is disconnected', async () => {
    const { page, context, complaints } = await visit(real());
    const person = await signedUp(running.service, 'consents@example.com');
    const answered = createServer((_request, reply) => reply.end('<!doctype html><title>done</title>done'));
    await new Promise<void>((resolve) => answered.listen(0, '127.0.0.1', resolve));
    try {
      const redirect = `http://127.0.0.1:${(answered.address() as AddressInfo).port}/callback`;
      const client = new OAuthClient(running.service.baseUrl);
      await client.register({ redirect_uris: [redirect], client_name: '<img src=x> helper' });
      await page.goto(client.authorizeUrl({ redirect_uri: redirect }).href);
      await page.fill('input[name=email]', person.email);
      await page.fill('input[name=password]', PASSWORD);
      await follow(page, 'button:text-is("Sign in")');
      assert.match((await page.locator('h1').textContent()) ?? '', /Connect <img src=x> helper\?/);
      assert.equal(await page.locator('img[src=x]').count(), 0);
      await assertLooksRight(page, 'consent');
      await page.uncheck('input[value="usage:read"]');
      await page.click('button:text-is("Allow")');
      await page.waitForURL(/\/callback\?/);
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const { body } = await client.exchange(code, { redirect_uri: redirect });
      const token = String(body.access_token);
      const read = () => callTool(running.service.baseUrl, token, 'svc_get_funding_rates', { coin: 'BTC' });
      assert.equal((await read()).status, 200);
      await page.goto(at('/account/assistants'));
      await assertLooksRight(page, 'account-assistants-connected');
      await follow(page, 'button:has-text("Disconnect")');
      assert.match((await page.locator('main').textContent()) ?? '', /None yet/);
      assert.equal((await read()).status, 401);
      assert.deepEqual(
        complaints.filter((one) => !one.includes('favicon')),
        [],
      );
    } finally {
      await context.close();
      await new Promise((resolve) => {
        answered.close(resolve);
        answered.closeAllConnections();
      });
    }
  });
});
