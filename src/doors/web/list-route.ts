import { rowObjects } from '../../operations/answer/answer.ts';
import { filterForm } from './filter-form.ts';
import { html } from './html.ts';
import { asOf, type ListPage, type Prepared, pager, rowsTable } from './list-page.ts';
import { markdownHead, markdownTable, wordsOf } from './markdown.ts';
import { type AnyMarketPage, type Asked, definePage } from './market-page.ts';
import { linkWith } from './page-links.ts';
import { listForPage, type PageList } from './visitor.ts';

interface LoadedList {
  page: ListPage;
  list: PageList;
  prepared: Prepared | null;
}

/** A list operation as a page with filters, table and pager. The Markdown twin has the same rows, unformatted. */
export function listMarketPage(path: string, label: string, pick: (asked: Asked) => ListPage): AnyMarketPage {
  return definePage<LoadedList>({
    path,
    label,
    navigation: path,
    freshness: (asked) => {
      const { operation, freshness = '' } = pick(asked);
      const fresh = asked.entrance.freshness(operation, asked.caller);
      return fresh === null ? null : `${fresh} ${freshness}`;
    },
    load: async (asked) => {
      const page = pick(asked);
      const list = await listForPage(asked.entrance, page.operation, asked.caller, asked.sent);
      return { page, list, prepared: (await page.prepare?.(list)) ?? null };
    },
    view: ({ page, list, prepared }, { sent }) => ({
      title: page.title,
      description: page.description,
      scripts: page.scripts ?? [],
      head: prepared?.head,
      body: html`<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>
${asOf(list)}
${prepared?.html}
${filterForm(page, sent)}
<div id="results">${rowsTable(page, list.rows, sent)}
${pager(page.path, list, sent)}</div>`,
    }),
    markdown: ({ page, list, prepared }, { sent }) => {
      const { meta } = list;
      const rows = rowObjects(list.rows);
      const next = meta.next_cursor
        ? ` Next page: <${linkWith(`${path}.md`, sent, { cursor: meta.next_cursor })}>.`
        : '';
      const head = markdownHead(page.title, wordsOf(page.lead), meta);
      const counts = `${meta.count} rows${meta.total === null ? '' : ` of ${meta.total}`}.${next}\n\n`;
      return `${head}${prepared?.markdown ?? ''}${counts}${markdownTable(page.extend ? rows.map(page.extend) : rows)}`;
    },
  });
}
