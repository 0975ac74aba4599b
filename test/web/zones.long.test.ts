import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { type MadeListings, madeListings } from './made-listings.ts';
import { onEachScreen } from './screens.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
const real = () => browser as Browser;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const KOLKATA = 'Asia/Kolkata';
/** Its clocks went back on Sunday, 1 November 2026, at 02:00, from GMT-7 to GMT-8. */
const LOS_ANGELES = 'America/Los_Angeles';

async function chooseLocal(context: BrowserContext, baseUrl: string): Promise<void> {
  await context.addCookies([{ name: 'pw_view', value: 'zone=local', url: baseUrl }]);
}

suite('/listings in the zone that the reader chose', { skip }, () => {
  const AS_OF = '2026-11-16T20:00:00Z';
  const EVENTS: readonly (readonly [string, string | null])[] = [
    // Six on one day of UTC, of which the calendar shows five.
    ...[1, 2, 3, 4, 5].map((hour) => [`EARLY${hour}`, `2026-11-17T0${hour}:00:00Z`] as const),
    ['LATE', '2026-11-17T23:30:00Z'],
    ['SPRING', '2026-11-16T19:00:00Z'],
    // In Los Angeles both are of 1 November, which has 25 hours.
    ['DAWN', '2026-11-01T07:30:00Z'],
    ['NIGHT', '2026-11-02T07:30:00Z'],
    // Before and after the weeks of the calendar in UTC, and in it elsewhere.
    ['BEFORE', '2026-10-25T20:00:00Z'],
    ['BEYOND', '2026-12-07T05:00:00Z'],
    ['UNDATED', null],
  ];
  let site: MadeListings;
  before(async () => {
    site = await madeListings();
    site.publish(AS_OF, EVENTS);
  });
  after(() => site.stop());

  /** The contracts in each cell of the calendar, and in the table under each heading. */
  const shown = async (page: Page) => {
    const cells = await page
      .locator('#calendar td')
      .evaluateAll((all) =>
        all.map((cell) => [
          cell.getAttribute('data-day') ?? '',
          [...cell.querySelectorAll('li')].map((item) => item.textContent?.trim() ?? ''),
        ]),
      );
    const rows = await page
      .locator('#results tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [
          row.classList.contains('grp') ? row.textContent : '',
          row.getAttribute('data-key') ?? '',
        ]),
      );
    const table = new Map<string, string>();
    let day = '';
    for (const [heading, key] of rows) {
      if (heading) day = heading;
      else table.set(/ ([A-Z]+\d?)-USDT/.exec(key ?? '')?.[1] ?? '', day);
    }
    const calendar = new Map<string, string>();
    for (const [cell, items] of cells as [string, string[]][])
      for (const item of items) {
        const name = /▲ ([A-Z]+\d?)-USDT/.exec(item)?.[1];
        calendar.set(name ?? item, cell);
      }
    return { calendar, table };
  };
  const zoneOf = async (page: Page) => await page.locator('#calendar .zone').textContent();
  const todayOf = async (page: Page) =>
    await page.locator('#calendar td[aria-current=date]').getAttribute('data-day');

  test('in UTC, and without scripts whatever was chosen, all days are of UTC and the page says so', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, context } = await visit(real(), { javaScriptEnabled, zone: KOLKATA });
      if (!javaScriptEnabled) await chooseLocal(context, site.baseUrl);
      await page.goto(`${site.baseUrl}/listings`);
      const { calendar, table } = await shown(page);
      assert.equal(await zoneOf(page), 'UTC');
      assert.equal(await todayOf(page), '2026-11-16');
      assert.equal(calendar.get('SPRING'), '2026-11-16');
      assert.equal(calendar.get('1 more'), '2026-11-17', 'the sixth of the day');
      assert.equal(calendar.has('BEYOND'), false);
      assert.equal(table.get('LATE'), 'Tuesday, 17 November 2026');
      assert.equal(table.get('UNDATED'), 'Not announced yet');
      const times = await page.locator('#results tbody time').allTextContents();
      for (const time of times) assert.match(time, / UTC$/);
      await context.close();
    }
  });

  test('an event late on a day of UTC moves to the next day in Kolkata, in the calendar and in the table', async () => {
    const { page, context, complaints } = await visit(real(), { zone: KOLKATA });
    await page.goto(`${site.baseUrl}/listings`);
    await page.locator('.prefs button[value=local]').click();
    await until(async () => (await zoneOf(page)) === 'GMT+5:30', 'the calendar is in the zone');
    const check = async (where: string) => {
      const { calendar, table } = await shown(page);
      assert.equal(await todayOf(page), '2026-11-17', `${where}: 01:30 there`);
      assert.equal(calendar.get('LATE'), '2026-11-18', where);
      assert.equal(table.get('LATE'), 'Wednesday, 18 November 2026', where);
      assert.equal(calendar.get('SPRING'), '2026-11-17', where);
      assert.equal(
        calendar.get('1 more'),
        '2026-11-17',
        `${where}: five of UTC's day and one of the day before`,
      );
      assert.equal(calendar.get('BEFORE'), '2026-10-26', `${where}: from before the first day of UTC`);
      assert.equal(calendar.has('BEYOND'), false, where);
      for (const [name, day] of calendar) {
        if (name === '1 more') continue;
        const heading = table.get(name) ?? '';
        assert.equal(
          Date.parse(`${heading.replace(/, earlier$/, '')} UTC`),
          Date.parse(day),
          `${where}: ${name}`,
        );
      }
    };
    await onEachScreen(page, check);
    const late = page.locator('#results tr', { hasText: 'LATE-USDT' }).locator('time').first();
    assert.equal(await late.textContent(), '2026-11-18 05:00 GMT+5:30');
    const more = page.locator('#calendar a', { hasText: '1 more' });
    const { searchParams } = new URL((await more.getAttribute('href')) ?? '', site.baseUrl);
    assert.deepEqual(Object.fromEntries(searchParams), {
      from: '2026-11-16T18:30:00Z',
      to: '2026-11-17T18:30:00Z',
    });
    await page.reload();
    await check('after a reload');
    await page.locator('.prefs button[value=utc]').click();
    const { calendar, table } = await shown(page);
    assert.deepEqual(
      [calendar.get('LATE'), calendar.get('1 more')],
      [undefined, '2026-11-17'],
      'back in UTC',
    );
    assert.equal(table.get('LATE'), 'Tuesday, 17 November 2026');
    assert.equal(await zoneOf(page), 'UTC');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('a day with 25 hours is one day, and both zones of the month are named', async () => {
    const { page, context } = await visit(real(), { zone: LOS_ANGELES });
    await chooseLocal(context, site.baseUrl);
    await page.goto(`${site.baseUrl}/listings`);
    const { calendar } = await shown(page);
    assert.equal(await zoneOf(page), 'GMT-7/GMT-8');
    assert.equal(calendar.get('DAWN'), '2026-11-01');
    assert.equal(calendar.get('NIGHT'), '2026-11-01');
    assert.equal(calendar.get('BEYOND'), '2026-12-06', 'from after the last day of UTC');
    assert.equal(calendar.has('BEFORE'), false);
    assert.equal(calendar.get('LATE'), '2026-11-17');
    await context.close();
  });

  test('the week has the times of the zone', async () => {
    const { page, context } = await visit(real(), { zone: KOLKATA });
    await chooseLocal(context, site.baseUrl);
    await page.goto(`${site.baseUrl}/listings?view=week`);
    const item = page.locator('#calendar li', { hasText: 'LATE-USDT' });
    assert.match((await item.textContent()) ?? '', /^05:00 ▲ LATE-USDT/);
    await context.close();
  });

  test('new events come by the stream into the days of the zone', async () => {
    const { page, context } = await visit(real(), { zone: KOLKATA });
    await chooseLocal(context, site.baseUrl);
    const stream = page.waitForResponse(/\/live\/listings/);
    await page.goto(`${site.baseUrl}/listings`);
    await stream;
    site.publish('2026-11-16T20:00:10Z', [...EVENTS, ['FRESH', '2026-11-18T22:00:00Z']]);
    await until(async () => (await shown(page)).calendar.has('FRESH'), 'the new event');
    const { calendar, table } = await shown(page);
    assert.equal(calendar.get('FRESH'), '2026-11-19');
    assert.equal(table.get('FRESH'), 'Thursday, 19 November 2026');
    assert.equal(calendar.get('LATE'), '2026-11-18');
    assert.equal(await zoneOf(page), 'GMT+5:30');
    site.publish(AS_OF, EVENTS);
    await context.close();
  });
});

suite('charts and settlements in the zone that the reader chose', { skip }, () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({
      venues: ['binance', 'bybit'],
      coins: 6,
      heldAtMs: Date.parse('2026-11-03T12:00:00Z'),
    });
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;

  /** A page in a zone; what its charts write is kept in order. */
  const open = async (zone: string, path: string) => {
    const visited = await visit(real(), { zone });
    await chooseLocal(visited.context, market.service.baseUrl);
    await visited.page.addInitScript(`{
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      globalThis.chartTexts = [];
      prototype.fillText = function (text, ...place) {
        globalThis.chartTexts.push(text);
        fillText.call(this, text, ...place);
      };
    }`);
    await visited.page.goto(at(path));
    return visited;
  };
  const chartTexts = async (page: Page) => (await page.evaluate('globalThis.chartTexts')) as string[];
  const crosshair = async (page: Page, chart: string) => {
    await page.focus(`${chart} .plot`);
    await page.keyboard.press('ArrowRight');
    const tip = page.locator(`${chart} .tip b`);
    await tip.waitFor();
    return (await tip.textContent()) ?? '';
  };

  test('the times of a chart are of the zone, on the axis and at the crosshair', async () => {
    const { page, context, complaints } = await open(KOLKATA, '/funding/BTC/history?resolution=settlement');
    await page.waitForSelector('#history[data-ready]');
    const first = await crosshair(page, '#history');
    assert.match(first, /^2026-\d\d-\d\d (05:30|13:30|21:30) GMT\+5:30$/);
    const texts = await chartTexts(page);
    assert.ok(texts.includes('GMT+5:30'), texts.join());
    await page.locator('.prefs button[value=utc]').click();
    assert.match(await crosshair(page, '#history'), /^2026-\d\d-\d\d (00|08|16):00 UTC$/, 'after the switch');
    assert.equal(
      (await chartTexts(page)).findLast((text) => /^(UTC|GMT)/.test(text)),
      'UTC',
    );
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('sums per day stay days of UTC and say so', async () => {
    const { page, context } = await open(LOS_ANGELES, '/funding/BTC/history');
    await page.waitForSelector('#history[data-ready]');
    assert.match(await crosshair(page, '#history'), /^2026-10-2\d, UTC day$/);
    const texts = await chartTexts(page);
    assert.ok(texts.includes('UTC day'), texts.join());
    assert.match((await page.locator('#figures th').first().textContent()) ?? '', /^UTC day$/);
    const days = (await page.locator('#figures tbody th').allTextContents()).map((day) => day.slice(0, 10));
    assert.ok(days.includes('2026-11-01'));
    await context.close();
  });

  test('labels of the axis are at midnights and hours of the zone, also when clocks change', async () => {
    const { page, context } = await open(LOS_ANGELES, '/funding/BTC/history?resolution=cumulative');
    await page.waitForSelector('#history[data-ready]');
    assert.ok((await chartTexts(page)).includes('GMT-7/GMT-8'));
    const ticks = async (from: string, to: string, hours: number) =>
      await page.evaluate(`(async () => {
        const { src } = [...document.scripts].find(({ src }) => src.endsWith('/line-chart.js'));
        const { timeSplits, tickText } = await import(src.replace('line-chart', 'time-axis'));
        const [start, end] = [Date.parse('${from}') / 1000, Date.parse('${to}') / 1000];
        return timeSplits(start, end, ${hours} * 3600, false).map((seconds) => [
          new Date(seconds * 1000).toISOString().slice(0, 16),
          tickText(seconds, false),
        ]);
      })()`);
    assert.deepEqual(await ticks('2026-10-31T00:00:00Z', '2026-11-03T12:00:00Z', 24), [
      ['2026-10-31T07:00', '31 Oct'],
      ['2026-11-01T07:00', '1 Nov'],
      ['2026-11-02T08:00', '2 Nov'],
      ['2026-11-03T08:00', '3 Nov'],
    ]);
    assert.deepEqual(await ticks('2026-11-01T05:00:00Z', '2026-11-01T21:00:00Z', 6), [
      ['2026-11-01T07:00', '1 Nov'],
      ['2026-11-01T14:00', '06:00'],
      ['2026-11-01T20:00', '12:00'],
    ]);
    // On 14 March 2027 the hour from 02:00 does not exist.
    assert.deepEqual(await ticks('2027-03-14T08:00:00Z', '2027-03-14T12:00:00Z', 1), [
      ['2027-03-14T08:00', '14 Mar'],
      ['2027-03-14T09:00', '01:00'],
      ['2027-03-14T10:00', '03:00'],
      ['2027-03-14T11:00', '04:00'],
      ['2027-03-14T12:00', '05:00'],
    ]);
    await context.close();
  });

  test('the next settlements are at hours of the zone, which the card names', async () => {
    const { page, context } = await open(KOLKATA, '/funding/BTC');
    const card = page.locator('section', { has: page.locator('#settlements') });
    assert.match((await card.locator('header').textContent()) ?? '', /GMT\+5:30, next \d+ hours/);
    const times = await card
      .locator('time')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('datetime'), one.textContent]));
    assert.ok(times.length > 3);
    for (const [iso, text] of times) {
      const there = new Date(Date.parse(iso ?? '') + 5.5 * 3_600_000).toISOString();
      assert.equal(text, there.slice(11, 16));
    }
    await context.close();
  });

  test('without scripts charts and settlements are in UTC and say so', async () => {
    const { page, context } = await visit(real(), { javaScriptEnabled: false, zone: KOLKATA });
    await chooseLocal(context, market.service.baseUrl);
    await page.goto(at('/funding/BTC'));
    const card = page.locator('section', { has: page.locator('#settlements') });
    assert.match((await card.locator('header').textContent()) ?? '', /UTC, next \d+ hours/);
    assert.ok((await page.locator('#paid .still .ax').allTextContents()).includes('UTC'));
    await page.goto(at('/funding/BTC/history'));
    assert.ok((await page.locator('#history .still .ax').allTextContents()).includes('UTC day'));
    await context.close();
  });
});
