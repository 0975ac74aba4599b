import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { type ScriptedReceiver, startScriptedReceiver } from '../alerts/channels/receiver.ts';
import { mailedLink, PASSWORD, signedUp } from '../oauth/person.ts';
import { arrival, startBrowser, type Visit, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { demoAnswer, type Row } from './shown.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const MOST_CLICKS = 3;
/** At this time a pair takes more than $50,000, which the start page asks for. At some times none does. */
const HELD_AT_MS = Date.parse('2026-11-14T00:05:30Z');
/** Task and number of clicks, as docs/ten-tasks.md has them. */
const WRITTEN = new Map(
  [
    ...readFileSync(join(import.meta.dirname, '../../docs/ten-tasks.md'), 'utf8').matchAll(
      /^\| ([^|]+?) +\| (\d) +\|/gm,
    ),
  ].map(([, task = '', clicks]) => [task, Number(clicks)]),
);

/** Tasks that may take more clicks. */
const LONGER = new Map([
  ['Alert on a spread by webhook', 5],
  ['A year of payments as CSV', 4],
]);

test('ten tasks are written down, none with more than three clicks, and a few longer ones', () => {
  assert.equal(WRITTEN.size, 10 + LONGER.size);
  for (const [task, clicks] of WRITTEN) assert.ok(clicks <= (LONGER.get(task) ?? MOST_CLICKS), task);
});

suite('ten tasks of a new user, from the start page', { skip }, () => {
  let market: FilledMarket;
  let receiver: ScriptedReceiver;
  let visitor: Visit;
  let clicks = 0;
  before(async () => {
    receiver = await startScriptedReceiver();
    market = await filledMarket({
      ...{ venues: ['binance', 'bybit', 'okx'], coins: 12, heldAtMs: HELD_AT_MS },
      settings: { ALERT_NETWORKS: 'loopback' },
    });
    visitor = await visit(browser as Browser);
  });
  after(async () => {
    await receiver.close();
    await market.stop();
  });
  beforeEach(async () => {
    clicks = 0;
    await visitor.page.goto(at('/'));
  });
  const at = (path: string) => `${market.service.baseUrl}${path}`;
  /** A click on a link or button that leads to another page. */
  const open = async (target: Locator) => {
    clicks++;
    const arrived = arrival(target.page());
    await target.click();
    await arrived;
  };
  /** A click that stays on the page. */
  const press = async (target: Locator) => {
    clicks++;
    await target.click();
  };
  /** A signed-in user on the start page. */
  const reader = async (email: string) => {
    const person = await signedUp(market.service, email);
    const opened = await visit(browser as Browser);
    await opened.context.addCookies(
      [...person.browser.cookies].map(([name, value]) => ({ name, value, url: market.service.baseUrl })),
    );
    await opened.page.goto(at('/'));
    return { ...opened, person };
  };
  const mainMenu = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
  const assertClicks = (task: string) => assert.equal(clicks, WRITTEN.get(task), `clicks for “${task}”`);
  const rowsOf = async (path: string): Promise<Row[]> => {
    const { data } = (await demoAnswer(market, path)).body as { data: Row[] | { pairs: Row[] } };
    return Array.isArray(data) ? data : data.pairs;
  };

  test('best carry now', async () => {
    const { page } = visitor;
    const [best] = await rowsOf(
      '/api/v1/arbitrage?min_possible_capacity_usd=50000&sort=expected_low_net_desc&limit=1',
    );
    assert.ok(best, 'a pair with this capacity');
    const shown = page.locator('section', { hasText: 'Best carry' }).locator('tbody tr').first();
    const text = (await shown.textContent()) ?? '';
    const apr = Number(best.net_apr_pct);
    for (const part of [best.coin, best.long_exchange, best.short_exchange, Math.abs(apr).toFixed(1)])
      assert.ok(text.includes(String(part)), `${part} in ${text}`);
    assertClicks('Best carry now');
  });

  test('BTC on my venues', async () => {
    const { page } = visitor;
    await open(mainMenu(page, 'Funding'));
    await press(page.locator('form.fbar > .more > summary'));
    await page.fill('#f-coin', 'bitcoin');
    await page.fill('#f-exchange', 'okx, BYBIT');
    await open(page.locator('.drawer button[type=submit]'));
    const venues = await page
      .locator('#results thead th[data-x]')
      .evaluateAll((heads) => heads.map((one) => one.getAttribute('data-x')));
    assert.deepEqual(venues.toSorted(), ['Bybit', 'OKX']);
    const coins = await page
      .locator('#results tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
    assert.deepEqual(coins, ['BTC']);
    assertClicks('BTC on my venues');
  });

  test('is this rate stale', async () => {
    const { page } = visitor;
    const health = page.locator('#health li', { hasText: 'Binance' });
    assert.match((await health.textContent()) ?? '', /Binance\d+ (s|min late)$/);
    await open(page.locator('#health').getByRole('link', { name: 'Status page' }));
    assert.match((await page.locator('main').textContent()) ?? '', /Binance/);
    assertClicks('Is this rate stale');
  });

  test('alert me', async () => {
    const { page, context, person } = await reader('alerted@example.com');
    await open(mainMenu(page, 'Funding'));
    await open(page.getByRole('link', { name: 'Alert me' }).first());
    await open(page.locator('main form button[type=submit], main form button:not([type])').last());
    assert.equal(new URL(page.url()).pathname, '/account/alerts');
    const rules = await market.service.alerts.alerts.rules(person.accountId);
    assert.equal(rules.length, 1);
    assertClicks('Alert me');
    await context.close();
  });

  test('alert on a spread by webhook', async () => {
    const { page, context, person } = await reader('hooked@example.com');
    await open(mainMenu(page, 'Spreads'));
    await open(page.getByRole('link', { name: 'Alert me' }).first());
    await page.fill('[name="filter.coin"]', 'BTC');
    clicks++;
    await page.check('[value=new-webhook]');
    await page.fill('[name="webhook.url"]', `${receiver.url}/hook`);
    await open(page.getByRole('button', { name: 'Create the alert' }));
    await open(page.getByRole('button', { name: 'Confirm' }));
    const [rule] = await market.service.alerts.alerts.rules(person.accountId);
    const endpoints = await market.service.alerts.alerts.endpoints(person.accountId);
    const webhook = endpoints.find(({ kind }) => kind === 'webhook');
    assert.equal(webhook?.state, 'active');
    assert.deepEqual([rule?.operation, rule?.query], ['spreads', 'coin=BTC']);
    assert.ok(rule?.endpointIds.includes(webhook.id));
    assertClicks('Alert on a spread by webhook');
    await context.close();
  });

  test('get a key and call', async () => {
    const { page, context } = await visit(browser as Browser);
    const email = 'caller@example.com';
    await page.goto(at('/'));
    await open(page.getByRole('link', { name: 'Get an API key' }).first());
    await page.fill('input[name=email]', email);
    await page.fill('input[name=password]', PASSWORD);
    await open(page.locator('main form button').last());
    await page.goto(mailedLink(market.service, email));
    await page.fill('input[name=password]', PASSWORD);
    await open(page.locator('main form button').last());
    assert.equal(new URL(page.url()).pathname, '/account/keys');
    const [key = ''] =
      /pw_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/.exec((await page.locator('main').textContent()) ?? '') ?? [];
    const reply = await fetch(at('/api/v1/funding?limit=1'), { headers: { authorization: `Bearer ${key}` } });
    assert.equal(reply.status, 200, 'the key on the page works');
    assertClicks('Get a key and call');
    await context.close();
  });

  test('connect my assistant', async () => {
    const { page } = visitor;
    await open(page.getByRole('link', { name: 'Connect an assistant' }).first());
    assert.ok((await page.locator('main').textContent())?.includes(at('/mcp')), 'the address to paste');
    const claude = page.locator('main a', { hasText: 'Claude' }).first();
    assert.match((await claude.getAttribute('href')) ?? '', /^https:\/\/claude\.ai\//);
    assertClicks('Connect my assistant');
  });

  test('when is the next listing', async () => {
    const { page } = visitor;
    const [next] = await rowsOf('/api/v1/listings?days_ahead=30&limit=1');
    const shown = page.locator('section', { hasText: 'Next listings' }).locator('tbody tr').first();
    assert.ok(next, 'there is one');
    assert.ok((await shown.textContent())?.includes(String(next.coin ?? next.symbol)));
    assert.equal(await shown.locator('time').getAttribute('datetime'), next.effective_at);
    assertClicks('When is the next listing');
  });

  test('what fee is assumed', async () => {
    const { page } = visitor;
    await open(mainMenu(page, 'Venues'));
    const { body } = await demoAnswer(market, '/api/v1/exchanges');
    const venues = (body as { data: Row[] }).data;
    const binance = venues.find(({ exchange }) => exchange === 'Binance');
    const text = (await page.locator('tr', { hasText: 'Binance' }).first().textContent()) ?? '';
    assert.match(text, new RegExp(`${Number(binance?.taker_fee_pct)}`));
    assertClicks('What fee is assumed');
  });

  test('download as CSV', async () => {
    const { page } = visitor;
    await open(page.getByRole('link', { name: /^All \d+ contracts$/ }));
    clicks++;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).first().click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    const [head = '', ...lines] = text.trim().split('\n');
    assert.match(head, /^exchange,symbol,/);
    assert.equal(lines.length, await page.locator('#results tbody tr').count());
    assertClicks('Download as CSV');
  });

  test('last 30 days of one contract', async () => {
    // Visitors see the sum of 30 days beside the contract; each payment needs a plan that reaches so far.
    const { page, context } = await reader('historian@example.com');
    await page.locator('#hq').fill('btc');
    await open(page.locator('.suggest [role=option]', { hasText: 'Bitcoin' }));
    await open(page.locator('tr', { hasText: 'Binance' }).first().locator('a[href*="/history?"]'));
    await press(page.getByRole('link', { name: '30 d', exact: true }).first());
    await page.waitForURL(/days=30/);
    const query = new URL(page.url()).searchParams;
    assert.deepEqual([query.get('exchange'), query.get('days')], ['Binance', '30']);
    assertClicks('Last 30 days of one contract');
    await context.close();
  });

  test('a year of payments as CSV', async () => {
    const { page, context } = await reader('yearly@example.com');
    await page.locator('#hq').fill('btc');
    await open(page.locator('.suggest [role=option]', { hasText: 'Bitcoin' }));
    await open(page.locator('tr', { hasText: 'Bybit' }).first().locator('a[href*="/history?"]'));
    await open(page.getByRole('link', { name: '1 y', exact: true }));
    clicks++;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Payments, CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'BTC-Bybit-funding-2025-11-14-2026-11-14.csv');
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    assert.match(lines[0] ?? '', /^coin,exchange,symbol,time,rate_pct,interval_hours/);
    assert.ok(lines.length > 100, `${lines.length} payments of the 40 days that are held`);
    assert.match((await page.locator('#range-note').textContent()) ?? '', /held since \d+ \w+ 2026/);
    assertClicks('A year of payments as CSV');
    await context.close();
  });
});
