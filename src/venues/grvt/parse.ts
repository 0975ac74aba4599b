import { shiftDecimal } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { amountOf, epochNanosecondsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { BadReply, ignore, isRow, listOf, resultOf, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_BASE, THOUSANDS } from './wire.ts';

/** `create_time` is that of the last deployment, the same for all. The request asks for active contracts only. */
export function parseInstruments(payload: unknown): Batch {
  const rows = listOf(resultOf(payload, 'all_instruments'), 'result');
  return readContracts(rows, 'instrument', 'perpetuals', (row, venueSymbol) => {
    if (row.kind !== 'PERPETUAL') return textOf(row.kind) ? ignore('not a perpetual') : 'no kind';
    const name = textOf(row.base) ?? '';
    return listedContract({
      venueSymbol,
      base: THOUSANDS.has(name) ? `k${name.slice(1)}` : name,
      quote: row.quote,
      status: 'trading',
      venueStatus: 'active',
      assetClass: (base) => assetClassOf(base, CLASS_OF_BASE[base] ?? 'crypto'),
      intervalHours: positiveOf(row.funding_interval_hours),
    });
  });
}

/** Sizes and open interest are base units. The turnover is what takers bought and sold. */
export function parseTicker(feed: unknown, context: ParseContext, withFigures: boolean): Batch {
  return readMarket([feed], 'instrument', context, (row, contract) => {
    const [bought, sold] = [amountOf(row.buy_volume_24h_q), amountOf(row.sell_volume_24h_q)];
    const top = {
      bidPrice: row.best_bid_price,
      bidSize: row.best_bid_size,
      askPrice: row.best_ask_price,
      askSize: row.best_ask_size,
      unit: 'base' as const,
    };
    const venueTimeMs = epochNanosecondsOf(row.event_time);
    if (!withFigures) return { top, venueTimeMs };
    return {
      top,
      venueTimeMs,
      ratePct: percentOf(row.funding_rate) ?? percentOf(row.funding_rate_8h_curr),
      nextFundingAtMs: epochNanosecondsOf(row.next_funding_time),
      intervalHours: positiveOf(row.funding_interval_hours) ?? contract.intervalHours,
      volume24hUsdt: bought === null || sold === null ? null : bought + sold,
      markPrice: row.mark_price,
      indexPrice: row.index_price,
      openInterest: { amount: row.open_interest, unit: 'base' },
    };
  });
}

/** Rates are percent already, of the contract's own interval, also in the field whose name says 8h. */
function percentOf(value: unknown): number | null {
  return shiftDecimal(value, 0);
}

/**
 * Newest first. In October 2025 funding was still charged by the minute; those rows have an interval of 0 hours and are charges of a
 * minute at an eight-hour rate, not prints.
 */
export const parseFunding: ParseHistory = (payload, contract, window) => {
  const rows = listOf(resultOf(payload, 'funding'), 'result');
  const isMinute = (row: unknown) => isRow(row) && Number(row.funding_interval_hours) === 0;
  const names = { symbolField: 'instrument', contract };
  const prints = readPrints(
    rows.filter((row) => !isMinute(row)),
    names,
    window,
    (row) => ({
      ratePct: percentOf(row.funding_rate),
      settledAtMs: epochNanosecondsOf(row.funding_time),
    }),
  );
  return pageBackward(prints, window, textOf(rowOf(payload, 'funding').next) !== null);
};

export const parseBook: ParseDepth = (payload, contract) => {
  const book = rowOf(resultOf(payload, 'book'), 'result');
  if (book.instrument !== contract.venueSymbol) throw new BadReply('book of another contract');
  const sides = { bids: book.bids, asks: book.asks };
  const fields = { price: 'price', size: 'size' };
  return readBook(contract, sides, 'base', epochNanosecondsOf(book.event_time), fields);
};
