import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { type Person, signedUp } from '../oauth/person.ts';
import { seriousFaults } from '../support/axe.ts';
import { screenshot, startBrowser, visit } from '../support/browser.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const PAGES = [
  '/account',
  '/account/keys',
  '/account/usage',
  '/account/usage?span=hour',
  '/account/assistants',
  '/account/password',
  '/account/sessions',
];
const HOSTILE = '"><img src=x onerror=alert(1)>';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('the account area in a browser', { skip }, () => {
  let running: Running;
  let owner: Person;
  const real = () => browser as Browser;
  const at = (path: string) => `${running.service.baseUrl}${path}`;
  const call = async (key: string) =>
    (await fetch(at('/api/v1/funding?coin=BTC'), { headers: { authorization: `Bearer ${key}` } })).status;
  const signIn = async (context: BrowserContext, { browser: { cookies } }: Person) =>
    await context.addCookies([
      { name: 'pw_session', value: cookies.get('pw_session') ?? '', url: running.service.baseUrl },
    ]);

  before(async () => {
    running = await runService({ venues: ['binance'], coins: 5 });
    await collectOnce(running);
    owner = await signedUp(running.service, 'owner@example.com');
    const { keys } = running.service.accounts;
    const { accountId } = owner;
    const replaced = await keys.create({ accountId, name: 'trading robot' });
    for (let i = 0; i < 7; i++) await call(replaced.text);
    await keys.rotate(replaced.key.id);
    await keys.create({ accountId, name: HOSTILE, scopes: ['usage:read'] });
    await keys.revoke((await keys.create({ accountId, name: 'old laptop' })).key.id);
    await running.service.accounts.flushUsage();
  });
  after(() => running.stop());

  for (const path of PAGES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${path} has no serious accessibility fault and no complaint of the browser (${colorScheme})`, async () => {
        const { page, context, complaints } = await visit(real(), { colorScheme });
        await signIn(context, owner);
        const reply = await page.goto(at(path), { waitUntil: 'load' });
        assert.equal(reply?.status(), 200);
        assert.equal(new URL(page.url()).pathname, path.split('?')[0]);
        assert.deepEqual(await seriousFaults(page), []);
        assert.equal(await page.locator('img[src=x]').count(), 0);
        assert.deepEqual(complaints, []);
        const paper = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
        assert.equal(paper, colorScheme === 'dark' ? 'rgb(16, 22, 28)' : 'rgb(255, 255, 255)');
        await screenshot(page, `${path.slice(1).replaceAll(/[/?=]/g, '-')}-${colorScheme}`);
        await context.close();
      });
    }
  }

  test('on a phone nothing is wider than the screen', async () => {
    const { page, context } = await visit(real(), { width: 380 });
    await signIn(context, owner);
    for (const path of PAGES) {
      await page.goto(at(path));
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      assert.ok(width <= 380, `${path} is ${width} wide`);
    }
    await page.goto(at('/account/keys'));
    await screenshot(page, 'account-keys-phone');
    await context.close();
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`the life of a key, ${javaScriptEnabled ? 'with' : 'without'} scripts: create, copy, call, rotate, expire, revoke`, async () => {
      const { page, context, complaints } = await visit(real(), { javaScriptEnabled });
      const person = await signedUp(running.service, `life-${javaScriptEnabled}@example.com`);
      await signIn(context, person);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(at('/account/keys'));
      await page.fill('input[name=name]', 'my robot');
      await page.uncheck('input[value="history:read"]');
      await page.click('text=Create the key');
      const key = (await page.locator('#new-key').textContent()) ?? '';
      assert.equal(await call(key), 200);
      if (javaScriptEnabled) {
        assert.deepEqual(await seriousFaults(page), []);
        await page.locator('.note .copy').first().click();
        await page.locator('text=Copied').waitFor();
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
      }
      await screenshot(page, `account-keys-new-${javaScriptEnabled ? 'script' : 'plain'}`);
      assert.doesNotMatch((await page.locator('.key dl').textContent()) ?? '', /history:read/);
      await page.goto(at('/account/keys'));
      assert.equal(await page.locator('#new-key').count(), 0, 'shown once');

      await page.click('button:text-is("Rotate")');
      const next = (await page.locator('#new-key').textContent()) ?? '';
      assert.match((await page.locator('.note').textContent()) ?? '', /goes on working for 24 hours/);
      assert.deepEqual([await call(key), await call(next)], [200, 200]);

      await page.locator('.key input[name=expires]').fill('2090-01-31');
      await page.click('text=Change the expiry');
      assert.match((await page.locator('.note').textContent()) ?? '', /now works through 2090-01-31/);

      const active = page.locator('.key', { hasText: 'Change the expiry' });
      await active.locator('button:text-is("Revoke")').click();
      assert.match((await page.locator('.note').textContent()) ?? '', /is revoked/);
      assert.deepEqual([await call(key), await call(next)], [200, 401], 'only the one that was revoked');
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
});
