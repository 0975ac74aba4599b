import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';

const MOST_BYTES = 150_000;
const PAGES = [
  '/',
  '/funding',
  '/funding/heat-map',
  '/funding/BTC',
  '/funding/BTC/history',
  '/spreads',
  '/spreads/backtest',
  '/listings',
  '/coins',
  '/exchanges',
  '/status',
];

const browser = await startBrowser();
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('weight of a first visit', { skip: typeof browser === 'string' ? browser : false }, () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({ coins: 200 });
  });
  after(() => market.stop());

  for (const path of PAGES) {
    test(`${path} with all that it loads is under 150 kB as sent`, async (t) => {
      const { page, context } = await visit(browser as Browser);
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) => {
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      await page.goto(`${market.service.baseUrl}${path}`, { waitUntil: 'networkidle' });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      t.diagnostic(`${path}: ${bytes} bytes in ${sizes.length} answers`);
      assert.ok(sizes.length >= 3, 'page, stylesheet and script are counted');
      assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
      await context.close();
    });
  }
});
