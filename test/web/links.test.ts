import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { DOCUMENTS } from '../../src/doors/web/documents.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** Groups URLs that differ only in the coin or in filter values; one URL of each group is checked. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname.replace(/^\/funding\/[^/.]+/, '/funding/COIN');
  return `${path} ${[...searchParams.keys()].toSorted().join(' ')}`;
}

/** The links in a page or in a Markdown twin. */
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
    market = await filledMarket();
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
    for (const { path } of DOCUMENTS) {
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
    for (const { path, file } of DOCUMENTS) {
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
});
