import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { isoMsOf, positiveOf } from '../fields.ts';
import { addMarket, type MarketRow } from '../market-rows.ts';
import type { Batch, Contract } from '../observations.ts';
import { pageByNumber, readPrints } from '../prints.ts';
import { ignore, listOf, optionalRow, type Row, rowOf } from '../reading.ts';
import { leverageOf, readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import {
  CLASS_OF_BASE,
  CONTRACT_STATUS,
  HISTORY_PAGE_ROWS,
  NANOSECONDS_PER_HOUR,
  PERPETUAL_SUFFIX,
} from './wire.ts';

/** One list has the contracts with all of their figures, and spot markets. */
export function parseInstruments(payload: unknown, { receivedAtMs }: ParseContext): Batch {
  const rows = listOf(payload, 'instruments');
  return readContracts(rows, 'symbol', 'perpetuals', readContract, (row, contract, batch) =>
    contract.status === 'trading' ? addMarket(batch, contract, figuresOf(row, receivedAtMs)) : null,
  );
}

function readContract(row: Row, venueSymbol: string): Contract | string {
  if (row.type === 'SPOT') return ignore('spot');
  if (row.type !== 'PERP' || !venueSymbol.endsWith(PERPETUAL_SUFFIX)) return ignore('not a perpetual');
  // The name has the multiplier of the price: 1000SHIB-PERP.
  const base = venueSymbol.slice(0, -PERPETUAL_SUFFIX.length);
  return listedContract({
    venueSymbol,
    base,
    quote: row.quote_asset_name,
    ...statusFrom(CONTRACT_STATUS, row.trading_state),
    assetClass: assetClassOf(base, CLASS_OF_BASE[base] ?? 'crypto'),
    maxLeverage: leverageOf(row.base_imf),
  });
}

/** `predicted_funding` is a fraction of the interval that runs. No field has the time of the settlement. */
function figuresOf(row: Row, receivedAtMs: number): MarketRow {
  const quote = optionalRow(row.quote);
  const nanoseconds = positiveOf(row.funding_interval);
  const intervalHours = nanoseconds === null ? null : nanoseconds / NANOSECONDS_PER_HOUR;
  return {
    ratePct: percentFromFraction(quote.predicted_funding),
    nextFundingAtMs: intervalHours === 1 ? nextFullHourMs(receivedAtMs) : null,
    intervalHours,
    venueTimeMs: isoMsOf(quote.timestamp),
    volume24hUsdt: row.notional_24hr,
    markPrice: quote.mark_price,
    indexPrice: quote.index_price,
    openInterest: { amount: row.open_interest, unit: 'base' },
    top: {
      bidPrice: quote.best_bid_price,
      bidSize: quote.best_bid_size,
      askPrice: quote.best_ask_price,
      askSize: quote.best_ask_size,
      unit: 'base',
    },
  };
}

/** Newest first, by offset. */
export const parseFunding: ParseHistory = (payload, contract, window) => {
  const rows = listOf(rowOf(payload, 'funding').results, 'results');
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: isoMsOf(row.event_time),
  }));
  return pageByNumber(prints, window, rows.length < HISTORY_PAGE_ROWS);
};

/** There is no public call for the book, so this one has a single level. */
export const parseQuote: ParseDepth = (payload, contract) => {
  const quote = rowOf(payload, 'quote');
  const bids = [[quote.best_bid_price, quote.best_bid_size]];
  const asks = [[quote.best_ask_price, quote.best_ask_size]];
  return readBook(contract, { bids, asks }, 'base', isoMsOf(quote.timestamp));
};
