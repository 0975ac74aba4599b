import { amountOf } from './fields.ts';
import type { Announcement, Batch, BookTop, Contract, FundingQuote } from './observations.ts';
import { emptyBatch } from './observations.ts';
import { convertVolumes } from './quotes.ts';
import { isRow, NOT_LISTED, type Row, readRows } from './reading.ts';
import { openInterestUsdt, type SizeUnit } from './units.ts';
import type { ParseContext } from './venue.ts';

/**
 * Readers of whole replies, for parsers of the ordinary shape: a list of rows that each name their contract. Each
 * `add…` function puts one figure into the batch and returns null, or returns the reason why the row has none.
 */

type Nullable<T> = { [Key in keyof T]: T[Key] | null };

/** Rows about listed contracts. A symbol that is in no contract list is counted as such. */
export function readListed(
  rows: readonly unknown[],
  symbolField: string,
  context: ParseContext,
  read: (row: Row, contract: Contract, batch: Batch) => string | null,
): Batch {
  const batch = emptyBatch();
  readRows(rows, batch, symbolField, (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    return contract ? read(row, contract, batch) : NOT_LISTED;
  });
  convertVolumes(batch, context.contracts);
  return batch;
}

type QuoteFields = Omit<FundingQuote, 'venueSymbol' | 'ratePct'> & { ratePct: number | null };

export function addQuote(batch: Batch, { venueSymbol }: Contract, fields: QuoteFields): string | null {
  const { ratePct, nextFundingAtMs, intervalHours, venueTimeMs } = fields;
  if (ratePct === null) return 'no rate';
  batch.fundingQuotes.push({ venueSymbol, ratePct, nextFundingAtMs, intervalHours, venueTimeMs });
  return null;
}

/** For venues that give the next settlement in every good row, so that a row without one is bad. */
export function addScheduledQuote(batch: Batch, contract: Contract, fields: QuoteFields): string | null {
  return fields.ratePct !== null && fields.nextFundingAtMs === null
    ? 'no next settlement'
    : addQuote(batch, contract, fields);
}

export function addVolume(
  batch: Batch,
  { venueSymbol }: Contract,
  volume24hUsdt: number | null,
  referencePrice: number | null,
  /** What the venue counts, where the volume is that times a price. */
  counted: unknown = null,
): string | null {
  if (volume24hUsdt === null) return 'no volume';
  const volumeCount = amountOf(counted);
  batch.dayVolumes.push({
    venueSymbol,
    volume24hUsdt,
    referencePrice,
    ...(volumeCount === null ? {} : { volumeCount }),
  });
  return null;
}

/** An open interest as the venue sends it. */
export interface OpenInterestField {
  amount: unknown;
  unit: SizeUnit | 'quote';
  /** The number of contracts or coins, where `amount` is their value. */
  counted?: unknown;
}

/**
 * Mark price, index price, open interest, and whether the market of the underlying is closed. A missing figure is no fault of
 * the row: venues leave them out for new contracts. `price` is what an open interest in contracts or coins is multiplied with.
 */
export function addFigures(
  batch: Batch,
  contract: Contract,
  figures: {
    markPrice?: number | null;
    indexPrice?: number | null;
    openInterest?: OpenInterestField;
    isMarketClosed?: unknown;
  },
  price: number | null = figures.markPrice ?? null,
): void {
  const { markPrice = null, indexPrice = null, openInterest, isMarketClosed } = figures;
  const openUsdt = openInterest
    ? openInterestUsdt(contract, openInterest.amount, openInterest.unit, price)
    : null;
  const hasFlag = typeof isMarketClosed === 'boolean';
  if (markPrice === null && indexPrice === null && openUsdt === null && !hasFlag) return;
  const openInterestCount = openUsdt === null ? null : countedOf(openInterest);
  batch.marketFigures.push({
    venueSymbol: contract.venueSymbol,
    markPrice,
    indexPrice,
    openInterestUsdt: openUsdt,
    ...(openInterestCount === null ? {} : { openInterestCount }),
    ...(hasFlag ? { isMarketClosed } : {}),
  });
}

function countedOf(openInterest: OpenInterestField | undefined): number | null {
  if (openInterest === undefined) return null;
  const { amount, unit, counted = unit === 'quote' ? null : amount } = openInterest;
  return amountOf(counted);
}

/** For a call that gives nothing but open interest, so that a row without it is bad. */
export function addOpenInterest(
  batch: Batch,
  contract: Contract,
  openInterest: OpenInterestField,
): string | null {
  if (openInterestUsdt(contract, openInterest.amount, openInterest.unit, null) === null)
    return 'no open interest';
  addFigures(batch, contract, { openInterest });
  return null;
}

const PRICE_WORDS = { markPrice: 'mark price', indexPrice: 'index price' };

/** For a call that gives nothing but this price, so that a row without it is bad. */
export function addOnePrice(
  batch: Batch,
  contract: Contract,
  name: keyof typeof PRICE_WORDS,
  value: number | null,
): string | null {
  if (value === null) return `no ${PRICE_WORDS[name]}`;
  addFigures(batch, contract, { [name]: value });
  return null;
}

/** Takes what `readTop` returns. */
export function addTop(batch: Batch, top: BookTop | string): string | null {
  if (typeof top === 'string') return top;
  batch.bookTops.push(top);
  return null;
}

/** For rows with several figures: each is read on its own, and the first fault is reported. */
export function firstReason(...reasons: readonly (string | null)[]): string | null {
  return reasons.find((reason) => reason !== null) ?? null;
}

/** A feed of announcements. One without an id, a title or a time is rejected. */
export function readNotices(
  rows: readonly unknown[],
  read: (row: Row) => Nullable<Announcement> & { category: string },
): Batch {
  const batch = emptyBatch();
  for (const row of rows) {
    const { id, title, publishedAtMs, ...rest } = isRow(row) ? read(row) : NO_NOTICE;
    if (id === null || title === null || publishedAtMs === null)
      batch.rejected.push({ venueSymbol: null, reason: 'notice without id, title or time' });
    else batch.announcements.push({ id, title, publishedAtMs, ...rest });
  }
  return batch;
}

const NO_NOTICE = { id: null, title: null, body: null, category: '', url: null, publishedAtMs: null };
