import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { ACCOUNT_PAGES } from '../../src/doors/web/account/pages.ts';
import { PASSWORD, type Person, signedUp } from '../oauth/person.ts';
import { seriousFaults } from '../support/axe.ts';
import { follow, screenshot, startBrowser, type Visit, visit } from '../support/browser.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { assertLooksRight, nameOf } from './looks.ts';

const PAGES = [
  ...ACCOUNT_PAGES.map(({ path }) => path),
  '/account/usage?span=hour',
  '/account/alerts/new?operation=funding&coin=BTC',
  '/account/alerts/channels',
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
  /** The owner's browser, used for all pages. */
  let atHome: Visit;
  let usedAtMs: number;
  let replacedPrefix: string;
  const real = () => browser as Browser;
  const at = (path: string) => `${running.service.baseUrl}${path}`;
  const call = async (key: string) =>
    (await fetch(at('/api/v1/funding?coin=BTC'), { headers: { authorization: `Bearer ${key}` } })).status;
  const signIn = async (context: BrowserContext, { browser: { cookies } }: Person) =>
    await context.addCookies([
      { name: 'pw_session', value: cookies.get('pw_session') ?? '', url: running.service.baseUrl },
    ]);

  before(async () => {
    const clock = new ManualClock(Date.now());
    running = await runService({ venues: ['binance'], coins: 5, clock });
    await collectOnce(running);
    owner = await signedUp(running.service, 'owner@example.com');
    const { keys } = running.service.accounts;
    const { accountId } = owner;
    const replaced = await keys.create({ accountId, name: 'trading robot' });
    for (let i = 0; i < 7; i++) await call(replaced.text);
    usedAtMs = clock.nowMs();
    replacedPrefix = replaced.key.keyPrefix;
    await keys.rotate(replaced.key.id);
    await keys.create({ accountId, name: HOSTILE, scopes: ['usage:read'] });
    await keys.revoke((await keys.create({ accountId, name: 'old laptop' })).key.id);
    const { alerts } = running.service.alerts;
    const { endpoint } = await alerts.createEndpoint(accountId, 'webhook', {
      url: 'https://example.com/hook',
    });
    await alerts.createRule(accountId, {
      name: HOSTILE,
      operation: 'funding',
      query: 'coin=BTC',
      condition: {
        ...{ kind: 'crosses', figure: 'rate_pct', direction: 'above' },
        ...{ bound: 0.05, hysteresis: 0.01, reportsReturn: true },
      },
      everyMinutes: 15,
      endpointIds: [endpoint.id],
    });
    clock.advanceMs(MINUTE_MS);
    await running.service.accounts.flushUsage();
    atHome = await visit(real());
    await signIn(atHome.context, owner);
  });
  after(() => running.stop());

  for (const path of PAGES) {
    test(`${path}: accessible in light and dark, fits a phone, no browser errors`, async () => {
      const { page, complaints } = atHome;
      complaints.splice(0);
      const reply = await page.goto(at(path), { waitUntil: 'load' });
      assert.equal(reply?.status(), 200);
      assert.equal(new URL(page.url()).pathname, path.split('?')[0]);
      assert.equal(await page.locator('img[src=x]').count(), 0);
      await assertLooksRight(page, nameOf(path));
      assert.deepEqual(complaints, []);
    });
  }

  test('when a key was last used, and its requests by day and by hour, as bars and figures', async () => {
    const { page } = atHome;
    await page.goto(at('/account/keys'));
    const lastUse = (words: string) =>
      page.locator('.krow', { hasText: words }).locator('[data-l="Last used"]');
    const used = lastUse('rotated out').locator('[data-time]');
    const at0 = (await used.getAttribute('data-time')) ?? '';
    assert.equal(at0.slice(0, 16), new Date(usedAtMs).toISOString().slice(0, 16));
    assert.equal(await used.textContent(), '1 min ago');
    assert.equal(await lastUse(HOSTILE).textContent(), 'never');
    const calls = page.locator('.krow', { hasText: 'rotated out' }).locator('[data-l="Calls this month"]');
    assert.equal(await calls.textContent(), '7 of 500,000', 'the quota is that of the slot');
    assert.match((await page.locator('.quota').textContent()) ?? '', /This month.*7 of 500,000 calls/);

    await page.goto(at('/account/usage'));
    await follow(page, page.locator('nav[aria-label=Key] a', { hasText: replacedPrefix }));
    const day = new Date(usedAtMs).toISOString().slice(0, 10);
    for (const [span, spans, label] of [
      ['By day', 30, `${day}: 7`],
      ['By hour', 48, `${new Date(usedAtMs).toISOString().slice(0, 13).replace('T', ' ')}:00 UTC: 7`],
    ] as const) {
      await follow(page, page.locator('nav[aria-label=Span] a', { hasText: span }));
      assert.equal(await page.locator('svg.bars rect').count(), 1, 'a bar for each span with calls');
      const titles = await page.locator('svg.bars title').allTextContents();
      assert.equal(titles.filter((title) => title === label).length, 1, `${label} in ${titles}`);
      assert.match((await page.locator('main').textContent()) ?? '', /7 calls in the last/);
      await page.click('text=As a table');
      const figures = await page.locator('tbody td.num').allTextContents();
      assert.equal(figures.length, spans);
      assert.equal(
        figures.reduce((sum, one) => sum + Number(one), 0),
        7,
      );
    }
  });

  test('sessions: another browser is shown, signed out, and is out', async () => {
    const person = await signedUp(running.service, 'browsers@example.com');
    const [mine, other] = [await visit(real()), await visit(real())];
    await signIn(mine.context, person);
    await other.page.goto(at('/sign-in'));
    await other.page.fill('input[name=email]', person.email);
    await other.page.fill('input[name=password]', PASSWORD);
    await follow(other.page, 'button:text-is("Sign in")');
    assert.equal(await other.page.locator('.who').textContent(), person.email);

    await mine.page.goto(at('/account/sessions'));
    assert.equal(await mine.page.locator('.session', { hasText: 'this browser' }).count(), 1);
    const theirs = mine.page.locator('.session:not(:has-text("this browser"))');
    assert.equal(await theirs.count(), 1);
    assert.match((await theirs.textContent()) ?? '', /Chrome on Linux\s+Last used just now/);
    await follow(mine.page, theirs.locator('button:text-is("End this session")'));
    assert.equal(await theirs.count(), 0);
    await other.page.goto(at('/account'));
    assert.equal(new URL(other.page.url()).pathname, '/sign-in');
    await mine.context.close();
    await other.context.close();
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
      await follow(page, 'text=Create the key');
      const key = (await page.locator('#new-key').textContent()) ?? '';
      assert.equal(await call(key), 200);
      if (javaScriptEnabled) {
        assert.deepEqual(await seriousFaults(page), []);
        await page.locator('.kv .copy').click();
        await page.locator('text=Copied').waitFor();
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
      }
      await screenshot(page, `account-keys-new-${javaScriptEnabled ? 'script' : 'plain'}`);
      const scopes = page.locator('.krow [data-l="May read"]');
      assert.equal(await scopes.textContent(), 'fundingspreadslistingsusage');
      await page.goto(at('/account/keys'));
      assert.equal(await page.locator('#new-key').count(), 0, 'shown once');

      await follow(page, 'button:text-is("Rotate")');
      const next = (await page.locator('#new-key').textContent()) ?? '';
      assert.match((await page.locator('.once').textContent()) ?? '', /goes on working for 24 hours/);
      assert.deepEqual([await call(key), await call(next)], [200, 200]);

      await page.click('button[aria-label="More for my robot"]');
      await page.locator('.krow input[name=expires]').fill('2090-01-31');
      await follow(page, 'button:text-is("Change the expiry")');
      assert.match((await page.locator('.ban.ok').textContent()) ?? '', /now works through 2090-01-31/);

      await page.click('button[aria-label="More for my robot"]');
      const active = page.locator('.krow', { hasText: 'Change the expiry' });
      const revoke = active.locator('button:has-text("Yes, revoke it")');
      assert.equal(await revoke.isVisible(), false, 'asks first');
      await active.locator('summary:has-text("Revoke")').click();
      if (javaScriptEnabled) assert.deepEqual(await seriousFaults(page), []);
      await follow(page, revoke);
      assert.match((await page.locator('.ban.ok').textContent()) ?? '', /is revoked/);
      assert.deepEqual([await call(key), await call(next)], [200, 401], 'only the one that was revoked');
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
});
