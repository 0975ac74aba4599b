import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { onEachScreen, SCREENS, type Screen, setScreen } from './screens.ts';
import { demoAnswer, type Row } from './shown.ts';

interface ListCase {
  path: string;
  /** The operation of its alert; null: it has no stream, so nothing can be alerted. */
  alertOf: string | null;
  /** The request that answers its rows. */
  api: string;
  /** A filter that does not work, and the field that keeps it. */
  wrong?: readonly [name: string, value: string];
  noun: string;
}

const DEFAULT_FUNDING = '/api/v1/funding?is_inverse=false&min_volume_usdt=1000000';
const LISTS: readonly ListCase[] = [
  {
    path: '/funding',
    alertOf: 'funding',
    api: DEFAULT_FUNDING,
    wrong: ['min_gross_apr_pct', 'lots'],
    noun: 'coins',
  },
  {
    path: '/funding?view=table',
    alertOf: 'funding',
    api: DEFAULT_FUNDING,
    wrong: ['min_gross_apr_pct', 'lots'],
    noun: 'contracts',
  },
  { path: '/funding/BTC', alertOf: 'funding', api: '/api/v1/funding/BTC', noun: '' },
  {
    path: '/arbitrage?min_possible_capacity_usd=0',
    alertOf: 'arbitrage',
    api: '/api/v1/arbitrage',
    wrong: ['min_net_apr_pct', 'lots'],
    noun: 'coins',
  },
  {
    path: '/spreads',
    alertOf: 'spreads',
    api: '/api/v1/spreads',
    wrong: ['min_spread_pct', 'lots'],
    noun: 'coins',
  },
  {
    path: '/spreads?view=pairs',
    alertOf: 'spreads',
    api: '/api/v1/spreads',
    wrong: ['min_spread_pct', 'lots'],
    noun: 'pairs',
  },
  {
    path: '/spreads/backtest',
    alertOf: 'spreads/backtest',
    api: '/api/v1/spreads/backtest?min_cycles=3',
    wrong: ['min_profit_pct', 'lots'],
    noun: 'pairs',
  },
  {
    path: '/listings',
    alertOf: 'listings',
    api: '/api/v1/listings',
    wrong: ['days_ahead', 'soon'],
    noun: 'events',
  },
  { path: '/coins', alertOf: null, api: '/api/v1/coins', wrong: ['min_venues', 'many'], noun: 'coins' },
  { path: '/exchanges', alertOf: null, api: '/api/v1/exchanges', noun: 'venues' },
  {
    path: '/exchanges/Binance',
    alertOf: 'funding',
    api: '/api/v1/funding?exchange=Binance',
    noun: 'contracts',
  },
];

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('every list in a browser', { skip }, () => {
  let market: FilledMarket;
  let reader: Visit;
  let plain: Visit;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 20 });
    reader = await visit(browser as Browser);
    await reader.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    plain = await visit(browser as Browser, { javaScriptEnabled: false });
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const withFilter = (path: string, name: string, value: string) =>
    `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
  const visible = (page: Page, selector: string): Locator => page.locator(`${selector} >> visible=true`);
  const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  const bodyOf = async (path: string) =>
    (await demoAnswer(market, path)).body as { data: unknown; meta: { total?: number | null } };
  /** Parameters as a map: their order is of no interest. */
  const queryOf = (address: string) =>
    Object.fromEntries(new URL(address, market.service.baseUrl).searchParams);

  for (const one of LISTS)
    test(`${one.path}: "Alert me", "Copy as code", range and order on every screen`, async () => {
      const { page } = reader;
      await page.goto(at(one.path));
      const expected = (await bodyOf(one.api)).meta.total ?? null;
      await onEachScreen(page, async (where, screen) => {
        await assertAlert(page, one, where);
        await assertRange(page, one, where);
        const isFirst = screen === SCREENS[0];
        const asked = await copied(page, isFirst ? ['curl', 'TypeScript', 'Python'] : ['Python'], screen);
        assert.equal(new URL(asked, at('/')).pathname, new URL(one.api, at('/')).pathname, where);
        if (isFirst) assert.equal((await bodyOf(asked)).meta.total ?? null, expected, asked);
      });
    });

  async function assertAlert(page: Page, { alertOf }: ListCase, where: string): Promise<void> {
    const links = visible(page, 'main a:has-text("Alert me")');
    assert.equal(await links.count(), alertOf === null ? 0 : 1, where);
    if (alertOf === null) return;
    const href = (await links.getAttribute('href')) ?? '';
    assert.equal(new URL(href, at('/')).pathname, '/account/alerts/new', where);
    assert.equal(queryOf(href).operation, alertOf, where);
  }

  /** The pager has the range of the rows and the total, and the head of the order its arrow. */
  async function assertRange(page: Page, { path, noun }: ListCase, where: string): Promise<void> {
    const sorted = page.locator(noun === '' ? '#ranking th[aria-sort]' : '#results th[aria-sort]');
    assert.equal(await sorted.count(), 1, where);
    assert.match((await sorted.textContent()) ?? '', /[↑↓]/, where);
    if (noun === '') return;
    const text = (await page.locator('#pager').textContent()) ?? '';
    const [, to, total] =
      new RegExp(`^1–([\\d,]+) of ([\\d,]+) ${noun}`).exec(text) ?? assert.fail(`${where}: ${text}`);
    assert.ok(Number(to) > 0 && Number(to) <= Number(total?.replaceAll(',', '')), text);
    const rows = page.locator('#results tbody tr[data-key]:not(.xr, .grp)');
    assert.equal(await rows.count(), Number(to), `${where}: rows of ${path}`);
  }

  /** Copies the request in each language, and returns the path and query of the last one, which is Python. */
  async function copied(page: Page, languages: readonly string[], { width }: Screen): Promise<string> {
    const drawer = visible(page, 'details.copyas');
    await drawer.locator('summary').click();
    const box = await drawer.locator('.drawer').boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
    for (const language of languages) {
      await drawer.locator(`[role=tab]:text-is("${language}")`).click();
      const code = (await drawer.locator('pre code >> visible=true').textContent()) ?? '';
      assert.ok(code.includes(at('/api/v1/')), code);
      await page.evaluate("navigator.clipboard.writeText('')");
      await drawer.locator('.copy').click();
      await until(async () => (await clipboard(page)) === code, `${language} in the clipboard`);
    }
    const python = await clipboard(page);
    const address = /"(http[^"]+)"/.exec(python)?.[1] ?? '';
    const parameters = JSON.parse(/params=(\{.*\})/.exec(python)?.[1] ?? '{}') as Record<string, string>;
    await page.keyboard.press('Escape');
    await drawer.locator('.drawer').waitFor({ state: 'hidden' });
    return `${new URL(address).pathname}?${new URLSearchParams(parameters)}`;
  }

  test('previous and next have the ranges of their rows, and lead back to the clean address', async () => {
    const { page } = reader;
    const path = '/funding?view=table&min_volume_usdt=0';
    await page.goto(at(path));
    const range = async () => (await page.locator('#pager .nw').textContent()) ?? '';
    const total = Number(/of ([\d,]+)/.exec(await range())?.[1]?.replaceAll(',', ''));
    assert.ok(total > 50, `${total} contracts`);
    await onEachScreen(page, async (where) => {
      assert.equal(await range(), `1–50 of ${total} contracts`, where);
      await follow(page, '[rel=next]');
      assert.equal(await range(), `51–${Math.min(100, total)} of ${total} contracts`, where);
      assert.equal(queryOf(page.url()).page, '2', where);
      await follow(page, '[rel=prev]');
      assert.equal(page.url(), at(path), where);
    });
  });

  for (const { path, wrong } of LISTS)
    if (wrong)
      test(`${path}: a filter that does not work is said in words, and the form keeps what was typed`, async () => {
        const { page } = reader;
        const [name, value] = wrong;
        const reply = await page.goto(at(withFilter(withFilter(path, name, value), 'coin', 'BTC')));
        const isCoins = path === '/coins';
        assert.equal(reply?.status(), 400);
        await onEachScreen(page, async (where) => {
          const fault = page.locator('main [role=alert]');
          assert.ok(await fault.isVisible(), where);
          const text = (await fault.textContent()) ?? '';
          assert.match(text, /^That filter does not work: /, where);
          assert.doesNotMatch(text, /_|invalid|parameter/, where);
          if (isCoins) return;
          assert.equal(await page.inputValue(`#f-${name}, [name=${name}]:checked`), value, where);
          assert.equal(await page.inputValue('#f-coin'), 'BTC', where);
        });
      });

  test('the filters take `1m`, `1,000,000`, a venue in any case and the name of a coin; the address is clean', async () => {
    for (const width of [1440, 390])
      for (const { page } of [reader, plain]) {
        await setScreen(page, { width, colorScheme: width === 390 ? 'dark' : 'light' });
        await page.goto(at('/funding?view=table'));
        await page.locator('form.fbar > .more > summary').click();
        await page.fill('#f-min_open_interest_usdt', '1,000,000');
        await page.fill('#f-max_volume_usdt', '$9B');
        await page.fill('#f-exchange', 'bYBit, OKX');
        await page.fill('#f-coin', 'bitcoin');
        await follow(page, '.drawer button.pri');
        assert.deepEqual(queryOf(page.url()), {
          view: 'table',
          is_inverse: 'false',
          min_volume_usdt: '1000000',
          coin: 'BTC',
          exchange: 'Bybit,OKX',
          min_open_interest_usdt: '1000000',
          max_volume_usdt: '9000000000',
        });
        await page.goto(at('/spreads'));
        await page.locator('form.fbar > .more > summary').click();
        await page.fill('#f-min_spread_pct', '.1 %');
        await follow(page, '.drawer button.pri');
        assert.deepEqual(queryOf(page.url()), { min_spread_pct: '0.1' });
      }
  });

  for (const { path } of LISTS.filter((one) => one.wrong))
    test(`${path}: sending the filters as they are leaves no empty parameter in the address`, async () => {
      for (const { page } of [reader, plain]) {
        await page.goto(at(path));
        await page.locator('form.fbar > .more > summary').click();
        await follow(page, 'form.fbar .drawer button.pri');
        assert.doesNotMatch(page.url(), /=(&|$)|[?&]$/);
        assert.deepEqual(queryOf(page.url()), queryOf(path));
      }
    });

  test('coins and venues are suggested in the filters', async () => {
    const { page } = reader;
    for (const path of ['/funding', '/arbitrage', '/spreads', '/spreads/backtest']) {
      await page.goto(at(path));
      const choices = async (field: string) =>
        (await page.evaluate(
          `[...(document.querySelector('${field}').list?.options ?? [])].map((option) => option.value)`,
        )) as string[];
      const coins = ((await bodyOf('/api/v1/coins?sort=volume_desc')).data as Row[]).map(({ coin }) => coin);
      assert.deepEqual((await choices('#f-coin')).slice(0, 5), coins.slice(0, 5), path);
      // Lists of pairs have venues to tick.
      const isOfPairs = /arbitrage|spreads/.test(path);
      const venues = isOfPairs
        ? await page
            .locator('input[name=exchange]')
            .evaluateAll((ticks) => ticks.map((tick) => tick.getAttribute('value')))
        : await choices('#f-exchange');
      assert.ok(venues.includes('OKX'), path);
    }
  });

  test('a chip takes its filter off, and "Clear all" takes all off', async () => {
    const { page } = reader;
    await setScreen(page, { width: 1440, colorScheme: 'light' });
    await page.goto(at('/spreads?coin=BTC&min_volume_usdt=1000'));
    await follow(page, '[aria-label="Remove filter: BTC"]');
    assert.deepEqual(queryOf(page.url()), { min_volume_usdt: '1000' });
    await page.goto(at('/spreads?coin=BTC&min_volume_usdt=1000'));
    await follow(page, 'text=Clear all');
    assert.equal(page.url(), at('/spreads'));
    await page.goto(at('/funding'));
    assert.equal(await page.locator('[aria-label^="Remove filter"]').count(), 0, 'defaults are no chips');
  });
});
