import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { signedUp } from '../oauth/person.ts';
import { seriousFaults } from '../support/axe.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { keepScores } from './made-scores.ts';

const PHONE_WIDTH = 390;
const VENUES = ['binance', 'bybit', 'okx', 'backpack', 'btse', 'coinex', 'coinbaseintl'];
const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('documents, venues, listings and faults in a browser', { skip }, () => {
  let market: FilledMarket;
  /** One context for all tests with scripts: a new one costs as much as a page. */
  let reader: Visit;
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  before(async () => {
    market = await filledMarket({ venues: VENUES });
    reader = await visit(browser as Browser);
  });
  after(async () => {
    await reader.context.close();
    await market.stop();
  });

  /** Opens a page and hands it to the test; the browser must have no complaint about it. */
  const onPage = async (path: string, work: (page: Page) => Promise<void>, { width = 1300 } = {}) => {
    const { page, complaints } = reader;
    await page.setViewportSize({ width, height: 900 });
    await page.goto(at(path));
    await work(page);
    assert.deepEqual(complaints, []);
  };
  const wordsOf = async (place: Locator) =>
    ((await place.textContent()) ?? '').replaceAll(/\s+/g, ' ').trim();
  const textOf = (page: Page, selector = 'main') => wordsOf(page.locator(selector));

  test('the reference has types, allowed values, the fields of an answer and an example', async () => {
    await onPage('/developers/reference', async (page) => {
      const funding = page.locator('section:has(> #funding)');
      const sort = funding.locator('tr', { hasText: /^sort/ });
      assert.match(await wordsOf(sort), /^sort ?text.*One of abs_rate_desc .*apr_asc/);
      assert.match(await wordsOf(funding.locator('tr', { hasText: /^limit/ })), /integer, 1 to 500/);
      await funding.getByText(`${FUNDING_TABLE.columns.length} fields in each row of data`).click();
      const rate = funding.locator('tr', { hasText: /^rate_pct/ });
      assert.match(await wordsOf(rate), /number ?Percent exchanged at the next settlement/);
      assert.match(await wordsOf(funding.locator('pre')), /"symbol": "BTC-USDT"/);
      await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE_WIDTH);
    });
  });

  test('"Try it" answers with the plan of the session, without a key, without scripts and without other requests', async () => {
    const person = await signedUp(market.service, 'tries@example.com');
    const { page, context, complaints } = await visit(browser as Browser, { javaScriptEnabled: false });
    const cookies = [...person.browser.cookies].map(([name, value]) => ({ name, value, url: at('/') }));
    await page.goto(at('/developers/reference'));
    await follow(page, page.locator('section:has(> #funding)').getByRole('link', { name: 'Try it' }));
    assert.match(await textOf(page), /You are not signed in, so answers are those of Demo: 15 minutes late/);
    await context.addCookies(cookies);
    await market.service.accounts.accounts.setPlan(person.accountId, 'pro');
    await page.locator('input[name=coin]').fill('ETH');
    await page.locator('select[name=sort]').selectOption('volume_desc');
    await follow(page, page.getByRole('button', { name: 'Send' }));
    assert.match(await textOf(page), /Answers are those of your plan, Pro/);
    const address = new URL(page.url());
    assert.equal(address.search, '?coin=ETH&sort=volume_desc&limit=2');
    const answer = JSON.parse(await textOf(page, '#answer pre'));
    assert.deepEqual(
      answer.data.map(({ coin }: { coin: string }) => coin),
      ['ETH', 'ETH'],
    );
    assert.equal(answer.meta.delayed_seconds, 0);
    assert.doesNotMatch(await page.content(), /pw_live_/);
    assert.match(await textOf(page, '.try'), /funding\?coin=ETH&sort=volume_desc&limit=2/);
    await page.locator('input[name=limit]').fill('9999');
    await follow(page, page.getByRole('button', { name: 'Send' }));
    assert.match(await textOf(page, '#answer'), /Status 400.*"code": "invalid-parameter"/);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('every endpoint but the usage of a key can be tried, and the form fits a phone', async () => {
    for (const { id, scope } of OPERATIONS) {
      if (scope === 'usage:read') continue;
      const reply = await fetch(at(`/developers/reference/try/${id}`));
      assert.match(await reply.text(), /class="(pos|neg)">Status (200|403|404)</, id);
    }
    await onPage(
      '/developers/reference/try/funding',
      async (page) => {
        assert.deepEqual(await seriousFaults(page), []);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE_WIDTH);
      },
      { width: PHONE_WIDTH },
    );
  });

  test('fault 5: names in other spellings lead to their pages, and faults speak to people', async () => {
    await onPage('/exchanges/okx', async (page) => {
      assert.equal(new URL(page.url()).pathname, '/exchanges/OKX');
      assert.equal(await textOf(page, 'h1'), 'OKX');
      await page.goto(at('/funding/BITCOIN'));
      assert.equal(new URL(page.url()).pathname, '/funding/BTC');
      await page.goto(at('/funding/bitcoin/history?days=3'));
      assert.equal(page.url(), at('/funding/BTC/history?days=3'));
    });
    const faults = [
      ['/spreads/backtest/pair?coin=X&exchange_a=Bybit&exchange_b=OKX', 'This pair has no test result'],
      ['/exchanges/Binanc', 'No such venue'],
      ['/funding/NOSUCHCOIN', 'No such coin'],
    ] as const;
    for (const [path, title] of faults) {
      const html = await (await fetch(at(path), { headers: { accept: 'text/html' } })).text();
      assert.ok(html.includes(`<h1>${title}</h1>`), `${path}: ${title}`);
      assert.doesNotMatch(
        html.slice(html.indexOf('<main'), html.indexOf('<footer')),
        /endpoint|api\/v1|case-sens/i,
      );
    }
    const near = await (await fetch(at('/exchanges/Binanc'), { headers: { accept: 'text/html' } })).text();
    assert.match(near, /<a class="qc" href="\/exchanges\/Binance">/);
    const crossed = await (
      await fetch(at('/funding?view=table&min_volume_usdt=10&max_volume_usdt=1'))
    ).text();
    assert.match(crossed, /The lowest 24 h volume \(\$10\) is above the highest \(\$1\)\./);
  });

  test('fault 9: ended venues are not counted, offered, or listed among live ones', async () => {
    await onPage('/', async (page) => {
      assert.match(await page.title(), /from 5 perp venues/);
      assert.match(await textOf(page, '.count'), /on 5 venues$/);
      await page.goto(at('/exchanges'));
      const rows = page.locator('#results tbody tr');
      const names = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-key')));
      const live = ['Backpack', 'Binance', 'BTSE', 'Bybit', 'OKX'];
      assert.deepEqual(names, [...live, '1 Ended', 'CoinbaseIntl', 'CoinEx']);
      assert.match(await textOf(page, '#pager'), /of 5 venues/);
      await page.goto(at('/funding'));
      const chips = await textOf(page, '.chips');
      assert.match(chips, /Backpack/);
      assert.doesNotMatch(chips, /Coin(Ex|base)/);
      assert.match(await textOf(page, '.fbar.two'), /All 5/);
      assert.doesNotMatch(await page.content(), /<option[^>]*>CoinEx|value="CoinEx"/);
    });
  });

  test('fault 19: words in the tables of documents stay whole, and each table has its own name', async () => {
    await onPage('/developers', async (page) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      const lines = await page
        .locator('.art td code', { hasText: /^funding:read$/ })
        .first()
        .evaluate((code) => code.getClientRects().length);
      assert.equal(lines, 1);
      await page.goto(at('/developers/assistants'));
      const labels = await page
        .locator('[role=region]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      assert.ok(labels.length > 1);
      assert.equal(new Set(labels).size, labels.length, labels.join());
    });
  });

  test('fault 14: on a phone the listings are a list of days from today on', async () => {
    await onPage(
      '/listings',
      async (page) => {
        const days = await page
          .locator('#calendar td:visible')
          .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-day') ?? ''));
        const today = new Date(market.clock.nowMs() - 900_000).toISOString().slice(0, 10);
        assert.equal(days[0], today);
        assert.deepEqual(days, days.toSorted());
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE_WIDTH);
        assert.deepEqual(await seriousFaults(page), []);
      },
      { width: PHONE_WIDTH },
    );
  });

  test('listings: the title is level with the buttons, each day has one heading, a week filters the table', async () => {
    await onPage('/listings', async (page) => {
      const middle = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0) / 2;
      };
      assert.ok(Math.abs((await middle('#calendar h2')) - (await middle('#calendar .acts .btn'))) < 3);
      const headings = await page.locator('#results tr.grp').allTextContents();
      assert.equal(new Set(headings).size, headings.length, headings.join());
      const rows = page.locator('#results tbody tr:not(.grp)');
      const all = await rows.count();
      await follow(page, page.locator('#calendar .seg a', { hasText: 'Week' }));
      assert.match(await textOf(page, '#calendar h2'), /^\d+( \w+ \d{4})? to \d+ \w+ \d{4}$/);
      assert.equal(await rows.count(), await page.locator('#calendar li[data-at]').count());
      assert.ok((await rows.count()) < all);
      await page.goto(at('/listings'));
      await page.locator('.vpick summary').click();
      await page.locator('.vpick label', { hasText: 'Bybit' }).click();
      await follow(page, page.getByRole('button', { name: 'Show these venues' }));
      assert.equal(new URL(page.url()).search, '?exchange=Bybit');
      for (const text of await rows.allTextContents()) assert.match(text, /Bybit/);
      await follow(page, page.locator('form .seg label', { hasText: 'Delistings' }));
      assert.equal(new URL(page.url()).search, '?exchange=Bybit&type=delisting');
    });
  });

  test('status has troubled venues first and 90 days, accuracy one table with a window switch', async () => {
    await onPage('/status', async (page) => {
      const bars = page.locator('#results tr').nth(1).locator('svg.dbars');
      assert.match(
        (await bars.getAttribute('aria-label')) ?? '',
        /^Backpack, (no day recorded yet|1 day recorded)/,
      );
      assert.match(
        await textOf(page, '#summary'),
        /All 5 venues are giving data\. If a venue fails, only its rows/,
      );
      await page.goto(at('/accuracy'));
      assert.equal(await page.locator('#window table').count(), 1);
      assert.equal(await textOf(page, '.seg [aria-current]'), 'Last 7 days');
      await follow(page, page.locator('.seg a', { hasText: 'Last 30 days' }));
      assert.equal(page.url(), at('/accuracy?window=30d'));
      const titles = await page.locator('#window th.num').evaluateAll((all) => all.map((one) => one.title));
      for (const title of titles) assert.ok(title.length > 20, title);
    });
  });

  test('accuracy of forecasts on a phone: no table is wider than the screen, and every figure has its name', async () => {
    await keepScores(market);
    await onPage(
      '/accuracy/forecasts',
      async (page) => {
        const wide = `[...document.querySelectorAll('.tw')].filter((one) => one.scrollWidth > one.clientWidth).map(({ id }) => id)`;
        assert.deepEqual(await page.evaluate(wide), []);
        const labels = `[...document.querySelectorAll('#errors tbody tr:first-child td[data-l]')]
          .map((cell) => getComputedStyle(cell, '::before').content.replaceAll('"', '')).join()`;
        assert.equal(
          await page.evaluate(labels),
          'Compared,Forecast,Rates now,Mean of 7 d,Mean of 30 d,Nothing,Bias,In range',
        );
        assert.equal(await page.locator('#groups thead th:visible').count(), 5);
        await page.locator('summary', { hasText: 'What the columns mean' }).first().click();
        assert.match(await textOf(page), /Share of outcomes inside the stated range; 80 is the aim\./);
        assert.deepEqual(await seriousFaults(page), []);
      },
      { width: PHONE_WIDTH },
    );
  });

  test('search suggestions have their unit and name each kind once', async () => {
    await onPage('/plans', async (page) => {
      await page.locator('#q').fill('b');
      const options = page.locator('[role=option]');
      await options.first().waitFor();
      const kinds = (await page.locator('[role=option] .kind').allTextContents()).filter(
        (kind) => kind !== '',
      );
      assert.equal(new Set(kinds).size, kinds.length, kinds.join());
      assert.equal(kinds[0], 'Coins');
      assert.match((await options.first().textContent()) ?? '', /% APR$/);
    });
  });
});
