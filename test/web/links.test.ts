import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type FilledMarket, filledMarket } from './filled-market.ts';

/** Addresses of the same kind: another coin, another value of a filter. One of each kind is enough. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname.replace(/^\/funding\/(?!heat-map)[^/.]+/, '/funding/COIN');
  return `${path} ${[...searchParams.keys()].toSorted().join(' ')}`;
}

suite('links', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket();
  });
  after(() => market.stop());

  test('every link of every page leads somewhere, and every anchor is there', async () => {
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
      if (!reply.headers.get('content-type')?.startsWith('text/html')) continue;
      idsAt.set(url.pathname, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const to = new URL(href.replaceAll('&amp;', '&'), url);
        if (to.origin !== url.origin) continue;
        if (to.hash !== '') anchors.push({ from: url.pathname, to });
        if (seen.has(kindOf(to))) continue;
        seen.set(kindOf(to), url.pathname);
        open.push(to);
      }
    }
    assert.deepEqual(broken, []);
    assert.ok(idsAt.size > 20, `${idsAt.size} pages`);
    const missing = anchors.filter(
      ({ to }) => !idsAt.get(to.pathname)?.has(decodeURIComponent(to.hash.slice(1))),
    );
    assert.deepEqual(
      missing.map(({ from, to }) => `${to.pathname}${to.hash} from ${from}`),
      [],
    );
  });
});
