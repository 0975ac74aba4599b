import type { Problem } from '../../../../base/problems.ts';
import { rowObjects } from '../../../../operations/answer/answer.ts';
import { spreads } from '../../../../operations/spreads.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { countText } from '../../markup/grouped.ts';
import { html } from '../../markup/html.ts';
import { markdownHead, wordsOf } from '../../markup/markdown.ts';
import { linkTo, linkWith } from '../../markup/page-links.ts';
import { alertLink } from '../lists/alert-link.ts';
import { chosenOnly, cleanClosed, closedNotice, closedText } from '../lists/closed-markets.ts';
import { copyAs } from '../lists/copy-as.ts';
import { activeFilters, filterBar } from '../lists/filter-bar.ts';
import { filterChoices } from '../lists/filter-choices.ts';
import { forgiving } from '../lists/forgiving.ts';
import { listParts } from '../lists/list-parts.ts';
import { csvLink, listHead } from '../lists/list-route.ts';
import { emptyList, wrongFilter } from '../lists/list-states.ts';
import { pager } from '../lists/pager.ts';
import { cleanOrderSize, keepSize, orderSize, withoutSize } from '../lists/size-box.ts';
import { unknownCoins } from '../lists/unknown-coins.ts';
import { coinsOrPairs } from '../lists/view-switch.ts';
import { definePage, type PageView } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { lateNotice, lateVenues } from '../venues/late-venues.ts';
import { spreadChoices } from './bar.ts';
import { DEFAULT_SORT } from './default-sort.ts';
import { coinRows, pairRow, spreadsTable } from './live-table.ts';
import { type LoadedSpreads, loadSpreads, operationQuery, PAGE, PATH, VIEW_NAMES } from './spreads-data.ts';
import { strengthLegend } from './strength.ts';

const LEGEND = strengthLegend();

/** Live spreads: one row per coin that opens to its pairs, or with `view=pairs` one row per pair. */
export const SPREADS_PAGE = definePage<LoadedSpreads | Problem>({
  path: PATH,
  label: 'Spreads',
  section: PATH,
  parameters: pageParameters(spreads, ['page', ...VIEW_NAMES]),
  isLive: true,
  freshness: ({ entrance, caller }) => String(entrance.freshness(spreads, caller)),
  clean: (context) => {
    const clean = forgiving(spreads, context.sent, context.entrance.data.venues);
    cleanOrderSize(context, clean);
    cleanClosed(clean);
    if (clean.get('view')?.[0] === 'coins') clean.delete('view');
    if (clean.get('sort')?.[0] === DEFAULT_SORT) clean.delete('sort');
    if (clean.get('page')?.[0] === '1') clean.delete('page');
    return clean;
  },
  ...listParts({ load: loadSpreads, view: spreadsView, refused: refusedView, markdown: pairsMarkdown }),
});

function spreadsView({ list, place, coins, closed }: LoadedSpreads, context: PageContext): PageView {
  const { sent, venueTimes } = context;
  const { meta, rows } = list;
  const late = lateVenues(venueTimes(), meta.as_of);
  const sizeUsd = orderSize(context);
  const view = { table: rows.table, asOfMs: Date.parse(meta.as_of), late, sizeUsd };
  const query = operationQuery(context);
  const shown = coins
    ? coins.shown.map((group) => coinRows(PATH, group, view, sent))
    : rows.numbers.map((row) => pairRow(row, view, null));
  const counted = coins
    ? `${countText(place.total, 'pair')} of ${countText(coins.place.total, 'coin')}`
    : countText(place.total, 'pair');
  return {
    title: 'Live spreads',
    description: PAGE.description,
    layout: 'page',
    asOf: meta.as_of,
    scripts: ['live', 'soft', 'filters', 'open-rows', ...CODE_SCRIPTS],
    body: html`${listHead(PAGE, liveBadge(meta, linkTo(PATH, sent)))}
${filterBar(PAGE, sent, filterChoices(context), place.total, {
  start: spreadChoices(context),
  end: html`${keepSize(context, PATH)}${coinsOrPairs(PATH, sent)}`,
})}
${activeFilters(
  PAGE,
  withoutSize(sent),
  counted,
  html`${alertLink(PAGE, chosenOnly(query))}
    ${copyAs(PAGE.operation, query, context.entrance.baseUrl)}
    ${csvLink(PATH, sent)}`,
)}
      <div class="before" id="unknown" data-live>${unknownCoins(context)}</div>
      <div class="before" id="late" data-live>${lateNotice(late)}</div>
      <div class="before" id="closed" data-live>${closedNotice(PATH, sent, closed)}</div>
      <div class="arb sprd full tw" id="results" data-live tabindex="0" role="region"
        aria-label="Live spreads">
        ${shown.length === 0 ? emptyList(PAGE, sent) : spreadsTable(PAGE, shown, sent, sizeUsd)}
      </div>
      <div class="pager" id="pager" data-live>
        ${coins ? pager(PATH, sent, coins.place, 'coins') : pager(PATH, sent, place, 'pairs')}
      </div>
      <div class="note">
        ${LEGEND}
        <p>
          Spread = (bid of the sold leg − ask of the bought leg) / that ask. Prices are for one coin in
          USDT. With a size the net spread is from mid to mid, less what orders of that size cost on both books.
          <a class="lnk" href="/developers/spreads">How we calculate</a>
        </p>
      </div>`,
  };
}

function refusedView(problem: Problem, context: PageContext): PageView {
  return {
    title: 'Live spreads',
    description: PAGE.description,
    layout: 'page',
    status: problem.status,
    scripts: ['soft', 'filters'],
    body: html`${listHead(PAGE, null)}
${filterBar(PAGE, context.sent, filterChoices(context), null, { start: spreadChoices(context) })}
${wrongFilter(problem, PATH)}`,
  };
}

/** The Markdown file has one row per pair, as the API. */
function pairsMarkdown({ list, place, closed }: LoadedSpreads, { sent }: PageContext): string {
  const { meta } = list;
  const next = place.hasNext
    ? ` Next page: <${linkWith(`${PATH}.md`, sent, { page: String(place.page + 1) })}>.`
    : '';
  const counts = `${closedText(sent, closed)}${meta.count} rows of ${meta.total}.${next}\n\n`;
  return `${markdownHead('Live spreads', wordsOf(PAGE.lead), meta)}${counts}${markdownTable(rowObjects(list.rows))}`;
}
