import { isoTime, SECOND_MS } from '../../../../base/times.ts';
import { listings } from '../../../../operations/listings.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { outside, plain, time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinCell, venueCell } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkWith } from '../../markup/page-links.ts';
import { filterChoices } from '../lists/filter-choices.ts';
import type { ListPage } from '../lists/list-page.ts';
import { segment, venuePicker } from '../lists/venue-picker.ts';
import type { PageContext } from '../page-context.ts';
import { calendarOf } from './calendar.ts';
import { gridOf, isDay } from './calendar-grid.ts';
import { calendarHtml } from './calendar-view.ts';
import { dayHeading } from './day-heading.ts';

const KINDS: Readonly<Record<string, Html>> = {
  listing: html`<span class="tag ok">▲ listing</span>`,
  delisting: html`<span class="tag bad">▼ delisting</span>`,
};
const STATUS_LOOKS: Readonly<Record<string, string>> = { cancelled: ' bad', announced: ' acc', live: ' ok' };
const SOURCES: Readonly<Record<string, string>> = {
  announcement: "the venue's notice",
  instruments: "the venue's list of contracts",
  diff: 'a change between two lists',
};

/** Parameters of the page, not of the operation: the span that the calendar shows. */
const VIEW_PARAMETERS = ['view', 'at'];
export const LISTINGS_PARAMETERS = pageParameters(listings, ['page', ...VIEW_PARAMETERS]);

export function listingsPage(context: PageContext): ListPage {
  const { entrance, caller } = context;
  const asOf = isoTime(entrance.clock.nowMs() - caller.plan.delaySeconds * SECOND_MS);
  return {
    ...PAGE,
    switches: () => switches(context),
    // The table has the same days as the week above it.
    narrowed: (sent) => inWeek(sent, asOf.slice(0, 10)),
    headingOf: (row, sort) =>
      sort === 'nearest' || sort.startsWith('effective') ? dayHeading(row.effective_at, asOf) : null,
    prepare: async ({ meta }) => {
      const calendar = await calendarOf(context, meta.as_of);
      const [ics, feed] = ['/listings.ics', '/listings.atom'].map((path) =>
        linkWith(path, filters(context), {}),
      );
      return {
        html: calendarHtml(
          calendar,
          context,
          html`<a class="btn" href="${ics}">${icon('cal')}Subscribe (iCal)</a>
            <a class="btn" href="${feed}">Atom feed</a>`,
        ),
        markdown: `The same as a calendar: <${ics}>, as a feed: <${feed}>.\n\n`,
        head: html`<link rel="alternate" type="application/atom+xml" title="Listings" href="${feed}">\n`,
      };
    },
  };
}

function filters({ sent }: PageContext): Map<string, string[]> {
  return new Map([...sent].filter(([name]) => !VIEW_PARAMETERS.includes(name)));
}

/** With the days of the week in the address; a range that the reader chose stays. */
function inWeek(sent: Map<string, string[]>, today: string): Map<string, string[]> {
  const at = sent.get('at')?.[0] ?? today;
  if (sent.get('view')?.[0] !== 'week' || sent.has('from') || sent.has('to') || !isDay(at)) return sent;
  const { from, to } = gridOf('week', at);
  return new Map(sent).set('from', [from]).set('to', [to]);
}

function switches(context: PageContext): Html {
  const { sent } = context;
  const kinds = [
    ['', 'All'],
    ['listing', 'Listings'],
    ['delisting', 'Delistings'],
  ] as const;
  const days = [
    ['', 'Any time'],
    ['1', '24 h'],
    ['7', '7 days'],
    ['30', '30 days'],
  ] as const;
  return html`${venuePicker(filterChoices(context).exchanges, sent)}
    ${segment('type', 'Show', kinds, sent)}
    ${segment('days_ahead', 'Within', days, sent)}`;
}

const PAGE: ListPage = {
  path: '/listings',
  operation: listings,
  title: 'Listings and delistings',
  description: 'Calendar of perpetual contracts that venues list and delist',
  lead: html`Which perpetual contracts start or end, when and where, from the venues’ notices and lists of contracts.`,
  mainParameters: ['coin', 'status'],
  ownParameters: ['exchange', 'type', 'days_ahead'],
  viewParameters: VIEW_PARAMETERS,
  noun: 'events',
  scripts: ['calendar'],
  isTall: true,
  columns: [
    {
      field: 'effective_at',
      label: 'Takes effect',
      format: (value) => (typeof value === 'string' ? time(value) : html`not announced yet`),
      sorts: ['nearest', 'effective_asc', 'effective_desc'],
    },
    { field: 'kind', label: 'What', format: (value) => html`${KINDS[String(value)] ?? String(value)}` },
    { field: 'exchange', label: 'Venue', format: venueCell },
    { field: 'symbol', label: 'Contract', format: plain },
    { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
    {
      field: 'status',
      label: 'Status',
      format: (value) =>
        typeof value === 'string'
          ? html`<span class="tag${STATUS_LOOKS[value] ?? ''}">${value}</span>`
          : html`–`,
    },
    {
      field: 'source',
      label: 'Found in',
      format: (value) => html`${SOURCES[String(value)] ?? String(value)}`,
    },
    { field: 'announcement_url', label: 'Notice', format: (value) => outside(value, 'read') },
    { field: 'detected_at', label: 'Found', format: time, sorts: ['detected_desc', 'detected_asc'] },
  ],
};
