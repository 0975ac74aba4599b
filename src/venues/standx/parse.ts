import { percentFromFraction } from '../../base/numbers.ts';
import { DAY_MS, nextFullHourMs } from '../../base/times.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { isoMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import { type AssetClass, type Batch, type Contract, emptyBatch } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { BadReply, listOf, rowOf } from '../reading.ts';
import { addOnePrice, addTop } from '../row-readers.ts';
import { readBook, splitSymbol, topOfBook } from '../units.ts';
import type { ParseContext, SettlementWindow } from '../venue.ts';
import { CONTRACT_STATUS, CRUDE_OIL, DAYS_PER_REQUEST, INTERVAL_HOURS, SHARES } from './wire.ts';

const classOf = (base: string): AssetClass => (base === CRUDE_OIL ? 'commodity' : classByName(base, SHARES));

export function parseSymbols(payload: unknown): Batch {
  return readContracts(listOf(payload, 'symbols'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    const contract = listedContract({
      venueSymbol,
      base: row.base_asset,
      quote: splitSymbol(venueSymbol, '-').quote,
      settle: textOf(row.quote_asset),
      ...statusFrom(CONTRACT_STATUS, row.status),
      assetClass: classOf,
      maxLeverage: row.max_leverage,
      intervalHours: INTERVAL_HOURS,
      takerFeePct: percentFromFraction(row.taker_fee),
    });
    const rateCapPct = percentFromFraction(positiveOf(row.funding_rate_cap));
    return typeof contract === 'string' || rateCapPct === null ? contract : { ...contract, rateCapPct };
  });
}

/** `funding_rate` is the running rate of the hour; the row has no time of the next payment. */
export function parseOverview(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(rowOf(payload, 'overview').symbols, 'symbols');
  return readMarket(rows, 'symbol', context, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    nextFundingAtMs: nextFullHourMs(context.receivedAtMs),
    intervalHours: INTERVAL_HOURS,
    venueTimeMs: isoMsOf(row.time),
    volume24hUsdt: row.volume_quote_24h,
    markPrice: row.mark_price,
    lastPrice: row.last_price,
    openInterest: { amount: row.open_interest, unit: 'base' },
  }));
}

/** The index price, which only the call of one contract has. */
export function parseIndexPrice(payload: unknown, contract: Contract): Batch {
  const row = rowOf(payload, 'query_symbol_price');
  if (row.symbol !== contract.venueSymbol) throw new BadReply('price of another contract');
  const batch = emptyBatch();
  const reason = addOnePrice(batch, contract, 'indexPrice', positiveOf(row.index_price));
  if (reason !== null) batch.rejected.push({ venueSymbol: contract.venueSymbol, reason });
  return batch;
}

/** The whole book, in any order. */
export const parseDepth: ParseDepth = (payload, contract) => {
  const { symbol, bids, asks } = rowOf(payload, 'query_depth_book');
  if (symbol !== contract.venueSymbol) throw new BadReply('book of another contract');
  return readBook(contract, { bids, asks }, 'base', null);
};

export function parseTop(payload: unknown, contract: Contract): Batch {
  const batch = emptyBatch();
  const reason = addTop(batch, topOfBook(contract, parseDepth(payload, contract)));
  if (reason !== null) batch.rejected.push({ venueSymbol: contract.venueSymbol, reason });
  return batch;
}

/** The end of the part of a window that one call requests. */
export const requestEndMs = ({ fromMs, toMs }: SettlementWindow) =>
  Math.min(toMs, fromMs + DAYS_PER_REQUEST * DAY_MS);

/** Oldest first, one print an hour. */
export const parseFundingRates: ParseHistory = (payload, contract, window) => {
  const names = { symbolField: 'symbol', contract };
  const { settlements, rejected } = readPrints(listOf(payload, 'prints'), names, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: isoMsOf(row.time),
  }));
  const [endMs, { toMs }] = [requestEndMs(window), window];
  return { settlements, rejected, next: endMs < toMs ? { fromMs: endMs + 1, toMs } : null };
};
