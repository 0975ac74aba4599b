import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { follow, startBrowser, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { dataOf, demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('pages of spreads in a browser', { skip }, () => {
  let market: FilledMarket;
  const real = () => browser as Browser;
  before(async () => {
    market = await filledMarket();
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  for (const javaScriptEnabled of [true, false])
    test(`/spreads: a coin opens to its pairs ${javaScriptEnabled ? 'in place' : 'without scripts'}`, async () => {
      const { page, context, complaints } = await visit(real(), { javaScriptEnabled });
      const pairs = dataOf(await demoAnswer(market, '/api/v1/spreads?coin=BTC&limit=50')) as Row[];
      await page.goto(at('/spreads'));
      const coin = page.locator('tr[data-key=BTC]');
      assert.match((await coin.textContent()) ?? '', new RegExp(`${pairs.length} pairs`));
      if (javaScriptEnabled) await coin.locator('a.ex').click();
      else await follow(page, coin.locator('a.ex'));
      await page.locator('tr[data-of=BTC]').first().waitFor();
      assert.equal(await page.locator('tr[data-of=BTC]').count(), pairs.length - 1);
      assert.equal(queryOf(page).open, 'BTC');
      if (javaScriptEnabled) await coin.locator('a.ex').click();
      else await follow(page, coin.locator('a.ex'));
      await page.locator('tr[data-of=BTC]').first().waitFor({ state: 'detached' });
      assert.deepEqual(queryOf(page), {});
      assert.deepEqual(complaints, []);
      await context.close();
    });

  test('/spreads: five named checks say which hold, a legend what they mean, and tabs lead to the backtest', async () => {
    const { page, context } = await visit(real(), { javaScriptEnabled: false });
    await page.goto(at('/spreads?view=pairs'));
    const checks = page.locator('#results .checks').first();
    assert.equal(await checks.locator('i, s').count(), 5);
    const label = (await checks.getAttribute('aria-label')) ?? '';
    assert.equal(await checks.locator('i').count(), Number(/^\d/.exec(label)?.[0]));
    const words = await page.locator('.checks-key dt').allTextContents();
    assert.equal(words.length, 5);
    for (const held of label.split(': ')[1]?.split(', ') ?? []) assert.ok(words.includes(held), held);
    await follow(page, '.tabs >> text=Backtest');
    assert.equal(new URL(page.url()).pathname, '/spreads/backtest');
    assert.equal((await page.locator('.tabs [aria-current=page]').textContent()) ?? '', 'Backtest');
    await follow(page, '.tabs >> text=Live');
    await follow(page, '[aria-label=View] >> text=Pairs');
    assert.deepEqual(queryOf(page), { view: 'pairs' });
    await context.close();
  });

  test('/spreads leads to the page of a pair, which has a switch of sizes and an address for each', async () => {
    const { page, context, complaints } = await visit(real());
    await page.goto(at('/spreads?view=pairs&coin=BTC'));
    const row = page.locator('#results tbody tr').first();
    const key = ((await row.getAttribute('data-key')) ?? '').split(' ');
    await follow(page, row.locator('text=Chart'));
    assert.equal(new URL(page.url()).pathname, '/spreads/backtest/pair');
    assert.deepEqual(await page.locator('h1 .ven').allTextContents(), key.slice(1), 'legs by name');
    assert.equal(
      (await page.locator('[aria-label="Order size"] [aria-current]').textContent()) ?? '',
      '$100',
    );
    await follow(page, '[aria-label="Order size"] >> text=$500');
    assert.equal(queryOf(page).size_usd, '500');
    assert.equal(
      (await page.locator('[aria-label="Order size"] [aria-current]').textContent()) ?? '',
      '$500',
    );
    // Without books, as of a pair that is withheld, the best prices are shown.
    assert.match((await page.locator('#legs').textContent()) ?? '', /Buy \$500 at|Best ask/);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('the page of a pair: bars of bands on top and below, losing cycles too, and the gauge', async () => {
    const { page, context } = await visit(real(), { javaScriptEnabled: false });
    const { spreads } = dataOf(await demoAnswer(market, '/api/v1/spreads/backtest?sort=cycles_desc')) as {
      spreads: Row[];
    };
    type Points = { cycles: Row[]; entry_marks_pct: Record<string, number> | null };
    const pairOf = (row: Row) => `coin=${row.coin}&exchange_a=${row.exchange_a}&exchange_b=${row.exchange_b}`;
    const pointsOf = async (row: Row) => {
      const reply = await fetch(at(`/spreads/backtest/pair.json?${pairOf(row)}`));
      return ((await reply.json()) as { data: Points }).data;
    };
    let found: { row: Row; data: Points } | null = null;
    for (const row of spreads) {
      const data = await pointsOf(row);
      if (new Set(data.cycles.map(({ direction }) => direction)).size === 2) found = { row, data };
      if (found) break;
    }
    assert.ok(found, 'a pair with cycles of both directions');
    const { row, data } = found;
    await page.goto(at(`/spreads/backtest/pair?${pairOf(row)}&cycles=all`));
    const longA = data.cycles.filter(({ direction }) => direction === 'long_a_short_b').length;
    const caps = async (side: 'a' | 'b') =>
      await page
        .locator(`#spread .bandcap.${side}`)
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute('y'))));
    const [top, bottom] = [await caps('a'), await caps('b')];
    assert.deepEqual([top.length, bottom.length], [longA, data.cycles.length - longA]);
    assert.ok(longA > 0 && bottom.length > 0, 'cycles of both directions');
    assert.ok(Math.max(...top) < Math.min(...bottom), 'long the first venue on top, long the second below');
    assert.equal(await page.locator('#cycles tbody tr').count(), data.cycles.length);
    assert.equal(await page.locator('#cycles .dir.a').count(), longA);
    assert.ok(data.entry_marks_pct, 'enough samples for the marks');
    const [low, high] = [data.entry_marks_pct.short_a_long_b ?? 0, data.entry_marks_pct.long_a_short_b ?? 0];
    assert.ok(low < high);
    assert.equal(await page.locator('.now rect.za, .now rect.zb').count(), 2);
    const legend = (await page.locator('.card:has(#spread) .lgd').textContent()) ?? '';
    assert.match(legend, new RegExp(`long ${row.exchange_a}, short ${row.exchange_b} \\(bar on top\\)`));
    assert.match(legend, new RegExp(`long ${row.exchange_b}, short ${row.exchange_a} \\(bar below\\)`));
    await follow(page, '[aria-label=Range] >> text=24 h');
    assert.equal(queryOf(page).range, '24h');
    await context.close();
  });

  test('pages of pairs are not wider than a phone', async () => {
    const { page, context } = await visit(real(), { width: 390 });
    await page.goto(at('/spreads/backtest'));
    const pair = (await page.locator('a[href^="/spreads/backtest/pair"]').first().getAttribute('href')) ?? '';
    for (const path of ['/spreads', '/spreads?view=pairs&open=BTC', '/spreads/backtest', pair]) {
      await page.goto(at(path));
      await until(
        async () => Number(await page.evaluate('document.documentElement.scrollWidth')) === 390,
        `${path} within the width of the page`,
      );
    }
    await context.close();
  });
});
