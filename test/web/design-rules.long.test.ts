import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { carryPath, MARKET_PATHS, pairPath } from './market-paths.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

/** Elements in which code, names of fields and keys are written. */
const CODE = 'code, pre, .ep';

/** The texts of a page that break the rule of fonts. */
const WRONG_FONTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const wrong = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim();
    const element = node.parentElement;
    if (text === '' || !element || element.closest('script, style, noscript, template, svg title')) continue;
    const { fontFamily, fontVariantNumeric } = getComputedStyle(element);
    const isMono = /^"?Geist Mono/.test(fontFamily);
    const isCode = element.closest(${JSON.stringify(CODE)}) !== null;
    const say = (what) => wrong.push(what + ': ' + text.slice(0, 40) + ' <' + element.tagName.toLowerCase() + ' class=' + element.getAttribute('class') + '>');
    if (isMono && !isCode) say('mono outside of code');
    if (!isMono && !/^"?Geist"?,/.test(fontFamily)) say('another font, ' + fontFamily);
    if (!isMono && /\\d/.test(text) && !fontVariantNumeric.includes('tabular-nums')) say('digits of different widths');
  }
  return wrong;
})()`;

suite('rules of the design, in a browser', { skip }, () => {
  let market: FilledMarket;
  const real = () => browser as Browser;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 20 });
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;

  test('numbers have digits of one width, and Geist Mono is only where code is', async () => {
    const { page, context } = await visit(real());
    const paths = [
      ...MARKET_PATHS,
      '/funding?view=table',
      await carryPath(market),
      await pairPath(market),
      ...[
        '/plans',
        '/search?q=bitcoin',
        '/more',
        '/sign-in',
        '/sign-up',
        '/developers',
        '/developers/assistants',
      ],
    ];
    for (const path of paths) {
      const reply = await page.goto(at(path));
      assert.equal(reply?.status(), 200, path);
      assert.deepEqual(await page.evaluate(WRONG_FONTS), [], path);
    }
    await context.close();
  });

  test('a second of countdowns lays a table out a few times, not once for each row', async () => {
    const { page, context } = await visit(real());
    await page.goto(at('/funding?view=table'), { waitUntil: 'load' });
    // Not that of the page's head: it ends with its settlement, and the service has a clock that stands still.
    const countdowns = page.locator('#results time[data-countdown]');
    const texts = async () => (await countdowns.allTextContents()).join();
    const nextSecond = async () => {
      const shown = await texts();
      await until(async () => (await texts()) !== shown, 'the countdowns go on');
    };
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    const layouts = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN;
    };
    const rows = await countdowns.count();
    assert.ok(rows >= 20, `${rows} countdowns`);
    await nextSecond();
    const before = await layouts();
    await nextSecond();
    const count = (await layouts()) - before;
    assert.ok(count < rows / 2, `${count} layouts for ${rows} countdowns`);
    await context.close();
  });

  test('Geist Mono is not even loaded on a page without code', async () => {
    const { page, context } = await visit(real());
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'font')
        fonts.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
    });
    await page.goto(at('/funding'));
    await page.evaluate('document.fonts.ready.then(() => true)');
    assert.deepEqual([...new Set(fonts)], ['geist-latin.woff2']);
    await context.close();
  });

  /** Which heads of a table are whole within its frame. */
  const wholeHeads = async (page: Page, region: string) =>
    await page.locator(region).evaluate((box) => {
      const { left, right } = box.getBoundingClientRect();
      return [...box.querySelectorAll('thead th')].flatMap((head) => {
        const place = head.getBoundingClientRect();
        const isWhole = place.width > 0 && place.left >= left - 1 && place.right <= right + 1;
        return isWhole ? [head.querySelector('a')?.textContent ?? head.firstChild?.textContent ?? ''] : [];
      });
    });

  for (const [path, region, heads] of [
    ['/funding?view=table', '#results', ['Coin', 'Venue', 'Rate', 'APR']],
    ['/funding/BTC', '#ranking .tw', ['Venue', 'Rate', 'APR']],
    ['/exchanges/Binance', '#results', ['Coin', 'Contract', 'Rate']],
    ['/exchanges', '#results', ['Venue', 'Contracts', 'Taker fee', 'Data', 'Last good']],
    ['/coins', '#results', ['Coin', 'Average', 'Highest']],
    ['/spreads/backtest', '#results', ['Coin', 'Venues', 'Median profit', 'Mean profit']],
    ['/listings', '#results', ['Takes effect', 'What', 'Venue']],
    ['/status', '[aria-label=Venues]', ['Venue', 'State', 'Last good data']],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const)
      test(`${path} on a phone, ${colorScheme}: ${heads.join(', ')} are not cut`, async () => {
        const { page, context } = await visit(real(), { width: 390, colorScheme, hasTouch: true });
        await page.goto(at(path));
        const whole = (await wholeHeads(page, region)).map((head) => head.replace(/ [↑↓]$/, '').trim());
        for (const head of heads) assert.ok(whole.includes(head), `${head} in ${whole}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
        await context.close();
      });
});
