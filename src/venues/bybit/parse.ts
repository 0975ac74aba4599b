import { percentFromFraction } from '../../base/numbers.ts';
import type { Batch, Contract, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  ignore,
  isRow,
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

export type Category = 'linear' | 'inverse';

/** Errors come with HTTP status 200 and a `retCode` other than 0. */
export function resultOf(payload: unknown, what: string): { result: Row; venueTimeMs: number | null } {
  const reply = rowOf(payload, what);
  if (String(reply.retCode) !== '0') throw new BadReply(`${what}: retCode ${String(reply.retCode)}`);
  return { result: rowOf(reply.result, `${what} result`), venueTimeMs: epochMsOf(reply.time) };
}

/** One row tells rate, interval, next settlement, book top and volume; what is wrong with one keeps the others. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const { result, venueTimeMs } = resultOf(payload, 'tickers');
  const batch = emptyBatch();
  readRows(listOf(result.list, 'tickers list'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return epochMsOf(row.deliveryTime) === null ? NOT_LISTED : ignore('dated future');
    const hasPrices = positiveOf(row.bid1Price) !== null || positiveOf(row.ask1Price) !== null;
    if (contract.status === 'preopen' && !hasPrices) return ignore('not open yet');
    const problems = [
      readQuote(row, contract, venueTimeMs, batch),
      readVolume(row, contract, batch),
      readBookTop(row, contract, venueTimeMs, batch),
    ];
    return problems.find((problem) => problem !== null) ?? null;
  });
  return batch;
}

function readQuote(row: Row, contract: Contract, venueTimeMs: number | null, batch: Batch): string | null {
  const ratePct = percentFromFraction(row.fundingRate);
  if (ratePct === null) return 'no rate';
  batch.fundingQuotes.push({
    venueSymbol: contract.venueSymbol,
    ratePct,
    nextFundingAtMs: epochMsOf(row.nextFundingTime),
    // Absent in older replies; the contract list has the interval too.
    intervalHours: positiveOf(row.fundingIntervalHour) ?? undefined,
    venueTimeMs,
  });
  return null;
}

/** Linear turnover is in the quote coin. Inverse turnover is in the base coin, so its volume, in USD, is taken. */
function readVolume(row: Row, contract: Contract, batch: Batch): string | null {
  const raw = amountOf(contract.isInverse ? row.volume24h : row.turnover24h);
  if (raw === null) return 'no volume';
  const volume24hUsdt = contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw;
  const referencePrice = positiveOf(row.lastPrice) ?? positiveOf(row.markPrice);
  batch.dayVolumes.push({ venueSymbol: contract.venueSymbol, volume24hUsdt, referencePrice });
  return null;
}

function readBookTop(row: Row, contract: Contract, venueTimeMs: number | null, batch: Batch): string | null {
  const top = readTop(
    contract,
    { bidPrice: row.bid1Price, bidSize: row.bid1Size, askPrice: row.ask1Price, askSize: row.ask1Size },
    contract.isInverse ? 'contracts' : 'base',
    venueTimeMs,
  );
  if (typeof top === 'string') return top;
  batch.bookTops.push(top);
  return null;
}

/**
 * Pages are newest first and end at `endTime`, so a full page continues before its oldest timestamp. No start is
 * asked for, because the documentation does not say which rows a full page with both ends leaves out.
 */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number },
  limit: number,
): SettlementPage {
  const { result } = resultOf(payload, 'funding/history');
  const rows = listOf(result.list, 'funding/history list');
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const batch = emptyBatch();
  let oldestMs = Number.POSITIVE_INFINITY;
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    if (venueSymbol !== contract.venueSymbol) return 'row of another contract';
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.fundingRateTimestamp);
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs) page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  if (rows.length >= limit && Number.isFinite(oldestMs) && oldestMs > window.fromMs)
    page.next = { fromMs: window.fromMs, toMs: oldestMs - 1 };
  return page;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { result } = resultOf(payload, 'orderbook');
  if (result.s !== contract.venueSymbol) throw new BadReply('orderbook of another contract');
  const unit = contract.isInverse ? 'contracts' : 'base';
  return bookOf(
    contract,
    readLevels(contract, listOf(result.b, 'orderbook bids'), unit),
    readLevels(contract, listOf(result.a, 'orderbook asks'), unit),
    epochMsOf(result.ts),
  );
}

/** A notice has no id of its own, so its address is its id. */
export function parseAnnouncements(payload: unknown): Batch {
  const { result } = resultOf(payload, 'announcements');
  const batch = emptyBatch();
  readRows(listOf(result.list, 'announcements list'), batch, 'url', (row, url) => {
    const title = textOf(row.title);
    const publishedAtMs = epochMsOf(row.publishTime) ?? epochMsOf(row.dateTimestamp);
    if (title === null || publishedAtMs === null) {
      batch.rejected.push({ venueSymbol: null, reason: 'no title or publishing time' });
      return null;
    }
    const key = isRow(row.type) ? textOf(row.type.key) : null;
    const tags = Array.isArray(row.tags) ? row.tags.map(textOf) : [];
    batch.announcements.push({
      id: url,
      title,
      body: textOf(row.description),
      category: [key, ...tags].filter((word) => word !== null).join(','),
      url,
      publishedAtMs,
    });
    return null;
  });
  return batch;
}
