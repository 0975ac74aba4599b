import type { VenueAccuracy } from '../../../../engines/audit/report.ts';
import { exchangesOperation } from '../../../../operations/exchanges.ts';
import { funding } from '../../../../operations/funding.ts';
import { type SidesText, sidesTexts } from '../../../../venues/counting/texts.ts';
import { listForPage, type PageList, type Row } from '../../layout/visitor.ts';
import { countdown, hours, percent, price, usdt } from '../../markup/format.ts';
import { html } from '../../markup/html.ts';
import { coinCell } from '../../markup/icons/marks.ts';
import { durationText } from '../depth/book-texts.ts';
import { lastSettled } from '../funding/funding.ts';
import { GROSS_APR_FORMULA, grossApr } from '../funding/gross-apr.ts';
import { ageTag } from '../funding/row-age.ts';
import type { ListPage } from '../lists/list-page.ts';
import { listAt } from '../lists/list-route.ts';
import type { PagePlace } from '../lists/pager.ts';
import { tableRow } from '../lists/row-memo.ts';
import type { PageContext } from '../page-context.ts';
import { contractsBy, type ValueCount } from './venue-contracts.ts';
import { type ExtremeRate, extremeRates } from './venue-extremes.ts';
import { feeText } from './venue-fees.ts';
import type { VenueStatus } from './venue-status.ts';

export interface LoadedVenue {
  exchange: string;
  /** The venue's row of /exchanges. */
  facts: Row;
  contracts: PageList;
  place: PagePlace;
  intervals: readonly ValueCount[];
  fees: readonly ValueCount[];
  extremes: { highest: readonly ExtremeRate[]; lowest: readonly ExtremeRate[] };
  status: VenueStatus | null;
  accuracy: VenueAccuracy | null;
  /** What its open interest and its volume count. */
  counts: readonly SidesText[];
  /** What no source confirms. */
  unknown: readonly string[];
  nowMs: number;
}

export const DEFAULT_SORT = 'volume_desc';

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
    field: 'gross_apr_pct',
    label: 'APR',
    small: '% gross',
    title: GROSS_APR_FORMULA,
    isNumber: true,
    format: (_value, row) => grossApr(row),
    sorts: ['gross_apr_desc', 'gross_apr_asc'],
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

export async function loadVenue(context: PageContext): Promise<LoadedVenue> {
  const { entrance, caller, sent, named, venueStatus, accuracy } = context;
  const exchange = named.exchange ?? '';
  const query = new Map<string, string[]>([['sort', [DEFAULT_SORT]], ...sent]);
  query.delete('fields');
  // Refuses a name that is no venue.
  const { list: contracts, place } = await listAt(context, LIST, query.set('exchange', [exchange]));
  const exchanges = await listForPage(entrance, exchangesOperation, caller, new Map());
  const { table } = contracts.rows;
  const venue = entrance.data.venues.find(({ facts }) => facts.exchange === exchange);
  const status = venueStatus().find((one) => one.exchange === exchange) ?? null;
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
    extremes: extremeRates(table, exchange),
    status,
    accuracy: accuracy()?.venues.find((venue) => venue.exchange === exchange) ?? null,
    counts: venue ? sidesTexts(venue.facts.counts, status?.chosenSides) : [],
    unknown: venue?.facts.unknown ?? [],
    nowMs: entrance.clock.nowMs(),
  };
}

export const LIST: ListPage = {
  path: '',
  operation: funding,
  title: '',
  description: '',
  lead: html``,
  mainParameters: [],
  columns: COLUMNS,
};

export function pathOf(exchange: string): string {
  return `/exchanges/${encodeURIComponent(exchange)}`;
}

export function sentence({ exchange, facts, contracts, status }: LoadedVenue): string {
  if (status?.hasEnded) return `${String(facts.name)} has ended; its settled history stays.`;
  const name = facts.name === exchange ? '' : ` (${String(facts.name)})`;
  const parts = [
    `${contracts.meta.total ?? 0} perpetual contracts`,
    `taker fee ${feeText(Number(facts.taker_fee_pct))}`,
    `leverage up to ${String(facts.max_leverage)}×`,
  ];
  return `${exchange}${name}: ${parts.join(', ')}.`;
}

/** Why the venue has no settled history or no book; empty for most. */
export function lacksOf({ facts }: LoadedVenue): string[] {
  const { no_history_reason: noHistory, no_book_reason: noBook, quote_age_seconds: age } = facts;
  const quotes =
    typeof age === 'number' ? `Half of its quotes are at least ${durationText(age)} old now.` : null;
  return [noHistory, noBook, quotes].filter((reason) => typeof reason === 'string');
}
