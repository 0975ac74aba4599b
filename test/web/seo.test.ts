import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { MARKET_PAGES, TEXT_PAGES } from '../../src/doors/web/pages/registry.ts';
import { startBrowser, visit } from '../support/browser.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { pairPath } from './market-paths.ts';

const browser = await startBrowser();
const skip = typeof browser === 'string' ? browser : false;
after(async () => {
  if (typeof browser !== 'string') await browser.close();
});

suite('what search engines and social networks get', () => {
  let running: FilledMarket;
  let sitemap: string[];
  before(async () => {
    running = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 5 });
    const xml = await (await open('/sitemap.xml')).text();
    sitemap = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url);
  });
  after(() => running.stop());
  const origin = () => running.service.baseUrl;
  const open = (path: string, init: RequestInit = {}) =>
    fetch(`${origin()}${path}`, { redirect: 'manual', ...init });

  test('the sitemap has every page, every coin and every venue, once', async () => {
    assert.equal(new Set(sitemap).size, sitemap.length);
    const paths = sitemap.map((url) => {
      assert.ok(url.startsWith(`${origin()}/`), url);
      return url.slice(origin().length);
    });
    for (const { path } of TEXT_PAGES) assert.ok(paths.includes(path), path);
    for (const { path, label } of MARKET_PAGES)
      if (label !== undefined) assert.ok(paths.includes(path.replace(':coin', 'BTC')), path);
    const { body } = await running.get('/api/v1/coins', { plan: 'demo' });
    for (const { coin } of (body as { data: { coin: string }[] }).data)
      for (const path of [`/funding/${coin}`, `/funding/${coin}/history`])
        assert.ok(paths.includes(path), path);
    for (const path of ['/exchanges/Binance', '/exchanges/Bybit']) assert.ok(paths.includes(path), path);
    for (const path of ['/search', '/more', '/arbitrage/pair', '/account'])
      assert.ok(!paths.includes(path), path);
  });

  test('each page of the sitemap exists, says so itself, and has title, description and a card', async () => {
    const seen = { titles: new Set<string>(), descriptions: new Set<string>() };
    for (const url of sitemap.filter((one) => !one.endsWith('/history'))) {
      const reply = await open(url.slice(origin().length));
      const page = await reply.text();
      assert.equal(reply.status, 200, url);
      const found = (pattern: RegExp) => pattern.exec(page)?.[1] ?? '';
      assert.equal(found(/<link rel="canonical" href="([^"]*)">/), url);
      assert.equal(found(/<meta property="og:url" content="([^"]*)">/), url);
      assert.doesNotMatch(page, /noindex/, url);
      const card = found(/<meta property="og:image" content="([^"]*)">/);
      assert.match(card.slice(origin().length), /^\/cards\/[\w/]+\.png$/, card);
      const [title, description] = [
        found(/<title>([^<]*) · Perpwire<\/title>/),
        found(/<meta name="description" content="([^"]*)">/),
      ];
      assert.ok(title.length > 3, url);
      assert.ok(description.length >= 50 && description.length <= 160, `${url}: ${description}`);
      assert.ok(!seen.titles.has(title), `two pages have the title ${title}`);
      assert.ok(!seen.descriptions.has(description), `two pages are described as ${description}`);
      seen.titles.add(title);
      seen.descriptions.add(description);
    }
    assert.ok(seen.titles.size > 20);
  });

  test('filters, order and page of a list do not make another page; what a pair is does', async () => {
    const canonicalOf = async (path: string) => {
      const page = await (await open(path)).text();
      return /<link rel="canonical" href="([^"]*)">/.exec(page)?.[1]?.slice(origin().length);
    };
    assert.equal(await canonicalOf('/funding?coin=BTC&unit=apr'), '/funding');
    assert.equal(await canonicalOf('/spreads?sort=spread_desc'), '/spreads');
    const pair = await pairPath(running);
    assert.equal(await canonicalOf(`${pair}&size_usd=500`), pair.replaceAll('&', '&amp;'));
  });

  for (const path of ['/sign-in', '/search?q=btc', '/no/such/page', '/funding/NOSUCHCOIN']) {
    test(`${path} asks not to be indexed`, async () => {
      const page = await (await open(path, { headers: { accept: 'text/html' } })).text();
      assert.match(page, /<meta name="robots" content="noindex">/);
    });
  }

  test('structured data is valid JSON of schema.org, and the content security policy lets it be', {
    skip,
  }, async () => {
    const { page, context, complaints } = await visit(browser as Browser);
    const types: Record<string, string[]> = {};
    for (const path of ['/', '/funding', '/funding/BTC', '/arbitrage', '/developers/rules']) {
      await page.goto(`${origin()}${path}`);
      const text = await page.locator('script[type="application/ld+json"]').textContent();
      const data = JSON.parse(text ?? '') as { '@context': string; '@graph': { '@type': string }[] };
      assert.equal(data['@context'], 'https://schema.org');
      types[path] = data['@graph'].map((one) => one['@type']);
    }
    assert.deepEqual(types, {
      '/': ['Organization', 'WebSite'],
      '/funding': ['Dataset', 'BreadcrumbList'],
      '/funding/BTC': ['Dataset', 'BreadcrumbList'],
      '/arbitrage': ['Dataset', 'BreadcrumbList'],
      '/developers/rules': ['TechArticle', 'BreadcrumbList'],
    });
    assert.deepEqual(complaints, []);
    await context.close();
  });

  for (const name of ['home', 'funding', 'arbitrage']) {
    test(`the picture ${name} of links has 1200 × 630 pixels and may be cached`, { skip }, async () => {
      const reply = await open(`/cards/${name}.png`);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('cache-control'), 'public, max-age=86400');
      const bytes = Buffer.from(await reply.arrayBuffer());
      assert.ok(bytes.length > 5_000 && bytes.length < 100_000, `${bytes.length} bytes`);
      const { page, context } = await visit(browser as Browser);
      await page.goto(`${origin()}/cards/${name}.png`);
      const size = await page.locator('img').evaluate((image) => {
        const { naturalWidth, naturalHeight } = image as unknown as Record<string, number>;
        return [naturalWidth, naturalHeight];
      });
      assert.deepEqual(size, [1200, 630]);
      await context.close();
    });
  }
});
