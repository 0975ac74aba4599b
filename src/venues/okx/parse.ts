import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Batch, Contract, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  ignore,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';

const NOT_OPEN = ignore('not open yet');
const LONGEST_INTERVAL_HOURS = 24;

/** Errors come as a `code` other than "0", at times with HTTP status 200. */
export function dataOf(payload: unknown, what: string): readonly unknown[] {
  const reply = rowOf(payload, what);
  if (reply.code !== '0') throw new BadReply(`${what}: code ${String(reply.code)}`);
  return listOf(reply.data, `${what} data`);
}

/** `fundingRate` settles at `fundingTime`. `settFundingRate` is the settled one, whatever `settState` says. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(dataOf(payload, 'funding-rate'), batch, 'instId', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return row.instType === 'FUTURES' ? ignore('dated future') : NOT_LISTED;
    const ratePct = percentFromFraction(row.fundingRate);
    const nextFundingAtMs = epochMsOf(row.fundingTime);
    if (ratePct === null || nextFundingAtMs === null) {
      if (contract.status === 'preopen') return NOT_OPEN;
      return ratePct === null ? 'no rate' : 'no next settlement';
    }
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs,
      intervalHours: intervalHoursOf(row),
      venueTimeMs: epochMsOf(row.ts),
    });
    return null;
  });
  return batch;
}

/**
 * The running rate is for the period that ends at `fundingTime`. `nextFundingTime` ends the one after it, which is
 * as long unless a change of interval is ahead; it serves where `prevFundingTime` is missing or off the hour.
 */
function intervalHoursOf(row: Row): number | null {
  const endsAtMs = epochMsOf(row.fundingTime);
  const beganAtMs = epochMsOf(row.prevFundingTime);
  const nextEndsAtMs = epochMsOf(row.nextFundingTime);
  return wholeHours(beganAtMs, endsAtMs) ?? wholeHours(endsAtMs, nextEndsAtMs);
}

function wholeHours(fromMs: number | null, toMs: number | null): number | null {
  if (fromMs === null || toMs === null) return null;
  const hours = (toMs - fromMs) / HOUR_MS;
  return Number.isInteger(hours) && hours >= 1 && hours <= LONGEST_INTERVAL_HOURS ? hours : null;
}

/** Sizes and `vol24h` count contracts, `volCcy24h` counts coins. What is wrong with one part keeps the other. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(dataOf(payload, 'tickers'), batch, 'instId', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    // Prices of a contract that our list has as announced mean that it has opened: its size is in a newer list.
    if (contract.status === 'preopen') return positiveOf(row.bidPx) === null ? NOT_OPEN : NOT_LISTED;
    const problems = [readVolume(row, contract, batch), readBookTop(row, contract, batch)];
    return problems.find((problem) => problem !== null) ?? null;
  });
  return batch;
}

function readVolume(row: Row, contract: Contract, batch: Batch): string | null {
  const referencePrice = positiveOf(row.last);
  const raw = amountOf(contract.isInverse ? row.vol24h : row.volCcy24h);
  if (raw === null) return 'no volume';
  if (raw > 0 && referencePrice === null) return 'no last price';
  const price = referencePrice ?? 0;
  const volume24hUsdt = contract.isInverse ? usdtFromContracts(contract, raw, price) : raw * price;
  batch.dayVolumes.push({ venueSymbol: contract.venueSymbol, volume24hUsdt, referencePrice });
  return null;
}

function readBookTop(row: Row, contract: Contract, batch: Batch): string | null {
  const top = readTop(
    contract,
    { bidPrice: row.bidPx, bidSize: row.bidSz, askPrice: row.askPx, askSize: row.askSz },
    'contracts',
    epochMsOf(row.ts),
  );
  if (typeof top === 'string') return top;
  batch.bookTops.push(top);
  return null;
}

/** The page limit was 100 before it was 400. Asked for more, a page of 100 may thus be a full one. */
const FORMER_PAGE_ROWS = 100;

/** Pages are newest first and end before `after`; a full page goes on before its oldest timestamp. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number },
  limit: number,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = dataOf(payload, 'funding-rate-history');
  const batch = emptyBatch();
  let oldestMs = Number.POSITIVE_INFINITY;
  readRows(rows, batch, 'instId', (row, venueSymbol) => {
    if (venueSymbol !== contract.venueSymbol) return 'row of another contract';
    // The realised rate is what was paid; `fundingRate` is the forecast of it.
    const ratePct = percentFromFraction(row.realizedRate) ?? percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.fundingTime);
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs) page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  const fullRows = Math.min(limit, FORMER_PAGE_ROWS);
  if (rows.length >= fullRows && Number.isFinite(oldestMs) && oldestMs > window.fromMs)
    page.next = { fromMs: window.fromMs, toMs: oldestMs - 1 };
  return page;
}

/** Levels are [price, contracts, "0", orders]. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  if (contract.status === 'preopen') throw new BadReply('books of a contract whose size may be unknown');
  const book = rowOf(dataOf(payload, 'books')[0], 'books row');
  return bookOf(
    contract,
    readLevels(contract, listOf(book.bids, 'books bids'), 'contracts'),
    readLevels(contract, listOf(book.asks, 'books asks'), 'contracts'),
    epochMsOf(book.ts),
  );
}

/** Addresses carry the language of the region that asks (`/en-sg/help/...`), which must not make a second notice. */
const LOCALE = /^(https:\/\/[^/]+)\/[a-z]{2}(?:-[a-z]+)?\/help\//;

export function parseAnnouncements(payload: unknown): Batch {
  const batch = emptyBatch();
  const details = dataOf(payload, 'announcements').flatMap((page) =>
    listOf(rowOf(page, 'announcements page').details, 'announcements details'),
  );
  readRows(details, batch, 'url', (row, url) => {
    const title = textOf(row.title);
    const publishedAtMs = epochMsOf(row.pTime);
    if (title === null || publishedAtMs === null) {
      batch.rejected.push({ venueSymbol: null, reason: 'no title or publishing time' });
      return null;
    }
    batch.announcements.push({
      id: url.replace(LOCALE, '$1/help/'),
      title,
      body: null,
      category: textOf(row.annType) ?? '',
      url,
      publishedAtMs,
    });
    return null;
  });
  return batch;
}
