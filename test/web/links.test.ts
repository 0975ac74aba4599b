import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { DOCS_FILES } from '../../src/doors/documents/docs-files.ts';
import { MARKET_PAGES, TEXT_PAGES } from '../../src/doors/web/pages/registry.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type FilledMarket, filledMarket, HELD_AT_MS } from './filled-market.ts';
import { CONTRACT_PATH, carryPath, pairPath, RUNNING_PATH, VENUE_PATH } from './market-paths.ts';

/** The other pages of a coin have names of their own. */
const VENUE_OF_COIN = new RegExp(
  `^(/(?:funding|depth)/COIN/)(?:${VENUES.map(({ facts }) => facts.exchange.replace('.', '\\.')).join('|')})(?=\\.md$|$)`,
);
const DOCS = join(import.meta.dirname, '../../docs');

/** Groups URLs that differ only in the coin, its venue or filter values; one URL of each group is checked. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname.replace(/^\/(funding|depth)\/[^/.]+/, '/$1/COIN').replace(VENUE_OF_COIN, '$1VENUE');
  return `${path} ${[...searchParams.keys()].toSorted().join(' ')}`;
}

/** The links in a page or in a Markdown file. */
function linksIn(text: string, type: string): string[] {
  if (type.startsWith('text/html'))
    return [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
  if (!type.startsWith('text/markdown') && !type.startsWith('text/plain')) return [];
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|<(https?:[^>\s]+|\/[^>\s]*)>/g)].map(([, a, b]) => a ?? b ?? '');
}

suite('links', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({
      ...{ venues: ['binance', 'bybit', 'okx', 'hyperliquid'], coins: 12, heldAtMs: HELD_AT_MS },
    });
  });
  after(() => market.stop());

  test('every link on every page and twin works, and every anchor exists', async () => {
    const { baseUrl } = market.service;
    const broken: string[] = [];
    const anchors: { from: string; to: URL }[] = [];
    const idsAt = new Map<string, Set<string>>();
    const seen = new Map<string, string>([['/ ', '']]);
    const open = [new URL('/', baseUrl)];
    for (let url = open.shift(); url; url = open.shift()) {
      const reply = await fetch(url, { headers: { accept: 'text/html' } });
      const text = await reply.text();
      if (reply.status !== 200)
        broken.push(`${url.pathname}${url.search}: ${reply.status}, from ${seen.get(kindOf(url))}`);
      const type = reply.headers.get('content-type') ?? '';
      const isPage = type.startsWith('text/html');
      if (isPage)
        idsAt.set(url.pathname, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
      for (const href of linksIn(text, type)) {
        const to = new URL(href, url);
        if (to.origin !== url.origin) continue;
        if (isPage && to.hash !== '') anchors.push({ from: url.pathname, to });
        if (seen.has(kindOf(to))) continue;
        seen.set(kindOf(to), url.pathname);
        open.push(to);
      }
    }
    assert.deepEqual(broken, []);
    assert.ok(idsAt.size > 20, `${idsAt.size} pages`);
    for (const { path } of DOCS_FILES) {
      assert.ok(idsAt.has(path), `${path} is linked`);
      assert.ok(seen.has(`${path}.md `), `${path}.md is linked`);
    }
    const missing = anchors.filter(
      ({ to }) => !idsAt.get(to.pathname)?.has(decodeURIComponent(to.hash.slice(1))),
    );
    assert.deepEqual(
      missing.map(({ from, to }) => `${to.pathname}${to.hash} from ${from}`),
      [],
    );
  });

  test('developer pages name no missing file and do not mention the repository', async () => {
    for (const { path, file } of DOCS_FILES) {
      const text = readFileSync(join(DOCS, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/\]\(([\w-]+\.md)(?:#[^)]*)?\)/g))
        assert.ok(existsSync(join(DOCS, name)), `${file} names ${name}`);
      const twin = await (await fetch(`${market.service.baseUrl}${path}.md`)).text();
      const page = await (await fetch(`${market.service.baseUrl}${path}`)).text();
      for (const served of [twin, page]) {
        assert.doesNotMatch(
          served,
          /\b(?:src|test|scripts)\/\w|npm run|\bperpwire_\w|contributors|<!--/,
          path,
        );
      }
    }
  });

  suite('parameters that a page does not know', () => {
    const LONG = 'z'.repeat(7_000);
    /** Ages in words, and tokens, differ from one request to the next. */
    const NOISE_BYTES = 200;
    /** In the form, and in what says why the value is refused. */
    const MOST_REPEATS = 6;
    /** What pages of pairs need, by the path of the page. */
    const needed = new Map<string, string>();
    before(async () => {
      for (const address of [await pairPath(market), await carryPath(market)]) {
        const [page = '', query = ''] = address.split('?');
        needed.set(page, query);
      }
    });
    const textAt = async (address: string) => {
      const reply = await fetch(`${market.service.baseUrl}${address}`);
      return { text: await reply.text(), url: reply.url, status: reply.status };
    };
    const addressOf = (page: string, form: string, ...queries: string[]) => {
      const path = form
        .replace('/exchanges/:exchange', VENUE_PATH)
        .replace('/depth/:coin/:exchange', CONTRACT_PATH)
        .replace('/funding/:coin/:exchange', RUNNING_PATH)
        .replace(':coin', 'BTC');
      const query = [needed.get(page) ?? '', ...queries].filter((one) => one !== '').join('&');
      return query === '' ? path : `${path}?${query}`;
    };

    for (const { path, markdownPath = `${path}.md`, files = {}, parameters } of MARKET_PAGES) {
      for (const form of [
        path,
        markdownPath,
        ...Object.keys(files).map((extension) => `${path}${extension}`),
      ])
        test(`${form} does not grow with a made-up one`, async () => {
          const plain = await textAt(addressOf(path, form));
          assert.equal(plain.status, 200, plain.text.slice(0, 300));
          const long = await textAt(addressOf(path, form, `made_up=${LONG}`, '__proto__=zzz'));
          assert.equal(long.status, 200);
          assert.ok(!long.text.includes('zzz') && !long.text.includes('made_up'));
          // Some parts of a page are there from the second request on.
          const again = await textAt(addressOf(path, form));
          const growth = long.text.length - Math.max(plain.text.length, again.text.length);
          assert.ok(growth < NOISE_BYTES, `${growth} bytes more`);
        });

      test(`${path} does not repeat a long value of its own ones in links`, async () => {
        // As a number it is valid, as a text too long.
        const value = '0'.repeat(7_000);
        for (const name of parameters.keys()) {
          if (new URLSearchParams(needed.get(path)).has(name)) continue;
          const { text } = await textAt(addressOf(path, path, `${name}=${value}`));
          const repeats = text.split(value).length - 1;
          assert.ok(repeats <= MOST_REPEATS, `${name}: ${repeats} times`);
        }
      });
    }

    for (const path of [
      ...TEXT_PAGES.filter(({ body }) => body !== null).map((page) => page.path),
      ...['/sign-in', '/sign-up', '/forgot-password', '/verify-email', '/reset-password'],
      ...['/account', '/account/alerts', '/account/alerts/new', '/account/alerts/edit', '/nothing-here'],
      ...['/listings.atom', '/listings.ics', '/sitemap.xml'],
    ])
      test(`${path} does not have a made-up one, nor does the page to which it leads`, async () => {
        const { text, url } = await textAt(`${path}?made_up=${LONG}`);
        assert.ok(!text.includes('zzz'), text.slice(0, 300));
        if (!url.endsWith(LONG)) assert.ok(!url.includes('zzz'), url);
      });

    test('the form of an alert takes the filters of its list along to the sign-in, and nothing else', async () => {
      const open = async (query: string) =>
        new URL((await textAt(`/account/alerts/new?${query}`)).url).searchParams.get('return_to');
      assert.equal(
        await open(`made_up=${LONG}&operation=funding&coin=BTC&coin=ETH&sort=apr_desc&page=2`),
        '/account/alerts/new?operation=funding&coin=BTC%2CETH',
      );
      assert.equal(await open(`operation=nothing&coin=${LONG}`), '/account/alerts/new');
      const kilobyte = `/account/alerts/new?operation=funding&coin=${'z'.repeat(981)}`;
      assert.equal(kilobyte.length, 1024);
      assert.equal(await open(kilobyte.split('?')[1] ?? ''), kilobyte, '1 kB is kept');
      assert.equal(await open(`${kilobyte.split('?')[1]}z`), null, 'more than 1 kB is left out');
    });

    test('an address to return to of more than 1 kB is left out of the sign-in page', async () => {
      const { text, status } = await textAt(`/sign-in?return_to=/${'z'.repeat(1_024)}`);
      assert.equal(status, 200);
      assert.match(text, /name="return_to" value="\/account"/);
    });

    test('Link and meta.url of the API have only parameters of the operation', async () => {
      const query = `limit=2&coin=BTC&format=csv&made_up=${LONG}`;
      const csv = await market.get(`/api/v1/funding?${query}`);
      assert.equal(csv.status, 200);
      const link = csv.headers.get('link') ?? '';
      assert.match(link, /<[^>]*\/api\/v1\/funding\?limit=2&coin=BTC&format=csv&cursor=[^&>]+>; rel="next"/);
      assert.ok(!link.includes('made_up') && link.length < 2_000, link.slice(0, 300));
      const json = await market.get(`/api/v1/funding?limit=2&coin=BTC&made_up=${LONG}`);
      assert.equal(
        (json.body as { meta: { url: string } }).meta.url,
        `${market.service.baseUrl}/funding?coin=BTC`,
      );
    });
  });
});
