import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { PLAN_NAMES, PLANS } from '../../src/accounts/plans.ts';
import { PROBLEMS } from '../../src/base/problems.ts';
import { DOCS_FILES } from '../../src/doors/documents/docs-files.ts';
import { markdownPathOf } from '../../src/doors/web/pages/market-page.ts';
import { MARKET_PAGES, TEXT_PAGES } from '../../src/doors/web/pages/registry.ts';
import { fieldsOf } from '../../src/operations/description/fields.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { type Running, runService } from '../support/service.ts';
import { markdownTables, words } from './page-text.ts';

suite('Markdown files of pages without market data', () => {
  let running: Running;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 5 });
  });
  after(() => running.stop());

  const pageAt = async (path: string) => {
    const reply = await fetch(`${running.service.baseUrl}${path}`);
    assert.equal(reply.status, 200, path);
    return await reply.text();
  };
  const twinAt = async (path: string) => {
    const reply = await fetch(`${running.service.baseUrl}${path}.md`);
    assert.equal(reply.status, 200, `${path}.md`);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/markdown/);
    return await reply.text();
  };

  test('/plans: the same cells', async () => {
    const [twinRows = []] = markdownTables(await twinAt('/plans'));
    const cards = [...(await pageAt('/plans')).matchAll(/<section class="card plan.*?<\/section>/gs)].map(
      ([card]) => ({
        title: words(/<h2>(.*?)<\/h2>/.exec(card)?.[1] ?? ''),
        lines: [
          ['Price', words(/<p class="price">(.*?)<\/p>/.exec(card)?.[1] ?? '')],
          ...[...card.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, ...cells]) => cells.map(words)),
        ],
      }),
    );
    assert.deepEqual(
      cards.map(({ title }) => title),
      PLAN_NAMES.map((name) => PLANS[name].title),
    );
    for (const { title, lines } of cards)
      assert.deepEqual(
        twinRows.map((row) => [row.Plan, row[title]]),
        lines,
      );
    const month = twinRows.find((row) => row.Plan === 'API requests a month') ?? {};
    for (const name of PLAN_NAMES) {
      const { title, requestsPerMonth } = PLANS[name];
      assert.equal(Number(month[title]?.replaceAll(',', '')), requestsPerMonth);
    }
  });

  test('/developers/errors: every code with its status, on the page under an anchor', async () => {
    const page = await pageAt('/developers/errors');
    const twin = await twinAt('/developers/errors');
    for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
      assert.ok(page.includes(`<h2 id="${code}"><code>${code}</code> · ${status}</h2>`), code);
      assert.ok(twin.includes(`## ${code}\n\nStatus ${status}. ${title}`), code);
    }
  });

  test('/developers/reference: every endpoint with its parameters and the fields of its answer', async () => {
    const page = await pageAt('/developers/reference');
    const twin = await twinAt('/developers/reference');
    const tables = markdownTables(twin).map((rows) => rows.map(({ parameter, field }) => parameter ?? field));
    const expected = OPERATIONS.flatMap(({ path, parameters, formats, data }) => {
      assert.ok(twin.includes(`## GET /api/v1${path}\n`), path);
      assert.ok(page.includes(`<span class="tag ok">GET</span> <span>/api/v1${path}</span>`), path);
      const names = [...Object.keys(parameters), ...(formats ? ['format'] : [])];
      const fields = fieldsOf(data).map(({ name }) => name);
      return names.length === 0 ? [fields] : [names, fields];
    });
    assert.deepEqual(tables.slice(1), expected);
    for (const name of new Set(expected.flat()))
      assert.ok(page.replaceAll('<wbr>', '').includes(`<td><code>${name}</code></td>`), name);
  });

  for (const { path, title } of DOCS_FILES) {
    test(`${path}: the headings of the page, and no placeholder`, async () => {
      const page = await pageAt(path);
      const twin = await twinAt(path);
      const headings = [...page.matchAll(/<h2 id="[^"]*">(.*?)(?:<a href="#[^>]*>#<\/a>)?<\/h2>/g)].map(
        ([, one = '']) => words(one),
      );
      const outsideCode = twin.replaceAll(/^```[\s\S]*?^```/gm, '');
      const twinHeadings = [...outsideCode.matchAll(/^## (.*)$/gm)].map(([, one = '']) =>
        one.replaceAll('`', ''),
      );
      assert.deepEqual(twinHeadings, headings);
      assert.doesNotMatch(page + twin, /\{base_url\}/);
      assert.ok(page.includes(`<title>${title}, documentation · Perpwire</title>`));
    });
  }

  test('/llms.txt names the Markdown file of every page, and each is served', async () => {
    const text = await pageAt('/llms.txt');
    const twins = [...text.matchAll(/\((\S+\.md)\)/g)].map(([, url = '']) => new URL(url).pathname);
    const registered = [
      ...MARKET_PAGES.filter(({ label }) => label !== undefined).map(markdownPathOf),
      ...TEXT_PAGES.map(({ path }) => `${path}.md`),
    ];
    assert.deepEqual(
      twins,
      registered.map((path) => path.replace(':coin', 'BTC')),
    );
    for (const path of twins) {
      const reply = await fetch(`${running.service.baseUrl}${path}`);
      assert.match(reply.headers.get('content-type') ?? '', /^text\/markdown/, path);
      // This suite collects nothing, so a twin of market data may answer that it has none yet.
      assert.ok(reply.status === 200 || reply.status === 503, `${path}: ${reply.status}`);
    }
  });

  test('the menus lead to pages of the registries', async () => {
    const page = await pageAt('/plans');
    const menus = [...page.matchAll(/<nav class="nav[^"]*" aria-label="[^"]*">.*?<\/nav>/gs)];
    const links = menus.map(([menu]) =>
      [...menu.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, to, label]) => [to, label]),
    );
    const paths = [MARKET_PAGES, TEXT_PAGES].map((pages) => pages.map(({ path }) => path));
    for (const [i, menu] of links.entries())
      for (const [to = ''] of menu) assert.ok(paths[i]?.includes(to), to);
    assert.deepEqual(
      links.map((menu) => menu.length),
      [5, 2],
    );
  });

  test('every page names its twin, in the head and in the foot', async () => {
    for (const { path, body } of TEXT_PAGES) {
      if (body === null) continue;
      const page = await pageAt(path);
      assert.ok(page.includes(`<link rel="alternate" type="text/markdown" href="${path}.md">`), path);
      assert.ok(page.includes(`<a href="${path}.md">This page as Markdown</a>`), path);
    }
  });
});
