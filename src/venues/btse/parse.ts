import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf, hoursFromMinutes, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { goodReply, ignore, isRow, listOf, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_CATEGORY, LEGACY_SUFFIX, PERPETUAL, SYMBOL } from './wire.ts';

function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'success', true).data;
}

/** The base is that of the symbol: `baseCurrency` has names of its own, such as TRUMPSOL for TRUMP. */
export function parseMarkets(payload: unknown): Batch {
  const rows = listOf(rowOf(dataOf(payload, 'markets'), 'data').symbols, 'symbols');
  return readContracts(rows, 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.type !== PERPETUAL) return ignore('not a perpetual');
    const [, base, quote] = SYMBOL.exec(venueSymbol) ?? [];
    const labelled = CLASS_OF_CATEGORY[textOf(row.category) ?? ''];
    if (labelled === undefined) return `unknown category ${textOf(row.category)}`;
    return listedContract({
      venueSymbol,
      base,
      quote,
      contractSize: positiveOf(row.contractSize),
      status: row.active === true ? 'trading' : 'halted',
      venueStatus: `active ${row.active}`,
      assetClass: (known) => assetClassOf(known, labelled),
    });
  });
}

/** `fundingRate` is the estimate for the next settlement; `volume` is quote units, `amount` and all sizes are contracts. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'ticker/24hr'), 'data');
  return readMarket(rows, 'symbol', context, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    // 0 on dated futures. openTime and closeTime beside it are seconds.
    nextFundingAtMs: epochMsOf(row.nextFundingTime),
    intervalHours: hoursFromMinutes(row.fundingIntervalMinutes),
    volume24hUsdt: row.volume,
    lastPrice: row.lastPrice,
    openInterest: { amount: row.openInterest, unit: 'contracts' },
    top: {
      bidPrice: row.bidPrice,
      bidSize: row.bidQty,
      askPrice: row.askPrice,
      askSize: row.askQty,
      unit: 'contracts',
    },
  }));
}

/** The older call: a second old, where `ticker/indices` is up to 30. It spells a contract without its quote. */
export function parsePrices(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(payload, 'price').map((row) =>
    isRow(row) && textOf(row.symbol) !== null ? { ...row, symbol: `${row.symbol}${LEGACY_SUFFIX}` } : row,
  );
  return readMarket(rows, 'symbol', context, ({ markPrice, indexPrice }) =>
    (positiveOf(markPrice) ?? positiveOf(indexPrice)) ? { markPrice, indexPrice } : 'no price',
  );
}

/** One reply has the whole period, so there is no next page. Prints are up to a second after the hour. */
export const parseFundingHistory: ParseHistory = (payload, contract, window) => {
  const rows = listOf(dataOf(payload, 'recentFundingHistory'), 'data');
  const { settlements, rejected } = readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.rate),
    settledAtMs: epochMsOf(row.timestamp),
  }));
  return { settlements, rejected, next: null };
};

/** Asks come with the best last, against the documentation; a book is sorted in any case. */
export const parseOrderbook: ParseDepth = (payload, contract) => {
  const { bids, asks, timestamp } = rowOf(dataOf(payload, 'orderbook'), 'data');
  return readBook(contract, { bids, asks }, 'contracts', epochMsOf(timestamp));
};
