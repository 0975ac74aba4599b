import { exchangesOperation } from '../../../../operations/exchanges.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import type { PageList } from '../../layout/visitor.ts';
import { plain, yesNo } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { ListPage } from '../lists/list-page.ts';
import { byName, openVenues } from '../open-venues.ts';
import type { PageContext } from '../page-context.ts';
import { feeText } from './venue-fees.ts';
import { ageHtml, ageSeconds, stateHtml, stateOf, venueLink } from './venue-status.ts';

export const EXCHANGES_PARAMETERS = pageParameters(exchangesOperation, ['page']);

const EXCHANGES_PAGE: ListPage = {
  path: '/exchanges',
  operation: exchangesOperation,
  title: 'Venues',
  description: 'Trading venues with fees, leverage, contracts, and how their data is doing',
  lead: html`The venues that Perpwire watches, with their usual taker fee, highest leverage, and how their data is
    doing. More on the <a class="lnk" href="/status">status page</a>.`,
  noun: 'venues',
  mainParameters: ['q', 'has_spot'],
  columns: [
    {
      field: 'exchange',
      label: 'Venue',
      format: (value, { mirrors }) => html`${venueLink(String(value))}${copyTag(mirrors)}`,
      sorts: ['name_asc'],
    },
    {
      field: 'tracked_instruments',
      label: 'Contracts',
      isNumber: true,
      format: plain,
      sorts: ['instruments_desc'],
    },
    {
      field: 'taker_fee_pct',
      label: 'Taker fee',
      small: 'base tier',
      isNumber: true,
      format: (value) => html`${feeText(Number(value))}`,
      sorts: ['fee_asc'],
    },
    {
      field: 'maker_fee_pct',
      label: 'Maker fee',
      small: 'base tier',
      isNumber: true,
      isDeskOnly: true,
      format: (value) => html`${typeof value === 'number' ? feeText(value) : '–'}`,
    },
    {
      field: 'max_leverage',
      label: 'Max leverage',
      isNumber: true,
      isDeskOnly: true,
      format: (value) => html`${String(value)}×`,
      sorts: ['leverage_desc'],
    },
    { field: 'has_spot', label: 'Spot', format: yesNo, isDeskOnly: true },
    { field: 'data_state', label: 'Data', format: stateHtml },
    { field: 'data_age_seconds', label: 'Last good', small: 'data', isNumber: true, format: ageHtml },
    {
      field: 'funding_url',
      label: 'At the venue',
      format: (value, row) =>
        html`<a rel="noopener" href="${String(value)}">funding</a> · <a rel="noopener" href="${String(row.specs_url)}">
            contracts
          </a>
          ${
            typeof row.fee_url === 'string' ? html` · <a rel="noopener" href="${row.fee_url}">fees</a>` : null
          }`,
    },
  ],
};

/** Only of a venue that has the rates of another. */
function copyTag(original: unknown): Html | null {
  if (typeof original !== 'string') return null;
  const words = `Its settled rates equal those of ${original} to the digit: pairs of the two are left out of arbitrage`;
  return html` <span class="tag" title="${words}">copies ${original}</span>`;
}

/** By name without regard to case, unless another order is chosen; ended venues come last and do not count. */
function arranged(list: PageList, sort: string, open: ReadonlySet<string>): PageList {
  const { rows, meta } = list;
  const nameOf = (row: number) => rows.table.text('exchange', row);
  const numbers =
    sort === 'name_asc' ? [...rows.numbers].sort((a, b) => byName(nameOf(a), nameOf(b))) : rows.numbers;
  const [live, ended] = [true, false].map((isOpen) =>
    numbers.filter((row) => open.has(nameOf(row)) === isOpen),
  );
  return {
    ...list,
    rows: { ...rows, numbers: [...(live ?? []), ...(ended ?? [])] },
    meta: { ...meta, count: live?.length ?? 0, total: live?.length ?? 0 },
  };
}

/** Adds the state of each venue's data, which changes every second and is not part of the operation. */
export function exchangesPage({ venueStatus, entrance }: PageContext): ListPage {
  const nowMs = entrance.clock.nowMs();
  const venues = new Map(venueStatus().map((venue) => [venue.exchange, venue]));
  const makerFees = new Map(
    entrance.data.venues.map(({ facts }) => [facts.exchange, facts.makerFeePct?.value]),
  );
  const open = new Set(openVenues(entrance).map(({ facts }) => facts.exchange));
  return {
    ...EXCHANGES_PAGE,
    arrange: (list, sort) => arranged(list, sort, open),
    headingOf: ({ exchange }) => (open.has(String(exchange)) ? null : 'Ended'),
    freshness: String(Math.floor(nowMs / 1000)),
    extend: (row) => {
      const venue = venues.get(String(row.exchange));
      return {
        ...row,
        maker_fee_pct: makerFees.get(String(row.exchange)) ?? null,
        data_state: venue ? stateOf(venue, nowMs) : null,
        data_age_seconds: venue ? ageSeconds(venue, nowMs) : null,
      };
    },
  };
}
