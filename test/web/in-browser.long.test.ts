import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, type Visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type LiveSite, liveSite, readerVisit, renderedNow, untilSent } from './live-site.ts';
import { SCREENS, setScreen } from './screens.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const TABLE = '/funding?view=table';

/** Counts how often each cell was tinted, from now on. Countdowns are no numbers of the market. */
const watchFlashes = (region: string, cells: string) => `
  window.flashes = new Map();
  new MutationObserver((changes) => {
    // Several changes of one cell come together, and all of them see its last state.
    const last = new Map(changes.map(({ target, oldValue }) => [target, oldValue ?? '']));
    for (const [cell, oldValue] of last)
      if (/flash-/.test(cell.className) && !/flash-/.test(oldValue))
        window.flashes.set(cell, (window.flashes.get(cell) ?? 0) + 1);
  }).observe(document.querySelector('${region}'), { subtree: true, attributeFilter: ['class'], attributeOldValue: true });
  window.before = new Map([...document.querySelectorAll('${cells}')]
    .filter((cell) => !cell.querySelector('time')).map((cell) => [cell, cell.textContent]));`;
const WATCH_FLASHES = watchFlashes('#results', '#results td');

const FLASHED = `
  [...window.before].map(([cell, text]) => ({
    text, now: cell.textContent, flashes: window.flashes.get(cell) ?? 0, isTinted: /flash-/.test(cell.className) }))`;

suite('pages in a browser, on live data', { skip }, () => {
  let site: LiveSite;
  let reader: Visit;
  before(async () => {
    site = await liveSite();
    reader = await readerVisit(browser as Browser, site);
  });
  beforeEach(() => reader.complaints.splice(0));
  after(() => site.stop());
  const at = (path: string) => `${site.service.baseUrl}${path}`;
  const badge = (page: Page) => page.locator('#live');
  const asOfOnPage = async (page: Page) => (await page.locator('.age').getAttribute('title')) ?? '';
  const keysOnPage = (page: Page) =>
    page
      .locator('#results tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key') ?? ''));
  const keysNow = async (path: string) =>
    [...(await renderedNow(reader.context, at(path))).matchAll(/<tr data-key="([^"]*)"/g)].map(
      ([, key]) => key,
    );
  const showsState = (page: Page, words: string) =>
    badge(page).locator(`.state >> text="${words}"`).waitFor();
  const openLive = async (path: string) => {
    await reader.page.goto(at(path));
    await showsState(reader.page, 'Live');
  };
  /** Publishes new numbers and waits until the page has them. */
  const newNumbers = async (page: Page, minutes: number) => {
    const old = await asOfOnPage(page);
    await site.moveOn(minutes);
    await untilSent(site, async () => (await asOfOnPage(page)) !== old, 'new numbers on the page');
  };

  test('a changed cell is tinted once, others never; no column changes its width', async () => {
    const { page, complaints } = reader;
    await page.mouse.move(5, 5);
    await openLive('/funding');
    await page.evaluate(WATCH_FLASHES);
    await assertTintedOnce(page, '#results thead th', 5);
    assert.deepEqual(complaints, []);
  });

  test('the page of a coin tints a changed figure once, and no column changes its width', async () => {
    const { page, complaints, context } = await readerVisit(browser as Browser, site);
    // Countdowns stand still: at a settlement their words are wider than before.
    await page.clock.setFixedTime(site.clock.nowMs());
    for (const screen of SCREENS.filter((_, i) => i % 2 === 0)) {
      await setScreen(page, screen);
      await page.mouse.move(5, 5);
      await page.goto(at('/funding/BTC'));
      await showsState(page, 'Live');
      await page.evaluate(watchFlashes('main', '#ranking td, #stats dd'));
      await assertTintedOnce(page, '#ranking thead th', 2);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

  /** New numbers tint each changed cell once, others never, and leave the widths of the columns as they are. */
  async function assertTintedOnce(page: Page, heads: string, least: number): Promise<void> {
    const widths = () =>
      page
        .locator(heads)
        .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().width)));
    const widthsBefore = await widths();
    await newNumbers(page, 4);
    type Flashed = { text: string; now: string; flashes: number; isTinted: boolean };
    let cells: Flashed[] = [];
    await until(async () => {
      cells = (await page.evaluate(FLASHED)) as Flashed[];
      return cells.every(({ isTinted }) => !isTinted);
    }, 'the end of the tint');
    const numberOf = (text: string) => /[\d.]+/.exec(text)?.[0];
    const changed = cells.filter(({ text, now }) => text !== now && numberOf(text) && numberOf(now));
    assert.ok(changed.length > least, `${changed.length} cells changed`);
    assert.deepEqual(
      changed.filter(({ flashes }) => flashes !== 1),
      [],
    );
    assert.deepEqual(
      cells.filter(({ text, now, flashes }) => text === now && flashes > 0),
      [],
    );
    assert.deepEqual(await widths(), widthsBefore);
  }

  test('with reduced motion nothing is tinted', async () => {
    const { page } = reader;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openLive('/funding');
    await page.evaluate(WATCH_FLASHES);
    await newNumbers(page, 4);
    const cells = (await page.evaluate(FLASHED)) as { text: string; now: string; flashes: number }[];
    assert.ok(cells.some(({ text, now }) => text !== now));
    assert.ok(cells.every(({ flashes }) => flashes === 0));
    await page.emulateMedia({ reducedMotion: 'no-preference' });
  });

  test('rows stay where they are under the pointer, and a pill offers the new order', async () => {
    const { page } = reader;
    await openLive(TABLE);
    const order = await keysOnPage(page);
    await page.locator('#results tbody tr').nth(2).hover();
    const pill = page.locator('.resort');
    assert.ok(!(await pill.isVisible()));
    await newNumbers(page, 45);
    assert.notDeepEqual(await keysNow(TABLE), order, 'the market has another order');
    assert.deepEqual(await keysOnPage(page), order, 'the page keeps its own');
    assert.equal(await pill.textContent(), 'Order changed · Re-sort');
    await pill.click();
    await pill.waitFor({ state: 'hidden' });
    assert.deepEqual(await keysOnPage(page), await keysNow(TABLE));
  });

  test('the order comes by itself when the pointer leaves the table', async () => {
    const { page } = reader;
    await openLive(TABLE);
    await page.locator('#results tbody tr').nth(2).hover();
    await newNumbers(page, 45);
    const order = await keysNow(TABLE);
    assert.notDeepEqual(await keysOnPage(page), order);
    await page.mouse.move(5, 5);
    await page.locator('.resort').waitFor({ state: 'hidden' });
    assert.deepEqual(await keysOnPage(page), order);
  });

  test('an order that waits is forgotten when the content changes: it has the stars of before', async () => {
    const { page } = reader;
    await openLive(TABLE);
    const row = page.locator('#results tbody tr').nth(2);
    await row.hover();
    await newNumbers(page, 45);
    const pill = page.locator('.resort');
    await pill.waitFor();
    const star = row.locator('button[name=add]');
    const coin = await star.getAttribute('value');
    await star.click();
    await pill.waitFor({ state: 'hidden' });
    await page.mouse.move(5, 5);
    await page.evaluate('document.activeElement.blur()');
    const kept = page.locator(`#results button[name=remove][value="${coin}"]`);
    assert.ok((await kept.count()) > 0, 'the coin keeps its star');
    await kept.first().click();
    await page.locator(`#results button[name=add][value="${coin}"]`).first().waitFor();
  });

  test('Pause holds the page, Resume brings it up to date', async () => {
    const { page } = reader;
    await openLive(TABLE);
    await badge(page).getByRole('button', { name: 'Pause' }).click();
    assert.match((await badge(page).textContent()) ?? '', /^Pausedat \d\d:\d\d:\d\d UTCResume/);
    const [asOf, order] = [await asOfOnPage(page), await keysOnPage(page)];
    await site.moveOn(4);
    site.clock.advanceMs(2000);
    assert.equal(await asOfOnPage(page), asOf);
    assert.deepEqual(await keysOnPage(page), order);
    await badge(page).getByRole('button', { name: 'Resume' }).click();
    await untilSent(site, async () => (await asOfOnPage(page)) !== asOf, 'newer numbers');
    assert.match((await badge(page).textContent()) ?? '', /^Liveupdated \d+ (s|min) agoPause/);
  });

  test('a lost connection says so, with the time of the numbers, and Try now reconnects', async () => {
    const { page, complaints } = reader;
    await openLive(TABLE);
    await page.route('**/live/**', (route) => route.abort());
    await badge(page).getByRole('button', { name: 'Pause' }).click();
    await badge(page).getByRole('button', { name: 'Resume' }).click();
    await showsState(page, 'Connection lost');
    assert.match(
      (await badge(page).textContent()) ?? '',
      /^Connection lostshowing \d\d:\d\d:\d\d UTC, trying again in \d+ sTry now/,
    );
    assert.equal(await badge(page).locator('[role=status]').textContent(), 'Connection lost');
    await page.unroute('**/live/**');
    await badge(page).getByRole('button', { name: 'Try now' }).click();
    await showsState(page, 'Live');
    assert.ok(
      complaints.every((line) => line.includes('ERR_FAILED')),
      complaints.join(),
    );
  });

  test('Back and a reload restore the place in a table that scrolls inside the page', async () => {
    const { page } = reader;
    await page.setViewportSize({ width: 1000, height: 640 });
    await page.goto(at(TABLE));
    const region = page.locator('#results');
    const place = () => region.evaluate(({ scrollTop, scrollLeft }) => ({ scrollTop, scrollLeft }));
    await region.evaluate((element) => element.scrollTo({ top: 240, left: 60 }));
    const left = await place();
    assert.ok(left.scrollTop === 240 && left.scrollLeft > 0);
    await page.goto(at('/plans'));
    await page.goBack();
    assert.deepEqual(await place(), left, 'after Back');
    await page.reload();
    assert.deepEqual(await place(), left, 'after a reload');
    await page.goto(at(TABLE));
    assert.deepEqual(await place(), { scrollTop: 0, scrollLeft: 0 }, 'a new visit starts at the top');
  });

  for (const path of ['/funding', TABLE]) {
    test(`${path}: head and first column stay in sight while the table scrolls, inside the page or with it`, async () => {
      const { page } = reader;
      await page.setViewportSize({ width: 1000, height: 640 });
      await page.goto(at(path));
      const boxes = (from: 'region' | 'page' = 'region') =>
        page.locator('#results').evaluate((region, isFromPage) => {
          const { top, left } = isFromPage ? { top: 0, left: 0 } : region.getBoundingClientRect();
          const of = (name: string) => region.querySelector(name)?.getBoundingClientRect();
          const [head, first] = [of('thead th'), of('tbody tr > *')];
          return {
            headTop: Math.round((head?.top ?? Number.NaN) - top),
            firstLeft: Math.round((first?.left ?? Number.NaN) - left),
            firstTop: Math.round((first?.top ?? Number.NaN) - top),
          };
        }, from === 'page');
      const before = await boxes();
      await page.locator('#results').evaluate((region) => region.scrollTo({ top: 200, left: 150 }));
      const scrolled = await boxes();
      assert.equal(scrolled.firstTop, before.firstTop - 200, 'the table has scrolled');
      assert.equal(scrolled.headTop, before.headTop);
      assert.equal(scrolled.firstLeft, before.firstLeft);

      await page.setViewportSize({ width: 390, height: 844 });
      const region = page.locator('#results');
      const [whole, seen] = await region.evaluate((one) => [one.scrollHeight, one.clientHeight]);
      assert.equal(whole, seen, 'on a phone the table does not scroll up and down inside the page');
      await region.evaluate((one) => {
        one.scrollTo({ left: 150 });
        one.scrollIntoView();
      });
      await page.evaluate('scrollBy(0, 200)');
      const bar = await page
        .locator('.top')
        .evaluate((one) => Math.round(one.getBoundingClientRect().bottom));
      await until(async () => (await boxes('page')).headTop === bar, 'the head below the top bar');
      assert.equal((await boxes('page')).firstLeft, 0, 'the first column');
      await page.setViewportSize({ width: 1300, height: 900 });
    });
  }

  const card = (page: Page) => page.locator('.pop.card-now');
  /** A cell of the matrix by coin and venue. */
  const cellOf = async (page: Page, coin: string, exchange: string) => {
    const venues = await page
      .locator('#results thead th')
      .evaluateAll((heads) => heads.map((one) => one.getAttribute('data-x')));
    return page.locator(`#results tr[data-key="${coin}"] > *`).nth(venues.indexOf(exchange));
  };

  test('a cell of the matrix opens its card on hover, with the figures of the API', async () => {
    const { page } = reader;
    await page.goto(at('/funding'));
    const cell = await cellOf(page, 'BTC', 'Binance');
    await cell.hover();
    await card(page).waitFor();
    const { body } = await site.get('/api/v1/funding/BTC');
    const rates = (body as { data: { rates: Record<string, unknown>[] } }).data.rates;
    const [rate] = rates
      .filter((one) => one.exchange === 'Binance' && one.is_inverse === false)
      .toSorted((a, b) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt));
    const paid = Number(rate?.rate_pct);
    const signed = `${paid > 0 ? '+' : '−'}${Math.abs(paid).toFixed(4)} %`;
    const text = (await card(page).textContent()) ?? '';
    assert.match(text, new RegExp(`^BTC on Binance${String(rate?.symbol)}`));
    assert.ok(text.includes(`${signed} / ${String(rate?.interval_hours)} h`), text);
    assert.equal(
      await card(page).locator('a').first().getAttribute('href'),
      '/funding/BTC/history?exchange=Binance',
    );
    await page.mouse.move(5, 5);
    await card(page).waitFor({ state: 'hidden' });
  });

  test('the matrix by keys: Tab enters once, arrows, Home and End move, Enter opens, Esc closes', async () => {
    const { page } = reader;
    await page.goto(at('/funding'));
    await page.locator('#results').focus();
    const focused = () =>
      page.evaluate(
        `(() => { const cell = document.activeElement; const row = cell.closest('tr'); return row ? [row.sectionRowIndex, cell.cellIndex] : null; })()`,
      );
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return await focused();
    };
    const columns = await page.locator('#results thead th').count();
    const rows = await page.locator('#results tbody tr').count();
    assert.equal(await focused(), null);
    assert.deepEqual(await press('ArrowDown'), [0, 1]);
    assert.deepEqual(await press('ArrowDown'), [1, 1]);
    assert.deepEqual(await press('ArrowRight'), [1, 2]);
    assert.deepEqual(await press('End'), [1, columns - 1]);
    assert.deepEqual(await press('ArrowRight'), [1, columns - 1], 'not beyond the last column');
    assert.deepEqual(await press('ArrowUp'), [0, columns - 1]);
    assert.deepEqual(await press('ArrowUp'), [0, columns - 1], 'not above the first row');
    assert.deepEqual(await press('Home'), [0, 1]);
    assert.deepEqual(await press('ArrowLeft'), [0, 1], 'not before the first figure');
    for (let row = 1; row < rows + 2; row++) await press('ArrowDown');
    assert.deepEqual(await focused(), [rows - 1, 1], 'not below the last row');
    const cell = await cellOf(page, 'BTC', 'Binance');
    await cell.evaluate((one) => one.setAttribute('tabindex', '-1'));
    await cell.focus();
    const place = await focused();
    await page.keyboard.press('Enter');
    await card(page).locator('a:focus').waitFor();
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'hidden' });
    assert.deepEqual(await focused(), place, 'the focus returns to its cell');
  });

  test('on a phone a tap opens the card, and a tap elsewhere closes it', async () => {
    const phone = await readerVisit(browser as Browser, site, { width: 390, hasTouch: true });
    await phone.page.clock.install();
    await phone.page.goto(at('/funding'));
    // The first venue is in sight: the card closes when the table scrolls.
    const venue = await phone.page.locator('#results thead th[data-x]').first().getAttribute('data-x');
    const cell = await cellOf(phone.page, 'ETH', venue ?? '');
    await cell.tap();
    await card(phone.page).waitFor();
    assert.match((await card(phone.page).textContent()) ?? '', new RegExp(`^ETH on ${venue}`));
    // Longer than the card stays after a mouse has left: a finger leaves at once.
    await phone.page.clock.runFor(400);
    const box = await card(phone.page).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await phone.page.locator('h1').tap();
    await card(phone.page).waitFor({ state: 'hidden' });
    await phone.context.close();
  });

  test('/ focuses the search, arrows and Enter open what it found; the key can be turned off', async () => {
    const { page } = reader;
    await page.goto(at('/plans'));
    const isFocused = () => page.evaluate(`document.activeElement.id === 'q'`);
    await page.keyboard.press('/');
    assert.ok(await isFocused());
    await page.keyboard.type('bitco');
    // Arrows choose only from suggestions for the text that was typed, which come a little later.
    await until(async () => {
      await page.keyboard.press('ArrowDown');
      return (await page.locator('#q').getAttribute('aria-activedescendant')) !== null;
    }, 'a chosen suggestion for bitco');
    const shown = await page.locator('.suggest:visible [role=option]').allTextContents();
    assert.ok(shown.length > 0 && shown.every((text) => /bitco/i.test(text)), shown.join(' | '));
    await page.keyboard.press('Enter');
    await page.waitForURL(at('/funding/BTC'));
    await page.goto(at('/plans'));
    await page.locator('.prefs button[name=slash][value=off]').click();
    await page.locator('h1').click();
    await page.keyboard.press('/');
    assert.ok(!(await isFocused()));
    await page.locator('.prefs button[name=slash][value=on]').click();
    await page.locator('h1').click();
    await page.keyboard.press('/');
    assert.ok(await isFocused());
  });

  test('suggestions for an earlier text are not opened: Enter then searches for what is typed', async () => {
    const { page } = reader;
    await page.goto(at('/plans'));
    await page.keyboard.press('/');
    await page.locator('.suggest:visible [role=option]').first().waitFor();
    await page.route('**/search.json?q=*', () => undefined);
    await page.keyboard.type('bitco');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(at('/search?q=bitco'));
    await page.unroute('**/search.json?q=*');
  });

  test('theme and palette change at once, and the next page starts with them', async () => {
    const { page, context } = reader;
    await page.goto(at('/funding'));
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const [light, dark] = ['rgb(245, 246, 248)', 'rgb(9, 11, 15)'];
    assert.equal(await paper(), light);
    const theme = page.locator('.top .theme button');
    const kept = async (words: string) =>
      await until(async () => (await renderedNow(context, at('/plans'))).includes(words), words);
    for (const [label, colour, attribute] of [
      ['Theme: light', light, 'data-theme="light"'],
      ['Theme: dark', dark, 'data-theme="dark"'],
    ] as const) {
      await theme.click();
      assert.equal(await theme.getAttribute('aria-label'), label);
      assert.equal(await paper(), colour);
      await kept(attribute);
    }
    await page.reload();
    assert.equal(await paper(), dark, 'without a flash of the other theme: the server renders it');
    await theme.click();
    assert.equal(await theme.getAttribute('aria-label'), 'Theme: follow the system');
    assert.equal(await paper(), light);
    const positive = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.leg .p5')).backgroundColor`);
    const teal = await positive();
    await page.locator('.prefs button[value=blue]').click();
    assert.notEqual(await positive(), teal);
    await kept('data-palette="blue"');
    await page.locator('.prefs button[value=teal]').click();
    assert.equal(await positive(), teal);
  });

  test('digits and signs are of one width, so that a number keeps its place when it changes', async () => {
    const { page } = reader;
    await page.goto(at('/funding'));
    const widths = (await page.evaluate(`[...'0123456789'].map((digit) => {
      const probe = document.createElement('span');
      probe.textContent = digit.repeat(20);
      document.querySelector('#results td').append(probe);
      const { width } = probe.getBoundingClientRect();
      probe.remove();
      return width;
    })`)) as number[];
    assert.equal(new Set(widths).size, 1, widths.join());
    assert.ok((widths[0] ?? 0) > 50);
  });
});
