import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { minuteOf } from '../../src/history/samples/model.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { costsOfBtc, type FilledMarket, filledMarket } from './filled-market.ts';
import { assertLooksRight } from './looks.ts';
import { dataOf, demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const MID = 90_000;
/** Levels of half a coin, a basis point from each other: 45,000 USD each. */
const levels = (direction: 1 | -1): [number, number][] =>
  Array.from({ length: 4 }, (_, i) => [MID * (1 + (direction * (i + 1)) / 10_000), 0.5]);
const PLACE_OF_20000 = 3;

suite('pages of depth', { skip }, () => {
  let market: FilledMarket;
  let visitor: Visit;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 12 });
    const { service, clock } = market;
    clock.setMs(clock.nowMs() + MINUTE_MS);
    for (const venue of service.context.venues.filter(({ slug }) => slug !== 'okx')) {
      const states = service.context.market.statesOf(venue);
      const books = states.filter(({ contract }) => contract.base === 'BTC' && !contract.isInverse);
      const depths = books.map(({ contract: { venueSymbol } }) => ({
        ...{ venueSymbol, venueTimeMs: null },
        ...{ bids: levels(-1), asks: levels(1) },
      }));
      service.collectorOptions(venue).accept(venue, { ...emptyBatch(), depths }, clock.nowMs(), new Map());
    }
    await service.publisher.publish(clock.nowMs());
    // Visitors see what is 15 minutes old.
    clock.setMs(clock.nowMs() + 15 * MINUTE_MS);
    visitor = await visit(browser as Browser);
  });
  after(async () => {
    await visitor.context.close();
    await market.stop();
  });
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const rowOf = async (exchange: string, sizeUsd: number) => {
    const path = `/api/v1/depth?coin=BTC&exchange=${exchange}&size_usd=${sizeUsd}`;
    const [row] = dataOf(await demoAnswer(market, path)) as unknown as Row[];
    assert.ok(row, `no row of ${exchange}`);
    return row;
  };
  const text = async (selector: string) =>
    (await visitor.page.locator(selector).allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ').trim();

  test('the page of a contract: costs of the size, bands, and unknown beyond the levels received', async () => {
    const { page } = visitor;
    await page.goto(at('/depth/BTC/Binance'));
    const row = await rowOf('Binance', 20_000);
    // One basis point away, and four levels of 45,000 USD.
    assert.equal(row.buy_cost_pct, 0.01);
    const figures = await text('#figures');
    assert.match(figures, /Buy \$20,000 now 0\.0100 % \$2\.00, before fees/);
    assert.match(figures, /Age of the book 0 s read every minute/);
    const bands = await page.locator('#bands tbody tr').allInnerTexts();
    assert.match(bands[0] ?? '', /^1 bp.*\$45\.0.k\s+\$45\.0.k$/s);
    assert.match(bands[1] ?? '', /^2 bp.*\$90\.0.k/s);
    assert.match(bands[2] ?? '', /^5 bp.*≥.\$180.k\s+≥.\$180.k$/s, 'the levels end at 4 bp');
    assert.match(await text('#curve'), /Known up to \$180 k \(Buy\) and \$180 k \(Sell\)/);
    assert.match(await text('#curve'), /book 0 s old/);
    const ends = (await page.evaluate(`[...document.querySelectorAll('#curve-plot .ln')]
      .map((line) => line.getBBox()).map(({ x, width }) => x + width)`)) as number[];
    assert.equal(ends.length, 2);
    const unknownAt = (Math.log(180_000 / 100) / Math.log(2500)) * 1000;
    for (const end of ends)
      assert.ok(Math.abs(end - unknownAt) < 2, `a line ends at ${end}, not ${unknownAt}`);
    assert.equal(await page.locator('#curve .unk').count(), 1);
  });

  test('a size is chosen by a link or typed, stays in the address, and what the book does not fill is unknown', async () => {
    const { page } = visitor;
    await page.goto(at('/depth/BTC/Binance'));
    await follow(page, page.locator('.sizes a', { hasText: '$75' }));
    assert.equal(new URL(page.url()).search, '?size_usd=75000');
    const row = await rowOf('Binance', 75_000);
    assert.match(
      await text('#figures'),
      new RegExp(`Buy \\$75,000 now ${Number(row.buy_cost_pct).toFixed(4)} %`),
    );
    await page.locator('.sizes input').fill('$250 k');
    await Promise.all([page.waitForURL(/size_usd=250000/), page.locator('.sizes input').press('Enter')]);
    await page.locator('#figures', { hasText: '$250,000' }).waitFor();
    assert.match(await text('#figures'), /Buy \$250,000 now unknown the book received ends before/);
    for (const [typed, kept] of [
      ['5', '?size_usd=100'],
      ['900k', '?size_usd=250000'],
      ['nonsense', ''],
      ['20000', ''],
    ] as const) {
      const reply = await fetch(at(`/depth/BTC/Binance?size_usd=${typed}`), { redirect: 'manual' });
      assert.equal(reply.status, 302, typed);
      assert.equal(reply.headers.get('location'), `/depth/BTC/Binance${kept}`, typed);
    }
  });

  test('what the size cost through the week is the median of each half hour, with the start of each day', async () => {
    const { page } = visitor;
    await page.goto(at('/depth/BTC/Binance'));
    assert.equal(await text('#week h2'), 'What $20,000 cost through the week');
    const drawn = JSON.parse((await page.locator('#week-chart script').textContent()) ?? '') as {
      hasDays: boolean;
      series: { name: string; times: number[]; values: (number | null)[] }[];
    };
    assert.equal(drawn.hasDays, true);
    const [buy, sell] = drawn.series;
    assert.deepEqual([buy?.name, sell?.name], ['Buy', 'Sell']);
    let compared = 0;
    for (const [i, seconds] of (buy?.times ?? []).entries()) {
      const pct = buy?.values[i] ?? null;
      const costs = costsOfBtc(minuteOf(seconds * 1000 - 15 * MINUTE_MS), 'Binance');
      // The last hours have real books.
      if (pct === null || seconds * 1000 > market.clock.nowMs() - 2 * HOUR_MS) continue;
      const exact = costs[PLACE_OF_20000] ?? Number.NaN;
      // Stored in steps of 2 %.
      assert.ok(Math.abs(pct / exact - 1) < 0.015, `${pct} at ${seconds}, not ${exact}`);
      compared++;
    }
    assert.ok(compared > 320, `${compared} half hours`);
    await page.locator('#week-chart[data-ready]').waitFor();
  });

  test('the hours of the day in words and bars, in the zone of the reader', async () => {
    const { page } = visitor;
    await page.goto(at('/depth/BTC/Binance'));
    assert.match(
      await text('#hours'),
      /Cheapest from 14:00 to 17:00 UTC: 0\.01\d\d % to buy or sell\. Dearest from 02:00 to 05:00 UTC: 0\.04\d\d %\./,
    );
    assert.equal(await page.locator('#hours li').count(), 24);
    assert.equal(await page.locator('#hours li.lo').count(), 3);
    const tallest = await page
      .locator('#hours rect')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
    assert.equal(Math.max(...tallest), tallest[3], 'the bar of the hour from 03:00');
    await page.locator('.prefs .zone button', { hasText: 'Local' }).click();
    await page.locator('#hours', { hasText: 'from 15:00 to 18:00 CET' }).waitFor();
    await page.locator('.prefs .zone button', { hasText: 'UTC' }).click();
    await page.locator('#hours', { hasText: 'from 14:00 to 17:00 UTC' }).waitFor();
  });

  test('a size that no book of the week reached has no line, and the page says so', async () => {
    await visitor.page.goto(at('/depth/BTC/Bybit?size_usd=250000'));
    assert.match(await text('#week'), /No book of this week reached \$250,000, so what it cost is unknown/);
    assert.equal(await visitor.page.locator('#hours li').count(), 0);
  });

  test('the page of a pair adds the costs of both legs, and keeps its other choices with the size', async () => {
    const { page } = visitor;
    const pair = '/arbitrage/pair?coin=BTC&long_exchange=Binance&short_exchange=Bybit';
    await page.goto(at(`${pair}&size_usd=75000`));
    const [long, short] = [await rowOf('Binance', 75_000), await rowOf('Bybit', 75_000)];
    const exact = Number(long.buy_cost_pct) + Number(short.sell_cost_pct);
    assert.match(
      await text('#leg-costs'),
      new RegExp(`Get in buy Binance, sell Bybit ${exact.toFixed(4)} %`),
    );
    assert.match(await text('#curve'), /older book 0 s old/);
    assert.equal(await text('#week h2'), 'What $75,000 cost through the week');
    await follow(page, page.locator('.sizes a', { hasText: '$5 k' }));
    assert.equal(new URL(page.url()).search, `${pair.slice('/arbitrage/pair'.length)}&size_usd=5000`);
    await page.goto(
      at('/spreads/backtest/pair?coin=BTC&exchange_a=Binance&exchange_b=Bybit&order_usd=75000'),
    );
    assert.match(
      await text('#leg-costs'),
      new RegExp(`Buy Binance buy Binance, sell Bybit ${exact.toFixed(4)} %`),
    );
  });

  test('/depth lists the contracts with the costs of the size, and leads to their pages', async () => {
    const { page } = visitor;
    await page.goto(at('/depth?coin=BTC&exchange=Binance&size_usd=75000'));
    const row = await rowOf('Binance', 75_000);
    const shown = await text('#results tbody tr:first-child');
    assert.ok(shown.includes(`${Number(row.buy_cost_pct).toFixed(4)} %`), shown);
    assert.ok(shown.includes('≥ $180 k'), shown);
    await page.locator('#results tbody a.ven').first().click();
    await page.waitForURL(/\/depth\/BTC\/Binance\?/);
    assert.equal(new URL(page.url()).searchParams.get('size_usd'), '75000');
  });

  test('other spellings lead to the page; what is no coin or venue is refused', async () => {
    const location = async (path: string) => {
      const reply = await fetch(at(path), { redirect: 'manual' });
      return reply.headers.get('location') ?? reply.status;
    };
    assert.equal(await location('/depth/BTC/binance'), '/depth/BTC/Binance');
    assert.equal(await location('/depth/bitcoin/Binance'), '/depth/BTC/Binance');
    assert.equal(await location('/depth/NOSUCH/Binance'), 404);
    assert.equal(await location('/depth/BTC/Nowhere'), 404);
  });

  test('the pages of depth look right', async () => {
    const { page, complaints } = visitor;
    await page.goto(at('/depth/BTC/Binance'));
    await assertLooksRight(page, 'depth-contract');
    await page.goto(at('/arbitrage/pair?coin=BTC&long_exchange=Binance&short_exchange=Bybit'));
    await assertLooksRight(page, 'depth-pair');
    await page.goto(at('/depth'));
    await assertLooksRight(page, 'depth-list');
    assert.deepEqual(complaints, []);
  });
});
