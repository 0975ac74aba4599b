import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { signedUp } from '../oauth/person.ts';
import { startBrowser, type Visit, visit } from '../support/browser.ts';
import { collectOnce } from '../support/service.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { dataOf, demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const PHONE = { width: 390, height: 844 };
/** Longer than books stay of now. */
const OLD_MINUTES = 84;

suite('lists of pairs, second round', { skip }, () => {
  let market: FilledMarket;
  let visitor: Visit;
  let reader: Visit;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 12 });
    visitor = await visit(browser as Browser);
    const person = await signedUp(market.service, 'pairs@example.com', 'pro');
    reader = await visit(browser as Browser);
    await reader.context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
  });
  after(async () => {
    for (const { context } of [reader, visitor]) await context.close();
    await market.stop();
  });
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  test('/arbitrage has one row per coin; a press anywhere on a row opens its details and the pairs of the coin', async () => {
    const { page } = visitor;
    const { pairs } = dataOf(
      await demoAnswer(market, '/api/v1/arbitrage?limit=50&sort=expected_low_net_desc'),
    ) as { pairs: Row[] };
    const coins = [...new Set(pairs.map(({ coin }) => String(coin)))];
    await page.goto(at('/arbitrage?min_possible_capacity_usd=0'));
    const keys = await page
      .locator('#results tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
    assert.deepEqual(keys.slice(0, coins.length), coins, 'in the order of their best pairs');
    const coin = coins.find((one) => pairs.filter((row) => row.coin === one).length > 2) ?? '';
    const ofCoin = pairs.filter((row) => row.coin === coin);
    await page.locator(`tr[data-key="${coin}"] [data-l=Capacity]`).click();
    await page.locator('tr.xr').waitFor();
    const names = await page
      .locator(`tr.sub[data-of="${coin}"]`)
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
    assert.deepEqual(
      names,
      ofCoin.slice(1).map((row) => `${coin} ${row.long_exchange} ${row.short_exchange}`),
    );
    const second = ofCoin[1] ?? assert.fail('a second pair');
    await page.locator('tr.sub').first().locator('[data-l=Fees]').click();
    await page.waitForURL(/open=/);
    await page.locator(`tr.sub.open + tr.xr`).waitFor();
    assert.equal(queryOf(page).open, `${coin}-${second.long_exchange}-${second.short_exchange}`);
    await page.locator('tr.sub.open [data-l=Fees]').click();
    await page.locator('tr.sub').first().waitFor({ state: 'detached' });
    assert.deepEqual(queryOf(page), { min_possible_capacity_usd: '0' });
  });

  test('the boards of the start page have no coin twice', async () => {
    const { page } = visitor;
    await page.goto(at('/'));
    for (const title of ['Best carry', 'Widest spreads']) {
      const board = page.locator('#boards section', { hasText: title });
      const coins = await board.locator('tbody tr td:first-child').allTextContents();
      assert.ok(coins.length > 1, title);
      assert.equal(new Set(coins).size, coins.length, `${title}: ${coins.join(' ')}`);
    }
  });

  test('on a phone the first card of /arbitrage begins in the upper half, and every figure has its label inside', async () => {
    const { page } = visitor;
    const desk = page.viewportSize();
    await page.setViewportSize(PHONE);
    await page.goto(at('/arbitrage'));
    const box = await page.locator('#results tbody tr').first().boundingBox();
    assert.ok((box?.y ?? PHONE.height) < PHONE.height / 2, `the card begins at ${box?.y}`);
    assert.equal(await page.locator('.pick').count(), 4, 'a question without an answer keeps its place');
    const outside = await page.evaluate(`[...document.querySelectorAll('#results tbody tr:first-child td')]
      .filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().right > ${PHONE.width}).length`);
    assert.equal(outside, 0);
    const scrolled = await page.evaluate(
      "[...document.querySelectorAll('#results')].filter((one) => one.scrollHeight > one.clientHeight + 1).length",
    );
    assert.equal(scrolled, 0, 'no table scrolls inside the page');
    if (desk) await page.setViewportSize(desk);
  });

  test('the table of /arbitrage fits screens of 1280 and 1366 px, and a phone cuts no words', async () => {
    const { page } = visitor;
    const desk = page.viewportSize();
    for (const width of [1280, 1366, PHONE.width]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(at('/arbitrage?min_possible_capacity_usd=0'));
      const cut = await page.evaluate(`[...document.querySelectorAll('#results :is(th, td, small)')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => one.textContent.trim())`);
      assert.deepEqual(cut, [], `${width} px`);
    }
    if (desk) await page.setViewportSize(desk);
  });

  test('an unknown coin among known ones is named on every list', async () => {
    const paths = [
      '/funding',
      '/funding?view=table',
      '/arbitrage',
      '/spreads',
      '/spreads/backtest',
      '/listings',
    ];
    for (const path of paths) {
      const reply = await fetch(at(`${path}${path.includes('?') ? '&' : '?'}coin=BTC,NOSUCH`));
      const text = await reply.text();
      assert.match(text, /<p>NOSUCH is not listed anywhere\.<\/p>/, path);
      const known = await (await fetch(at(`${path}${path.includes('?') ? '&' : '?'}coin=BTC`))).text();
      assert.doesNotMatch(known, /not listed anywhere/, path);
    }
  });

  test('the backtest hides pairs with fewer than three cycles and says how many; a choice of venues applies to both legs', async () => {
    const { page } = visitor;
    const totalOf = async (query: string) =>
      ((await demoAnswer(market, `/api/v1/spreads/backtest?${query}`)).body as { meta: { total: number } })
        .meta.total;
    for (const size of ['25', '100', '500']) {
      const [all, shown] = [
        await totalOf(`size_usd=${size}`),
        await totalOf(`size_usd=${size}&min_cycles=3`),
      ];
      await page.goto(at(`/spreads/backtest?size_usd=${size}`));
      const said = (await page.locator('#above').textContent()) ?? '';
      const hidden = Number(/(\d+) pairs? with fewer than 3 cycles/.exec(said)?.[1] ?? 0);
      assert.equal(hidden, all - shown, said);
      assert.match((await page.locator('#pager').textContent()) ?? '', new RegExp(`of ${shown} pair`));
      await page.goto(at(`/spreads/backtest?size_usd=${size}&min_cycles=0`));
      assert.match((await page.locator('#pager').textContent()) ?? '', new RegExp(`of ${all} pair`));
    }
    await page.goto(at('/spreads?view=pairs'));
    await page.locator('summary', { hasText: 'All venues' }).click();
    await page.locator('label', { hasText: 'Both legs' }).click();
    for (const name of ['Bybit', 'OKX'])
      await page.locator(`input[name=exchange][value=${name}]`).check({ force: true });
    await page.getByRole('button', { name: 'Show these venues' }).click();
    await page.waitForURL(/exchange=/);
    assert.deepEqual(queryOf(page), { view: 'pairs', exchange: 'Bybit,OKX', exchange_match: 'all' });
    await page.locator('summary', { hasText: '2 venues' }).waitFor();
    const keys = await page
      .locator('#results tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')?.split(' ').slice(1).join()));
    assert.deepEqual([...new Set(keys)], ['Bybit,OKX']);
  });

  /** What a list shows: its rows in their order, its chosen controls and the column that it is sorted by. */
  const stateOf = (page: Page) =>
    page.evaluate(`({
      rows: [...document.querySelectorAll('#results tbody tr[data-key]')].map((row) => row.dataset.key),
      chosen: [...document.querySelectorAll('form.fbar :is(input:checked, select)')].map((one) => one.name + '=' + one.value),
      sorted: document.querySelector('#results th[aria-sort]')?.textContent.trim().split(/\\s{2,}/)[0] ?? null,
    })`);

  test('order, days held, slippage and view of /arbitrage are in the address: it shows others the same', async () => {
    const { page } = visitor;
    await page.goto(at('/arbitrage'));
    await page.locator('select[name=min_possible_capacity_usd]').selectOption('0');
    await page.waitForURL(/min_possible_capacity_usd=0/);
    await page.locator('label', { hasText: '7\u00a0d' }).first().click();
    await page.waitForURL(/hold_days=7/);
    await page.locator('label', { hasText: '10\u00a0bp' }).click();
    await page.waitForURL(/slippage_bp=10/);
    await page.locator('#results th a', { hasText: 'Fees' }).click();
    await page.waitForURL(/sort=fee_asc/);
    await page.locator('a', { hasText: 'Pairs' }).first().click();
    await page.waitForURL(/view=pairs/);
    const query = queryOf(page);
    assert.deepEqual(
      query,
      { min_possible_capacity_usd: '0', hold_days: '7', slippage_bp: '10', sort: 'fee_asc', view: 'pairs' },
      'every choice',
    );
    await page.locator('#results th[aria-sort]', { hasText: 'Fees' }).waitFor();
    const other = await visit(browser as Browser);
    await other.page.goto(page.url());
    assert.deepEqual(await stateOf(other.page), await stateOf(page));
    await other.context.close();
  });

  test('order and choices of /spreads, and the range of a pair, are in the address: it shows others the same', async () => {
    const { page } = visitor;
    await page.goto(at('/spreads'));
    await page.locator('fieldset', { hasText: 'Strength' }).locator('label', { hasText: '3+' }).click();
    await page.waitForURL(/min_strength=3/);
    await page.locator('a', { hasText: 'Pairs' }).first().click();
    await page.waitForURL(/view=pairs/);
    await page.locator('#results th a', { hasText: 'Volume' }).first().click();
    await page.waitForURL(/sort=volume/);
    const { sort, ...rest } = queryOf(page);
    assert.deepEqual(rest, { min_strength: '3', view: 'pairs' });
    assert.match(String(sort), /^volume_(desc|asc)$/);
    await page.locator('#results th[aria-sort]', { hasText: 'Volume' }).waitFor();
    const other = await visit(browser as Browser);
    await other.page.goto(page.url());
    assert.deepEqual(await stateOf(other.page), await stateOf(page));
    await other.context.close();
    const mine = reader.page;
    await mine.goto(at('/spreads/backtest/pair?coin=BTC&exchange_a=Binance&exchange_b=OKX'));
    await mine.locator('[aria-label="Range"] a', { hasText: '24' }).click();
    await mine.waitForURL(/range=24h/);
    const current = mine.locator('[aria-label="Range"] [aria-current]');
    assert.match((await current.textContent()) ?? '', /24/);
  });

  test('a pair in the other order of its venues, in any case, leads to its page', async () => {
    const { page } = visitor;
    const reply = await page.goto(
      at('/spreads/backtest/pair?coin=bitcoin&exchange_a=okx&exchange_b=BINANCE&range=24h'),
    );
    assert.equal(reply?.status(), 200);
    assert.deepEqual(queryOf(page), { coin: 'BTC', exchange_a: 'Binance', exchange_b: 'OKX', range: '24h' });
  });

  test('last, because the clock moves on: old books are not shown as prices of now, and the chart has a gap up to now', async () => {
    const { page } = reader;
    const path = at('/spreads/backtest/pair?coin=BTC&exchange_a=Binance&exchange_b=OKX');
    await page.goto(path);
    const legs = page.locator('#legs');
    assert.match((await legs.textContent()) ?? '', /Buy \$100 at · (under 1|1)\u00a0min old/);
    const pointsOf = async () => {
      const text = (await page.locator('#spread script').textContent()) ?? '';
      const { series } = JSON.parse(text) as { series: { times: number[]; values: (number | null)[] }[] };
      return series[0] ?? assert.fail('a line');
    };
    assert.notEqual((await pointsOf()).values.at(-1), null, 'no gap while the test is new');
    const { clock } = market;
    clock.advanceMs(OLD_MINUTES * MINUTE_MS);
    await collectOnce(market, { latestMs: clock.nowMs() + SECOND_MS });
    await page.goto(path);
    const text = (await legs.textContent()) ?? '';
    assert.match(text, /Best ask · \d+\u00a0s old/);
    assert.doesNotMatch(text, /Buy \$100/);
    assert.match((await page.locator('#books').textContent()) ?? '', /\$100 are 8\d\u00a0min old/);
    const price = async (place: number) => Number(await legs.locator('dd').nth(place).textContent());
    const [askA, bidA, askB, bidB] = [await price(0), await price(1), await price(6), await price(7)];
    const spread = ((askB + bidB) / (askA + bidA) - 1) * 100;
    const said = ((await legs.locator('.big').textContent()) ?? '').replace('−', '-').replace(/[^\d.-]/g, '');
    assert.ok(Math.abs(spread - Number(said)) < 0.002, `${said} for ${spread}`);
    const { times, values } = await pointsOf();
    assert.equal(values.at(-1), null);
    const known = values.findLastIndex((value) => value !== null);
    assert.ok((times.at(-1) ?? 0) - (times[known] ?? 0) >= (OLD_MINUTES - 3) * 60, 'a gap up to now');
    const label = page.locator('#spread-still text.end');
    assert.ok(
      Number((await label.getAttribute('x'))?.replace('%', '')) < 95,
      'the label is where the line ends',
    );
  });
});
