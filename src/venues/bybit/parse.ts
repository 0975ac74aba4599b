import { percentFromFraction } from '../../base/numbers.ts';
import { amountOf, epochMsOf, positiveOf, textOf } from '../fields.ts';
import { type Batch, type BookTop, type Contract, type Depth, emptyBatch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { convertVolumes } from '../quotes.ts';
import {
  BadReply,
  goodReply,
  ignore,
  isRow,
  listOf,
  NOT_LISTED,
  type Row,
  readRows,
  rowOf,
} from '../reading.ts';
import { addFigures, addQuote, addTop, addVolume, firstReason, readNotices } from '../row-readers.ts';
import { readBook, readTop, sizeUnitOf, turnoverUsdt } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';

export type Category = 'linear' | 'inverse';

export function replyOf(payload: unknown, what: string): { result: Row; venueTimeMs: number | null } {
  const reply = goodReply(payload, what, 'retCode', 0);
  return { result: rowOf(reply.result, `${what} result`), venueTimeMs: epochMsOf(reply.time) };
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const { result, venueTimeMs } = replyOf(payload, 'tickers');
  const batch = emptyBatch();
  readRows(listOf(result.list, 'tickers list'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return epochMsOf(row.deliveryTime) === null ? NOT_LISTED : ignore('dated future');
    const hasPrices = positiveOf(row.bid1Price) !== null || positiveOf(row.ask1Price) !== null;
    if (contract.status === 'preopen' && !hasPrices) return ignore('not open yet');
    const markPrice = positiveOf(row.markPrice);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.indexPrice),
      openInterest: { amount: oneSideOf(row), unit: sizeUnitOf(contract) },
    });
    const turnover = turnoverUsdt(contract, {
      linearQuote: row.turnover24h,
      inverseContracts: row.volume24h,
    });
    return firstReason(
      addQuote(batch, contract, {
        ratePct: percentFromFraction(row.fundingRate),
        nextFundingAtMs: epochMsOf(row.nextFundingTime),
        // Absent in older replies; the contract list has the interval too.
        intervalHours: positiveOf(row.fundingIntervalHour) ?? undefined,
        venueTimeMs,
      }),
      addVolume(batch, contract, turnover, positiveOf(row.lastPrice) ?? markPrice),
      addTop(batch, topOf(row, contract, venueTimeMs)),
    );
  });
  convertVolumes(batch, context.contracts);
  return batch;
}

/** `openInterest` adds up both sides of every position; `singleOpenInterest` was added later and counts one. */
function oneSideOf(row: Row): number | null {
  const bothSides = amountOf(row.openInterest);
  return amountOf(row.singleOpenInterest) ?? (bothSides === null ? null : bothSides / 2);
}

function topOf(row: Row, contract: Contract, venueTimeMs: number | null): BookTop | string {
  return readTop(
    contract,
    { bidPrice: row.bid1Price, bidSize: row.bid1Size, askPrice: row.ask1Price, askSize: row.ask1Size },
    sizeUnitOf(contract),
    venueTimeMs,
  );
}

/**
 * Pages are newest first and end at `endTime`. The call gives no start, because the documentation does not say which
 * rows a full page with both ends leaves out.
 */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number },
  limit: number,
): SettlementPage {
  const rows = listOf(replyOf(payload, 'funding/history').result.list, 'funding/history list');
  const { fromMs } = window;
  const prints = readPrints(rows, { symbolField: 'symbol', contract }, { fromMs }, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingRateTimestamp),
  }));
  return pageBackward(prints, { fromMs }, prints.rowCount >= limit);
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { result } = replyOf(payload, 'orderbook');
  if (result.s !== contract.venueSymbol) throw new BadReply('orderbook of another contract');
  const sides = { bids: listOf(result.b, 'orderbook bids'), asks: listOf(result.a, 'orderbook asks') };
  return readBook(contract, sides, sizeUnitOf(contract), epochMsOf(result.ts));
}

/** A notice has no id of its own, so its address is its id. */
export function parseAnnouncements(payload: unknown): Batch {
  const { result } = replyOf(payload, 'announcements');
  return readNotices(listOf(result.list, 'announcements list'), (row) => {
    const url = textOf(row.url);
    const key = isRow(row.type) ? textOf(row.type.key) : null;
    const tags = Array.isArray(row.tags) ? row.tags.map(textOf) : [];
    return {
      id: url,
      title: textOf(row.title),
      body: textOf(row.description),
      category: [key, ...tags].filter((word) => word !== null).join(','),
      url,
      publishedAtMs: epochMsOf(row.publishTime) ?? epochMsOf(row.dateTimestamp),
    };
  });
}
