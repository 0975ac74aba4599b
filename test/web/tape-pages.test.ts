import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import type { ForecastAccuracy } from '../../src/operations/forecast-accuracy/forecast-accuracy.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { assertLooksRight } from './looks.ts';
import { GAP_HOUR, madeInterestUsdt, madePremiumPct, madeRatePct } from './made-tape.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

interface Drawn {
  series: { name: string; isPoints: boolean; times: number[]; values: (number | null)[] }[];
}

suite('pages of the tape', { skip }, () => {
  let market: FilledMarket;
  let visitor: Visit;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 12 });
    visitor = await visit(browser as Browser);
  });
  after(async () => {
    await visitor.context.close();
    await market.stop();
  });
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const text = async (selector: string) =>
    (await visitor.page.locator(selector).allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ').trim();
  const drawnIn = async (selector: string) =>
    JSON.parse((await visitor.page.locator(`${selector} script`).textContent()) ?? '') as Drawn;

  test('the running rate is drawn by the hour, the payments are points, and a gap is a gap', async () => {
    const { page } = visitor;
    await page.goto(at('/funding/BTC/Binance'));
    const [running, paid] = (await drawnIn('#running-chart')).series;
    assert.deepEqual([running?.name, running?.isPoints], ['Running', false]);
    assert.deepEqual([paid?.name, paid?.isPoints], ['Paid', true]);
    let [compared, gaps] = [0, 0];
    for (const [i, seconds] of (running?.times ?? []).entries()) {
      const value = running?.values[i] ?? null;
      const hour = seconds / 3600;
      if (value === null) {
        if (Number.isInteger(hour) && hour % 24 === GAP_HOUR + 1) gaps++;
        continue;
      }
      if (!Number.isInteger(hour) || seconds * 1000 > market.clock.nowMs() - 2 * HOUR_MS) continue;
      assert.equal(value, madeRatePct(hour * 60 - 1, 'Binance'), `at ${new Date(seconds * 1000)}`);
      compared++;
    }
    assert.ok(compared > 100 && gaps >= 4, `${compared} hours, ${gaps} gaps`);
    assert.ok((paid?.values.length ?? 0) >= 20, `${paid?.values.length} payments`);
    assert.match(
      await text('#recorded'),
      /Running rates are recorded since \d+ \w+ 00:00 UTC\. A gap is a gap/,
    );
    await page.locator('#running-chart[data-ready]').waitFor();
  });

  test('each settlement has what was paid beside the running rate of 1, 4 and 8 hours before, without script too', async () => {
    const reply = await fetch(at('/funding/BTC/Binance.csv'));
    assert.equal(reply.status, 200);
    const [head = '', ...lines] = (await reply.text()).trim().split('\r\n');
    assert.equal(
      head,
      'settled_at,paid_pct,interval_hours,running_last_pct,running_1h_before_pct,running_4h_before_pct,running_8h_before_pct',
    );
    const rows = lines.map((line) => line.split(','));
    const [, second] = rows.filter(([settled = '']) => settled.endsWith('T16:00:00Z'));
    const minute = Date.parse(second?.[0] ?? '') / MINUTE_MS;
    const predicted = [0, 1, 4, 8].map((hours) => String(madeRatePct(minute - hours * 60 - 1, 'Binance')));
    assert.deepEqual(second?.slice(3), predicted);
    const plain = await (await fetch(at('/funding/BTC/Binance'))).text();
    const shown = plain.slice(plain.indexOf(`data-key="${minute * MINUTE_MS}"`)).split('</tr>')[0] ?? '';
    const offBp = (Number(predicted[1]) - Number(second?.[1])) * 100;
    assert.ok(shown.includes(`${Math.abs(offBp).toFixed(2)}</td>`), shown);
    for (const pct of predicted) assert.ok(shown.includes(Math.abs(Number(pct)).toFixed(4)), shown);
    // Before the tape begins nothing is known.
    const unknown = rows.find(
      ([settled = '']) => Date.parse(settled) < market.clock.nowMs() - 6.5 * 24 * HOUR_MS,
    );
    assert.deepEqual(unknown?.slice(3), ['', '', '', '']);
  });

  test('the range stays in the address; a day has five minutes; the coin page leads here', async () => {
    const { page } = visitor;
    await page.goto(at('/funding/BTC'));
    await page.locator('a[href^="/funding/BTC/Binance"]').first().click();
    await page.locator('#running').waitFor();
    await follow(page, page.locator('#running .seg a', { hasText: '1 d' }));
    assert.equal(new URL(page.url()).searchParams.get('days'), '1');
    const [running] = (await drawnIn('#running-chart')).series;
    const steps = (running?.times ?? [])
      .slice(2, -2)
      .map((seconds, i, all) => (all[i + 1] ?? seconds) - seconds);
    assert.ok(steps.filter((seconds) => seconds === 300).length > 200, `${steps.length} steps`);
    for (const days of ['x', '0', '7']) {
      const reply = await fetch(at(`/funding/BTC/Binance?days=${days}`), { redirect: 'manual' });
      assert.equal(reply.headers.get('location'), '/funding/BTC/Binance', days);
    }
    const other = await fetch(at('/funding/BTC/binance'), { redirect: 'manual' });
    assert.equal(other.headers.get('location'), '/funding/BTC/Binance');
    assert.equal((await fetch(at('/funding/BTC/Nowhere'))).status, 404);
  });

  test('open interest is the sum over venues, with their number, and the premium of each venue', async () => {
    const { page } = visitor;
    await page.goto(at('/funding/BTC'));
    await follow(page, page.locator('.coinhd .seg a', { hasText: 'OI' }));
    const [total] = (await drawnIn('#interest-chart')).series;
    let compared = 0;
    for (const [i, seconds] of (total?.times ?? []).entries()) {
      const value = total?.values[i] ?? null;
      const hour = seconds / 3600;
      if (value === null || !Number.isInteger(hour) || seconds * 1000 > market.clock.nowMs() - 2 * HOUR_MS)
        continue;
      // Three venues with the same figure.
      assert.equal(value, (3 * madeInterestUsdt(hour * 60 - 1)) / 1e9);
      compared++;
    }
    assert.ok(compared > 100, `${compared} hours`);
    assert.match(await text('#recorded'), /The sum is of \d venues.*A gap is a gap/);
    const premiums = (await drawnIn('#premium-chart')).series;
    assert.deepEqual(premiums.map(({ name }) => name).toSorted(), ['Binance', 'Bybit', 'OKX']);
    const place = (premiums[0]?.times ?? []).findIndex((seconds) => seconds % 86_400 === 3600);
    const seconds = premiums[0]?.times[place] ?? 0;
    assert.equal(premiums[0]?.values[place], madePremiumPct(seconds / 60 - 1));
    await follow(page, page.locator('#interest .seg a', { hasText: '1 d' }));
    assert.equal(new URL(page.url()).search, '?days=1');
    await page.goto(at('/funding/BTC/open-interest?show=okx'));
    assert.equal(new URL(page.url()).search, '?show=OKX');
    assert.deepEqual(
      (await drawnIn('#premium-chart')).series.map(({ name }) => name),
      ['OKX'],
    );
    const csv = (await (await fetch(at('/funding/BTC/open-interest.csv'))).text()).split('\r\n');
    assert.equal(csv[0], 'known_at,open_interest_usdt,venues');
    assert.match(csv[1] ?? '', /T01:00:00Z,\d+,3$/);
  });

  test('/accuracy compares running rates with what was paid, as computed by hand', async () => {
    const midnightMs = Math.floor((market.clock.nowMs() - HOUR_MS) / DAY_MS) * DAY_MS;
    const settled = [24, 16, 8].map((hours) => (midnightMs - hours * HOUR_MS) / MINUTE_MS);
    // Above the rate of an hour before by 0.05 bp, which is close, and twice by 0.75 bp: no payment is above 0.0225 %, so
    // that is more than a tenth of each. The mean is (0.05 + 0.75 + 0.75) / 3 bp.
    const prints = settled.map((minute, i) => ({
      minute,
      ratePct: Number((madeRatePct(minute - 61, 'OKX') + (i === 0 ? 0.0005 : 0.0075)).toFixed(6)),
    }));
    const names = { exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP', symbol: 'BTC-USDT', coin: 'BTC' };
    await market.service.history.keeper.submit({
      names: { ...names, isInverse: false, listedAtMs: null },
      ...{ prints, walked: null, onConflict: 'replace' },
    });
    const { page } = visitor;
    await page.goto(at('/accuracy'));
    const cells = await page.locator('#predicted tr[data-key="OKX"] td').allInnerTexts();
    assert.deepEqual(cells.slice(0, 3), ['3', '0.52', '33.3']);
    // Of four hours before, from the figures themselves.
    const errors = prints.map(({ minute, ratePct }) => Math.abs(madeRatePct(minute - 241, 'OKX') - ratePct));
    const meanBp = (errors.reduce((sum, one) => sum + one, 0) / 3) * 100;
    assert.equal(cells[3], meanBp.toFixed(2));
    const markdown = await (await fetch(at('/accuracy.md'))).text();
    assert.match(markdown, /compared_1h.*\n.*\n(\|.*\n)*\| OKX \| 3 \| 0\.5167 \| 33\.3333 \|/);
    const { data } = (await market.get('/api/v1/forecasts/accuracy')).body as { data: ForecastAccuracy };
    const okx = data.running_rates?.find(({ exchange }) => exchange === 'OKX')?.hours_before;
    const rounded = Number(meanBp.toFixed(4));
    assert.deepEqual(okx?.[0], { hours: 1, compared: 3, mean_error_bp: 0.5167, close_pct: 33.3333 });
    assert.deepEqual([okx?.[1]?.hours, okx?.[1]?.mean_error_bp, okx?.length], [4, rounded, 3]);
  });

  test('the pages of the tape look right', async () => {
    const { page, complaints } = visitor;
    await page.goto(at('/funding/BTC/Binance'));
    await assertLooksRight(page, 'running');
    await page.goto(at('/funding/BTC/open-interest'));
    await assertLooksRight(page, 'interest');
    await page.goto(at('/accuracy'));
    await assertLooksRight(page, 'accuracy');
    assert.deepEqual(complaints, []);
  });
});
