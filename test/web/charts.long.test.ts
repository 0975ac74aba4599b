import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { PLANS } from '../../src/accounts/plans.ts';
import { signedUp } from '../oauth/person.ts';
import { follow, screenshot, startBrowser, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { dataOf, demoAnswer } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const PAIR_LINK = 'a[href^="/spreads/backtest/pair"]';

suite('charts and what scripts add', { skip }, () => {
  let market: FilledMarket;
  const real = () => browser as Browser;
  before(async () => {
    market = await filledMarket();
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;

  test('the history chart: crosshair by mouse and by keyboard', async () => {
    const { page, context, complaints } = await visit(real());
    await page.goto(at('/funding/BTC/history'));
    await page.waitForSelector('#history[data-ready]');
    const tip = page.locator('#history .tip');
    await page.hover('#history .u-over');
    await until(async () => /Binance[+−]?[\d.]+ %/.test((await tip.textContent()) ?? ''), 'a value is read');
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'hidden' });
    await page.focus('#history .plot');
    const times: (string | null)[] = [];
    for (let step = 0; step < 2; step++) {
      await page.keyboard.press('ArrowRight');
      const last = times.at(-1);
      await until(async () => (await tip.locator('b').textContent()) !== last, 'the arrow moved on');
      times.push(await tip.locator('b').textContent());
    }
    assert.match(times[1] ?? '', /^\d{4}-\d\d-\d\d, UTC day$/);
    await screenshot(page, 'history-chart');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('chips switch venues, alone, all and none, in place and in the address; Back undoes it', async () => {
    const { page, context, complaints } = await visit(real());
    await page.goto(at('/funding/BTC/history'));
    await page.waitForSelector('#history[data-ready]');
    const chip = (name: string) => page.locator('#history-venues .vc', { hasText: name });
    const shown = page.locator('#totals tbody tr');
    await page.evaluate('window.isSamePage = true');
    await chip('Bybit').hover();
    await chip('Bybit').locator('.solo').click();
    await page.waitForURL(/\?exchange=Bybit$/);
    await until(async () => (await shown.count()) === 1, 'one venue is left');
    assert.equal(await chip('Binance').locator('.tg').getAttribute('aria-checked'), 'false');
    await chip('Binance').locator('.tg').click();
    // By volume, which depends on the time.
    const both = /\?exchange=(Binance,Bybit|Bybit,Binance)$/;
    await page.waitForURL(both);
    await until(async () => (await shown.count()) === 2, 'two venues');
    await page.locator('#history-venues >> text=None').click();
    await page.waitForURL(/\?exchange=none$/);
    await page.locator('#history-plot >> text=No venue is chosen.').waitFor();
    await page.goBack();
    await page.waitForURL(both);
    await page.waitForSelector('#history[data-ready]');
    await page.locator('#history-head >> text=Cumulative').click();
    await page.waitForURL(/resolution=cumulative/);
    await until(
      async () => /added up/.test((await page.locator('#lead').textContent()) ?? ''),
      'the words follow the mode',
    );
    assert.equal(await page.evaluate('window.isSamePage'), true, 'without loading the page again');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('a chip right of the one shown alone does not move away under the pointer', async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/funding/BTC/history'));
    await page.waitForSelector('#history[data-ready]');
    const chip = (place: number) => page.locator('#history-venues .vc').nth(place);
    await chip(0).hover();
    await chip(0).locator('.solo').click();
    await page.waitForURL(/\?exchange=/);
    // The first moves the pointer away from the other chip, which gives up the room of Solo.
    await chip(2).hover();
    await chip(2).hover();
    const before = await chip(2).boundingBox();
    await page.mouse.down();
    assert.deepEqual(await chip(2).boundingBox(), before);
    await page.mouse.up();
    await until(
      async () => (await chip(2).locator('.tg').getAttribute('aria-checked')) === 'true',
      'the chip is switched on',
    );
    await context.close();
  });

  test('the CSV has every settled payment and is named by coin, venues and range', async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/funding/BTC/history?exchange=Binance,Bybit'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Payments, CSV')]);
    assert.match(
      download.suggestedFilename(),
      /^BTC-Binance-Bybit-funding-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/,
    );
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    const points: string[] = [];
    for (const exchange of ['Binance', 'Bybit']) {
      const { series } = dataOf(
        await demoAnswer(
          market,
          `/api/v1/funding/history?coin=BTC&exchange=${exchange}&resolution=settlement`,
        ),
      ) as {
        series: {
          symbol: string;
          settlements: { time: string; rate_pct: number; interval_hours: number }[];
        }[];
      };
      for (const { symbol, settlements } of series)
        for (const { time, rate_pct, interval_hours } of settlements)
          points.push(['BTC', exchange, symbol, time, rate_pct, interval_hours].join(','));
    }
    assert.equal(lines[0], 'coin,exchange,symbol,time,rate_pct,interval_hours');
    assert.deepEqual(lines.slice(1).toSorted(), points.toSorted());
    assert.ok(points.length > 10);
    await context.close();
  });

  test('the content below the chart does not move when the chart is drawn', async () => {
    for (const width of [1300, 380]) {
      const tops: number[] = [];
      for (const javaScriptEnabled of [false, true]) {
        const { page, context } = await visit(real(), { javaScriptEnabled, width });
        await page.goto(at('/funding/BTC/history'));
        if (javaScriptEnabled) await page.waitForSelector('#history[data-ready]');
        const [above, below] = [
          await page.locator('#history-plot').boundingBox(),
          await page.locator('#totals').boundingBox(),
        ];
        tops.push((below?.y ?? -1) - (above?.y ?? -1));
        await context.close();
      }
      assert.equal(tops[0], tops[1], `at a width of ${width}`);
    }
  });

  test('a visitor gets 7 days and a note about it; a signed-in user gets the depth of the plan', async () => {
    const visitor = await visit(real());
    await visitor.page.goto(at('/funding/BTC/history?days=90'));
    const days = async (page: typeof visitor.page) => await page.locator('#figures tbody tr').count();
    assert.ok((await days(visitor.page)) <= 8);
    assert.match((await visitor.page.locator('main').textContent()) ?? '', /Without a plan the last 7 days/);
    await visitor.context.close();
    const person = await signedUp(market.service, 'chart@example.com', 'developer');
    const { page, context } = await visit(real());
    await context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
    await page.goto(at('/funding/BTC/history?days=30'));
    // Right after midnight the current day has no payment yet.
    assert.ok((await days(page)) >= 29);
    assert.equal(await page.locator('#live :text("Delayed")').count(), 0, 'live data');
    const ranges = await page.locator('#history-head [aria-label=Range] a').allTextContents();
    assert.deepEqual(ranges, ['7 d', '30 d', '90 d']);
    await context.close();
  });

  test('a pair of the backtest has an address of its own, with its chart and cycles', async () => {
    const { page, context, complaints } = await visit(real());
    await page.goto(at('/spreads/backtest'));
    await follow(page, page.locator(PAIR_LINK).first());
    await page.waitForSelector('#spread[data-ready]');
    const { pathname, searchParams } = new URL(page.url());
    assert.equal(pathname, '/spreads/backtest/pair');
    const legs = ['exchange_a', 'exchange_b'].map((name) => searchParams.get(name) ?? '');
    assert.deepEqual(await page.locator('h1 .ven').allTextContents(), legs, 'the legs by name');
    const cycles = await page.locator('#cycles tbody tr').count();
    const shown = Number(await page.locator('#figures dd').nth(4).textContent());
    assert.equal(cycles, Math.min(10, shown));
    await page.waitForSelector('#spread canvas');
    await page.reload();
    await page.waitForSelector('#spread[data-ready]');
    await screenshot(page, 'backtest-pair-open');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('without scripts the same click leads to a page with the cycles', async () => {
    const { page, context } = await visit(real(), { javaScriptEnabled: false });
    await page.goto(at('/spreads/backtest'));
    await follow(page, page.locator(PAIR_LINK).first());
    assert.equal(new URL(page.url()).pathname, '/spreads/backtest/pair');
    assert.ok((await page.locator('#cycles tbody tr').count()) > 0);
    assert.ok(await page.locator('#spread .still svg').first().isVisible(), 'a picture of the spread');
    await context.close();
  });

  test('/spreads shows new data as it comes', async () => {
    const { page, context } = await visit(real());
    const stream = page.waitForResponse(/\/live\/spreads/);
    await page.goto(at('/spreads'));
    await stream;
    await page.evaluate("document.querySelector('#results tbody').textContent = ''");
    // The newer of the two snapshots is now old enough for visitors.
    market.clock.advanceMs((PLANS.demo.delaySeconds + 1) * 1000);
    await page.locator('#results tbody tr').first().waitFor();
    await context.close();
  });
});
