import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { amountOf, epochMsOf, positiveOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { leverageOf } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_BASE, CONTRACT_STATUS } from './wire.ts';

function dataOf(payload: unknown, what: string): Row {
  return rowOf(goodReply(payload, what, 'success', true).data, 'data');
}

const rowsOf = (payload: unknown, what: string) => listOf(dataOf(payload, what).rows, 'rows');

/** PERP_AAPL_USDC_mythos is listed by the front end mythos; it trades on the one book that all front ends share. */
export function parseInfo(payload: unknown): Batch {
  return readContracts(rowsOf(payload, 'info'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    const [kind, base, quote, ...broker] = venueSymbol.split('_');
    if (kind !== 'PERP') return ignore('not a perpetual');
    if (broker.length > 1) return 'no base or quote';
    return listedContract({
      venueSymbol,
      base,
      quote,
      ...statusFrom(CONTRACT_STATUS, row.status),
      assetClass: (known) => classOf(known, row),
      listedAtMs: epochMsOf(row.created_time),
      maxLeverage: leverageOf(row.base_imr),
      intervalHours: positiveOf(row.funding_period),
    });
  });
}

/** Only an underlying whose own market closes has a margin for the time when it is closed. */
function classOf(base: string, row: Row) {
  const isTraditional = positiveOf(row.base_imr_off_market) !== null;
  return assetClassOf(base, CLASS_OF_BASE[base] ?? (isTraditional ? traditionalClassOf(base) : 'crypto'));
}

/** `est_…` is the coming settlement and `last_…` the past one, both for one `funding_period` of the contract. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'funding_rates'), 'symbol', context, (row) => ({
    ratePct: percentFromFraction(row.est_funding_rate),
    nextFundingAtMs: epochMsOf(row.next_funding_time),
    venueTimeMs: epochMsOf(row.est_funding_rate_timestamp),
  }));
}

/** `24h_amount` is in USDC, `24h_volume` and `open_interest` are in base units. */
export function parseFutures(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'futures'), 'symbol', context, (row) => ({
    volume24hUsdt: row['24h_amount'],
    markPrice: row.mark_price,
    indexPrice: row.index_price,
    openInterest: { amount: row.open_interest, unit: 'base' },
  }));
}

/** One push of `bbos`: the best offers of all contracts. */
export function parseBestOffers(message: Row, context: ParseContext): Batch {
  const venueTimeMs = epochMsOf(message.ts);
  return readMarket(listOf(message.data, 'bbos'), 'symbol', context, ({ bid, bidSize, ask, askSize }) => ({
    top: { bidPrice: bid, bidSize, askPrice: ask, askSize, unit: 'base' },
    venueTimeMs,
  }));
}

/** Newest first. A page states how many rows the window has in all. */
export const parseFundingHistory: ParseHistory = (payload, contract, window) => {
  const { rows, meta } = dataOf(payload, 'funding_rate_history');
  const prints = readPrints(listOf(rows, 'rows'), { symbolField: 'symbol', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.funding_rate),
    settledAtMs: epochMsOf(row.funding_rate_timestamp),
  }));
  const total = amountOf(rowOf(meta, 'meta').total) ?? 0;
  return pageBackward(prints, window, total > prints.rowCount);
};
