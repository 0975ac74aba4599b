import { filterForm } from './filter-form.ts';
import { html } from './html.ts';
import { asOf, type ListPage, type Prepared, pager, rowsTable } from './list-page.ts';
import { markdownHead, markdownTable, wordsOf } from './markdown.ts';
import { type AnyMarketPage, type Asked, definePage } from './market-page.ts';
import { linkWith } from './page-links.ts';
import { type ListAnswer, listForPage, type Row } from './visitor.ts';

interface LoadedList {
  page: ListPage;
  answer: ListAnswer;
  prepared: Prepared | null;
}

/** A list of the API as a page: filters, table and pager, and in Markdown the same rows as they are. */
export function listMarketPage(path: string, pick: (asked: Asked) => ListPage): AnyMarketPage {
  return definePage<LoadedList>({
    path,
    navigation: path,
    freshness: (asked) => {
      const { operation, freshness = '' } = pick(asked);
      const fresh = asked.entrance.freshness(operation, asked.caller);
      return fresh === null ? null : `${fresh} ${freshness}`;
    },
    load: async (asked) => {
      const page = pick(asked);
      const { operation, rowsField = null } = page;
      const answer = await listForPage(asked.entrance, operation, asked.caller, asked.sent, rowsField);
      return { page, answer, prepared: (await page.prepare?.(answer)) ?? null };
    },
    view: ({ page, answer, prepared }, { sent }) => ({
      title: page.title,
      description: page.description,
      scripts: page.scripts ?? [],
      head: prepared?.head,
      body: html`<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>
${asOf(answer)}
${prepared?.html}
${filterForm(page, sent)}
<div id="results">${rowsTable(page, answer.rows, sent)}
${pager(page.path, answer, sent)}</div>`,
    }),
    markdown: ({ page, answer, prepared }, { sent }) => {
      const { meta } = answer;
      const rows = answer.rows.map((row) => JSON.parse(row) as Row);
      const next = meta.next_cursor
        ? ` Next page: <${linkWith(`${path}.md`, sent, { cursor: meta.next_cursor })}>.`
        : '';
      const head = markdownHead(page.title, wordsOf(page.lead), meta);
      const counts = `${meta.count} rows${meta.total === null ? '' : ` of ${meta.total}`}.${next}\n\n`;
      return `${head}${prepared?.markdown ?? ''}${counts}${markdownTable(page.extend ? rows.map(page.extend) : rows)}`;
    },
  });
}
