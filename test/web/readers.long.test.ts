import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PLANS } from '../../src/accounts/plans.ts';
import { readStarred } from '../../src/accounts/starred-coins.ts';
import { DAY_MS, SECOND_MS } from '../../src/base/times.ts';
import { minuteOf } from '../../src/history/samples/model.ts';
import { PASSWORD, type Person, signedUp } from '../oauth/person.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { btcPriceAt, type FilledMarket, filledMarket } from './filled-market.ts';
import { carryPath, pairPath } from './market-paths.ts';
import { onEachScreen } from './screens.ts';
import { dataOf, demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

/** Offers of the operator, as settings have them. */
const OFFERS = {
  PLAN_PRICES: 'developer=$29 a month; pro=€99 a month',
  CONTACT: 'sales@example.com',
};

suite('what readers do, in a browser', { skip }, () => {
  let market: FilledMarket;
  let visitor: Visit;
  const real = () => browser as Browser;
  before(async () => {
    market = await filledMarket({
      venues: ['binance', 'bybit', 'okx'],
      coins: 20,
      settings: OFFERS,
    });
    visitor = await visit(real());
  });
  after(() => market.stop());
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  const signIn = async (context: BrowserContext, { browser: { cookies } }: Person) =>
    await context.addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
  const storedStars = async ({ accountId }: Person) =>
    readStarred((await market.service.accounts.accounts.find(accountId))?.starredCoins);

  suite('/plans', () => {
    const card = (page: Page, title: string) =>
      page.locator('.plan', { has: page.locator(`h2:text-is("${title}")`) });

    test('shows the prices of the operator, and buttons that lead to sign-up and to the operator', async () => {
      const { page } = visitor;
      await page.goto(at('/plans'));
      await onEachScreen(page, async (where) => {
        for (const [title, price, button, href] of [
          ['Demo', 'Free', 'Get a free key', '/sign-up'],
          ['Developer', '$29 a month', 'Ask for Developer', 'mailto:sales@example.com'],
          ['Pro', '€99 a month', 'Ask for Pro', 'mailto:sales@example.com'],
          ['Business', 'On request', 'Ask for Business', 'mailto:sales@example.com'],
        ] as const) {
          const shown = card(page, title);
          assert.equal(await shown.locator('.price').textContent(), price, where);
          const link = shown.getByRole('link', { name: button });
          assert.ok(await link.isVisible(), `${where}: ${button}`);
          assert.equal(await link.getAttribute('href'), href, where);
          assert.equal(await shown.locator('text=You are here').count(), 0, where);
        }
      });
      await follow(page, card(page, 'Demo').getByRole('link', { name: 'Get a free key' }));
      assert.equal(new URL(page.url()).pathname, '/sign-up');
    });

    test('says "You are here" on the own plan, which leads to the account', async () => {
      const person = await signedUp(market.service, 'plans@example.com', 'developer');
      const { page, context } = await visit(real());
      await signIn(context, person);
      await page.goto(at('/plans'));
      await onEachScreen(page, async (where) => {
        const here = page.locator('.plan', { hasText: 'You are here' });
        assert.deepEqual(await here.locator('h2').allTextContents(), ['Developer'], where);
        assert.ok(await here.locator('text=You are here').isVisible(), where);
        assert.equal(await here.getByRole('link').getAttribute('href'), '/account', where);
        const other = card(page, 'Pro').getByRole('link');
        assert.equal(await other.getAttribute('href'), 'mailto:sales@example.com', where);
      });
      await context.close();
    });
  });

  suite('stars', () => {
    const star = (page: Page, coin: string) => page.locator(`button.star[value="${coin}"]`).first();
    const isOn = async (page: Page, coin: string) =>
      (await star(page, coin).getAttribute('aria-pressed')) === 'true';

    test('of a visitor stay in the browser, on every page with coins', async () => {
      const { page, context } = await visit(real());
      await page.goto(at('/funding'));
      await onEachScreen(page, async (where) => {
        assert.ok(!(await isOn(page, 'BTC')), where);
        for (const wanted of [true, false]) {
          const stored = page.waitForResponse((reply) => reply.url() === at('/stars'));
          await star(page, 'BTC').click();
          assert.equal(await isOn(page, 'BTC'), wanted, `${where}: at once`);
          await stored;
        }
      });
      const stored = page.waitForResponse((reply) => reply.url() === at('/stars'));
      await star(page, 'BTC').click();
      await stored;
      for (const path of [
        '/funding',
        '/funding?view=table',
        '/funding/BTC',
        '/funding/BTC/history',
        '/coins',
      ]) {
        await page.goto(at(path));
        assert.ok(await isOn(page, 'BTC'), path);
      }
      await page.goto(at('/funding'));
      await follow(page, page.getByRole('switch', { name: 'Starred' }));
      assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), { starred: '1' });
      assert.deepEqual(
        await page.locator('#results tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.key)),
        ['BTC'],
      );
      await context.close();
    });

    test('work without scripts', async () => {
      const { page, context } = await visit(real(), { javaScriptEnabled: false });
      await page.goto(at('/coins'));
      await follow(page, star(page, 'ETH'));
      assert.equal(page.url(), at('/coins'));
      assert.ok(await isOn(page, 'ETH'));
      await follow(page, star(page, 'ETH'));
      assert.ok(!(await isOn(page, 'ETH')));
      await context.close();
    });

    test('of a visitor move into the account on sign-in, and are there in another browser', async () => {
      const person = await signedUp(market.service, 'stars@example.com');
      await market.service.accounts.accounts.setStarredCoins(person.accountId, ['SOL']);
      const { page, context } = await visit(real());
      await page.goto(at('/funding/BTC'));
      const stored = page.waitForResponse((reply) => reply.url() === at('/stars'));
      await star(page, 'BTC').click();
      await stored;
      await page.goto(at('/sign-in?return_to=/coins'));
      await page.fill('input[name=email]', person.email);
      await page.fill('input[name=password]', PASSWORD);
      await follow(page, 'button:text-is("Sign in")');
      assert.equal(new URL(page.url()).pathname, '/coins');
      assert.ok((await isOn(page, 'BTC')) && (await isOn(page, 'SOL')), 'both on the next page');
      assert.deepEqual(await storedStars(person), ['SOL', 'BTC']);
      const cookies = (await context.cookies()).map(({ name }) => name);
      assert.ok(!cookies.includes('pw_stars'), 'not in this browser any more');
      const other = await visit(real());
      await signIn(other.context, person);
      await other.page.goto(at('/coins'));
      assert.ok(await isOn(other.page, 'BTC'), 'in another browser');
      const removed = other.page.waitForResponse((reply) => reply.url() === at('/stars'));
      await star(other.page, 'BTC').click();
      await removed;
      assert.deepEqual(await storedStars(person), ['SOL']);
      await other.context.close();
      await context.close();
    });
  });

  test('/coins has the rates of each coin, and "bitcoin" finds BTC while it is typed', async () => {
    const { page } = visitor;
    await page.goto(at('/coins'));
    const total = Number(/of (\d+) coins/.exec((await page.locator('#pager').textContent()) ?? '')?.[1]);
    assert.ok(total > 10);
    const { rates } = dataOf(await demoAnswer(market, '/api/v1/funding/BTC')) as { rates: Row[] };
    const aprs = rates
      .filter((row) => row.is_inverse !== true)
      .map((row) => (Number(row.rate_pct) / Number(row.interval_hours)) * 8760);
    await onEachScreen(page, async (where) => {
      await page.locator('#f-q').fill('');
      await page.waitForURL(at('/coins'));
      await page.locator('#f-q').pressSequentially('bitcoin');
      // "bitc" already leaves one coin; the address changes last, with everything else in place.
      await page.waitForURL(at('/coins?q=BTC'));
      assert.equal(await page.locator('#results tbody tr').count(), 1, where);
      const text = (await page.locator('#results tbody tr').textContent()) ?? '';
      assert.match(text, /BTC\s*Bitcoin/, where);
      // Of two contracts of a venue the larger counts, so the extremes of all contracts are bounds.
      const heads = await page.locator('#results thead th').allTextContents();
      const cells = await page.locator('#results tbody tr > *').allTextContents();
      for (const label of ['Average', 'Highest', 'Lowest']) {
        const cell = cells[heads.findIndex((head) => head.trim().startsWith(label))] ?? '';
        const [, sign, digits] = /([+−])([\d.]+)\u00a0%/.exec(cell) ?? [];
        const apr = Number(digits) * (sign === '−' ? -1 : 1);
        assert.ok(
          apr <= Math.max(...aprs) + 0.1 && apr >= Math.min(...aprs) - 0.1,
          `${where}: ${label} ${cell}`,
        );
      }
      assert.match((await page.locator('#pager').textContent()) ?? '', /^1–1 of 1 coin$/, where);
      assert.match((await page.locator('#count').textContent()) ?? '', /^1 coin$/, where);
      const csv = await page.locator('.chipsbar a[download]').getAttribute('href');
      assert.equal(csv, '/coins.csv?q=BTC', where);
    });
    const reply = await page.goto(at('/coins?q=bitcoin'));
    assert.equal(reply?.status(), 200);
    assert.deepEqual(await page.locator('#results tbody tr b').first().count(), 1);
  });

  test('own fees of a visitor are kept in the browser, used by the calculator, and move into the account', async () => {
    const person = await signedUp(market.service, 'fees@example.com');
    const { page, context } = await visit(real());
    const outcome = async () => {
      await page.goto(at('/funding/BTC?size=10000&held=30'));
      const line = page.locator('#calc-results li[data-key=Binance] b');
      const [, verb, usd] = /(earns|pays) \$([\d,.]+)/.exec((await line.textContent()) ?? '') ?? [];
      return Number(usd?.replaceAll(',', '')) * (verb === 'pays' ? -1 : 1);
    };
    const usual = await outcome();
    assert.equal(await page.locator('option[value=own]').count(), 0, 'nothing is kept yet');
    await follow(page, '#calculator >> text=Use your own fees');
    await onEachScreen(page, async (where) => {
      assert.ok(await page.locator('form.own input[name=fee_Binance]').isVisible(), where);
    });
    await page.fill('input[name=fee_Binance]', 'much');
    await follow(page, 'text=Keep them for every page');
    assert.ok(await page.locator('main [role=alert]').isVisible(), 'a fee that is no number is refused');
    assert.equal(await page.inputValue('input[name=fee_Binance]'), 'much', 'and the form stays');
    await page.fill('input[name=fee_Binance]', '0.01 %');
    await follow(page, 'text=Keep them for every page');
    assert.equal(page.url(), at('/arbitrage'));
    assert.equal(await page.locator('select[name=tier]').inputValue(), 'account', 'the page uses them');
    const { body } = await demoAnswer(market, '/api/v1/exchanges');
    const binance = (body as { data: Row[] }).data.find(({ exchange }) => exchange === 'Binance');
    const saved = ((2 * (Number(binance?.taker_fee_pct) - 0.01)) / 100) * 10_000;
    assert.ok(Math.abs((await outcome()) - usual - saved) < 0.011, `${saved} dollars of fees saved`);
    assert.equal(await page.locator('select[name=fees]').inputValue(), 'own');
    await page.goto(at('/sign-in?return_to=/account/fees'));
    await page.fill('input[name=email]', person.email);
    await page.fill('input[name=password]', PASSWORD);
    await follow(page, 'button:text-is("Sign in")');
    assert.equal(await page.inputValue('input[name=fee_Binance]'), '0.01');
    assert.ok(!(await context.cookies()).some(({ name }) => name === 'pw_fees'));
    await context.close();
  });

  test('a coin has the change of its price within 24 hours on its page and in the list, or the word that it is unknown', async () => {
    const { page } = visitor;
    const row = async (coin: string) => {
      const { body } = await demoAnswer(market, `/api/v1/coins?q=${coin}&limit=1`);
      return (body as { data: Row[] }).data[0] ?? {};
    };
    await page.goto(at('/funding/BTC'));
    const asOf = (await page.locator('#live').getAttribute('data-as-of')) ?? '';
    assert.ok(Date.parse(asOf) <= market.clock.nowMs() - PLANS.demo.delaySeconds * 1000);
    const { rates } = dataOf(await demoAnswer(market, '/api/v1/funding/BTC')) as { rates: Row[] };
    const mark = Number(
      rates.find(({ exchange, venue_symbol }) => exchange === 'Binance' && venue_symbol === 'BTCUSDT')
        ?.mark_price,
    );
    const minute = minuteOf(Date.parse(asOf) - DAY_MS);
    const changePct = (mark / btcPriceAt(minute - (minute % 10)) - 1) * 100;
    assert.equal((await row('BTC')).change_24h_pct, Number(changePct.toFixed(2)));
    const shown = `${changePct < 0 ? '\u2212' : '+'}${Math.abs(changePct).toFixed(2)}\u00a0%`;
    assert.ok((await page.locator('#price').textContent())?.includes(`${shown} 24 h`), shown);
    await page.goto(at('/coins?sort=change_desc'));
    assert.ok((await page.locator('tr[data-key=BTC]').textContent())?.includes(shown), shown);
    assert.equal(await page.locator('tbody tr').first().getAttribute('data-key'), 'BTC', 'unknown is last');
    assert.equal((await row('ETH')).change_24h_pct, null);
    assert.match((await page.locator('tr[data-key=ETH]').textContent()) ?? '', /unknown/);
    await page.goto(at('/funding/ETH'));
    assert.match((await page.locator('#price').textContent()) ?? '', /24 h change unknown/);
  });

  test('the history of a coin has its price below the payments, over the same time', async () => {
    const { page } = visitor;
    await page.goto(at('/funding/BTC/history?days=7'));
    const drawn = async (id: string) =>
      JSON.parse((await page.locator(`#${id} script`).textContent()) ?? '') as {
        series: { times: number[]; values: (number | null)[] }[];
      };
    const timesOf = async (id: string) => (await drawn(id)).series.flatMap(({ times }) => times);
    const [paid, priced] = [await timesOf('history'), await timesOf('history-price')];
    assert.deepEqual(
      [Math.min(...priced), Math.max(...priced)],
      [Math.min(...paid), Math.max(...paid)],
      'the same time',
    );
    const [line] = (await drawn('history-price')).series;
    const known = line?.times.flatMap((seconds, i) =>
      typeof line.values[i] === 'number' ? [[seconds / 60, line.values[i]] as const] : [],
    );
    assert.ok(known && known.length > 3, `${known?.length} prices`);
    for (const [minute, price] of known) assert.equal(price, btcPriceAt(minute));
    assert.match(
      (await page.locator('#history-price figcaption').textContent()) ?? '',
      /BTC · price, \$ · 7 d · .* · mark price of the most traded contract \(now Binance\)/s,
    );
    await page.goto(at('/funding/ETH/history?days=7'));
    assert.equal(await page.locator('#history-price').count(), 0, 'no price, no chart');
  });

  test('/listings has a heading above the events of each day, of the day of their times', async () => {
    const { page } = visitor;
    await page.goto(at('/listings'));
    await onEachScreen(page, async (where) => {
      const rows = await page.locator('#results tbody tr').evaluateAll((all) =>
        all.map((row) => ({
          heading: row.classList.contains('grp') ? row.textContent : null,
          at: row.querySelector('time')?.dateTime ?? null,
        })),
      );
      let [heading, headings]: [string, number] = ['', 0];
      for (const row of rows) {
        if (row.heading !== null) {
          heading = row.heading;
          headings++;
          continue;
        }
        if (heading === 'Not announced yet') continue;
        const day = new Date(row.at ?? '').toLocaleDateString('en-GB', {
          ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
        });
        // Today's events are first those to come, then those of the past.
        assert.equal(heading.replace(', earlier', '').replaceAll(',', ''), day.replaceAll(',', ''), where);
      }
      assert.ok(headings > 1, where);
      assert.ok(await page.locator('#results tr.grp').first().isVisible(), where);
    });
  });

  test('every time on every page has its zone beside it, and follows the switch', async () => {
    const person = await signedUp(market.service, 'zones@example.com');
    await market.service.accounts.keys.create({ accountId: person.accountId, name: 'robot' });
    const { page, context } = await visit(real());
    await signIn(context, person);
    await page.goto(at('/funding'));
    const kept = page.waitForResponse((reply) => reply.url() === at('/preferences'));
    await page.locator('.prefs button[value=local]').click();
    await kept;
    let times = 0;
    for (const path of [
      ...[
        '/',
        '/funding',
        '/funding?view=table',
        '/funding/BTC',
        '/funding/BTC/history?resolution=settlement',
      ],
      ...[
        '/arbitrage?min_possible_capacity_usd=0',
        await carryPath(market),
        '/spreads?view=pairs',
        '/spreads/backtest',
      ],
      ...[await pairPath(market), '/exchanges', '/exchanges/Binance', '/status', '/accuracy', '/coins'],
      ...['/account', '/account/keys', '/account/sessions', '/account/alerts', '/account/security-log'],
    ]) {
      const reply = await page.goto(at(path));
      assert.equal(reply?.status(), 200, path);
      const shown = (await page.evaluate(CLOCK_TIMES)) as { text: string; hasZoneAbove: boolean }[];
      for (const { text, hasZoneAbove } of shown)
        assert.ok(hasZoneAbove || /\d\d:\d\d(:\d\d)? CES?T/.test(text), `${path}: "${text}"`);
      times += shown.length;
    }
    assert.ok(times > 50, `${times} times`);
    await context.close();
  });

  /** Texts with a time of day, other than countdowns and code. */
  const CLOCK_TIMES = `(() => {
    const found = [];
    const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const element = node.parentElement;
      if (!element.checkVisibility() || element.closest('[data-countdown], pre, svg, [data-own]')) continue;
      if (!/\\d\\d:\\d\\d/.test(node.data)) continue;
      const zone = element.closest('section')?.querySelector('[data-zone-at]')?.textContent ?? '';
      found.push({ text: node.data.trim(), hasZoneAbove: /^CES?T$/.test(zone) });
    }
    return found;
  })()`;

  test('a reload after creating a key creates no second one, on every screen', async () => {
    const person = await signedUp(market.service, 'reloads@example.com');
    const { page, context } = await visit(real());
    await signIn(context, person);
    const keys = async () => (await market.service.accounts.keys.list(person.accountId)).length;
    await page.goto(at('/account/keys'));
    await page.fill('input[name=name]', 'my robot');
    await follow(page, 'text=Create the key');
    await onEachScreen(page, async (where) => {
      assert.ok(await page.locator('#new-key').isVisible(), where);
      assert.ok(await page.locator('.krow', { hasText: 'my robot' }).first().isVisible(), where);
    });
    assert.equal(page.url(), at('/account/keys'), 'the page came by GET');
    await page.reload();
    assert.equal(await page.locator('#new-key').count(), 0, 'the key is shown once');
    await page.goBack().catch(() => null);
    await page.goForward().catch(() => null);
    assert.equal(await keys(), 1);
    await context.close();
  });

  test('last, because the clock moves on: new data keeps what was searched for', async () => {
    const { page } = visitor;
    await page.goto(at('/coins'));
    await page.locator('#f-q').pressSequentially('ethereum');
    await page.waitForURL(at('/coins?q=ETH'));
    const rows = page.locator('#results tbody tr');
    assert.equal(await rows.count(), 1);
    await page.locator('h1').click();
    const asOf = () => page.locator('#live .age').getAttribute('title');
    const old = await asOf();
    // The newer of the two snapshots is now old enough for visitors.
    market.clock.advanceMs((PLANS.demo.delaySeconds + 1) * SECOND_MS);
    await until(async () => {
      market.clock.advanceMs(SECOND_MS);
      return (await asOf()) !== old;
    }, 'newer numbers');
    assert.equal(await rows.count(), 1);
    assert.match((await rows.textContent()) ?? '', /ETH/);
  });
});
