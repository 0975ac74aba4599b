import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { amountOf, epochMsOf, positiveOf, textOf } from '../fields.ts';
import { type Batch, type Contract, type Depth, emptyBatch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { BadReply, goodReply, ignore, listOf, NOT_LISTED, type Row, readRows, rowOf } from '../reading.ts';
import {
  addOnePrice,
  addOpenInterest,
  addTop,
  addVolume,
  firstReason,
  readListed,
  readNotices,
} from '../row-readers.ts';
import { readBook, readTop, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';

const NOT_OPEN = ignore('not open yet');
const LONGEST_INTERVAL_HOURS = 24;

/** Errors come as a `code` other than "0", sometimes with HTTP status 200. */
export function dataOf(payload: unknown, what: string): readonly unknown[] {
  return listOf(goodReply(payload, what, 'code', 0).data, `${what} data`);
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
 * The running rate is for the period that ends at `fundingTime`. `nextFundingTime` ends the period after it, which is
 * as long unless the interval is about to change; it is used where `prevFundingTime` is missing or not on the hour.
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

/** Sizes and `vol24h` count contracts, `volCcy24h` counts coins. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(dataOf(payload, 'tickers'), 'instId', context, (row, contract, batch) => {
    // A contract that our list still has as announced but that has prices has opened: a newer list has its size.
    if (contract.status === 'preopen') return positiveOf(row.bidPx) === null ? NOT_OPEN : NOT_LISTED;
    const fields = { bidPrice: row.bidPx, bidSize: row.bidSz, askPrice: row.askPx, askSize: row.askSz };
    return firstReason(
      readVolume(row, contract, batch),
      addTop(batch, readTop(contract, fields, 'contracts', epochMsOf(row.ts))),
    );
  });
}

function readVolume(row: Row, contract: Contract, batch: Batch): string | null {
  const referencePrice = positiveOf(row.last);
  const raw = amountOf(contract.isInverse ? row.vol24h : row.volCcy24h);
  if (raw === null) return 'no volume';
  if (raw > 0 && referencePrice === null) return 'no last price';
  const price = referencePrice ?? 0;
  const turnover = contract.isInverse ? usdtFromContracts(contract, raw, price) : raw * price;
  return addVolume(batch, contract, turnover, referencePrice, raw);
}

export function parseMarkPrices(payload: unknown, context: ParseContext): Batch {
  return readListed(dataOf(payload, 'mark-price'), 'instId', context, (row, contract, batch) =>
    addOnePrice(batch, contract, 'markPrice', positiveOf(row.markPx)),
  );
}

/** An index has the name of its contract without the ending. Many indices have no contract. */
export function parseIndexTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(dataOf(payload, 'index-tickers'), batch, 'instId', (row, index) => {
    const contract = context.contracts.get(`${index}-SWAP`);
    return contract
      ? addOnePrice(batch, contract, 'indexPrice', positiveOf(row.idxPx))
      : ignore('index without a contract');
  });
  return batch;
}

/** `oi` counts contracts, `oiCcy` coins and `oiUsd` dollars; only the last needs no price. */
export function parseOpenInterest(payload: unknown, context: ParseContext): Batch {
  return readListed(dataOf(payload, 'open-interest'), 'instId', context, (row, contract, batch) =>
    addOpenInterest(batch, contract, { amount: row.oiUsd, unit: 'quote', counted: row.oi }),
  );
}

/** The venue's page limit was 100 before it was 400, so a page of 100 rows may be a full one. */
const FORMER_PAGE_ROWS = 100;

/** Pages are newest first and end before `after`. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number },
  limit: number,
): SettlementPage {
  const { fromMs } = window;
  const rows = dataOf(payload, 'funding-rate-history');
  const prints = readPrints(rows, { symbolField: 'instId', contract }, { fromMs }, (row) => ({
    // The realised rate is what was paid; `fundingRate` is the forecast of it.
    ratePct: percentFromFraction(row.realizedRate) ?? percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageBackward(prints, { fromMs }, prints.rowCount >= Math.min(limit, FORMER_PAGE_ROWS));
}

/** Levels are [price, contracts, "0", orders]. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  if (contract.status === 'preopen') throw new BadReply('books of a contract whose size may be unknown');
  const book = rowOf(dataOf(payload, 'books')[0], 'books row');
  const sides = { bids: listOf(book.bids, 'books bids'), asks: listOf(book.asks, 'books asks') };
  return readBook(contract, sides, 'contracts', epochMsOf(book.ts));
}

/** Addresses carry the locale of the caller's region (`/en-sg/help/...`), which must not make a second notice. */
const LOCALE = /^(https:\/\/[^/]+)\/[a-z]{2}(?:-[a-z]+)?\/help\//;

export function parseAnnouncements(payload: unknown): Batch {
  const details = dataOf(payload, 'announcements').flatMap((page) =>
    listOf(rowOf(page, 'announcements page').details, 'announcements details'),
  );
  return readNotices(details, (row) => {
    const url = textOf(row.url);
    return {
      id: url?.replace(LOCALE, '$1/help/') ?? null,
      title: textOf(row.title),
      body: null,
      category: textOf(row.annType) ?? '',
      url,
      publishedAtMs: epochMsOf(row.pTime),
    };
  });
}
