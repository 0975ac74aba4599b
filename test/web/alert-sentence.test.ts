import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { minuteOf } from '../../src/history/samples/model.ts';
import { type ScriptedReceiver, startScriptedReceiver } from '../alerts/channels/receiver.ts';
import { signedUp } from '../oauth/person.ts';
import { seriousFaults } from '../support/axe.ts';
import { follow, startBrowser, type Visit, visit } from '../support/browser.ts';
import { rowsOf } from '../support/service.ts';
import { until } from '../support/until.ts';
import { ALERTS, NEW } from './alerts-site.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const SPREAD = `${NEW}?operation=spreads&coin=BTC&exchange=Binance,Bybit`;
const PHONE = 390;

suite('an alert as a sentence', { skip }, () => {
  let market: FilledMarket;
  let receiver: ScriptedReceiver;
  /** One context for everybody who has scripts: a new one costs as much as a page. */
  let scripted: Visit;
  before(async () => {
    receiver = await startScriptedReceiver();
    // Without a bot of Telegram.
    market = await filledMarket({
      venues: ['binance', 'bybit', 'okx'],
      coins: 12,
      heldAtMs: Date.parse('2026-11-14T00:05:30Z'),
      settings: { ALERT_NETWORKS: 'loopback' },
    });
    scripted = await visit(browser as Browser);
  });
  after(async () => {
    await scripted.context.close();
    await market.stop();
    await receiver.close();
  });
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  /** The page of a new person. */
  const opened = async (name: string, path: string, { visited = scripted, width = 1300 } = {}) => {
    const person = await signedUp(market.service, `${name}@example.com`, 'pro');
    const { page, context, complaints } = visited;
    await context.clearCookies();
    await context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
    await page.setViewportSize({ width, height: 900 });
    await page.goto(at(path));
    return { page, complaints, person };
  };
  const previewOf = async (page: Page) =>
    ((await page.locator('#preview').textContent()) ?? '').replaceAll(/\s+/g, ' ');
  const textOf = async (page: Page, part = 'main') => (await page.locator(part).textContent()) ?? '';
  const save = (page: Page) => follow(page, page.getByRole('button', { name: /^(Create|Save) the alert$/ }));
  /** The row of the pair, as a paid key gets it. */
  const pairRow = async () => {
    const reply = await market.get('/api/v1/spreads?coin=BTC&exchange=Binance,Bybit&exchange_match=all', {
      plan: 'pro',
    });
    const [row] = (reply.body as { data: Record<string, number>[] }).data;
    assert.ok(row);
    return row as Record<'spread_pct' | 'net_spread_pct' | 'bid_a' | 'ask_a' | 'bid_b' | 'ask_b', number>;
  };
  /** How often the pair crossed the bound in the prices that the market was filled with. */
  const crossedBy = async (bound: number) => {
    const { spread_pct, net_spread_pct, bid_a, ask_a, bid_b, ask_b } = await pairRow();
    const [midA, midB] = [(bid_a + ask_a) / 2, (bid_b + ask_b) / 2];
    const offPct = (Math.abs(midB - midA) / midA) * 100 - net_spread_pct;
    assert.ok(offPct >= spread_pct - net_spread_pct, 'a book has a width');
    const mid = (place: number, minute: number) =>
      100 + 0.6 * Math.sin((minute / (40 + 9 * place)) * 2 * Math.PI);
    const last = minuteOf(market.clock.nowMs());
    const isBeyond = Array.from({ length: 400 }, (_, i) => {
      const [a, b] = [mid(0, last - 399 + i), mid(3, last - 399 + i)];
      return (Math.abs(b - a) / a) * 100 - offPct > bound;
    });
    return isBeyond.filter((one, i) => one && i > 0 && !isBeyond[i - 1]).length;
  };

  test('two venues of a page are the pair; the preview follows what is typed', async () => {
    const { page, complaints, person } = await opened('writes', SPREAD);
    assert.equal(await page.inputValue('[name=venue_a]'), 'Binance');
    assert.equal(await page.inputValue('[name=venue_b]'), 'Bybit');
    assert.equal(await page.inputValue('[name=figure]'), 'net_spread_pct');
    const { net_spread_pct: nowPct } = await pairRow();
    assert.match(await previewOf(page), new RegExp(`in the last 7 h: ${await crossedBy(0.3)} times`));
    const low = Math.floor(nowPct * 100) / 100 - 0.01;
    await page.fill('[name=bound]', String(low));
    await until(
      async () => /Matches now: 1(?!\d)/.test(await previewOf(page)),
      'the preview of the low bound',
    );
    assert.match(
      await previewOf(page),
      /The message\s?BTC spread between Binance and Bybit: net spread is .* above your .* %\. As of 00:05:30 UTC\./,
    );
    await page.fill('[name=bound]', '99');
    await until(
      async () => /Matches now: 0 of 1 pair .*in the last 7 h: 0 times/.test(await previewOf(page)),
      '99 %',
    );
    await page.fill('[name=bound]', '0.30');
    await page.selectOption('[name=venue_b]', '');
    await until(
      async () => /not known\s?choose one coin and two venues/.test(await previewOf(page)),
      'nothing is counted for several pairs',
    );
    await page.selectOption('[name=venue_b]', 'Bybit');
    await save(page);
    const text = await textOf(page);
    assert.match(text, /BTC net spread Binance ↔ Bybit goes above 0\.3 %/);
    assert.doesNotMatch(text, /exchange=|%2C/);
    const [rule] = await market.service.alerts.alerts.rules(person.accountId);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(rule?.query)), {
      coin: 'BTC',
      exchange: 'Binance,Bybit',
      exchange_match: 'all',
    });
    assert.deepEqual(complaints, []);
  });

  test('an alert on what an order costs: the preview counts from stored books, and the message names the costs', async () => {
    const link = `${NEW}?operation=depth&coin=BTC&exchange=Binance`;
    const { page, complaints, person } = await opened('trades', link);
    assert.match(await textOf(page, '.sentence'), /cost to buy/);
    await page.fill('[name=bound]', '0.03');
    // The stored costs of 20,000 USD swing from 0.014 to 0.042 % once a day, those of 1,000 USD up to 0.0095 %.
    const contracts = rowsOf(await market.get('/api/v1/depth?coin=BTC&exchange=Binance')).length;
    const once = new RegExp(`in the last 24 h: ${contracts} times?`);
    await until(async () => once.test(await previewOf(page)), 'one crossing of each contract');
    assert.match(await previewOf(page), /counted from the order books of every five minutes/);
    await page.locator('.alert-more summary').click();
    await page.selectOption('[name="filter.size_usd"]', '1000');
    await until(async () => /in the last 24 h: 0 times/.test(await previewOf(page)), 'no crossing');
    assert.match(
      await previewOf(page),
      /BTC order book on Binance costs [\d.]+ % to buy and [\d.]+ % to sell at your size \(spread [\d.]+ %\), above your 0\.03 %\./,
    );
    await save(page);
    assert.match(await textOf(page), /BTC cost to buy on Binance goes above 0\.03 %/);
    assert.match(await textOf(page), /Order size: \$1,000/);
    const [rule] = await market.service.alerts.alerts.rules(person.accountId);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(rule?.query)), {
      ...{ coin: 'BTC', exchange: 'Binance', size_usd: '1000' },
    });
    assert.deepEqual(complaints, []);
  });

  test('every list has its sentence, also without scripts, and is clean for screen readers', async () => {
    const visited = await visit(browser as Browser, { javaScriptEnabled: false });
    const { page } = await opened('reads', NEW, { visited });
    for (const [tab, words] of [
      ['Spread', /Tell me when.*net spread.*any venue/s],
      ['Funding arbitrage', /Tell me when.*net APR/s],
      ['Backtest', /Tell me when.*median profit of a round trip/s],
      ['Depth', /Tell me when.*cost to buy.*on.*goes/s],
      ['Listings', /Tell me when.*a listing or delisting.*of.*on.*is found/s],
      ['Funding', /Tell me when.*funding rate.*on.*goes/s],
    ] as const) {
      await follow(page, page.locator('.alert-tabs').getByRole('link', { name: tab, exact: true }));
      assert.match(await textOf(page, '.sentence'), words, tab);
      assert.match(await previewOf(page), /Matches now: [\d,]+.*in the last 24 h: /, tab);
    }
    await page.fill('[name="filter.coin"]', 'BTC');
    await page.fill('[name=bound]', '-1');
    await follow(page, page.getByRole('button', { name: 'Check' }));
    assert.equal(await page.inputValue('[name="filter.coin"]'), 'BTC', 'what was typed stays');
    assert.match(
      await previewOf(page),
      /in the last 24 h: (\d+) of \1 settled payments\s?counted from what was paid/,
    );
    await visited.context.close();
    await scripted.page.emulateMedia({ colorScheme: 'dark' });
    await opened('listens', SPREAD);
    assert.deepEqual(await seriousFaults(scripted.page), []);
    await scripted.page.emulateMedia({ colorScheme: 'light' });
  });

  test('only channels that exist here are offered; a wrong address marks its field and keeps the form', async () => {
    const { page, person } = await opened('hooked', SPREAD, { width: PHONE });
    assert.doesNotMatch(await textOf(page), /Telegram/);
    await page.fill('[name=bound]', '0.45');
    assert.ok(!(await page.isVisible('[name="webhook.url"]')));
    await page.check('[value=new-webhook]');
    await page.fill('[name="webhook.url"]', `https://10.0.0.1/${'long'.repeat(60)}`);
    await save(page);
    const field = page.locator('[name="webhook.url"]');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.match(
      (await page.locator(`#${await field.getAttribute('aria-describedby')}`).textContent()) ?? '',
      /public internet/,
    );
    assert.equal(await page.inputValue('[name=bound]'), '0.45');
    assert.equal(await page.inputValue('[name=venue_b]'), 'Bybit');
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= PHONE);
    assert.deepEqual(await market.service.alerts.alerts.endpoints(person.accountId), []);
    await field.fill(`${receiver.url}/hook`);
    await save(page);
    const text = await textOf(page);
    assert.match(text, /The alert is active\./);
    assert.match(text, /whsec_/, 'the secret is shown');
    const made = await market.service.alerts.alerts.endpoints(person.accountId);
    assert.deepEqual(made.map(({ kind }) => kind).toSorted(), ['email', 'webhook']);
  });

  test('a refused account form says why inside the page, and marks the field', async () => {
    const { page } = await opened('refused', '/account/password', { width: PHONE });
    const send = async () => {
      await page.fill('[name=current]', 'not my password');
      await page.fill('[name=password]', 'a new password of mine');
      await follow(page, page.getByRole('button', { name: 'Change the password' }));
    };
    await send();
    assert.equal(await page.locator('[name=current]').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('[name=current]').getAttribute('aria-describedby'), 'fault');
    assert.ok(await page.locator('#fault').isVisible());
    await page.goto(at('/account/keys'));
    await page.evaluate("document.querySelector('#new [name=expires]').type = 'text'");
    await page.fill('#new [name=name]', 'robot');
    await page.fill('#new [name=expires]', 'x'.repeat(300));
    await follow(page, page.locator('#new button[type=submit]'));
    assert.equal(await page.locator('#new [name=expires]').getAttribute('aria-invalid'), 'true');
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= PHONE);
  });

  test('a page can send forms to this site only', async () => {
    const { page, complaints } = await opened('targets', ALERTS);
    await page.evaluate(`{
      const form = document.createElement('form');
      form.action = 'https://elsewhere.example/';
      document.body.append(form);
      form.submit();
    }`);
    await until(() => complaints.some((words) => /form-action 'self'/.test(words)), 'the refusal');
    assert.equal(new URL(page.url()).pathname, ALERTS);
  });
});
