import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { follow, startBrowser, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { dataOf, demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('what pages do', { skip }, () => {
  let market: FilledMarket;
  const real = () => browser as Browser;
  before(async () => {
    market = await filledMarket();
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const rowsOn = (page: Page) => page.locator('#results tbody tr').allTextContents();

  for (const javaScriptEnabled of [false, true]) {
    test(`filters, sorting and paging work ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { page, context, complaints } = await visit(real(), { javaScriptEnabled });
      await page.goto(at('/funding'));
      assert.match((await page.locator('.delayed').textContent()) ?? '', /Delayed by 15 minutes/);
      await page.locator('summary').click();
      await page.fill('#f-exchange', 'OKX');
      await follow(page, 'button[type=submit]');
      assert.match(page.url(), /exchange=OKX/);
      const venues = new Set(await page.locator('tbody tr td:nth-child(2)').allTextContents());
      assert.deepEqual([...venues], ['OKX']);
      await follow(page, 'thead >> text=24 h volume');
      assert.match(page.url(), /exchange=OKX.*sort=volume_desc/);
      const heading = page.locator('th', { hasText: '24 h volume' });
      assert.equal(await heading.getAttribute('aria-sort'), 'descending');

      await page.goto(at('/funding'));
      const seen = await rowsOn(page);
      for (let pages = 1; (await page.locator('text=Next page').count()) > 0; pages++) {
        assert.ok(pages < 20);
        await follow(page, 'text=Next page');
        seen.push(...(await rowsOn(page)));
      }
      const { meta } = (await demoAnswer(market, '/api/v1/funding')).body as { meta: { total: number } };
      assert.equal(seen.length, meta.total, 'all pages together have every row');
      await follow(page, 'text=First page');
      assert.equal(new URL(page.url()).search, '');
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  test('instant search on /coins follows what is typed, in the address too', async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/coins'));
    await page.locator('#f-q').pressSequentially('pep');
    await page.waitForURL(/q=pep$/);
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    assert.match((await page.locator('tbody').textContent()) ?? '', /PEPE/);
    await page.locator('#f-q').fill('nosuchcoin');
    await page.locator('.empty').waitFor();
    await context.close();
  });

  test('the next settlement counts down, and its time in UTC is on hover', async () => {
    const { page, context } = await visit(real());
    const { rates } = dataOf(await demoAnswer(market, '/api/v1/funding/BTC')) as { rates: Row[] };
    const next = String(rates.find((row) => row.next_funding_at !== null)?.next_funding_at);
    await page.clock.install({ time: Date.parse(next) - 125_000 });
    await page.goto(at('/funding/BTC'));
    await page.clock.pauseAt(Date.parse(next) - 65_000);
    const shown = page.locator(`time[data-countdown][datetime="${next}"]`).first();
    await page.clock.runFor(1000);
    assert.equal(await shown.textContent(), 'in 1 min 4 s');
    await page.clock.runFor(14_000);
    assert.equal(await shown.textContent(), 'in 50 s');
    assert.equal(await shown.getAttribute('title'), `${next.replace('T', ' ').replace('Z', '')} UTC`);
    await page.clock.runFor(60_000);
    assert.equal(await shown.textContent(), 'now');
    await page.clock.runFor(120_000);
    assert.equal(await shown.textContent(), '2 min 10 s ago', 'delayed data');
    await context.close();
  });

  test("times are in the visitor's zone with UTC on hover", async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/funding'));
    const shown = page.locator('#as-of time');
    const iso = (await shown.getAttribute('datetime')) ?? '';
    const berlin = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Europe/Berlin',
    });
    assert.equal(await shown.textContent(), berlin.format(new Date(iso)));
    assert.equal(await shown.getAttribute('title'), `${iso.replace('T', ' ').replace('Z', '')} UTC`);
    await context.close();
  });

  test('copy buttons of the quick start: curl, TypeScript and Python', async () => {
    const { page, context } = await visit(real());
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(at('/developers'));
    for (const language of ['sh', 'ts', 'python']) {
      const block = page.locator('.code', { has: page.locator(`code.language-${language}`) }).first();
      await block.locator('.copy').click();
      await block.locator('text=Copied').waitFor();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      assert.equal(copied, await block.locator('code').textContent());
      assert.ok(copied.includes(`${market.service.baseUrl}/api/v1/funding`), copied);
    }
    await context.close();
  });

  test('the home page has its curl line to copy', async () => {
    const { page, context } = await visit(real());
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(at('/'));
    await page.locator('.copy').click();
    await page.locator('text=Copied').waitFor();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^curl -H "Authorization/);
    await context.close();
  });

  test('all of /funding can be reached by keyboard, the skip link first', async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/funding'));
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash === '#main');
    await page.focus('summary');
    await page.keyboard.press('Enter');
    await page.locator('#f-coin').waitFor();
    await page.focus('#f-coin');
    await page.keyboard.type('BTC');
    await page.keyboard.press('Enter');
    await page.waitForURL(/coin=BTC/);
    const coins = new Set(await page.locator('tbody tr td:nth-child(1)').allTextContents());
    assert.deepEqual([...coins], ['BTC']);
    await context.close();
  });

  test('markup in a query string is shown as text', async () => {
    const { page, context, complaints } = await visit(real());
    await page.goto(at(`/funding?coin=${encodeURIComponent('<img src=x onerror=alert(1)>')}`));
    assert.equal(await page.locator('img[src=x]').count(), 0);
    assert.equal(await page.inputValue('#f-coin'), '<img src=x onerror=alert(1)>');
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
