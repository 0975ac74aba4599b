import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VENUES } from '../src/venues/registry.ts';
import type { Venue } from '../src/venues/venue.ts';
import { LISTING_FACTS } from '../test/listings/listing-facts.ts';

/** `npm run docs:listings` writes the table of venues into docs/listings.md, between its markers. */
export const LISTINGS_DOC = join(import.meta.dirname, '../docs/listings.md');

/** The fields of a venue's instrument list that date its contracts. A test finds each `field` in the venue's code. */
interface ListFields {
  /** How a contract that is not open yet is marked. */
  preopen: string;
  openingTime: string;
  end: string;
}

const fields = (preopen: string, openingTime: string, end: string): ListFields => ({
  preopen,
  openingTime,
  end,
});

/** By the venue's slug. */
const LIST_FIELDS: Readonly<Record<string, ListFields>> = {
  aster: fields('`PENDING_TRADING`', '`onboardDate`', '`deliveryDate`'),
  backpack: fields('future `createdAt`', '`createdAt`', 'no'),
  binance: fields('`PENDING_TRADING`', '`onboardDate`', '`deliveryDate`'),
  bingx: fields('status 5, 10', '`launchTime`', '`offTime`, status 29'),
  bitget: fields('`listed`', '`launchTime`', '`offTime`, else `limitOpenTime`'),
  bybit: fields('`PreLaunch`', 'start of continuous trading, else `launchTime`', '`deliveryTime`'),
  coinex: fields('no', 'no', '`delisted_at`'),
  deribit: fields('future `creation_timestamp`', '`creation_timestamp`', '`expiration_timestamp`'),
  dydx: fields('`INITIALIZING`', 'no', 'status only'),
  edgex: fields('no', 'no', 'no `enableOpenPosition`, without a time'),
  extended: fields('`PRELISTED`', 'no', '`REDUCE_ONLY`, without a time'),
  gate: fields('`prelaunch`', '`launch_time`', '`in_delisting`, `delisted_time`'),
  grvt: fields('no', 'no', 'no'),
  htx: fields('status 2', 'the day only', '`delivery_time`'),
  hyperliquid: fields('no', 'no', '`isDelisted`'),
  kraken: fields('future `openingDate`', '`openingDate`', '`lastTradingTime`'),
  blofin: fields('future `listTime`', '`listTime`', '`offTime`'),
  xt: fields('future `onboardDate`', '`onboardDate`', '`tradeSwitch`, without a time'),
  kucoin: fields('`Init`', '`firstOpenDate`', '`expireDate`'),
  lighter: fields('future `created_at`', '`created_at`', '`force_reduce_only`, without a time'),
  mexc: fields('future `openingTime`', '`openingTime`', 'status only'),
  nado: fields('no', 'no', '`soft_reduce_only`, without a time'),
  okx: fields('`preopen`', '`listTime`', '`expTime`'),
  orderly: fields('no', '`created_time`', 'no'),
  pacifica: fields('no', '`created_at`', 'no'),
  paradex: fields('future `open_at`', '`open_at`', '`expiry_at`'),
  toobit: fields('no', '`launchTime`', 'no'),
  phemex: fields('timeline', 'timeline', 'timeline'),
  whitebit: fields('no', 'no', '`delistedAt`'),
  pionex: fields('no', 'no', 'no'),
  btse: fields('no', 'no', 'no'),
  weex: fields('no', 'no', 'no'),
  bitunix: fields('`PREVIEW`', 'no', 'no'),
  coinbaseintl: fields('`STANDBY`', 'no', 'no'),
  woox: fields('`TESTING`', 'no', 'no'),
};

const NOTICES = { none: 'none', titles: 'title', texts: 'title and text' } as const;
const TITLES = ['Venue', 'Not open yet', 'Opening time', 'End', 'Notices'];
const MARKED = /(<!-- listings:venues[^>]*-->\n)[\s\S]*?(<!-- end of listings:venues -->)/;

/** The cells of one venue's row. */
export function listingCells({ slug, facts: { exchange } }: Pick<Venue, 'slug' | 'facts'>): string[] {
  const [own, facts] = [LIST_FIELDS[slug], LISTING_FACTS[slug]];
  if (!own || !facts)
    throw new Error(`scripts/listings-doc.ts or test/listings/listing-facts.ts lacks ${slug}`);
  return [exchange, own.preopen, own.openingTime, own.end, NOTICES[facts.notices]];
}

/** The document as it should be. */
export function listingsDoc(): string {
  const rows = VENUES.map(listingCells);
  const widths = TITLES.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  const table = [TITLES, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
  return readFileSync(LISTINGS_DOC, 'utf8').replace(
    MARKED,
    (_whole, start: string, end: string) => `${start}\n${table}\n${end}`,
  );
}

if (import.meta.main) writeFileSync(LISTINGS_DOC, listingsDoc());
