import { rowObjects } from '../../operations/answer/answer.ts';
import { ACCOUNT_FEES } from '../../operations/taker-fees.ts';
import { filterForm } from './filter-form.ts';
import { html } from './html.ts';
import { asOf, type ListPage, type Prepared, pager, rowsTable } from './list-page.ts';
import { markdownHead, markdownTable, wordsOf } from './markdown.ts';
import { type AnyMarketPage, definePage, type PageContext } from './market-page.ts';
import { linkWith } from './page-links.ts';
import { listForPage, type PageList } from './visitor.ts';

interface LoadedList {
  page: ListPage;
  list: PageList;
  prepared: Prepared | null;
}

/** A signed-in user who has saved fees sees figures at those, unless the address names others. */
function withOwnFees({ operation }: ListPage, { caller, sent }: PageContext): PageContext['sent'] {
  if (!caller.takerFees || operation.parameters.fees === undefined || sent.has('fees')) return sent;
  return new Map(sent).set('fees', [ACCOUNT_FEES]);
}

/** A list operation as a page with filters, table and pager. The Markdown twin has the same rows, unformatted. */
export function listMarketPage(
  path: string,
  label: string,
  pick: (context: PageContext) => ListPage,
): AnyMarketPage {
  return definePage<LoadedList>({
    path,
    label,
    isInMenu: true,
    section: path,
    freshness: (context) => {
      const { operation, freshness = '' } = pick(context);
      const fresh = context.entrance.freshness(operation, context.caller);
      return fresh === null ? null : `${fresh} ${freshness}`;
    },
    load: async (context) => {
      const page = pick(context);
      const list = await listForPage(
        context.entrance,
        page.operation,
        context.caller,
        withOwnFees(page, context),
      );
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
