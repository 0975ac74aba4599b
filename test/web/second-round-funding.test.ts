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
const DESK = { width: 1300, height: 900 };
const VENUES = ['binance', 'bybit', 'okx', 'bitget', 'gate', 'mexc', 'kucoin', 'hyperliquid'];

suite('funding, coin, history and coins: what readers stumbled over', { skip }, () => {
  let market: FilledMarket;
  let reader: Visit;
  let visitor: Visit;
  before(async () => {
    market = await filledMarket({ venues: VENUES, coins: 24 });
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
  after(async () => {
    for (const { context } of [reader, visitor]) await context.close();
    await market.stop();
  });
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const open = async (page: Page, path: string) => {
    await page.goto(at(path));
    await page.evaluate(MARK);
  };
  const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

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

  test('the filters of /funding have one APR, before fees; an address with the other one still works', async () => {
    const { page } = visitor;
    const names = () =>
      page.locator('.drawer [name*=apr]').evaluateAll((all) => all.map((one) => one.getAttribute('name')));
    await page.goto(at('/funding?view=table'));
    assert.deepEqual(await names(), ['min_gross_apr_pct', 'max_gross_apr_pct']);
    await page.goto(at('/funding?view=table&min_apr_pct=5'));
    assert.deepEqual(await names(), ['min_gross_apr_pct', 'max_gross_apr_pct']);
    assert.equal(await page.locator('.fbar input[type=hidden][name=min_apr_pct]').getAttribute('value'), '5');
    assert.match(
      (await page.locator('main').textContent()) ?? '',
      /APR if held for a year, after fees from 5 %/,
    );
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

  test('the badge says how late data is, and never Live for data older than three cycles', async () => {
    const { page } = reader;
    await page.addInitScript(`{ const at = ${market.clock.nowMs() + 84 * 60_000}; Date.now = () => at; }`);
    await page.goto(at('/funding'));
    await page.locator('#live b:text-is("Late, 84 min")').waitFor();
    assert.equal(await page.locator('#live .dot.w').count(), 1, 'amber');
    await page.addInitScript(`{ const at = ${market.clock.nowMs() + 25_000}; Date.now = () => at; }`);
    await page.goto(at('/funding'));
    await page.locator('#live b:text-is("Live")').waitFor();
  });

  test('a phone has the word of the delay, and a delayed badge nothing to pause', async () => {
    const { page } = visitor;
    await page.setViewportSize(PHONE);
    await page.goto(at('/funding'));
    await page.locator('#live[data-own] b:text-is("Delayed 15 min")').waitFor();
    assert.equal(await page.locator('#live button').count(), 0);
    await page.setViewportSize(DESK);
  });

  test('a star raises its row at once, and neither widens a phone nor adds a line on a desk', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1366, height: 900 });
    await open(page, '/funding');
    const topOf = () => page.locator('#results').evaluate((one) => one.getBoundingClientRect().top);
    const barPx = await page.locator('form.fbar').evaluate((one) => one.offsetHeight);
    assert.ok(barPx < 60, `the filters are one line at 1366, not ${barPx} pixels`);
    const before = await topOf();
    const row = page.locator('#results tbody tr').nth(3);
    const coin = (await row.getAttribute('data-key')) ?? '';
    await row.locator('.star').click();
    await until(
      async () => (await page.locator('#results tbody tr').first().getAttribute('data-key')) === coin,
      'the starred coin first',
    );
    assert.ok(await isSamePage(page));
    await page.locator('.starf >> visible=true').waitFor();
    assert.equal(await topOf(), before, 'no further line');
    await page.setViewportSize(PHONE);
    assert.equal(await widthOf(page), PHONE.width);
    await page.setViewportSize(DESK);
    await visitor.context.clearCookies({ name: 'pw_stars' });
  });

  test('the head of a venue sorts by its rates; the grid is three tabs away', async () => {
    const { page } = reader;
    await open(page, '/funding');
    const ratesAt = async (exchange: string) => {
      const heads = await page
        .locator('#results thead th')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-x')));
      const cells = page.locator(`#results tbody td:nth-child(${heads.indexOf(exchange) + 1})`);
      return (await cells.evaluateAll((all) => all.map((one) => one.firstChild?.textContent ?? ''))).map(
        (text) => Number(text.replace('\u2212', '-')),
      );
    };
    await follow(page, '#results thead th[data-x=OKX] a');
    assert.match(page.url(), /sort=OKX_desc/);
    const down = (await ratesAt('OKX')).filter((rate) => !Number.isNaN(rate));
    assert.deepEqual(
      down,
      down.toSorted((a, b) => b - a),
    );
    await follow(page, '#results thead th[data-x=OKX] a');
    const up = (await ratesAt('OKX')).filter((rate) => !Number.isNaN(rate));
    assert.deepEqual(
      up,
      up.toSorted((a, b) => a - b),
    );
    assert.equal(await page.locator('th[data-x=OKX]').getAttribute('aria-sort'), 'ascending');

    await page.goto(at('/funding'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate("document.activeElement.closest('tbody td') !== null"), true);
  });

  test('the carry of a coin is the same on its page, in the matrix and on /coins', async () => {
    const { page } = visitor;
    await page.goto(at('/funding'));
    const matrix = await page
      .locator('#results tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [row.getAttribute('data-key') ?? '', row.querySelector('.bc')?.textContent ?? '']),
      );
    const carries = new Map(
      matrix.filter(([, carry]) => carry !== '–').map(([coin, carry]) => [coin, carry]),
    );
    assert.ok(carries.size > 10);
    const figure = (text: string) => /[\d.]+/.exec(text)?.[0];
    await page.goto(at('/coins'));
    const coins = new Map(
      (await page
        .locator('#results tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.getAttribute('data-key') ?? '',
            row.querySelector('[data-carry]')?.textContent ?? '',
          ]),
        )) as [string, string][],
    );
    for (const [coin, carry = ''] of [...carries].slice(0, 12)) {
      assert.equal(figure(coins.get(coin ?? '') ?? ''), figure(carry), `${coin} on /coins`);
      const reply = await page.request.get(at(`/funding/${coin}`));
      const shown = /Best carry, gross<\/dt><dd[^>]*>([\d.]+)/.exec(await reply.text())?.[1];
      assert.equal(shown, figure(carry), `${coin} on its page`);
    }
  });

  test('a closed “more” hides its venues', async () => {
    const { page } = reader;
    await page.goto(at('/funding/BTC'));
    await page.evaluate(`{
      const chips = document.querySelector('.vchips');
      const more = document.createElement('details');
      more.className = 'vmore';
      more.innerHTML = '<summary class="vc">21 more</summary><span class="vc">Hidden</span>';
      chips.append(more);
    }`);
    const hidden = page.locator('.vmore .vc:text-is("Hidden")');
    assert.equal(await hidden.isVisible(), false);
    await page.locator('.vmore summary').click();
    assert.equal(await hidden.isVisible(), true);
  });

  test('copied rows are cells with numbers that spreadsheets read', async () => {
    const { page } = reader;
    await page.goto(at('/funding?view=table&min_volume_usdt=0&sort=apr_asc'));
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#results tbody'))`);
    await page.keyboard.press('Control+c');
    const text = String(await page.evaluate('navigator.clipboard.readText()'));
    const rows = text.split('\n').map((row) => row.split('\t'));
    const keys = await page.locator('#results tbody tr').count();
    assert.equal(rows.length, keys, 'one line a row');
    assert.doesNotMatch(text, /\u2212|\u00a0/);
    const [coin = '', venue = '', , rate = ''] = rows[0] ?? [];
    assert.match(coin, /^[A-Z0-9]{2,}$/, 'without the letter of its mark');
    assert.match(venue, /^\w+/);
    assert.ok(Number(rate) < 0, `${rate} is a number below zero`);
  });

  test('countdowns go on under a selection', async () => {
    const { page } = visitor;
    await page.goto(at('/funding?view=table'));
    await page.evaluate(`{
      const real = Date.now();
      let seconds = 0;
      Date.now = () => real + ++seconds * 1000;
      getSelection().selectAllChildren(document.querySelector('#results tbody'));
    }`);
    const shown = page.locator('#results time[data-countdown]').first();
    const before = await shown.textContent();
    await until(async () => (await shown.textContent()) !== before, 'a second less');
    assert.ok(String(await page.evaluate('getSelection().toString()')).length > 200);
  });

  test('print has the whole table with its colours and nothing to press', async () => {
    const { page } = reader;
    await page.goto(at('/funding'));
    await page.emulateMedia({ media: 'print' });
    const results = "document.querySelector('#results')";
    assert.equal(await page.evaluate(`${results}.scrollHeight - ${results}.clientHeight`), 0);
    assert.equal(
      await page.evaluate(`getComputedStyle(${results}).overflowY`),
      'visible',
      'nothing is cut off',
    );
    for (const part of ['.top', '.tabbar', 'form.fbar', '.star', '#pager nav'])
      assert.equal(await page.locator(`${part} >> visible=true`).count(), 0, part);
    const cell = "document.querySelector('#results tbody td.p2')";
    assert.equal(await page.evaluate(`getComputedStyle(${cell}).printColorAdjust`), 'exact');
    await page.emulateMedia({ media: null });
  });

  test('on a phone no table scrolls inside the page, and the head of the history stays in sight', async () => {
    const { page } = reader;
    const desk = page.viewportSize();
    await page.setViewportSize(PHONE);
    const paths = ['/funding', '/funding?view=table', '/coins', '/spreads/backtest', '/listings'];
    for (const path of [...paths, '/funding/BTC/history?days=30']) {
      await page.goto(at(path));
      const tables = await page.locator('main table >> visible=true').evaluateAll((all) =>
        all.map((one) => {
          const parent = one.parentElement;
          return parent === null ? 0 : parent.scrollHeight - parent.clientHeight;
        }),
      );
      assert.ok(tables.length > 0, path);
      assert.deepEqual(
        tables.filter((hiddenPx) => hiddenPx > 1),
        [],
        path,
      );
    }
    await page.locator('#figures tbody tr').nth(25).scrollIntoViewIfNeeded();
    const head = page.locator('#figures thead th').first();
    const bar = (await page.locator('.top').boundingBox()) ?? assert.fail('no bar');
    await until(async () => {
      const y = (await head.boundingBox())?.y ?? Number.NaN;
      return Math.abs(y - bar.y - bar.height) < 2;
    }, 'the head is below the bar');
    if (desk) await page.setViewportSize(desk);
  });

  test('a zoomed chart can be reset, and its labels are of what is in sight', async () => {
    const { page } = reader;
    await page.goto(at('/funding/BTC/history?exchange=Binance'));
    await page.waitForSelector('#history[data-ready]');
    const reset = page.getByRole('button', { name: 'Reset zoom' });
    assert.equal(await reset.isVisible(), false);
    const axis = () => page.locator('#history .plot').getAttribute('data-axis');
    const before = await axis();
    const box = (await page.locator('#history .u-over').boundingBox()) ?? assert.fail('no chart');
    await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await reset.waitFor();
    assert.notEqual(await axis(), before, 'the axis fits what is in sight');
    await reset.click();
    assert.equal(await axis(), before);
    assert.equal(await reset.isVisible(), false);
    assert.match(
      (await page.locator('#history figcaption').textContent()) ?? '',
      /^BTC · .* · 30 d · Perpwire \d+ \w+ \d\d:\d\d UTC$/,
    );
  });

  test('history says since when payments are held, keeps its range, and names its file', async () => {
    const { page } = reader;
    await page.goto(at('/funding/BTC/history?exchange=Bybit&days=365'));
    assert.match((await page.locator('#totals header').textContent()) ?? '', /held since \d+ \w+ \d{4}/);
    await follow(page, '#history-head >> text=Per settlement');
    assert.match(page.url(), /days=365/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#csv a')]);
    assert.match(download.suggestedFilename(), /^BTC-Bybit-funding-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  });
});
