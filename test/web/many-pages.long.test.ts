import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signedUp } from '../oauth/person.ts';
import { startBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type LiveSite, liveSite, readerVisit, untilSent } from './live-site.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

const PLACES = 4;
const PATHS = [
  '/funding',
  '/funding?view=table',
  '/funding/BTC',
  '/funding/ETH',
  '/',
  '/arbitrage',
  '/spreads',
];

suite('seven open pages of one browser over HTTP/1.1, which has six connections', { skip }, () => {
  let site: LiveSite;
  let context: BrowserContext;
  const pages: Page[] = [];
  const complaints: string[] = [];
  before(async () => {
    site = await liveSite();
    const first = await readerVisit(browser as Browser, site);
    context = first.context;
    for (const path of PATHS) {
      const page = pages.length === 0 ? first.page : await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      pages.push(page);
      await page.goto(`${site.service.baseUrl}${path}`);
      await page.locator('#live[data-own]').waitFor();
    }
  });
  after(() => site.stop());

  const ageOf = async (page: Page) => (await page.locator('#live .age').textContent()) ?? '';
  const isPolling = async (page: Page) => / ago, every 15 s$/.test(await ageOf(page));
  const countPolling = async () => {
    const found = await Promise.all(pages.filter((page) => !page.isClosed()).map(isPolling));
    return found.filter(Boolean).length;
  };
  const titleOf = async (page: Page) => (await page.locator('#live .age').getAttribute('title')) ?? '';

  test('the seventh is loaded, four hold a stream, and the others say how often they ask', async () => {
    const last = pages.at(-1) as Page;
    assert.equal(
      await last.evaluate('performance.getEntriesByType("navigation")[0].nextHopProtocol'),
      'http/1.1',
    );
    assert.ok((await last.locator('#results tbody tr').count()) > 0);
    await until(
      async () => (await countPolling()) === PATHS.length - PLACES,
      'the pages without a stream say so',
    );
    assert.match(
      await titleOf(last),
      /Other open pages hold all the streams of your plan, or all connections of this browser/,
    );
    // Connections are left for what readers do.
    const reply = await last.evaluate("fetch('/search?q=bitcoin').then(({ status }) => status)");
    assert.equal(reply, 200);
  });

  test('new data reaches all seven', async () => {
    const before = await Promise.all(pages.map(titleOf));
    await site.moveOn(1);
    await untilSent(
      site,
      async () => (await Promise.all(pages.map(titleOf))).every((title, i) => title !== before[i]),
      'newer data on every page',
    );
  });

  test('a page that is closed leaves its stream to another', async () => {
    const streaming = [];
    for (const page of pages) if (!(await isPolling(page))) streaming.push(page);
    assert.equal(streaming.length, PLACES);
    await streaming[0]?.close();
    await until(
      async () => (await countPolling()) === PATHS.length - PLACES - 1,
      'one more page has a stream',
    );
    assert.deepEqual(complaints, []);
  });
});

suite('two open pages of a reader whose plan has one stream', { skip }, () => {
  test('one holds the stream, the other asks and says so, and neither shows an error', async () => {
    const site = await liveSite();
    const { browser: person } = await signedUp(site.service, 'demo@example.com', 'demo');
    const url = site.service.baseUrl;
    const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url }));
    const { context, page, complaints } = await readerVisit(browser as Browser, { ...site, cookies });
    site.clock.advanceMs(901_000);
    const pages = [page, await context.newPage()];
    const bad = complaints;
    pages[1]?.on('console', (message) => {
      if (message.type() === 'error') bad.push(message.text());
    });
    for (const one of pages) {
      await one.goto(`${url}/funding`);
      await one.locator('#live[data-own]').waitFor();
    }
    const badge = async (one: Page) => (await one.locator('#live').textContent()) ?? '';
    await until(
      async () =>
        (await Promise.all(pages.map(badge))).filter((text) => /every 15 s/.test(text)).length === 1,
      'one page that asks',
    );
    for (const one of pages) assert.match(await badge(one), /^Delayed 15 min/);
    assert.deepEqual(bad, []);
    await site.stop();
  });
});
