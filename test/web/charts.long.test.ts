import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { DEMO_DELAY_SECONDS } from '../../src/market/timeline.ts';
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

  test('the history chart: crosshair by mouse and by keyboard, venues switched by click and by keyboard', async () => {
    const { page, context, complaints } = await visit(real());
    await page.goto(at('/funding/BTC/history'));
    await page.waitForSelector('#chart[data-ready]');
    await page.hover('#chart .u-over');
    const values = page.locator('#chart .u-legend .u-series .u-value');
    // The chart updates in the next animation frame.
    await until(
      async () => /%/.test((await values.nth(1).textContent()) ?? ''),
      'the crosshair reads a value',
    );
    const underMouse = await values.nth(0).textContent();
    await page.focus('#chart');
    for (let last = underMouse, step = 0; step < 2; step++) {
      await page.keyboard.press('ArrowRight');
      await until(async () => (await values.nth(0).textContent()) !== last, 'the arrow moved on by a day');
      last = await values.nth(0).textContent();
    }
    const name = page.locator('#chart .u-legend .u-series th').nth(1);
    await name.click();
    await page.locator('#chart .u-series.u-off').waitFor();
    await name.focus();
    await page.keyboard.press('Enter');
    await page.locator('#chart .u-series.u-off').waitFor({ state: 'detached' });
    await until(async () => (await name.getAttribute('aria-pressed')) === 'true', 'pressed again');
    await screenshot(page, 'history-chart');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('the CSV of the chart is downloaded and has the points of the API', async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/funding/BTC/history'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download CSV')]);
    assert.equal(download.suggestedFilename(), 'BTC-funding.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    const { series } = dataOf(await demoAnswer(market, '/api/v1/funding/history?coin=BTC')) as {
      series: { exchange: string; symbol: string; daily: { day: string; apr_pct: number | null }[] }[];
    };
    const points = series.flatMap(({ exchange, symbol, daily }) =>
      daily.map(({ day, apr_pct }) => ['BTC', exchange, symbol, day, apr_pct].join(',')),
    );
    assert.deepEqual(lines, ['coin,exchange,symbol,day,apr_pct', ...points]);
    assert.ok(points.length > 10);
    await context.close();
  });

  test('the content below the chart does not move when the chart is drawn', async () => {
    const { page, context } = await visit(real());
    for (const width of [1300, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await page.route('**/history.json*', async (route) => {
        await page.waitForSelector('main .scroll');
        const before = await page.locator('main .scroll').boundingBox();
        tableTops.push(before?.y ?? -1);
        await route.continue();
      });
      const tableTops: number[] = [];
      await page.goto(at('/funding/BTC/history'));
      await page.waitForSelector('#chart[data-ready]');
      tableTops.push((await page.locator('main .scroll').boundingBox())?.y ?? -2);
      assert.equal(tableTops[0], tableTops[1], `at a width of ${width}`);
      await page.unroute('**/history.json*');
    }
    await context.close();
  });

  test('a visitor gets 7 days and a note about it; a signed-in user gets the depth of the plan', async () => {
    const visitor = await visit(real());
    await visitor.page.goto(at('/funding/BTC/history?days=90'));
    const days = async (page: typeof visitor.page) => await page.locator('main .scroll tbody tr').count();
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
    assert.equal(await page.locator('.delayed').count(), 0, 'live data');
    const ranges = await page.locator('[aria-label=Range] a').allTextContents();
    assert.deepEqual(ranges.slice(0, 3), ['7 days', '30 days', '90 days']);
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
    market.clock.advanceMs((DEMO_DELAY_SECONDS + 1) * 1000);
    await page.locator('#results tbody tr').first().waitFor();
    await context.close();
  });
});
