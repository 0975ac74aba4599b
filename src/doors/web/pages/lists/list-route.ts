import type { Problem } from '../../../../base/problems.ts';
import { rowObjects } from '../../../../operations/answer/answer.ts';
import { ACCOUNT_FEES } from '../../../../operations/taker-fees.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import type { PageParameters } from '../../layout/page-parameters.ts';
import { listForPage, type PageList } from '../../layout/visitor.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { grouped, nounFor } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { markdownHead, wordsOf } from '../../markup/markdown.ts';
import { linkTo, linkWith } from '../../markup/page-links.ts';
import { cycleSeconds } from '../live/cycle.ts';
import { type AnyMarketPage, definePage, type PageView } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { alertLink } from './alert-link.ts';
import { copyAs } from './copy-as.ts';
import { activeFilters, filterBar } from './filter-bar.ts';
import { filterChoices } from './filter-choices.ts';
import { forgiving } from './forgiving.ts';
import { type ListPage, type Prepared, rowsTable, sortOf } from './list-page.ts';
import { listParts } from './list-parts.ts';
import { emptyList, wrongFilter } from './list-states.ts';
import { type PagePlace, pageNumber, pager, placeOf } from './pager.ts';
import { unknownCoins } from './unknown-coins.ts';

type Sent = PageContext['sent'];

export interface LoadedList {
  page: ListPage;
  list: PageList;
  place: PagePlace;
  prepared: Prepared | null;
}

/** A signed-in user who has saved fees sees figures at those, unless the address names others. */
export function withOwnFees({ operation }: ListPage, caller: PageContext['caller'], sent: Sent): Sent {
  if (!caller.takerFees || operation.parameters.fees === undefined || sent.has('fees')) return sent;
  return new Map(sent).set('fees', [ACCOUNT_FEES]);
}

/** The query with the values that apply without a choice. */
function withUsual({ usual = {} }: ListPage, sent: Sent): Sent {
  const query = new Map(Object.entries(usual).map(([name, value]) => [name, [value]]));
  for (const [name, values] of sent) query.set(name, values);
  return query;
}

/** The rows of one numbered page. A page number is turned into cursors, which all refer to the same snapshot. */
export async function listAt(
  { entrance, caller }: Pick<PageContext, 'entrance' | 'caller'>,
  page: ListPage,
  sent: Sent,
): Promise<{ list: PageList; place: PagePlace }> {
  const wanted = pageNumber(sent);
  const { page: _number, ...query } = Object.fromEntries(withOwnFees(page, caller, sent));
  const filters = new Map(Object.entries(query));
  let list = await listForPage(entrance, page.operation, caller, filters);
  const rowsPerPage = Math.max(1, list.rows.numbers.length);
  let at = 1;
  for (; at < wanted && list.meta.next_cursor; at++)
    list = await listForPage(
      entrance,
      page.operation,
      caller,
      new Map(filters).set('cursor', [list.meta.next_cursor]),
    );
  return { list, place: placeOf(list.meta, at, rowsPerPage) };
}

/** A list operation as a page with filters, table and pager. The Markdown file has the same rows, unformatted. */
export function listMarketPage(
  path: string,
  label: string,
  parameters: PageParameters,
  pick: (context: PageContext) => ListPage,
  section: string = path,
): AnyMarketPage {
  return definePage<LoadedList | Problem>({
    path,
    label,
    section,
    parameters,
    isLive: true,
    freshness: (context) => {
      const { operation, freshness = '' } = pick(context);
      const fresh = context.entrance.freshness(operation, context.caller);
      return fresh === null ? null : `${fresh} ${freshness}`;
    },
    clean: (context) => {
      const { operation, spell } = pick(context);
      const clean = forgiving(operation, context.sent, context.entrance.data.venues);
      return spell?.(clean) ?? clean;
    },
    ...listParts<LoadedList>({
      load: async (context) => {
        const page = pick(context);
        const query = withUsual(page, page.narrowed?.(context.sent) ?? context.sent);
        const { list: found, place: foundPlace } = await listAt(context, page, query);
        const list = page.arrange?.(found, sortOf(page, context.sent)) ?? found;
        const { count, total } = list.meta;
        const place = {
          ...foundPlace,
          count: count ?? foundPlace.count,
          total: total ?? foundPlace.total,
        };
        return { page, list, place, prepared: (await page.prepare?.(list)) ?? null };
      },
      view: listView,
      refused: (problem, context) => refusedView(pick(context), problem, context),
      markdown: (loaded, context) => listMarkdown(path, loaded, context),
    }),
  });
}

/** The top of a list page: title, age and what the numbers mean. */
export function listHead(page: ListPage, badge: Html | null, aside: Html | null = null): Html {
  return html`<div class="ph">
    <div>
      <div class="ttl"><h1>${page.title}</h1>${badge}${page.tabs}</div>
      <p class="sub">${page.lead}</p>
    </div>
    ${aside}
  </div>`;
}

export function csvLink(path: string, sent: Sent): Html {
  return html`<a class="btn" href="${linkTo(`${path}.csv`, sent)}" download>${icon('dl')}CSV</a>`;
}

function listView({ page, list, place, prepared }: LoadedList, context: PageContext): PageView {
  const { sent } = context;
  const { path, noun = 'rows', isTall = false } = page;
  const isEmpty = list.rows.numbers.length === 0;
  const query = withUsual(page, sent);
  const actions = html`${page.actions?.(context)}
    ${alertLink(page, query)}
    ${copyAs(page.operation, query, context.entrance.baseUrl)}
    ${csvLink(path, sent)}`;
  return {
    title: page.title,
    description: page.description,
    layout: isTall ? 'page' : 'app',
    asOf: list.meta.as_of,
    scripts: ['live', 'soft', 'filters', 'sticky-heads', ...CODE_SCRIPTS, ...(page.scripts ?? [])],
    head: prepared?.head,
    body: html`${listHead(page, liveBadge(list.meta, linkTo(path, sent), cycleSeconds(context, page.job ?? 'snapshots')))}
${filterBar(page, sent, filterChoices(context), place.total, { start: page.switches?.(context) })}
${activeFilters(page, sent, `${grouped(place.total)} ${nounFor(place.total, noun)}`, actions)}
<div class="before" id="unknown" data-live>${unknownCoins(context)}</div>
${prepared === null ? null : html`<div class="before">${prepared.html}</div>`}
<div class="tw full lw" id="results" data-live tabindex="0" role="region" aria-label="${page.title}">
        ${isEmpty ? emptyList(page, sent) : rowsTable(page, list.rows, sent)}
      </div>
<div class="sbar" id="pager" data-live>${pager(path, sent, place, noun)}</div>`,
  };
}

function refusedView(page: ListPage, problem: Problem, context: PageContext): PageView {
  return {
    title: page.title,
    description: page.description,
    layout: 'page',
    status: problem.status,
    scripts: ['soft', 'filters'],
    body: html`${listHead(page, null)}
${filterBar(page, context.sent, filterChoices(context), null, { start: page.switches?.(context) })}
${wrongFilter(problem, page.path)}`,
  };
}

function listMarkdown(
  path: string,
  { page, list, place, prepared }: LoadedList,
  { sent }: PageContext,
): string {
  const { meta } = list;
  const rows = rowObjects(list.rows);
  const next = place.hasNext
    ? ` Next page: <${linkWith(`${path}.md`, sent, { page: String(place.page + 1) })}>.`
    : '';
  const head = markdownHead(page.title, wordsOf(page.lead), meta);
  const counts = `${meta.count} rows${meta.total === null ? '' : ` of ${meta.total}`}.${next}\n\n`;
  return `${head}${prepared?.markdown ?? ''}${counts}${markdownTable(page.extend ? rows.map(page.extend) : rows)}`;
}
