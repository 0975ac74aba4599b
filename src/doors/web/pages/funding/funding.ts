import type { Problem } from '../../../../base/problems.ts';
import { rowObjects } from '../../../../operations/answer/answer.ts';
import { funding } from '../../../../operations/funding.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownHead, wordsOf } from '../../markup/markdown.ts';
import { linkTo, linkWith } from '../../markup/page-links.ts';
import { alertLink } from '../lists/alert-link.ts';
import { copyAs } from '../lists/copy-as.ts';
import { rowsTable } from '../lists/list-page.ts';
import { listParts } from '../lists/list-parts.ts';
import { csvLink, listHead } from '../lists/list-route.ts';
import { emptyList, wrongFilter } from '../lists/list-states.ts';
import { pager } from '../lists/pager.ts';
import { unknownCoins } from '../lists/unknown-coins.ts';
import { cycleSeconds } from '../live/cycle.ts';
import { definePage, type PageView } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { fundingBar, fundingChips, starredChip, venueChips } from './bar.ts';
import { marketFigures } from './figures.ts';
import { isTable, type LoadedFunding, loadFunding, matrixPage } from './funding-data.ts';
import { matrixLegend, matrixTable } from './matrix-view.ts';
import { cleanQuery, FUNDING_PARAMETERS, operationQuery } from './query.ts';
import { agesOf } from './row-age.ts';
import { FUNDING_TEXTS, tablePage } from './table-view.ts';
import { trendsOf } from './trends.ts';
import { rateText, UNITS, unitOf } from './units.ts';

export { lastSettled } from './table-view.ts';

const { path } = FUNDING_TEXTS;

/** Funding rates: coins by venues, or with `view=table` one row per contract. */
export const FUNDING_PAGE = definePage<LoadedFunding | Problem>({
  path,
  label: 'Funding',
  section: path,
  parameters: FUNDING_PARAMETERS,
  isLive: true,
  freshness: ({ entrance, caller }) => String(entrance.freshness(funding, caller)),
  clean: cleanQuery,
  ...listParts({
    load: loadFunding,
    view: (loaded, context) => (isTable(context) ? tableView(loaded, context) : matrixView(loaded, context)),
    refused: refusedView,
    markdown: (loaded, context) =>
      context.sent.get('view')?.[0] === 'matrix'
        ? matrixMarkdown(loaded, context)
        : listMarkdown(loaded, context),
  }),
});

function head(loaded: LoadedFunding, context: PageContext): Html {
  const badge = liveBadge(loaded.list.meta, linkTo(path, context.sent), cycleSeconds(context, 'snapshots'));
  const page = tablePage('8h');
  return listHead(page, badge, marketFigures(loaded.list.rows.table, context.entrance.clock.nowMs()));
}

function matrixView(loaded: LoadedFunding, context: PageContext): PageView {
  const unit = unitOf(context.sent, context.preferences);
  const page = matrixPage(loaded, context);
  const query = operationQuery(context);
  const alert = alertLink({ operation: funding }, query);
  const copy = (label?: string) => copyAs(funding, query, context.entrance.baseUrl, label);
  const content =
    page.coins.length === 0
      ? emptyList({ ...tablePage(unit), noun: 'contracts' }, query)
      : matrixTable(page, unit, context);
  return {
    ...texts(loaded),
    scripts: ['live', 'soft', 'filters', 'sticky-heads', 'matrix', 'stars', ...CODE_SCRIPTS],
    body: html`${head(loaded, context)}
${fundingBar(context, unit, 'matrix', loaded.place.total, html`<span class="m acts">${alert}${copy('Code')}</span>`)}
${venueChips(context, html`${alert}${copy()}`)}
      <div class="before" id="unknown" data-live>${unknownCoins(context)}</div>
      <div class="mxw" id="results" data-live tabindex="0" role="region"
        aria-label="Funding matrix, scrolls both ways">
        ${content}
      </div>
      <div class="sbar">
        ${matrixLegend(unit)}
        <span class="end" id="pager" data-live>${pager(path, context.sent, page.place, 'coins')}</span>
      </div>`,
  };
}

function tableView(loaded: LoadedFunding, context: PageContext): PageView {
  const { list, place, asOfMs } = loaded;
  const unit = unitOf(context.sent, context.preferences);
  const known = trendsOf(context.entrance.data);
  const rowOf = new Map(
    list.rows.numbers.map((row) => [
      keyOf(list.rows.table.text('exchange', row), list.rows.table.text('venue_symbol', row)),
      row,
    ]),
  );
  const ageOf = agesOf(list.rows.table, asOfMs);
  const page = tablePage(
    unit,
    (row) => {
      const number = rowOf.get(keyOf(String(row.exchange), String(row.venue_symbol)));
      const trend = number === undefined ? null : known.of(list.rows.table, number, asOfMs);
      return { trend, oldMinutes: ageOf(row) };
    },
    context.stars,
  );
  const isEmpty = list.rows.numbers.length === 0;
  const chips = fundingChips(context);
  return {
    ...texts(loaded),
    scripts: ['live', 'soft', 'filters', 'sticky-heads', 'stars', ...CODE_SCRIPTS],
    body: html`${head(loaded, context)}
${fundingBar(context, unit, 'table', place.total)}
      <div class="fbar chipsbar">
        ${starredChip(context, 'd')}
        <span class="mut" id="count" data-live>
          ${grouped(place.total)} of ${grouped(list.rows.table.rowCount)} contracts
        </span>
        ${chips}
        ${chips.length > 0 ? html`<a class="lnk" href="${path}?view=table&amp;min_volume_usdt=0">Clear all</a>` : null}
        <span class="end">
          ${alertLink(page, operationQuery(context))}
          ${copyAs(page.operation, operationQuery(context), context.entrance.baseUrl)}
          ${csvLink(path, context.sent)}
        </span>
      </div>
      <div class="before" id="unknown" data-live>${unknownCoins(context)}</div>
      <div class="tw full lw" id="results" data-live tabindex="0" role="region" aria-label="Funding rates">
        ${isEmpty ? emptyList(page, operationQuery(context)) : rowsTable(page, list.rows, context.sent)}
      </div>
      <div class="sbar" id="pager" data-live>${pager(path, context.sent, place, 'contracts')}</div>`,
  };
}

function keyOf(exchange: string, venueSymbol: string): string {
  return `${exchange} ${venueSymbol}`;
}

function texts({ list }: LoadedFunding): Pick<PageView, 'title' | 'description' | 'layout' | 'asOf'> {
  const { title, description } = FUNDING_TEXTS;
  return { title, description, layout: 'app', asOf: list.meta.as_of };
}

function refusedView(problem: Problem, context: PageContext): PageView {
  const unit = unitOf(context.sent, context.preferences);
  const page = tablePage(unit);
  return {
    title: page.title,
    description: page.description,
    layout: 'page',
    status: problem.status,
    scripts: ['soft', 'filters'],
    body: html`${listHead(page, null)}
${fundingBar(context, unit, isTable(context) ? 'table' : 'matrix', null)}
${wrongFilter(problem, path)}`,
  };
}

const LEAD = wordsOf(FUNDING_TEXTS.lead);

function listMarkdown({ list, place }: LoadedFunding, { sent }: PageContext): string {
  const { meta } = list;
  const next = place.hasNext
    ? ` Next page: <${linkWith(`${path}.md`, sent, { page: String(place.page + 1) })}>.`
    : '';
  const counts = `${meta.count} rows of ${meta.total}.${next} As a matrix: <${path}.md?view=matrix>.\n\n`;
  return `${markdownHead(FUNDING_TEXTS.title, LEAD, meta)}${counts}${markdownTable(rowObjects(list.rows))}`;
}

function matrixMarkdown(loaded: LoadedFunding, context: PageContext): string {
  const unit = unitOf(context.sent, context.preferences);
  const { coins, venues, place } = matrixPage(loaded, context);
  const rows = coins.map(({ coin, best, cells }) => ({
    coin,
    best_carry_gross_apr_pct: best === null ? null : Number(best.aprPct.toFixed(1)),
    long_at: best?.long ?? null,
    short_at: best?.short ?? null,
    ...Object.fromEntries(
      venues.map(({ exchange }) => {
        const cell = cells.get(exchange);
        return [exchange, cell ? Number(rateText(cell.perHourPct, unit).replace('−', '-')) : null];
      }),
    ),
  }));
  const lead = `${LEAD} Cells are in ${UNITS[unit].words}, of the largest linear contract of coin and venue. ${place.count} of ${place.total} coins.`;
  return `${markdownHead(FUNDING_TEXTS.title, lead, loaded.list.meta)}${markdownTable(rows)}`;
}
