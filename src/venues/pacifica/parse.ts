import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageByCursor, readPrints } from '../prints.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  goodReply,
  ignore,
  listOf,
  positiveOf,
  type Row,
  rowOf,
  textOf,
} from '../reading.ts';
import { addMarket, addTop, readContracts, readListed } from '../row-readers.ts';
import { openInterestUsdt, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CLASS_OF_BASE, INTERVAL_HOURS, QUOTE } from './wire.ts';

function replyOf(payload: unknown, what: string): Row {
  return goodReply(payload, what, 'success', true);
}

/** The list has no status: what is in it trades. */
export function parseInfo(payload: unknown): Batch {
  const rows = listOf(replyOf(payload, 'info').data, 'data');
  return readContracts(rows, 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.instrument_type === 'spot') return ignore('spot');
    if (row.instrument_type !== 'perpetual') return 'unknown instrument type';
    const base = textOf(row.base_asset) ?? venueSymbol;
    return linearContract({
      venueSymbol,
      base,
      quote: QUOTE,
      status: 'trading',
      venueStatus: 'listed',
      assetClass: assetClassOf(base, CLASS_OF_BASE[base] ?? 'crypto'),
      listedAtMs: epochMsOf(row.created_at),
      maxLeverage: positiveOf(row.max_leverage),
      intervalHours: INTERVAL_HOURS,
    });
  });
}

/**
 * `funding` has been fixed for the next full hour; `next_funding` is the estimate for the hour after it. Open interest is
 * in base units, although the documentation says dollars.
 */
export function parsePrices(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(replyOf(payload, 'prices').data, 'data');
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    const venueTimeMs = epochMsOf(row.timestamp);
    const markPrice = positiveOf(row.mark);
    return addMarket(batch, contract, {
      ratePct: percentFromFraction(row.funding),
      nextFundingAtMs: nextFullHourMs(venueTimeMs ?? context.receivedAtMs),
      intervalHours: INTERVAL_HOURS,
      venueTimeMs,
      volume24hUsdt: amountOf(row.volume_24h),
      markPrice,
      indexPrice: positiveOf(row.oracle),
      openInterestUsdt: openInterestUsdt(contract, row.open_interest, 'base', markPrice),
    });
  });
}

export function parseBestOffer(data: unknown, context: ParseContext): Batch {
  return readListed([data], 's', context, (row, contract, batch) => {
    const fields = { bidPrice: row.b, bidSize: row.B, askPrice: row.a, askSize: row.A };
    return addTop(batch, readTop(contract, fields, 'base', epochMsOf(row.t)));
  });
}

/** Newest first, without a filter by time. `next_funding_rate` of a row is the print of the next one. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const { data, next_cursor, has_more } = replyOf(payload, 'funding_rate/history');
  const prints = readPrints(listOf(data, 'data'), { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: epochMsOf(row.created_at),
  }));
  return pageByCursor(prints, window, has_more === true ? textOf(next_cursor) : null);
}

export function parseBook(payload: unknown, contract: Contract): Depth {
  const book = rowOf(replyOf(payload, 'book').data, 'data');
  if (book.s !== contract.venueSymbol) throw new BadReply('book of another market');
  const [bids, asks] = listOf(book.l, 'levels');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(book.t), { price: 'p', size: 'a' });
}
