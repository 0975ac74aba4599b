import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { signedUp } from '../oauth/person.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

type Row = Record<string, unknown>;

suite('the size of orders on /arbitrage and /spreads', { skip }, () => {
  let running: Running;
  let reader: Visit;
  const clock = new ManualClock(Date.now());
  before(async () => {
    running = await runService({ venues: ['binance', 'bybit', 'hyperliquid'], coins: 20, clock });
    await collectOnce(running);
    await running.service.samples.fetchBooks(clock.nowMs() + 30_000);
    // The first snapshot of the books stores what they cost, the next reads the day, and the third publishes it.
    for (let minute = 0; minute < 6; minute++) {
      await running.service.publisher.publish(clock.nowMs());
      clock.advanceMs(MINUTE_MS);
    }
    // Visitors see what is 15 minutes old.
    for (const minutes of [0, 16]) {
      clock.advanceMs(minutes * MINUTE_MS);
      await collectOnce(running);
      await running.service.publisher.publish(clock.nowMs());
      await running.service.spreads.publish(clock.nowMs());
    }
    const person = await signedUp(running.service, 'size@example.com', 'pro');
    reader = await visit(browser as Browser, { width: 1280 });
    await reader.context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: running.service.baseUrl })),
    );
  });
  after(async () => {
    await reader.context.close();
    await running.stop();
  });

  const at = (path: string) => `${running.service.baseUrl}${path}`;
  const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const box = (page: Page) => page.getByRole('combobox', { name: 'Size $' });
  const heads = (page: Page) =>
    page
      .locator('#results thead th')
      .evaluateAll((all) => all.map((one) => one.firstChild?.textContent?.trim()));
  const cells = async (page: Page, key: string, label: string) => {
    const text = await page.locator(`tr[data-key="${key}"] [data-l="${label}"]`).textContent();
    return (text ?? '').trim().replaceAll(/[ \n]+/g, ' ');
  };
  const answer = async (path: string): Promise<Row[]> => {
    const { data } = (await running.get(path)).body as { data: Row[] | { pairs: Row[] } };
    return 'pairs' in data ? data.pairs : data;
  };

  for (const [path, sort, net, nameOf] of [
    [
      '/arbitrage',
      'net_apr_desc',
      ['Net APR now', 'net_apr_pct', 1],
      (row: Row) => `${row.coin} ${row.long_exchange} ${row.short_exchange}`,
    ],
    [
      '/spreads',
      'net_spread_desc',
      ['Net spread', 'net_spread_pct', 3],
      (row: Row) => `${row.coin} ${row.exchange_a} ${row.exchange_b}`,
    ],
  ] as const) {
    test(`${path}: a size in the box stays in the address, and rows have its costs and net figures`, async () => {
      const { page } = reader;
      const more = path === '/arbitrage' ? '&min_possible_capacity_usd=0' : '';
      await page.goto(at(`${path}?view=pairs&sort=${sort}${more}`));
      assert.ok(!(await heads(page)).some((head) => head?.startsWith('To get in')));
      await box(page).fill('20k');
      await box(page).press('Enter');
      await page.waitForURL(/size_usd=20000/);
      assert.equal(queryOf(page).size_usd, '20000');
      await page.reload();
      assert.equal(await box(page).inputValue(), '20,000');
      const shown = await heads(page);
      for (const head of ['To get in', 'To get out', 'Fits'])
        assert.ok(
          shown.some((one) => one?.startsWith(head)),
          `${head} in ${shown.join()}`,
        );
      const rows = await answer(`/api/v1${path}?limit=50&size_usd=20000&sort=${sort}`);
      const full = rows.filter((row) => row.fills === 'full' && row.exit_cost_pct !== null);
      assert.ok(full.length > 3, `${full.length} rows`);
      for (const row of full.slice(0, 5)) {
        const cost = (value: unknown) => Number(value).toFixed(Number(value) < 0.1 ? 3 : 2);
        assert.equal(await cells(page, nameOf(row), 'To get in'), `${cost(row.entry_cost_pct)}\u00a0%`);
        const out = await cells(page, nameOf(row), 'To get out');
        assert.ok(out.startsWith(`${cost(row.exit_cost_pct)}\u00a0%`), out);
        assert.ok(out.includes(`bad times ${cost(row.exit_cost_worst_pct)}`), out);
        assert.equal(await cells(page, nameOf(row), 'Fits'), 'fits');
        const [label, column, decimals] = net;
        const figure = (await cells(page, nameOf(row), label)).replace('−', '-');
        assert.equal(Number.parseFloat(figure).toFixed(decimals), Number(row[column]).toFixed(decimals));
      }
      assert.deepEqual(reader.complaints, []);
    });

    test(`${path}: a size that does not fit says so, hides nothing, and a filter leaves it out`, async () => {
      const { page } = reader;
      const more = path === '/arbitrage' ? '&min_possible_capacity_usd=0' : '';
      const rows = await answer(`/api/v1${path}?limit=500&size_usd=250000&sort=${sort}`);
      const partial = rows.find(({ fills }) => fills === 'partial') ?? assert.fail('no row is partial');
      await page.goto(at(`${path}?view=pairs&coin=${partial.coin}&size_usd=250,000${more}`));
      assert.equal(queryOf(page).size_usd, '250000', 'spelled as a number');
      assert.equal(await cells(page, nameOf(partial), 'Fits'), 'a part');
      assert.equal(await cells(page, nameOf(partial), net[0]), '–');
      await page.goto(at(`${path}?view=pairs&coin=${partial.coin}&size_usd=250000&fills=full${more}`));
      assert.equal(await page.locator(`tr[data-key="${nameOf(partial)}"]`).count(), 0);
    });

    test(`${path} with a size fits 1280 pixels, and a phone has cards`, async () => {
      const { page } = reader;
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(at(`${path}?size_usd=20000`));
      const wide = Number(await page.evaluate("document.querySelector('#results').scrollWidth"));
      assert.ok(wide <= 1280, `${wide} pixels`);
      await page.setViewportSize({ width: 390, height: 844 });
      const isOver = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      assert.equal(isOver, false);
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  }

  test('without scripts and without an account the address has the size', async () => {
    const plain = await visit(browser as Browser, { javaScriptEnabled: false });
    try {
      await plain.page.goto(at('/spreads'));
      await box(plain.page).fill('7,300');
      await box(plain.page).press('Enter');
      await plain.page.waitForURL(/size_usd/);
      assert.equal(queryOf(plain.page).size_usd, '10000', 'in steps of 1, 2 and 5');
      assert.equal(await plain.page.getByRole('button', { name: /my size/ }).count(), 0);
    } finally {
      await plain.context.close();
    }
  });

  test('a signed-in reader keeps a size: pages without one in their address have it, until it is forgotten', async () => {
    const { page } = reader;
    await page.goto(at('/arbitrage?size_usd=5000'));
    await follow(page, page.getByRole('button', { name: /^Keep .5.k as my size$/ }));
    assert.equal(queryOf(page).size_usd, undefined);
    assert.equal(await box(page).inputValue(), '5,000');
    await page.goto(at('/spreads'));
    assert.equal(await box(page).inputValue(), '5,000');
    assert.ok((await heads(page)).some((head) => head?.startsWith('To get in')));
    await page.goto(at('/spreads?size_usd=20000'));
    assert.equal(await box(page).inputValue(), '20,000', 'the address wins');
    const ofContract = page.getByLabel('Order size in USD, 100 to 250,000');
    await page.goto(at('/depth/BTC/Binance'));
    assert.equal(await ofContract.inputValue(), '5,000');
    await page.goto(at('/depth/BTC/Binance?size_usd=20000'));
    assert.equal(
      await ofContract.inputValue(),
      '20,000',
      'the usual size is named where the account has another',
    );
    await page.goto(at('/spreads'));
    await follow(page, page.getByRole('link', { name: 'Without my size' }));
    assert.equal(queryOf(page).size_usd, '0');
    assert.ok(!(await heads(page)).some((head) => head?.startsWith('To get in')));
    await follow(page, page.getByRole('button', { name: 'Forget my size' }));
    assert.deepEqual(queryOf(page), {});
    assert.equal(await box(page).inputValue(), '');
  });
});
