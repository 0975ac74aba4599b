import { listings } from '../../../../operations/listings.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { outside, plain, time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinCell, venueCell } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkWith } from '../../markup/page-links.ts';
import type { ListPage } from '../lists/list-page.ts';
import type { PageContext } from '../page-context.ts';
import { calendarOf } from './calendar.ts';
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
  return {
    ...PAGE,
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

const PAGE: ListPage = {
  path: '/listings',
  operation: listings,
  title: 'Listings and delistings',
  description: 'Calendar of perpetual contracts that venues list and delist',
  lead: html`Perpetual contracts that start or end, from the venues' notices, the dates in their lists of contracts,
    and what appears in and vanishes from those lists.`,
  mainParameters: ['coin', 'exchange', 'type', 'status', 'days_ahead'],
  viewParameters: VIEW_PARAMETERS,
  noun: 'events',
  scripts: ['calendar'],
  isTall: true,
  headingOf: (row, sort) =>
    sort === 'nearest' || sort.startsWith('effective') ? dayHeading(row.effective_at) : null,
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
