import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { signedUp } from '../oauth/person.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

/** A mark on the window, which a loaded page does not have. */
const MARK = 'window.isSamePage = true';
const isSamePage = (page: Page) => page.evaluate('window.isSamePage === true');
const PHONE = { width: 390, height: 844 };

suite('funding, coin, history and coins: what readers stumbled over', { skip }, () => {
  let market: FilledMarket;
  let reader: Visit;
  let visitor: Visit;
  before(async () => {
    market = await filledMarket({ coins: 24 });
    const person = await signedUp(market.service, 'second@example.com', 'pro');
    reader = await visit(browser as Browser);
    visitor = await visit(browser as Browser);
    await reader.context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
    // The market stands still, and by the clock of the machine its data would be late after half a minute.
    for (const { context } of [reader, visitor]) {
      await context.addInitScript(`{ const at = ${market.clock.nowMs()}; Date.now = () => at; }`);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    }
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const open = async (page: Page, path: string) => {
    await page.goto(at(path));
    await page.evaluate(MARK);
  };
  const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');
  const addressOf = (page: Page) => page.url().slice(market.service.baseUrl.length);

  test('filter, order, unit and page change the list in place; Back, focus and scroll follow', async () => {
    const { page, complaints } = reader;
    await open(page, '/funding?view=table&min_volume_usdt=0');
    const first = () => page.locator('#results tbody tr').first().getAttribute('data-key');
    const results = page.locator('#results');
    const before = await first();
    await results.evaluate((element) => element.scrollTo({ top: 120 }));
    await follow(page, '#results thead a:has-text("Volume")');
    assert.ok(await isSamePage(page), 'the order');
    assert.match(page.url(), /sort=volume_desc/);
    assert.notEqual(await first(), before);
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /^Volume/, 'the focus');
    assert.equal(await results.evaluate(({ scrollTop }) => scrollTop), 120, 'the place');

    await follow(page, page.locator('label', { hasText: 'APR' }));
    assert.ok(await isSamePage(page), 'the unit');
    assert.match(page.url(), /unit=apr/, 'a link that is shared shows the same unit');
    assert.match((await page.locator('#results thead').textContent()) ?? '', /Rate% APR/);
    assert.equal(await page.locator('.flash-u, .flash-d').count(), 0, 'another unit is not another value');

    await page.locator('.more summary', { hasText: 'More filters' }).click();
    await page.fill('#f-exchange', 'okx');
    await follow(page, '.drawer button.pri');
    assert.ok(await isSamePage(page), 'the drawer');
    assert.equal(await page.locator('.drawer >> visible=true').count(), 0, 'the drawer closes');
    assert.deepEqual(
      [...new Set(await page.locator('#results tbody td:nth-child(2)').allTextContents())],
      ['OKX'],
    );
    assert.ok(await page.locator('[aria-label="Remove filter: OKX"] svg use').isVisible(), 'its icon too');

    await page.goBack();
    await page.goBack();
    await until(
      async () => (await page.locator('[name=unit]:checked').inputValue()) === '8h',
      'the old unit',
    );
    await page.goBack();
    await until(async () => (await first()) === before, 'the first list');
    assert.doesNotMatch(page.url(), /sort=/);
    assert.ok(await isSamePage(page), 'Back');
    await page.goForward();
    await until(async () => /sort=volume_desc/.test(page.url()), 'Forward');
    assert.deepEqual(complaints, []);
  });

  test('a search of coins follows what is typed, and its code too', async () => {
    const { page } = reader;
    await open(page, '/coins');
    await page.locator('#f-q').pressSequentially('bitc');
    await until(async () => (await page.locator('#results tbody tr').count()) === 1, 'one coin');
    assert.ok(await isSamePage(page));
    assert.equal(await page.inputValue('#f-q'), 'bitc', 'the text is left to who types it');
    await page.locator('.copyas summary').click();
    assert.match((await page.locator('.copyas code >> visible=true').textContent()) ?? '', /q=BTC/);
    await page.locator('.copyas [data-close]').click();
    assert.equal(await page.locator('.drawer >> visible=true').count(), 0, 'the drawer has a close button');
  });
});
