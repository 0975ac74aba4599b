import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { DOCS_FILES } from '../../src/doors/documents/docs-files.ts';
import { signedUp } from '../oauth/person.ts';
import { startBrowser, type Visit, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { assertLooksRight, nameOf } from './looks.ts';

const PAGES = [
  '/',
  '/funding',
  '/funding?coin=NOSUCH',
  '/funding?view=table',
  '/funding?unit=apr&coin=BTC',
  '/funding/BTC',
  '/funding/BTC/history',
  '/funding/BTC/history?resolution=settlement&exchange=Binance',
  '/funding/ETH/history',
  '/arbitrage?min_possible_capacity_usd=0',
  '/arbitrage?tier=own',
  '/arbitrage?open=BTC-Binance-Bybit',
  '/arbitrage/pair?coin=BTC&long_exchange=Binance&short_exchange=Bybit',
  '/spreads',
  '/spreads?view=pairs',
  '/spreads/backtest',
  '/listings',
  '/listings?view=week',
  '/coins',
  '/exchanges',
  '/search?q=bitcoin',
  '/more',
  '/exchanges/Binance',
  '/status',
  '/accuracy',
  '/accuracy/forecasts',
  '/plans',
  '/developers/errors',
  ...DOCS_FILES.map(({ path }) => path),
];

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('how pages look', { skip }, () => {
  let market: FilledMarket;
  let visitor: Visit;
  const real = () => browser as Browser;
  before(async () => {
    market = await filledMarket();
    // One browser context for all pages: a new one for each would cost more than the checks.
    visitor = await visit(real());
  });
  beforeEach(() => visitor.complaints.splice(0));
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;

  for (const path of PAGES) {
    test(`${path}: accessible in light and dark, fits a phone, no browser errors`, async () => {
      const { page, complaints } = visitor;
      const reply = await page.goto(at(path), { waitUntil: 'load' });
      assert.equal(reply?.status(), 200);
      const isDrawn = (await page.locator('script[src*="line-chart.js"]').count()) > 0;
      if (isDrawn && (await page.locator('[data-chart]').count()) > 0)
        await page.waitForSelector('.chart[data-ready]');
      await assertLooksRight(page, nameOf(path));
      assert.deepEqual(complaints, []);
    });
  }

  test('the page of a pair of the backtest looks right too', async () => {
    const { page, complaints } = visitor;
    await page.goto(at('/spreads/backtest'));
    const pair = (await page.locator('a[href^="/spreads/backtest/pair"]').first().getAttribute('href')) ?? '';
    await page.goto(at(pair));
    await page.waitForSelector('.chart[data-ready]');
    await assertLooksRight(page, 'spreads-backtest-pair');
    assert.deepEqual(complaints, []);
  });

  const FAULTS = [
    ['/funding/NOSUCHCOIN', 404, /No such coin/],
    ['/exchanges/Nowhere', 404, /Nowhere/],
    ['/no/such/page', 404, /Nothing here/],
  ] as const;
  for (const [path, status, words] of FAULTS) {
    test(`${path}: a page that says what to change`, async () => {
      const unknown = await visitor.page.goto(at(path));
      assert.equal(unknown?.status(), status);
      assert.match((await visitor.page.locator('.fault').textContent()) ?? '', words);
      assert.equal(await visitor.page.locator('.who').textContent(), 'Sign in');
      await assertLooksRight(visitor.page, `fault${nameOf(path)}`.replaceAll(/\W/g, '-'));
    });
  }

  test('error pages show the signed-in user', async () => {
    const { page, context } = await visit(real());
    const person = await signedUp(market.service, 'lost@example.com');
    await context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
    for (const [path, status, words] of FAULTS) {
      assert.equal((await page.goto(at(path)))?.status(), status);
      assert.match((await page.locator('.fault').textContent()) ?? '', words);
      assert.equal(await page.locator('.who').textContent(), person.email);
    }
    await context.close();
  });

  test('a program gets a problem body, not a page, for an unknown path', async () => {
    for (const [path, accept] of [
      ['/no/such/page', '*/*'],
      ['/api/v1/nosuch', 'text/html'],
      ['/nosuch.json', 'text/html'],
    ] as const) {
      const reply = await fetch(at(path), { headers: { accept } });
      assert.equal(reply.status, 404);
      assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/, path);
      assert.equal(((await reply.json()) as { code: string }).code, 'not-found');
    }
  });
});
