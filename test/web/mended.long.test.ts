import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { PLANS } from '../../src/accounts/plans.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { dayOfMonth } from '../../src/doors/web/markup/format.ts';
import { type Person, signedUp } from '../oauth/person.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { collectOnce } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { pairPath } from './market-paths.ts';
import { onEachScreen } from './screens.ts';
import { comparedRates, dataOf, demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

/** Faults that readers saw once. Others are in the tests of their pages. */
suite('mended faults of the pages, in a browser', { skip }, () => {
  let market: FilledMarket;
  let visitor: Visit;
  let plain: Visit;
  /** Signed in, with live data. */
  let reader: Visit;
  let person: Person;
  const real = () => browser as Browser;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 12 });
    visitor = await visit(real());
    plain = await visit(real(), { javaScriptEnabled: false });
    reader = await visit(real());
    person = await signedUp(market.service, 'reader@example.com', 'pro');
    await reader.context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const signed = (value: number, decimals: number) =>
    `${Number(value.toFixed(decimals)) === 0 ? '' : value < 0 ? '−' : '+'}${Math.abs(value).toFixed(decimals)}`;
  const perHour = (row: Row) => Number(row.rate_pct) / Number(row.interval_hours);

  test('the page of a coin compares rates per hour, and its cards agree with its sentence', async () => {
    const { page } = visitor;
    const coins = dataOf(await demoAnswer(market, '/api/v1/coins?limit=12')) as Row[];
    let unlike = 0;
    for (const { coin } of coins) {
      const data = dataOf(await demoAnswer(market, `/api/v1/funding/${coin}`)) as Row & { rates: Row[] };
      const linear = data.rates.filter((row) => row.is_inverse === false && row.interval_hours !== null);
      const hours = new Set(linear.map((row) => row.interval_hours));
      if (linear.length < 2 || hours.size < 2 || unlike === 3) continue;
      unlike++;
      await page.goto(at(`/funding/${coin}`));
      const compared = comparedRates(data.rates).map(perHour);
      const [low, high] = [Math.min(...compared), Math.max(...compared)];
      const sentence = (await page.locator('meta[name=description]').getAttribute('content')) ?? '';
      const [, highest, lowest] = /highest rate is on (\S+) .*, the lowest on (\S+) /.exec(sentence) ?? [];
      await onEachScreen(page, async (where) => {
        const card = async (label: string) =>
          (await page.locator('#stats > *', { has: page.locator(`:text-is("${label}")`) }).textContent()) ??
          '';
        assert.ok((await card('Highest')).includes(`${signed(high * 8, 4)}\u00a0%`), `${where}: ${coin}`);
        assert.ok((await card('Lowest')).includes(`${signed(low * 8, 4)}\u00a0%`), `${where}: ${coin}`);
        assert.ok((await card('Highest')).includes(String(highest)), `${where}: ${coin}`);
        assert.ok((await card('Lowest')).includes(String(lowest)), `${where}: ${coin}`);
      });
    }
    assert.ok(unlike > 0, 'coins with contracts of unlike intervals');
  });

  test('/spreads has the funding of both legs in the order buy and sell', async () => {
    const { page } = visitor;
    const rows = dataOf(await demoAnswer(market, '/api/v1/spreads?limit=50&sort=net_spread_desc')) as Row[];
    await page.goto(at('/spreads?view=pairs'));
    await onEachScreen(page, async (where) => {
      const legs = await page
        .locator('#results tbody tr')
        .evaluateAll((all) =>
          all.map((row) => [...row.querySelectorAll('.leg2')].map((leg) => leg.textContent ?? '')),
        );
      assert.equal(legs.length, rows.length, where);
      for (const [i, row] of rows.entries()) {
        const sides = row.direction === 'long_a_short_b' ? ['a', 'b'] : ['b', 'a'];
        for (const [place, side] of sides.entries()) {
          const text = legs[i]?.[place] ?? '';
          assert.ok(text.includes(String(row[`exchange_${side}`])), `${where}: ${text}`);
          const rate = row[`funding_rate_${side}_pct`];
          if (typeof rate === 'number') assert.ok(text.includes(signed(rate, 4)), `${where}: ${text}`);
        }
      }
    });
    assert.ok(new Set(rows.map(({ direction }) => direction)).size === 2, 'pairs of both directions');
  });

  test('revoking a key asks first', async () => {
    const { page } = reader;
    await market.service.accounts.keys.create({ accountId: person.accountId, name: 'my robot' });
    await page.goto(at('/account/keys'));
    await onEachScreen(page, async (where) => {
      const revoke = page.locator('button:has-text("Yes, revoke it")');
      assert.ok(!(await revoke.isVisible()), where);
      await page.click('button[aria-label="More for my robot"]');
      const question = page.locator('summary:has-text("Revoke")');
      assert.ok(!(await revoke.isVisible()), `${where}: not behind one click`);
      await question.click();
      assert.ok(await revoke.isVisible(), where);
      assert.match(
        (await page.locator('.confirm').textContent()) ?? '',
        /It stops working at once, for good/,
      );
      await question.click();
      await page.keyboard.press('Escape');
      await page.locator('.dialog').first().waitFor({ state: 'hidden' });
    });
    const [key] = await market.service.accounts.keys.list(person.accountId);
    assert.equal(key?.state, 'active', 'nothing was revoked on the way');
    await page.click('button[aria-label="More for my robot"]');
    await page.locator('summary:has-text("Revoke")').click();
    await follow(page, 'button:has-text("Yes, revoke it")');
    const [after1] = await market.service.accounts.keys.list(person.accountId);
    assert.equal(after1?.state, 'revoked');
  });

  test('?days=9999 is shortened to what can be shown, and the page says so', async () => {
    for (const [{ page }, words] of [
      [visitor, 'You asked for 9,999 days. Without a plan the last 7 days are shown.'],
      [reader, 'You asked for 9,999 days. At most 730 days are shown at once.'],
    ] as const) {
      const reply = await page.goto(at('/funding/BTC/history?days=9999'));
      assert.equal(reply?.status(), 200);
      await onEachScreen(page, async (where) => {
        assert.ok(((await page.locator('#range-note').textContent()) ?? '').startsWith(words), where);
      });
    }
    const range = reader.page.locator('#history-head [aria-label=Range] a');
    assert.deepEqual(await range.allTextContents(), ['7 d', '30 d', '90 d', '180 d', '1 y', '2 y']);
    assert.equal(await range.locator('nth=5').getAttribute('aria-current'), 'true', 'two years');
    const days = await reader.page.locator('#figures tbody tr').count();
    assert.ok(days >= 39, `${days} days of those that are stored`);
  });

  test('times are the same before and after scripts run, and none is raw', async () => {
    const timesOn = async (page: Page) =>
      await page
        .locator('main time:not([data-countdown])')
        .evaluateAll((all) => all.map((one) => `${one.getAttribute('datetime')} ${one.textContent}`));
    for (const path of [
      '/funding',
      '/funding/BTC',
      '/spreads/backtest',
      '/listings',
      '/exchanges/Binance',
      await pairPath(market),
    ]) {
      await plain.page.goto(at(path));
      const text = (await plain.page.locator('main').textContent()) ?? '';
      assert.doesNotMatch(text, /\d{4}-\d\d-\d\dT\d\d:/, path);
      await visitor.page.goto(at(path));
      await visitor.page.locator('#live[data-own]').waitFor();
      const before1 = (await timesOn(plain.page)).filter((one) => !one.includes('undefined'));
      // Only scripts know the reader's today.
      const after1 = (await timesOn(visitor.page)).map((one) =>
        one.replace(' today ', ` ${dayOfMonth(one)} `),
      );
      // The badge says the age in words with scripts.
      assert.deepEqual(after1, before1.slice(before1.length - after1.length), path);
    }
  });

  test('the same rate has the same digits in matrix, table, ranking and card', async () => {
    const { page } = visitor;
    for (const coin of ['BTC', 'ETH']) {
      const { rates } = dataOf(await demoAnswer(market, `/api/v1/funding/${coin}`)) as { rates: Row[] };
      const row = rates
        .filter((one) => one.exchange === 'Binance' && one.is_inverse === false)
        .toSorted((a, b) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt))[0] as Row;
      const key = `Binance ${row.venue_symbol}`;
      const wanted = signed(perHour(row) * 8, 4);
      await page.goto(at('/funding?min_volume_usdt=0'));
      const heads = await page
        .locator('#results thead th')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-x')));
      const cell = page.locator(`#results tr[data-key="${coin}"] > *`).nth(heads.indexOf('Binance'));
      assert.equal(/^[+−]?[\d.]+/.exec((await cell.textContent()) ?? '')?.[0], wanted, 'matrix');
      await page.goto(at(`/funding?view=table&coin=${coin}&exchange=Binance`));
      assert.equal(await page.locator(`tr[data-key="${key}"] .pill`).textContent(), wanted, 'table');
      await page.goto(at(`/funding/${coin}`));
      assert.equal(
        await page.locator(`tr[data-key="${key}"] td.num b`).first().textContent(),
        wanted,
        'ranking',
      );
    }
  });

  test('pages of delayed visitors refresh by themselves, and no settlement is in the past', async () => {
    // A browser opens six connections to a host, and each page that is in sight keeps one for its stream.
    const paths = ['/', '/funding', '/funding/BTC', '/spreads'];
    await visitor.page.goto('about:blank');
    const pages = await Promise.all(paths.map(() => visitor.context.newPage()));
    const asOf = (page: Page) => page.locator('#live .age').getAttribute('title');
    const old: (string | null)[] = [];
    for (const [i, page] of pages.entries()) {
      await page.goto(at(paths[i] ?? ''));
      await page.locator('#live[data-own]').waitFor();
      old.push(await asOf(page));
    }
    // The newer of the two snapshots is now old enough for visitors.
    market.clock.advanceMs((PLANS.demo.delaySeconds + 1) * SECOND_MS);
    for (const [i, page] of pages.entries()) {
      await page.bringToFront();
      await until(async () => {
        market.clock.advanceMs(SECOND_MS);
        return (await asOf(page)) !== old[i];
      }, `new numbers on ${paths[i]}`);
      const said = await page.locator('[data-countdown]:not([data-countdown=event])').allTextContents();
      for (const text of said) assert.doesNotMatch(text, /ago|past|^settled$/, `${paths[i]}: ${text}`);
      await page.close();
    }
  });

  test('last: rates of a venue that fails are marked with their age, and /status says why without its HTML', async () => {
    const { page } = reader;
    await collectOnce(market);
    market.sim.setFaults('okx', { html: true });
    market.clock.advanceMs(3 * MINUTE_MS);
    await collectOnce(market);
    await page.goto(at('/funding?view=table&min_volume_usdt=0'));
    await onEachScreen(page, async (where) => {
      const rows = page.locator('#results tbody tr');
      const late = rows.filter({ hasText: 'min old' });
      assert.ok((await late.count()) > 0, where);
      assert.equal(await late.filter({ hasText: 'OKX' }).count(), await late.count(), where);
      assert.equal(await rows.filter({ hasText: 'OKX' }).count(), await late.count(), where);
    });
    await page.goto(at('/funding'));
    await onEachScreen(page, async (where) => {
      assert.match(
        (await page.locator('#results thead th[data-x=OKX]').textContent()) ?? '',
        /\d+ min late/,
        where,
      );
      const heads = await page
        .locator('#results thead th')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-x')));
      const cell = page.locator('#results tr[data-key=BTC] > *').nth(heads.indexOf('OKX'));
      assert.match((await cell.getAttribute('title')) ?? '', /^OKX is \d+ min late$/, where);
      assert.equal(await cell.getAttribute('class'), 'st', where);
    });
    await page.goto(at('/funding/BTC'));
    assert.match((await page.locator('#late').textContent()) ?? '', /^OKX is \d+ minutes late\.$/);
    assert.ok(
      (await page.locator('#ranking tr', { hasText: 'OKX' }).filter({ hasText: 'min late' }).count()) > 0,
    );

    await page.goto(at('/status'));
    await onEachScreen(page, async (where) => {
      const trouble = page.locator('#results tr[data-key=OKX] td.words');
      const text = (await trouble.textContent()) ?? '';
      assert.match(text, /the reply is not JSON: Maintenance/, where);
      assert.doesNotMatch(text, /[<>]|&lt;|doctype|title/i, where);
      assert.equal(await page.locator('#results tr[data-key=Binance] td.words').textContent(), 'none', where);
    });
  });
});
