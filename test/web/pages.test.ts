import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { screenshot, startBrowser, visit } from '../support/browser.ts';
import { type Running, rowsOf } from '../support/service.ts';
import { filledMarket } from './filled-market.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = [
  '/',
  '/funding',
  '/funding/heat-map',
  '/funding/BTC',
  '/funding/BTC/history',
  '/spreads',
  '/spreads/backtest',
  '/listings',
  '/listings?view=week',
  '/status',
  '/coins',
  '/exchanges',
  '/plans',
  '/developers',
  '/developers/rules',
  '/developers/errors',
];

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('pages', { skip }, () => {
  let running: Running;
  const real = () => browser as Browser;
  before(async () => {
    running = await filledMarket();
  });
  after(() => running.stop());
  const at = (path: string) => `${running.service.baseUrl}${path}`;

  for (const path of PAGES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${path} has no serious accessibility fault and no complaint of the browser (${colorScheme})`, async () => {
        const { page, context, complaints } = await visit(real(), { colorScheme });
        const reply = await page.goto(at(path), { waitUntil: 'load' });
        assert.equal(reply?.status(), 200);
        // Evaluated by the tool, so our own policy against inline script does not apply to it.
        await page.evaluate(AXE);
        const found = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as {
            axe: {
              run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
            };
          };
          return (await axe.run()).violations.map(({ id, impact, nodes }) => ({
            id,
            impact,
            example: nodes[0]?.html,
          }));
        });
        assert.deepEqual(
          found.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
          [],
        );
        assert.deepEqual(complaints, []);
        await screenshot(
          page,
          `${path === '/' ? 'home' : path.slice(1).replaceAll(/[/?=]/g, '-')}-${colorScheme}`,
        );
        await context.close();
      });
    }
  }

  test('the rows of /funding are those of the API for the same filters', async () => {
    const { page, context } = await visit(real(), { javaScriptEnabled: false });
    const query = 'coin=BTC,ETH,PEPE&is_inverse=false&sort=apr_desc';
    await page.goto(at(`/funding?${query}`));
    const shown = await page
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => (cell.textContent ?? '').trim())),
      );
    const wanted = rowsOf(await running.get(`/api/v1/funding?${query}`, { plan: 'demo' }));
    assert.deepEqual(
      shown.map((cells) => [cells[0], cells[1], cells[2]?.split(' ')[0]]),
      wanted.map((row) => [row.coin, row.exchange, row.symbol]),
    );
    const rates = shown.map((cells) => Number((cells[3] ?? '').replace('−', '-').replace('%', '')));
    assert.deepEqual(
      rates,
      wanted.map((row) => Number(Number(row.rate_pct).toFixed(4))),
    );
    await context.close();
  });

  test('filters, sorting and paging work without scripts', async () => {
    const { page, context } = await visit(real(), { javaScriptEnabled: false });
    await page.goto(at('/funding'));
    assert.match((await page.locator('.delayed').textContent()) ?? '', /Delayed by 15 minutes/);
    await page.locator('summary').click();
    await page.fill('#f-exchange', 'OKX');
    await page.click('button[type=submit]');
    assert.match(page.url(), /exchange=OKX/);
    const venues = new Set(await page.locator('tbody tr td:nth-child(2)').allTextContents());
    assert.deepEqual([...venues], ['OKX']);
    await page.click('thead >> text=24 h volume');
    assert.match(page.url(), /sort=volume_desc/);
    await page.goto(at('/funding'));
    const first = await page.locator('tbody tr').allTextContents();
    await page.click('text=Next page');
    const second = await page.locator('tbody tr').allTextContents();
    assert.equal(first.filter((row) => second.includes(row)).length, 0, 'no row on both pages');
    await context.close();
  });

  test('instant search on /coins follows what is typed', async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/coins'));
    await page.locator('#f-q').pressSequentially('pep');
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    assert.match((await page.locator('tbody').textContent()) ?? '', /PEPE/);
    assert.match(page.url(), /q=pep/);
    await context.close();
  });

  test('a wrong address gets a page that says what to change, with its status', async () => {
    const { page, context } = await visit(real());
    const unknown = await page.goto(at('/funding/NOSUCHCOIN'));
    assert.equal(unknown?.status(), 404);
    const wrong = await page.goto(at('/funding?sort=sideways'));
    assert.equal(wrong?.status(), 400);
    assert.match((await page.locator('.fault').textContent()) ?? '', /"sort" must be one of/);
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

  test('on a phone nothing is wider than the screen', async () => {
    const { page, context } = await visit(real(), { width: 380 });
    for (const path of PAGES) {
      await page.goto(at(path));
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      assert.ok(width <= 380, `${path} is ${width} wide`);
    }
    await screenshot(page, 'phone');
    await context.close();
  });
});
