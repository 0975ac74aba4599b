import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { funding } from '../../../../operations/funding.ts';
import { listings } from '../../../../operations/listings.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import { spreads } from '../../../../operations/spreads.ts';
import type { PageList, Row } from '../../layout/visitor.ts';
import { legMark } from '../../markup/direction.ts';
import { percent, until, usdt } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark, coinName, venueName } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { expectedRange, realisedNetApr } from '../arbitrage/columns.ts';
import { DEFAULT_SORT } from '../arbitrage/default-sort.ts';
import { CAPACITY_FILTER } from '../arbitrage/query.ts';

export interface BoardQuery {
  /** The path of the page with the whole list. */
  path: string;
  operation: AnyOperation;
  filters: Readonly<Record<string, string>>;
  /** What applies on the page without being in its address. */
  usual?: Readonly<Record<string, string>>;
  /** One row per coin. */
  isPerCoin: boolean;
}

const LINEAR = { min_volume_usdt: '1000000', is_inverse: 'false' };

/** The lists whose first rows the boards show. */
export const BOARD_QUERIES = {
  carry: {
    path: '/arbitrage',
    operation: arbitrage,
    filters: { [CAPACITY_FILTER]: '50000' },
    usual: { sort: DEFAULT_SORT, leg_closed: 'false' },
    isPerCoin: true,
  },
  high: {
    path: '/funding',
    operation: funding,
    filters: { ...LINEAR, sort: 'gross_apr_desc' },
    isPerCoin: true,
  },
  low: {
    path: '/funding',
    operation: funding,
    filters: { ...LINEAR, sort: 'gross_apr_asc' },
    isPerCoin: true,
  },
  spread: {
    path: '/spreads',
    operation: spreads,
    filters: { sort: 'net_spread_desc' },
    usual: { leg_closed: 'false' },
    isPerCoin: true,
  },
  listing: { path: '/listings', operation: listings, filters: { days_ahead: '30' }, isPerCoin: false },
} satisfies Record<string, BoardQuery>;

export type BoardName = keyof typeof BOARD_QUERIES;

/** The first rows of a list, and how many it has. */
export interface Board {
  rows: readonly Row[];
  meta: PageList['meta'];
}

/** Null while the list has no data yet. */
export type Boards = Readonly<Record<BoardName, Board | null>>;

export function boardPath({ path, filters }: BoardQuery): string {
  return `${path}?${new URLSearchParams(filters)}`;
}

/** The days that carry is held on the board, the default of the list. */
const HOLD_DAYS = 30;
const CARRY_WORDS = 'net APR, held 30 d, after costs, now and likely; none known to take under $50 k';
const SPREAD_WORDS = 'net of four taker fills';
const LISTING_WORDS = 'announced or seen on the venue';

/** Four boards for four questions: what carries best, who pays most, where prices differ, what comes next. */
export function boardsHtml(boards: Boards, doubted: ReadonlySet<string>): Html {
  const { carry, spread, listing } = boards;
  return html`<div class="board" id="boards" data-live>
    ${board('Best carry', CARRY_WORDS, carryTable(carry?.rows ?? [], doubted), carry, 'carry', 'pairs')}
${fundingBoard(boards)}
${board('Widest spreads', SPREAD_WORDS, spreadTable(spread?.rows ?? []), spread, 'spread', 'live spreads')}
${board('Next listings', LISTING_WORDS, listingTable(listing?.rows ?? []), null, 'listing', 'Calendar and iCal feed')}
  </div>`;
}

function board(
  title: string,
  note: string,
  content: Html | null,
  counted: Board | null,
  name: BoardName,
  words: string,
): Html {
  const total = counted?.meta.total ?? null;
  const all = total === null ? words : `All ${grouped(total)} ${words}`;
  return html`<section class="card">
    <header><h2>${title}</h2><small class="mut">${note}</small></header>
    ${content ?? html`<p class="pad mut">Nothing yet.</p>`}
    <p class="cfoot">
      <a href="${boardPath(BOARD_QUERIES[name])}">${all.charAt(0).toUpperCase()}${all.slice(1)}</a>
    </p>
  </section>`;
}

function table(label: string, head: Html, rows: readonly Html[], name = 't'): Html | null {
  if (rows.length === 0) return null;
  return html`<div class="tw" tabindex="0" role="region" aria-label="${label}">
    <table class="${name}"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>
  </div>`;
}

const legs = (long: unknown, short: unknown): Html =>
  html`<span class="pr">
    ${legMark('long')}
    ${String(long)}
    ${legMark('short')}
    ${String(short)}
  </span>`;

function carryTable(rows: readonly Row[], doubted: ReadonlySet<string>): Html | null {
  return table(
    'Best carry',
    html`<th scope="col">Coin</th>
      <th scope="col">Long and short</th>
      <th scope="col" class="num">Capacity, at least</th>
      <th scope="col" class="num">APR now</th>
      <th scope="col" class="num">Likely APR</th>`,
    rows.map(
      (row) =>
        html`<tr>
          <td>${coinName(String(row.coin))}</td>
          <td>${legs(row.long_exchange, row.short_exchange)}</td>
          <td class="num">
            ${row.capacity_is_lower_bound === true ? '≥\u00a0' : ''}
            ${usdt(row.capacity_usd)}
          </td>
          <td class="num">${percent(row.net_apr_pct, 1)}</td>
          <td class="num">${likelyHtml(row, doubted)}</td>
        </tr>`,
    ),
  );
}

/** The likely range, and the expectation below it; the mean of 30 days where forecasts are no better than nothing. */
function likelyHtml(row: Row, doubted: ReadonlySet<string>): Html {
  if (doubted.has(String(row.asset_class)))
    return html`${percent(realisedNetApr(row, 30, HOLD_DAYS), 1)} <small class="mut">mean of 30 d</small>`;
  if (row.expected_net_apr_pct === null) return html`–`;
  const range = expectedRange(row, HOLD_DAYS);
  const expected = html`<small class="mut">exp. ${percent(row.expected_net_apr_pct, 1)}</small>`;
  return html`<b>${range === '' ? '–' : `${range}\u00a0%`}</b> ${expected}`;
}

function spreadTable(rows: readonly Row[]): Html | null {
  return table(
    'Widest spreads',
    html`<th scope="col">Coin</th>
      <th scope="col">Long and short</th>
      <th scope="col" class="num">Strength</th>
      <th scope="col" class="num">Net spread</th>`,
    rows.map((row) => {
      const isLongA = row.direction === 'long_a_short_b';
      const [long, short] = isLongA ? [row.exchange_a, row.exchange_b] : [row.exchange_b, row.exchange_a];
      return html`<tr>
        <td>${coinName(String(row.coin))}</td>
        <td>${legs(long, short)}</td>
        <td class="num">${String(row.strength)} of 5</td>
        <td class="num"><b>${percent(row.net_spread_pct, 3)}</b></td>
      </tr>`;
    }),
  );
}

function listingTable(rows: readonly Row[]): Html | null {
  return table(
    'Next listings',
    html`<th scope="col">Coin</th>
      <th scope="col">Venue</th>
      <th scope="col" class="num">What</th>
      <th scope="col" class="num">In</th>`,
    rows.map((row) => {
      const isListing = row.kind === 'listing';
      const tag = isListing
        ? html`<span class="tag ok">${icon('plus')}Listing</span>`
        : html`<span class="tag bad">${icon('x')}Delisting</span>`;
      // A coin that is not listed yet has no page.
      const coin = String(row.coin ?? row.symbol);
      return html`<tr>
        <td><span class="coin">${coinMark(coin)}${coin}</span></td>
        <td>${venueName(String(row.exchange))}</td>
        <td class="num">${tag}</td>
        <td class="num">${until(row.effective_at)}</td>
      </tr>`;
    }),
    't keep',
  );
}

function fundingBoard({ high, low }: Boards): Html {
  const side = (title: string, rows: readonly Row[]) =>
    html`<div class="tw">
      <table class="t">
        <thead><tr><th scope="col">${title}</th><th class="num" scope="col">APR</th></tr></thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <td>${coinName(String(row.coin), String(row.exchange))}</td>
                <td class="num"><b>${percent(row.gross_apr_pct, 1)}</b></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  const total = high?.meta.total ?? null;
  return html`<section class="card">
    <header>
      <h2>Highest and lowest funding</h2>
      <small class="mut">gross APR, over $1 M a day</small>
    </header>
    <div class="hl2">${side('Longs pay', high?.rows ?? [])}${side('Shorts pay', low?.rows ?? [])}</div>
    <p class="cfoot">
      <a href="/funding?view=table">
        ${total === null ? 'All contracts' : `All ${grouped(total)} contracts`}
      </a>
    </p>
  </section>`;
}
