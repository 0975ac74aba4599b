import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { MARKET_PAGES } from '../../src/doors/web/pages/registry.ts';
import { startBrowser, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { carryPath, MARKET_PATHS, pairPath } from './market-paths.ts';

const MOST_BYTES = 110_000;
const browser = await startBrowser();
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

test('the pages without a label are measured below too', () => {
  const unlabelled = MARKET_PAGES.filter(({ label }) => label === undefined).map(({ path }) => path);
  assert.deepEqual(unlabelled, [
    '/funding/:coin/:exchange',
    '/arbitrage/pair',
    '/spreads/backtest/pair',
    '/depth/:coin/:exchange',
    '/exchanges/:exchange',
    '/search',
    '/more',
  ]);
});

suite('weight of a first visit', { skip: typeof browser === 'string' ? browser : false }, () => {
  let market: FilledMarket;
  before(async () => {
    // As many as the demo, because the page of a coin has a row for each venue.
    market = await filledMarket({ venues: SIM_VENUES.map(({ profile }) => profile.slug), coins: 120 });
  });
  after(() => market.stop());

  const PAIR = '/spreads/backtest/pair';
  const CARRY = '/arbitrage/pair';
  for (const name of [...MARKET_PATHS, PAIR, CARRY]) {
    test(`${name} with all that it loads is under 110 kB as sent`, async (t) => {
      const path = name === PAIR ? await pairPath(market) : name === CARRY ? await carryPath(market) : name;
      const { page, context } = await visit(browser as Browser);
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) => {
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      await page.goto(`${market.service.baseUrl}${path}`, { waitUntil: 'networkidle' });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      t.diagnostic(`${name}: ${bytes} bytes in ${sizes.length} answers`);
      assert.ok(sizes.length >= 3, 'page, stylesheet and script are counted');
      assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
      await context.close();
    });
  }
});
