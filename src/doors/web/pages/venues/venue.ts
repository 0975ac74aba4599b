import { type VenueAccuracy, verdictOf } from '../../../../engines/audit/report.ts';
import type { WindowFigures } from '../../../../engines/audit/windows.ts';
import { rowObjects } from '../../../../operations/answer/answer.ts';
import { exchangesOperation } from '../../../../operations/exchanges.ts';
import { funding } from '../../../../operations/funding.ts';
import { coinCell, venueMark } from '../../icons/marks.ts';
import { alertLink } from '../../lists/alert-link.ts';
import { copyAs } from '../../lists/copy-as.ts';
import { type ListPage, rowsTable } from '../../lists/list-page.ts';
import { listAt } from '../../lists/list-route.ts';
import { type PagePlace, pager } from '../../lists/pager.ts';
import { tableRow } from '../../lists/row-memo.ts';
import { liveBadge } from '../../live/badge.ts';
import { definePage, type PageContext } from '../../market-page.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { countdown, hours, outside, percent, price, usdt } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { escapeMarkdown, markdownHead, markdownTable } from '../../markup/markdown.ts';
import { linkWith } from '../../markup/page-links.ts';
import { type Stat, statStrip } from '../../markup/stat-strip.ts';
import { pageParameters } from '../../page-parameters.ts';
import { listForPage, type PageList, type Row } from '../../visitor.ts';
import { lastSettled } from '../funding/funding.ts';
import { agesOf, ageTag } from '../funding/row-age.ts';
import { FIGURE_HEADINGS, figureCells, WINDOW_TITLES, windowFields } from './accuracy-figures.ts';
import { lateNotice, lateVenues } from './late-venues.ts';
import { contractsBy, type ValueCount } from './venue-contracts.ts';
import { noticesHtml, noticesMarkdown, unknownHtml, unknownMarkdown } from './venue-doubts.ts';
import { assumedFee, summaryTables } from './venue-fees.ts';
import {
  ageHtml,
  ageSeconds,
  availabilityText,
  stateHtml,
  stateOf,
  troubleHtml,
  troubleText,
  type VenueStatus,
} from './venue-status.ts';

interface LoadedVenue {
  exchange: string;
  /** The venue's row of /exchanges. */
  facts: Row;
  contracts: PageList;
  place: PagePlace;
  intervals: readonly ValueCount[];
  fees: readonly ValueCount[];
  status: VenueStatus | null;
  accuracy: VenueAccuracy | null;
  /** What no source confirms. */
  unknown: readonly string[];
  nowMs: number;
}

const DEFAULT_SORT = 'volume_desc';
const STATE_MS = 10_000;

const COLUMNS: ListPage['columns'] = [
  { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
  {
    field: 'symbol',
    label: 'Contract',
    format: (value, { old_minutes: old }) =>
      html`${String(value)}${ageTag(typeof old === 'number' ? old : undefined)}`,
  },
  {
    field: 'rate_pct',
    label: 'Rate',
    small: 'per settlement',
    isNumber: true,
    format: (value) => percent(value),
    sorts: ['rate_desc', 'rate_asc', 'abs_rate_desc'],
  },
  { field: 'interval_hours', label: 'Every', isNumber: true, format: hours },
  {
    field: 'apr_pct',
    label: 'APR',
    small: 'after fees',
    isNumber: true,
    format: (value) => percent(value, 1),
    sorts: ['apr_desc', 'apr_asc'],
  },
  { field: 'last_rate_pct', label: 'Last settled', isNumber: true, format: lastSettled },
  {
    field: 'next_funding_at',
    label: 'Next settlement',
    format: countdown,
    sorts: ['next_funding_asc', 'next_funding_desc'],
  },
  {
    field: 'volume_24h_usdt',
    label: '24 h volume',
    isNumber: true,
    format: usdt,
    sorts: ['volume_desc', 'volume_asc'],
  },
  {
    field: 'open_interest_usdt',
    label: 'Open interest',
    isNumber: true,
    format: usdt,
    sorts: ['open_interest_desc', 'open_interest_asc'],
  },
  { field: 'mark_price', label: 'Mark price', isNumber: true, format: price },
];

/** The path names the venue. */
const PARAMETERS = new Map([...pageParameters(funding, ['page'])].filter(([name]) => name !== 'exchange'));

/** One venue: its contracts, fees, intervals, health and accuracy. */
export const VENUE_PAGE = definePage<LoadedVenue>({
  path: '/exchanges/:exchange',
  section: '/exchanges',
  parameters: PARAMETERS,
  freshness: ({ entrance, caller }) => {
    const fresh = entrance.freshness(funding, caller);
    // The state of a venue's data changes without a new snapshot.
    return fresh === null ? null : `${fresh} ${Math.floor(entrance.clock.nowMs() / STATE_MS)}`;
  },
  isLive: true,
  load: loadVenue,
  view: (loaded, context) => ({
    title: `${loaded.exchange} perpetual futures`,
    description: `Perpetual contracts of ${loaded.exchange} with funding rates, fees, intervals, and the health and accuracy of its data`,
    layout: 'wrap',
    asOf: loaded.contracts.meta.as_of,
    scripts: ['live', 'filters', ...CODE_SCRIPTS],
    body: venueBody(loaded, context),
  }),
  markdown: venueMarkdown,
});

async function loadVenue(context: PageContext): Promise<LoadedVenue> {
  const { entrance, caller, sent, named, venueStatus, accuracy } = context;
  const exchange = named.exchange ?? '';
  const query = new Map<string, string[]>([['sort', [DEFAULT_SORT]], ...sent]);
  query.delete('fields');
  // Refuses a name that is no venue.
  const { list: contracts, place } = await listAt(context, LIST, query.set('exchange', [exchange]));
  const exchanges = await listForPage(entrance, exchangesOperation, caller, new Map());
  const { table } = contracts.rows;
  return {
    exchange,
    place,
    facts:
      exchanges.rows.numbers
        .map((row) => tableRow(exchanges.rows, row))
        .find((row) => row.exchange === exchange) ?? {},
    contracts,
    intervals: contractsBy(table, exchange, 'interval_hours'),
    fees: contractsBy(table, exchange, 'taker_fee_pct'),
    status: venueStatus().find((venue) => venue.exchange === exchange) ?? null,
    accuracy: accuracy()?.venues.find((venue) => venue.exchange === exchange) ?? null,
    unknown: entrance.data.venues.find(({ facts }) => facts.exchange === exchange)?.facts.unknown ?? [],
    nowMs: entrance.clock.nowMs(),
  };
}

function venueBody(loaded: LoadedVenue, context: PageContext): Html {
  const { sent, entrance } = context;
  const { exchange, facts, contracts, status, intervals, fees } = loaded;
  const path = pathOf(exchange);
  const venue = entrance.data.venues.find((one) => one.facts.exchange === exchange);
  const ageOf = agesOf(contracts.rows.table, Date.parse(contracts.meta.as_of));
  const page: ListPage = {
    ...LIST,
    path,
    defaultSort: DEFAULT_SORT,
    extend: (row) => ({ ...row, old_minutes: ageOf(row) }),
    // Its age at the time of the snapshot does not change.
    rowVariant: () => '',
  };
  const listQuery = new Map(sent).set('exchange', [exchange]);
  const query = encodeURIComponent(exchange);
  return html`<div class="venhd">
      ${venueMark(exchange, 40)}
      <div>
        <div class="ttl"><h1>${exchange}</h1>${liveBadge(contracts.meta, path)}</div>
        <p class="mut">${sentence(loaded)}</p>
      </div>
      <p class="acts">
        <a class="btn" href="/funding?exchange=${query}">Funding rates</a>
        <a class="btn" href="/spreads?exchange=${query}">Spreads</a>
        <a class="btn" href="/listings?exchange=${query}">Listings</a>
      </p>
    </div>
    <div id="late" data-live>${status ? lateNotice(lateVenues([status], contracts.meta.as_of)) : null}</div>
    ${statStrip(figures(loaded), 'figures')}
    <div class="cols3">
      ${summaryTables(intervals, fees, venue ? assumedFee(venue.facts, context) : null)}
      <section class="card">
        <header><h2>Health</h2><a class="lnk" href="/status">All venues</a></header>
        ${healthTable(loaded)}
      </section>
    </div>
    <section class="card mt">
      <header><h2>Accuracy</h2><a class="lnk" href="/accuracy">What the figures mean</a></header>
      ${accuracyTable(loaded.accuracy)}
    </section>
    <section class="card mt">
      <header>
        <h2>Contracts</h2>
        ${alertLink(LIST, listQuery)}
        ${copyAs(funding, listQuery, entrance.baseUrl)}
        <span class="links">
          At the
          venue: ${outside(facts.funding_url, 'funding')} ${outside(facts.specs_url, 'contracts')} ${typeof facts.fee_url === 'string' ? outside(facts.fee_url, 'fees') : null}
        </span>
      </header>
      <div class="tw" id="results" data-live tabindex="0" role="region" aria-label="Contracts">
        ${rowsTable(page, contracts.rows, sent)}
      </div>
      <div class="sbar" id="pager" data-live>${pager(path, sent, loaded.place, 'contracts')}</div>
    </section>
    ${unknownHtml(loaded.unknown)}`;
}

function figures({ facts, contracts, status, accuracy, nowMs }: LoadedVenue): Stat[] {
  const week = accuracy?.windows[1];
  const available = status && availabilityText(status);
  return [
    { label: 'Contracts', value: grouped(contracts.meta.total ?? 0), meaning: 'perpetual' },
    { label: 'Taker fee', value: `${String(facts.taker_fee_pct)} %`, meaning: 'base tier, no discounts' },
    { label: 'Leverage', value: `${String(facts.max_leverage)}×`, meaning: 'at most' },
    {
      label: 'Last good data',
      value: status ? ageHtml(ageSeconds(status, nowMs)) : '–',
      meaning: status ? stateOf(status, nowMs) : 'not known yet',
    },
    {
      label: 'Available, 24 h',
      value: available === null ? '–' : `${available} %`,
      meaning: 'of the minutes watched',
    },
    {
      label: 'Within 0.1 bp',
      value: week?.closePct === null || !week ? '–' : `${week.closePct} %`,
      meaning: 'of settled rates, 7 days',
    },
  ];
}

const LIST: ListPage = {
  path: '',
  operation: funding,
  title: '',
  description: '',
  lead: html``,
  mainParameters: [],
  columns: COLUMNS,
};

function pathOf(exchange: string): string {
  return `/exchanges/${encodeURIComponent(exchange)}`;
}

function sentence({ exchange, facts, contracts, status }: LoadedVenue): string {
  if (status?.hasEnded) return `${String(facts.name)} has ended; its settled history stays.`;
  const name = facts.name === exchange ? '' : ` (${String(facts.name)})`;
  return `${exchange}${name}: ${contracts.meta.total ?? 0} perpetual contracts, default taker fee ${String(facts.taker_fee_pct)} %, leverage up to ${String(facts.max_leverage)}×.`;
}

function healthTable({ status, nowMs }: LoadedVenue): Html {
  if (!status) return html`<p class="say">Nothing is known of its data yet.</p>`;
  const available = availabilityText(status);
  return html`<div class="tw" id="health" data-live tabindex="0" role="region" aria-label="Health">
    <table class="t">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col" class="num">Last good data</th>
          <th scope="col" class="num">Rows kept out</th>
          <th scope="col" class="num">Available, 24 h</th>
          <th scope="col">Trouble</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>${stateHtml(stateOf(status, nowMs))}</td>
          <td class="num">${ageHtml(ageSeconds(status, nowMs))}</td>
          <td class="num">${status.keptOut}</td>
          <td class="num">${available === null ? '–' : `${available} %`}</td>
          <td class="words">${troubleHtml(status)}</td>
        </tr>
      </tbody>
    </table>
  </div>`;
}

function accuracyTable(venue: VenueAccuracy | null): Html {
  if (!venue) return html`<p class="say">There is no comparison with settled rates yet.</p>`;
  return html`<div>
    <p class="say">${capitalized(verdictOf(venue))}.</p>
    ${noticesHtml(venue.notices)}
    <div class="tw" id="accuracy" data-live tabindex="0" role="region" aria-label="Accuracy">
      <table class="t">
        <thead><tr><th scope="col">Window</th>${FIGURE_HEADINGS}</tr></thead>
        <tbody>
          ${WINDOW_TITLES.map((title, i) => html`<tr><th scope="row">${title}</th>${figureCells(venue.windows[i] as WindowFigures)}</tr>\n`)}
        </tbody>
      </table>
    </div>
  </div>`;
}

function venueMarkdown(loaded: LoadedVenue, { sent }: PageContext): string {
  const { exchange, facts, contracts, intervals, fees, status, accuracy, nowMs } = loaded;
  const { meta } = contracts;
  const health = status && {
    state: stateOf(status, nowMs),
    last_good_data_seconds_ago: ageSeconds(status, nowMs),
    rows_kept_out: status.keptOut,
    available_24h_pct: availabilityText(status),
    watched_minutes: status.watchedMinutes,
    trouble: troubleText(status),
  };
  const windows = WINDOW_TITLES.map((title, i) =>
    accuracy ? { window: title, ...windowFields(accuracy, accuracy.windows[i] as WindowFigures) } : {},
  );
  const next = meta.next_cursor
    ? ` Next page: <${linkWith(`${pathOf(exchange)}.md`, sent, { page: String(loaded.place.page + 1) })}>.`
    : '';
  const counted = (name: string, rows: readonly ValueCount[]) =>
    markdownTable(rows.map(({ value, contracts: count }) => ({ [name]: value, contracts: count })));
  return `${markdownHead(exchange, escapeMarkdown(sentence(loaded)), meta)}${markdownTable([facts])}
## Settlement intervals

${counted('interval_hours', intervals)}
## Taker fees

${counted('taker_fee_pct', fees)}
## Health

${health ? markdownTable([health]) : 'Nothing is known of its data yet.\n'}
## Accuracy

${accuracy ? markdownTable(windows) : 'There is no comparison with settled rates yet.\n'}${noticesMarkdown(accuracy?.notices ?? [])}${unknownMarkdown(loaded.unknown)}
## Contracts

${meta.count} rows of ${meta.total}.${next}

${markdownTable(rowObjects(contracts.rows))}`;
}

function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
