import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { SECOND_MS } from '../../src/base/times.ts';
import { arrival, follow, startBrowser, type Visit } from '../support/browser.ts';
import { collectOnce } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type LiveSite, liveSite, readerVisit } from './live-site.ts';
import { figureOf } from './page-text.ts';
import type { Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

/** One row per pair; `lists-second-round.test.ts` has the view of coins. */
const ALL = '/arbitrage?view=pairs&min_possible_capacity_usd=0';
const PHONE_WIDTHS = [390, 360];
const LOOKS_PER_SECOND = 10;
/** Late, and still young enough for a row. */
const LATE_MS = 80 * SECOND_MS;

suite('the arbitrage page in a browser', { skip }, () => {
  let site: LiveSite;
  let scripted: Visit;
  let plain: Visit;
  before(async () => {
    site = await liveSite();
    scripted = await readerVisit(browser as Browser, site);
    plain = await readerVisit(browser as Browser, site, { javaScriptEnabled: false });
  });
  after(() => site.stop());
  const at = (path: string) => `${site.service.baseUrl}${path}`;
  const rows = (page: Page) => page.locator('#results tbody tr:not(.xr)');
  const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const column = async (page: Page, label: string) =>
    (await page.locator(`#results td[data-l="${label}"]`).allTextContents()).map(
      (text) => figureOf(text.trim()) ?? Number.NaN,
    );
  const opener = (page: Page, row: number) => rows(page).nth(row).locator('a.ex');
  const isOpen = async (page: Page, row: number) =>
    (await opener(page, row).getAttribute('aria-expanded')) === 'true';

  test('pairs known to take under $50 k are hidden by a filter that can be removed, lower bounds are not', async () => {
    const { page } = plain;
    await page.goto(at('/arbitrage?view=pairs'));
    const totalOf = async (query: string) =>
      ((await site.get(`/api/v1/arbitrage${query}`)).body as { meta: { total: number } }).meta.total;
    const [shown, all] = [await totalOf('?min_possible_capacity_usd=50000'), await totalOf('')];
    const stated = await totalOf('?min_capacity_usd=50000');
    assert.ok(stated < shown && shown <= all, `${stated}, ${shown} of ${all} pairs`);
    assert.equal((await page.locator('#count').textContent()) ?? '', `${shown} of ${all} pairs`);
    await follow(page, '[aria-label="Remove filter: Capacity from $50\u00a0k"]');
    assert.deepEqual(queryOf(page), { view: 'pairs', min_possible_capacity_usd: '0' });
    assert.equal((await page.locator('#count').textContent()) ?? '', `${all} of ${all} pairs`);
    assert.equal(await rows(page).count(), Math.min(50, all));
  });

  for (const javaScriptEnabled of [true, false]) {
    const words = javaScriptEnabled ? 'with scripts by itself' : 'without scripts by a button';
    test(`fees, days held and slippage change every row, ${words}`, async () => {
      const { page } = javaScriptEnabled ? scripted : plain;
      const choose = async (change: () => Promise<unknown>) => {
        const arrived = arrival(page);
        await change();
        if (!javaScriptEnabled) await page.locator('.apply').click();
        await arrived;
      };
      const venues = ((await site.get('/api/v1/exchanges')).body as { data: Row[] }).data;
      const feeOf = new Map(venues.map((venue) => [String(venue.exchange), Number(venue.taker_fee_pct)]));
      await page.goto(at(`${ALL}&sort=coin_asc`));
      const usual = await column(page, 'Fees');
      await choose(() => page.selectOption('select[name=tier]', 'less50'));
      assert.equal(queryOf(page).tier, 'less50');
      const keys = await rows(page).evaluateAll((all) =>
        all.map((row) => row.getAttribute('data-key') ?? ''),
      );
      const halves = keys.map((key) => {
        const [, long = '', short = ''] = key.split(' ');
        return (feeOf.get(long) ?? 0) + (feeOf.get(short) ?? 0);
      });
      for (const [i, fee] of (await column(page, 'Fees')).entries())
        assert.ok(Math.abs(fee - (halves[i] ?? 0)) <= 0.0051, `row ${i}: ${fee} for ${halves[i]}`);
      const before = await column(page, 'Net APR now');
      await choose(() => page.locator('input[name=hold_days][value="7"]').check({ force: true }));
      assert.equal(queryOf(page).hold_days, '7');
      assert.match(
        (await page.locator('th[class*=num]').first().textContent()) ?? '',
        /held 7 d, after costs/,
      );
      assert.notDeepEqual(await column(page, 'Net APR now'), before);
      await choose(() => page.locator('input[name=slippage_bp][value="10"]').check({ force: true }));
      assert.match((await page.locator('thead').textContent()) ?? '', /each leg, 10 bp/);
      await choose(() => page.selectOption('select[name=tier]', 'base'));
      assert.equal(queryOf(page).tier, undefined, 'the usual fees need no parameter');
      assert.deepEqual(await column(page, 'Fees'), usual);
    });

    test(`"My own fees…" is a form of one field per venue, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { page } = javaScriptEnabled ? scripted : plain;
      await page.goto(at(`${ALL}&tier=own&sort=coin_asc`));
      await page.fill('[name=fee_Binance]', '0.01');
      await page.fill('[name=fee_OKX]', '.02 %');
      await follow(page, '.own button.pri');
      assert.deepEqual(queryOf(page), {
        view: 'pairs',
        min_possible_capacity_usd: '0',
        sort: 'coin_asc',
        fees: 'Binance:0.01,OKX:0.02',
      });
      const pair = rows(page).filter({ hasText: 'Binance' }).filter({ hasText: 'OKX' }).first();
      assert.equal((await pair.locator('[data-l=Fees]').textContent()) ?? '', '0.06\u00a0%');
      assert.equal(await page.inputValue('[name=fee_OKX]'), '0.02', 'the form keeps them');
      await follow(page, '.own >> text=Usual fees');
      assert.deepEqual(queryOf(page), {
        view: 'pairs',
        min_possible_capacity_usd: '0',
        sort: 'coin_asc',
      });
    });
  }

  test('a fee that is no number is refused in words, and the form stays', async () => {
    const { page } = plain;
    await page.goto(at('/arbitrage?tier=own'));
    await page.fill('[name=fee_Binance]', 'none');
    await follow(page, '.own button.pri');
    assert.match(
      (await page.locator('[role=alert]').textContent()) ?? '',
      /That filter does not work:.*Binance:none/s,
    );
    assert.equal(await page.inputValue('[name=fee_Binance]'), 'none');
  });

  test('a row opens in place, another closes it, and the address follows', async () => {
    const { page, complaints } = scripted;
    complaints.splice(0);
    await page.goto(at(ALL));
    await page.evaluate('window.isSamePage = true');
    await opener(page, 1).click();
    await page.locator('tr.xr').waitFor();
    assert.ok(await isOpen(page, 1));
    const first = queryOf(page).open ?? '';
    assert.match(first, /^[^-]+-[^-]+-[^-]+$/);
    await opener(page, 3).focus();
    await page.keyboard.press('Space');
    await until(async () => queryOf(page).open !== first, 'the address of the other row');
    assert.deepEqual([await isOpen(page, 1), await isOpen(page, 3)], [false, true]);
    assert.equal(await page.locator('tr.xr').count(), 1);
    assert.match((await page.locator('tr.xr').textContent()) ?? '', /Before you trade it/);
    await page.reload();
    assert.equal(await page.locator('tr.xr').count(), 1, 'the address has the row open');
    await page.evaluate('window.isSamePage = true');
    await page.locator('tr.open a.ex').click();
    await page.locator('tr.xr').waitFor({ state: 'detached' });
    assert.deepEqual(queryOf(page), { view: 'pairs', min_possible_capacity_usd: '0' });
    assert.equal(await page.evaluate('window.isSamePage'), true);
    assert.deepEqual(complaints, []);
  });

  test('without scripts the same link loads the page with the row open', async () => {
    const { page } = plain;
    await page.goto(at(ALL));
    const [coin] = ((await rows(page).nth(2).getAttribute('data-key')) ?? '').split(' ');
    await follow(page, opener(page, 2));
    assert.equal(await page.locator('tr.xr').count(), 1);
    assert.ok((queryOf(page).open ?? '').startsWith(`${coin}-`));
    await follow(page, page.locator('tr.open a.ex'));
    assert.equal(await page.locator('tr.xr').count(), 0);
  });

  test('the order of the rows is the one of the address, and the head says so', async () => {
    const { page } = plain;
    await page.goto(at(ALL));
    assert.equal(
      await page.locator('th[aria-sort]').count(),
      1,
      (await page.locator('main').textContent()) ?? '',
    );
    assert.match((await page.locator('th[aria-sort=descending]').textContent()) ?? '', /^Likely ↓/);
    await follow(page, 'thead >> text=Capacity');
    assert.equal(queryOf(page).sort, 'capacity_desc');
    const sizes = (await column(page, 'Capacity')).filter((size) => !Number.isNaN(size));
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    const thin = await page.locator('td[data-l=Capacity]', { hasText: 'thin' }).count();
    assert.equal(thin, sizes.filter((size) => size < 10_000).length, 'small sizes are marked');
  });

  test('on a phone rows are cards that keep the roles of a table, and nothing is wider than the page', async () => {
    const { page } = scripted;
    const desk = page.viewportSize();
    for (const width of PHONE_WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(at(ALL));
      const table = page.getByRole('table');
      const count = await rows(page).count();
      assert.equal(await table.getByRole('row').count(), count, 'the head is hidden');
      assert.ok((await table.getByRole('row').first().getByRole('cell').count()) >= 10);
      const [first, second] = [await rows(page).nth(0).boundingBox(), await rows(page).nth(1).boundingBox()];
      assert.ok(
        (second?.y ?? 0) >= (first?.y ?? 0) + (first?.height ?? 0) && (first?.height ?? 0) > 120,
        'cards',
      );
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    }
    if (desk) await page.setViewportSize(desk);
  });

  test('on a phone, where rows have no heads, a field chooses the order; desktops do not show it', async () => {
    const { page } = scripted;
    const desk = page.viewportSize();
    const field = page.locator('select[name=sort]');
    for (const path of [ALL, '/spreads']) {
      await page.goto(at(path));
      assert.equal(await field.isVisible(), false, path);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(at('/spreads'));
    assert.equal(await field.inputValue(), 'net_spread_desc');
    await page.goto(at(ALL));
    assert.equal(await field.inputValue(), 'expected_low_net_desc');
    const choose = async (order: string) => {
      const arrived = arrival(page);
      await field.selectOption(order);
      await arrived;
    };
    await choose('capacity_desc');
    assert.equal(queryOf(page).sort, 'capacity_desc');
    const sizes = (await column(page, 'Capacity')).filter((size) => !Number.isNaN(size));
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    await choose('expected_low_net_desc');
    assert.equal(queryOf(page).sort, undefined, 'the usual order needs no parameter');
    await page.goto(at(`${ALL}&sort=net_apr_asc`));
    assert.equal(await field.inputValue(), 'net_apr_asc', 'an order of a head is kept');
    if (desk) await page.setViewportSize(desk);
  });

  test('rows with a leg on a late venue say so, and the picks leave the venue out', async () => {
    const { page } = plain;
    const { service, clock } = site;
    const startMs = clock.nowMs();
    await collectOnce(site, { latestMs: startMs + SECOND_MS });
    clock.setMs(startMs + LATE_MS - SECOND_MS);
    const { publisher, spreads } = service;
    const collectors = service.collectors.filter(({ venue }) => venue.facts.exchange !== 'Binance');
    const others = { collectors, publisher, spreads } as unknown as typeof service;
    await collectOnce({ ...site, service: others }, { latestMs: startMs + LATE_MS });
    for (const path of [ALL, '/spreads?view=pairs']) {
      await page.goto(at(path));
      const late = rows(page).filter({ hasText: 'Binance' });
      assert.ok((await late.count()) > 0, path);
      assert.equal(await late.filter({ hasText: '1\u00a0min late' }).count(), await late.count(), path);
      assert.equal(
        await page.locator('#results .tag', { hasText: 'late' }).count(),
        await late.count(),
        path,
      );
      assert.equal(await page.locator('#late').textContent(), 'Binance is 1 minute late.');
    }
    await page.goto(at('/arbitrage'));
    assert.doesNotMatch((await page.locator('#picks').textContent()) ?? '', /Binance/);
  });

  test('last, because the clock moves on: new numbers come while a row is open: it stays open, and changed cells are tinted', async () => {
    const { page } = scripted;
    await page.goto(at(ALL));
    await opener(page, 0).click();
    await page.locator('tr.xr').waitFor();
    const key = await page.locator('tr.xr').getAttribute('data-of');
    await page.mouse.move(5, 5);
    await page.locator('h1').click();
    await page.evaluate(`window.tinted = 0; new MutationObserver((changes) => {
      for (const { target } of changes) if (/flash-/.test(target.className)) window.tinted++;
    }).observe(document.querySelector('#results'), { subtree: true, attributeFilter: ['class'] })`);
    const asOf = () => page.locator('.age').getAttribute('title');
    const old = await asOf();
    await site.moveOn(4);
    // The stream looks once a second by the clock of the service. It moves rarely, so that a slow browser finds the
    // session still open.
    let looks = 0;
    await until(async () => {
      if (looks++ % LOOKS_PER_SECOND === 0) site.clock.advanceMs(SECOND_MS);
      return (await asOf()) !== old;
    }, 'new numbers on the page');
    assert.ok(Number(await page.evaluate('window.tinted')) > 0, 'cells were tinted');
    assert.equal(await page.locator('tr.xr').getAttribute('data-of'), key);
    assert.match((await page.locator('tr.xr').textContent()) ?? '', /Before you trade it/);
  });
});
