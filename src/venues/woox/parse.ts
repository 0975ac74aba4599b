import { percentFromFraction } from '../../base/numbers.ts';
import type { Batch, Contract, ContractStatus, Depth } from '../observations.ts';
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
import { bookOf, readLevels, readTop } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import { CONTRACT_STATUS } from './wire.ts';

/** A failure of the gateway arrives with HTTP 200 and without `success`. */
function replyOf(payload: unknown, what: string): Row {
  const reply = rowOf(payload, what);
  if (reply.success !== true) throw new BadReply(`${what} did not succeed`);
  return reply;
}

function rowsOf(payload: unknown, what: string): readonly unknown[] {
  return listOf(rowOf(replyOf(payload, what).data, 'data').rows, 'rows');
}

/** The name says it all: PERP_1000PEPE_USDT is the perpetual on 1000PEPE, quoted and settled in USDT. */
export function parseInstruments(payload: unknown): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(rowsOf(payload, 'instruments'), batch, 'symbol', (row, venueSymbol) => {
    const [kind, base, quote, ...rest] = venueSymbol.split('_');
    if (kind === 'SPOT') return ignore('spot');
    if (kind !== 'PERP') return ignore('not a perpetual');
    if (!base || !quote || rest.length > 0) return 'no base or quote';
    const venueStatus = textOf(row.status) ?? '';
    const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle: quote,
      isInverse: false,
      contractSize: 1,
      status,
      venueStatus,
      assetClass: 'crypto',
      listedAtMs: null,
      delistsAtMs: null,
      maxLeverage: null,
      // The list has the configured interval; the one in force comes with the rate.
      intervalHours: null,
    });
    return null;
  });
  batch.contractList = { part: 'perpetuals', contracts };
  return batch;
}

/** `est...` is the upcoming settlement, `last...` the past one; an interval change shows in `est` first. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(rowsOf(payload, 'fundingRate'), batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const ratePct = percentFromFraction(row.estFundingRate);
    if (ratePct === null) return 'no rate';
    const nextFundingAtMs = epochMsOf(row.nextFundingTime);
    if (nextFundingAtMs === null) return 'no next settlement';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs,
      intervalHours: positiveOf(row.estFundingIntervalHours),
      venueTimeMs: epochMsOf(row.estFundingRateTimestamp),
    });
    return null;
  });
  return batch;
}

/** `24hAmount` is the turnover in quote units, `24hVolume` in base units. */
export function parseFutures(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(rowsOf(payload, 'futures'), batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const volume24hUsdt = amountOf(row['24hAmount']);
    if (volume24hUsdt === null) return 'no volume';
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.markPrice) });
    return null;
  });
  return batch;
}

/** The data of one `bbo` push. A side without orders has no fields. */
export function parseBestOffers(data: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows([data], batch, 's', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const fields = { bidPrice: row.bp, bidSize: row.bq, askPrice: row.ap, askSize: row.aq };
    const top = readTop(contract, fields, 'base', epochMsOf(row.ts));
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  });
  return batch;
}

/**
 * Pages come newest first and say how many rows the window has in all; the rest lies before the oldest row. Rows
 * outside the window are left out, and a page without any inside ends the walk, should the venue ignore the window.
 */
export function parseFundingHistory(
  payload: unknown,
  window: { fromMs: number; toMs: number },
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = rowsOf(payload, 'fundingRateHistory');
  const batch = emptyBatch();
  const timesMs: number[] = [];
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.fundingRateTimestamp);
    const isOutside = settledAtMs !== null && (settledAtMs < window.fromMs || settledAtMs > window.toMs);
    if (isOutside) return ignore('outside the window');
    if (settledAtMs !== null) timesMs.push(settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  const total = amountOf(rowOf(rowOf(rowOf(payload, 'reply').data, 'data').meta, 'meta').total) ?? 0;
  const [first, last] = [timesMs[0], timesMs.at(-1)];
  if (total <= rows.length || first === undefined || last === undefined) return page;
  const left =
    first < last ? { fromMs: last + 1, toMs: window.toMs } : { fromMs: window.fromMs, toMs: last - 1 };
  if (left.fromMs <= left.toMs) page.next = left;
  return page;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const reply = replyOf(payload, 'orderbook');
  const data = rowOf(reply.data, 'data');
  const fields = { price: 'price', size: 'quantity' };
  return bookOf(
    contract,
    readLevels(contract, data.bids, 'base', fields),
    readLevels(contract, data.asks, 'base', fields),
    epochMsOf(reply.timestamp),
  );
}
