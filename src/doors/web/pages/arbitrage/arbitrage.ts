import type { Problem } from '../../../../base/problems.ts';
import { rowObjects } from '../../../../operations/answer/answer.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { markdownTable } from '../../../documents/markdown.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import type { Row } from '../../layout/visitor.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { countText, grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownHead, wordsOf } from '../../markup/markdown.ts';
import { linkTo, linkWith } from '../../markup/page-links.ts';
import { alertLink } from '../lists/alert-link.ts';
import { chosenOnly, closedNotice, closedText } from '../lists/closed-markets.ts';
import { copyAs } from '../lists/copy-as.ts';
import { listParts } from '../lists/list-parts.ts';
import { csvLink, listHead } from '../lists/list-route.ts';
import { emptyList, wrongFilter } from '../lists/list-states.ts';
import { pager } from '../lists/pager.ts';
import { orderSize } from '../lists/size-box.ts';
import { unknownCoins } from '../lists/unknown-coins.ts';
import { definePage, type PageView } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { lateNotice } from '../venues/late-venues.ts';
import { type LoadedPairs, loadPairs, PAGE } from './arbitrage-data.ts';
import { arbitrageBar, arbitrageChips } from './bar.ts';
import { detailsHtml } from './details.ts';
import { picksHtml } from './picks.ts';
import {
  ARBITRAGE_PARAMETERS,
  CAPACITY_FILTER,
  cleanQuery,
  operationQuery,
  PATH,
  shownFilters,
} from './query.ts';
import { pairsTable } from './table.ts';

const NOTE = html`Net APR now = (rate at the short − rate at the long) a year, less the costs, spread over the days held: four
  fills at your fees, opening at today’s best prices and closing at them. Rates rarely last, and the highest
  expectations are most often too high, so the list is in the order of what is likely at least: the lower end of the range that four of
  five past outcomes fell into, around a forecast of settled payments from the rates now and the means of 1, 7 and 30 days, less the same
  costs. It is an expectation with a stated error, not
  advice: <a class="lnk" href="/developers/forecast">how it is made</a>. The figures of 7 and 30 days are the
  settled payments of that time, less the same costs. Break-even is the settlement after which payments have
  covered the costs. Capacity is the smaller book within the slippage. With a
  size, costs are those of the order books: to get in now, to get out as usual in the last 24 hours. A move of the price gap is not
  included. <a class="lnk" href="/developers/arbitrage">How we calculate</a>`;

/** Pairs of venues by what they earn: four picks, then the coins with their best pairs. A row opens to what the pair really paid. */
export const ARBITRAGE_PAGE = definePage<LoadedPairs | Problem>({
  path: PATH,
  label: 'Arbitrage',
  section: PATH,
  parameters: ARBITRAGE_PARAMETERS,
  isLive: true,
  freshness: ({ entrance, caller }) => String(entrance.freshness(arbitrage, caller)),
  clean: cleanQuery,
  ...listParts({ load: loadPairs, view: pairsView, refused: refusedView, markdown: pairsMarkdown }),
});

function pairsView(loaded: LoadedPairs, context: PageContext): PageView {
  const { list, place, models, groups, coins, overview, late, doubted, closed, open } = loaded;
  const { sent } = context;
  const { meta, fields } = list;
  const slippageBp = Number(fields.slippage_bp);
  const sizeUsd = orderSize(context);
  const view = {
    ...{ holdDays: Number(fields.hold_days), slippageBp, sizeUsd, late, doubted, sent },
    open: open && {
      name: open.name,
      details: detailsHtml(open.row, open.carry, fields, { models, doubted }, meta.as_of, sizeUsd),
    },
  };
  const chips = arbitrageChips(context);
  const withheld = withheldHtml(fields);
  const all = overview?.total ?? place.total;
  return {
    title: PAGE.title,
    description: PAGE.description,
    layout: 'page',
    asOf: meta.as_of,
    scripts: ['live', 'soft', 'filters', 'open-rows', ...CODE_SCRIPTS],
    body: html`${listHead(PAGE, liveBadge(meta, linkTo(PATH, sent)))}
${overview && picksHtml(overview, context, Date.parse(meta.as_of))}
${arbitrageBar(context, place.total)}
      <div class="fbar chipsbar">
        <span class="mut" id="count" data-live>
          ${grouped(place.total)}<span class="d"> of ${grouped(all)}</span> ${all === 1 ? 'pair' : 'pairs'}${
            coins && html`<span class="d">, ${countText(coins.total, 'coin')}</span>`
          }
        </span>
        ${chips}
        ${chips.length > 0 ? html`<a class="lnk" href="${PATH}?${CAPACITY_FILTER}=0">Clear all</a>` : null}
        ${withheld && html`<span class="mut withheld d">${withheld}</span>`}
        <span class="end">
          ${alertLink(PAGE, chosenOnly(operationQuery(context)))}
          ${copyAs(PAGE.operation, operationQuery(context), context.entrance.baseUrl)}
          ${csvLink(PATH, sent)}
        </span>
      </div>
      <div class="before" id="unknown" data-live>${unknownCoins(context)}</div>
      <div class="before" id="late" data-live>${lateNotice(late)}</div>
      <div class="before" id="closed" data-live>${closedNotice(PATH, sent, closed)}</div>
      <div class="arb full tw" id="results" data-live tabindex="0" role="region"
        aria-label="Pairs of venues">
        ${groups.length === 0 ? emptyList(PAGE, shownFilters(sent)) : pairsTable(PAGE, groups, view)}
      </div>
      <div class="pager" id="pager" data-live>
        ${coins ? pager(PATH, sent, coins, 'coins') : pager(PATH, sent, place, 'pairs')}
      </div>
      ${withheld && html`<p class="note m">${withheld}</p>`}
      <p class="note">${NOTE} ${doubtedNote(doubted)}</p>`,
  };
}

const CLASS_WORDS: Readonly<Record<string, string>> = {
  crypto: 'coins',
  stock: 'shares',
  commodity: 'commodities',
  index: 'indices',
  forex: 'currencies',
};

/** Says of which underlyings the forecast is no better than nothing, so that the mean of 30 days stands in its place. */
function doubtedNote(doubted: ReadonlySet<string>): Html | null {
  if (doubted.size === 0) return null;
  const names = [...doubted].map((one) => CLASS_WORDS[one] ?? one).join(', ');
  return html`Forecasts of ${names} have been no better than expecting nothing: until their
    <a class="lnk" href="/accuracy/forecasts">score</a> is better, their pairs have the mean of the last 30 days instead.`;
}

function withheldText(fields: Row): string | null {
  const count = Number(fields.withheld_top);
  return count === 0
    ? null
    : `The ${count} pairs with the highest net APR now are left out here; with a plan they are shown, live.`;
}

function withheldHtml(fields: Row): Html | null {
  const text = withheldText(fields);
  return text === null ? null : html`${text} <a class="lnk" href="/plans">Plans</a>`;
}

function refusedView(problem: Problem, context: PageContext): PageView {
  return {
    title: PAGE.title,
    description: PAGE.description,
    layout: 'page',
    status: problem.status,
    scripts: ['soft', 'filters'],
    body: html`${listHead(PAGE, null)}
${arbitrageBar(context, null)}
${wrongFilter(problem, PATH)}`,
  };
}

function pairsMarkdown({ list, place, closed }: LoadedPairs, { sent }: PageContext): string {
  const { meta, fields } = list;
  const next = place.hasNext
    ? ` Next page: <${linkWith(`${PATH}.md`, sent, { page: String(place.page + 1) })}>.`
    : '';
  const [days, slippageBp] = [Number(fields.hold_days), Number(fields.slippage_bp)];
  const figures = `Net APR now and expected for a position held ${days} days; size within ${slippageBp} basis points of the mid prices.`;
  const basis = `${figures} ${withheldText(fields) ?? ''}`;
  const counts = `${closedText(sent, closed)}${meta.count} rows of ${meta.total}.${next}\n\n`;
  return `${markdownHead(PAGE.title, wordsOf(PAGE.lead), meta)}${basis.trim()}\n\n${counts}${markdownTable(rowObjects(list.rows))}`;
}
