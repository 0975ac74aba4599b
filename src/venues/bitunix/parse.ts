import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { backwardHistory } from '../prints.ts';
import { goodReply, ignore, listOf, rowOf } from '../reading.ts';
import { readBook, readLevels } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CONTRACT_STATUS, HISTORY_PAGE_ROWS } from './wire.ts';

function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'code', 0).data;
}

/** The base is that of the symbol: prices and sizes of 1000PEPEUSDT are for a thousand, though `base` is PEPE. */
export function parsePairs(payload: unknown): Batch {
  const rows = listOf(dataOf(payload, 'trading_pairs'), 'data');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    const quote = textOf(row.quote);
    if (quote === null || !venueSymbol.endsWith(quote)) return 'no quote';
    if (quote === 'USD') return ignore('coin-margined, with sizes in an undocumented unit');
    // All contracts that take no orders by API are on stocks and funds.
    const isTraditional = row.isApiSupported === false;
    return listedContract({
      venueSymbol,
      base: venueSymbol.slice(0, -quote.length),
      quote,
      ...statusFrom(CONTRACT_STATUS, row.symbolStatus),
      assetClass: (base) => (isTraditional ? traditionalClassOf(base) : assetClassOf(base, 'crypto')),
      maxLeverage: row.maxLeverage,
    });
  });
}

/** `fundingRate` is a percent here and a fraction in the history. Delisted and coming contracts have rows too. */
export function parseRates(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'funding_rate/batch'), 'data');
  return readMarket(rows, 'symbol', context, (row) => {
    const nextFundingAtMs = epochMsOf(row.nextFundingTime);
    // A contract without settlements has the time of some seconds ago here.
    if (nextFundingAtMs !== null && nextFundingAtMs % HOUR_MS !== 0) return ignore('no settlements');
    const [ratePct, intervalHours] = [decimalOrNull(row.fundingRate), positiveOf(row.fundingInterval)];
    const { markPrice, indexPrice } = row;
    return { ratePct, nextFundingAtMs, intervalHours, markPrice, indexPrice };
  });
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(dataOf(payload, 'tickers'), 'data'), 'symbol', context, (row) => ({
    volume24hUsdt: row.quoteVol,
    lastPrice: row.lastPrice,
  }));
}

/** One push: all of the best level. A symbol that does not exist gets one with empty texts. */
export function parseTop(message: unknown, context: ParseContext): Batch {
  return readMarket([message], 'symbol', context, (row, contract) => {
    const { b, a } = rowOf(row.data, 'data');
    const [bid = []] = readLevels(contract, b, 'base');
    const [ask = []] = readLevels(contract, a, 'base');
    const top = {
      bidPrice: bid[0],
      bidSize: bid[1],
      askPrice: ask[0],
      askSize: ask[1],
      unit: 'base' as const,
    };
    return { top, venueTimeMs: epochMsOf(row.ts) };
  });
}

export const parseHistory = backwardHistory(HISTORY_PAGE_ROWS, {
  rows: (payload) => listOf(dataOf(payload, 'get_funding_rate_history'), 'data'),
  read: (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }),
});

export const parseDepth: ParseDepth = (payload, contract) => {
  const { bids, asks } = rowOf(dataOf(payload, 'depth'), 'data');
  return readBook(contract, { bids, asks }, 'base', null);
};
