import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { dataOf, demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('what pages do', { skip }, () => {
  let market: FilledMarket;
  /** One browser context for the tests that need no other: a new one costs more than they do. */
  let shared: Visit;
  const real = () => browser as Browser;
  before(async () => {
    // Few rows: two pages of a list show what five would.
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 20 });
    shared = await visit(real());
    await shared.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const rowsOn = (page: Page) => page.locator('#results tbody tr').allTextContents();

  for (const javaScriptEnabled of [false, true]) {
    test(`filters, sorting and paging work ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { page, context, complaints } = await visit(real(), { javaScriptEnabled });
      await page.goto(at('/funding?view=table'));
      assert.equal(await page.locator('.delayed').textContent(), 'Delayed 15 min');
      await page.locator('.more summary', { hasText: 'More filters' }).click();
      await page.fill('#f-exchange', 'okx');
      await page.fill('#f-max_volume_usdt', '10b');
      await follow(page, '.drawer button.pri:has-text("Show")');
      assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
        view: 'table',
        exchange: 'OKX',
        is_inverse: 'false',
        min_volume_usdt: '1000000',
        max_volume_usdt: '10000000000',
      });
      const venues = new Set(await page.locator('#results tbody tr td:nth-child(2)').allTextContents());
      assert.deepEqual([...venues], ['OKX']);
      assert.equal(await page.locator('th[aria-sort]').textContent(), 'APR ↓% gross', 'the default sort');
      await follow(page, 'thead >> text=Volume');
      assert.match(page.url(), /exchange=OKX.*sort=volume_desc/);
      assert.equal(await page.locator('th[aria-sort=descending]').textContent(), 'Volume ↓24 h');
      await follow(page, '[aria-label="Remove filter: OKX"]');
      assert.doesNotMatch(page.url(), /exchange=OKX/);

      const first = '/funding?view=table&min_volume_usdt=0';
      await page.goto(at(first));
      const seen = await rowsOn(page);
      const { meta } = (await demoAnswer(market, '/api/v1/funding')).body as { meta: { total: number } };
      assert.match((await page.locator('#pager').textContent()) ?? '', new RegExp(`^1–50 of ${meta.total} `));
      let pages = 1;
      for (; (await page.locator('[rel=next]').count()) > 0; pages++) {
        assert.ok(pages < 20);
        await follow(page, '[rel=next]');
        seen.push(...(await rowsOn(page)));
      }
      assert.equal(seen.length, meta.total, 'all pages together have every row');
      assert.match(
        (await page.locator('#pager').textContent()) ?? '',
        new RegExp(`–${meta.total} of ${meta.total} `),
      );
      for (; pages > 1; pages--) await follow(page, '[rel=prev]');
      assert.equal(page.url(), at(first));
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  test('instant search on /coins follows what is typed, in the address too', async () => {
    const { page } = shared;
    await page.goto(at('/coins'));
    await page.locator('#f-q').pressSequentially('bon');
    await page.waitForURL(/q=bon$/);
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    assert.match((await page.locator('tbody').textContent()) ?? '', /BONK/);
    await page.locator('#f-q').fill('nosuchcoin');
    await page.locator('.empty').waitFor();
  });

  test('the next settlement counts down, and its time in UTC is on hover', async () => {
    const { page, context } = await visit(real());
    const { rates } = dataOf(await demoAnswer(market, '/api/v1/funding/BTC')) as { rates: Row[] };
    const next = String(rates.find((row) => row.next_funding_at !== null)?.next_funding_at);
    await page.clock.install({ time: Date.parse(next) - 125_000 });
    await page.goto(at('/funding/BTC'));
    await page.clock.pauseAt(Date.parse(next) - 65_000);
    const shown = page.locator(`tbody time[data-countdown][datetime="${next}"]`).first();
    await page.clock.runFor(1000);
    assert.equal(await shown.textContent(), '01:04');
    await page.clock.runFor(14_000);
    assert.equal(await shown.textContent(), '00:50');
    assert.equal(await shown.getAttribute('title'), `${next.replace('T', ' ').replace('Z', '')} UTC`);
    await page.clock.runFor(60_000);
    assert.equal(await shown.textContent(), 'settling now');
    await page.clock.runFor(120_000);
    // Contracts of several intervals may settle at this time.
    const hours = Number(await shown.getAttribute('data-every'));
    assert.ok(rates.some((row) => row.next_funding_at === next && row.interval_hours === hours));
    const left = `${String(hours - 1).padStart(2, '0')}:57:50`;
    assert.equal(await shown.textContent(), hours === 1 ? '57:50' : left, 'delayed data: the next one');
    await context.close();
  });

  test("times are in UTC or, after a switch, in the visitor's zone, with the zone beside them", async () => {
    const { page, context } = await visit(real());
    const shown = page.locator('#results tbody time').first();
    await page.goto(at('/spreads/backtest'));
    const iso = (await shown.getAttribute('datetime')) ?? '';
    const title = `${iso.replace('T', ' ').replace('Z', '')} UTC`;
    const partsIn = (timeZone: string, time: Date) => {
      const part = (options: Intl.DateTimeFormatOptions) =>
        time.toLocaleString('en-GB', { timeZone, ...options });
      return {
        day: part({ day: 'numeric', month: 'short' }),
        minute: part({ timeStyle: 'short' }),
        // CET in winter, CEST in summer.
        zone: part({ timeZoneName: 'short' }).split(' ').at(-1),
      };
    };
    /** What a reader sees whose clock is at `now`. */
    const textIn = (timeZone: string, now: Date) => {
      const { day, minute, zone } = partsIn(timeZone, new Date(iso));
      return `${day === partsIn(timeZone, now).day ? 'today' : day} ${minute} ${zone}`;
    };
    const lastHour = new Date(`${iso.slice(0, 10)}T23:30:00Z`);
    const nextDay = new Date(Date.parse(iso) + 24 * 3_600_000);
    assert.match(textIn('UTC', lastHour), /^today \d\d:\d\d UTC$/);
    assert.match(textIn('UTC', nextDay), /^\d+ [A-Z][a-z]{2} \d\d:\d\d UTC$/);
    // At 23:30 in UTC the next day has begun in Berlin.
    for (const now of [new Date(iso), lastHour, nextDay]) {
      await page.clock.setFixedTime(now);
      await page.reload();
      const when = `at ${now.toISOString()}`;
      assert.equal(await shown.textContent(), textIn('UTC', now), when);
      await page.locator('.prefs button[value=local]').click();
      assert.equal(await shown.textContent(), textIn('Europe/Berlin', now), when);
      assert.equal(await shown.getAttribute('title'), title);
      await page.waitForFunction(
        `fetch(location.href).then((reply) => reply.text()).then((text) => text.includes('data-zone="local"'))`,
      );
      await page.reload();
      assert.equal(await shown.textContent(), textIn('Europe/Berlin', now), 'the choice is in a cookie');
      await page.locator('.prefs button[value=utc]').click();
      assert.equal(await shown.textContent(), textIn('UTC', now), 'back in UTC');
      await page.waitForFunction(
        `fetch(location.href).then((reply) => reply.text()).then((text) => !text.includes('data-zone="local"'))`,
      );
    }
    await context.close();
  });

  test('settled payments of a contract are one click from the page of its coin', async () => {
    const { page } = shared;
    await page.goto(at('/funding/BTC'));
    await follow(page, page.locator('[aria-label$="settled payments of BTC-USDT on Binance"]'));
    assert.match(
      page.url(),
      /\/funding\/BTC\/history\?exchange=Binance&symbol=BTC-USDT&resolution=settlement$/,
    );
    const rows = await page.locator('#figures tbody tr').count();
    assert.ok(rows > 10, `${rows} payments`);
  });

  test('copy buttons of the quick start: curl, TypeScript and Python', async () => {
    const { page } = shared;
    await page.goto(at('/developers'));
    const block = page.locator('.code[data-tabs]').first();
    for (const [name, language] of [
      ['curl', 'sh'],
      ['TypeScript', 'ts'],
      ['Python', 'python'],
    ] as const) {
      await block.locator(`[role=tab]:text-is("${name}")`).click();
      const code = block.locator('pre code >> visible=true');
      assert.equal(await code.getAttribute('class'), `language-${language}`, 'one language at a time');
      const text = (await code.textContent()) ?? '';
      await block.locator('.copy').click();
      await until(
        async () => (await page.evaluate('navigator.clipboard.readText()')) === text,
        `${name} in the clipboard`,
      );
      assert.ok(text.includes(`${market.service.baseUrl}/api/v1/funding`), text);
    }
    assert.equal(await block.locator('[role=tablist] .copy').count(), 0, 'Copy is no tab');
    await page.goto(at('/developers/streams'));
    const remembered = page.locator('.code[data-tabs] [role=tab][aria-selected=true]').first();
    assert.equal(await remembered.textContent(), 'Python', 'the language is remembered for all blocks');
  });

  test('the home page has its curl line to copy', async () => {
    const { page } = shared;
    await page.goto(at('/'));
    await page.locator('.code [role=tab]:text-is("curl")').click();
    await page.locator('.copy >> visible=true').click();
    await page.locator('text=Copied').waitFor();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^curl -H "Authorization/);
  });

  test('all of /funding can be reached by keyboard, the skip link first', async () => {
    const { page } = shared;
    await page.goto(at('/funding?view=table'));
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash === '#main');
    await page.focus('#f-coin');
    await page.keyboard.type('BTC');
    await page.keyboard.press('Enter');
    await page.waitForURL(/coin=BTC/);
    const coins = new Set(await page.locator('tbody tr td:nth-child(1)').allTextContents());
    assert.deepEqual(
      [...coins].map((text) => text.replace(/^B(?=BTC)/, '')),
      ['BTC'],
    );
  });

  test('markup in a query string is shown as text', async () => {
    const { page, complaints } = shared;
    complaints.splice(0);
    await page.goto(at(`/funding?view=table&coin=${encodeURIComponent('<img src=x onerror=alert(1)>')}`));
    assert.equal(await page.locator('img[src=x]').count(), 0);
    assert.equal(await page.inputValue('#f-coin'), '<IMG SRC=X ONERROR=ALERT(1)>');
    assert.deepEqual(complaints, []);
  });
});
