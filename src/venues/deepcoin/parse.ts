import { percentFromFraction } from '../../base/numbers.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, epochSecondsOf, hoursFromSeconds, positiveOf } from '../fields.ts';
import { readMarket, readMarketById } from '../market-rows.ts';
import type { Batch } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { columnOf, goodReply, ignore, listOf, rowOf } from '../reading.ts';
import { readBook, sizeUnitOf, turnoverUsdt } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CONTRACT_STATUS, SYMBOL } from './wire.ts';

const dataOf = (payload: unknown, what: string) => goodReply(payload, what, 'code', '0').data;
const rowsOf = (payload: unknown, what: string) => listOf(dataOf(payload, what), 'data');

/** The funding calls spell `BTC-USDT-SWAP` as `BTCUSDT`. */
export function parseInstruments(payload: unknown): Batch {
  return readContracts(rowsOf(payload, 'instruments'), 'instId', 'swaps', (row, venueSymbol) => {
    if (row.instType !== 'SWAP') return ignore('not a perpetual');
    const [, base, quote] = SYMBOL.exec(venueSymbol) ?? [];
    return listedContract({
      venueSymbol,
      venueId: `${base}${quote}`,
      base,
      quote,
      isInverse: quote === 'USD',
      contractSize: positiveOf(row.ctVal),
      ...statusFrom(CONTRACT_STATUS, row.state),
      assetClass: (known) => classByName(known, new Set()),
      listedAtMs: epochMsOf(row.listTime),
      maxLeverage: row.lever,
    });
  });
}

/** Sizes are contracts. `volCcy24h` is quote units on linear contracts and coins on inverse ones. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'tickers'), 'instId', context, (row, contract) => {
    const { bidPx, bidSz, askPx, askSz, volCcy24h, vol24h } = row;
    return {
      top: { bidPrice: bidPx, bidSize: bidSz, askPrice: askPx, askSize: askSz, unit: 'contracts' },
      venueTimeMs: epochMsOf(row.ts),
      volume24hUsdt: turnoverUsdt(contract, { linearQuote: volCcy24h, inverseContracts: vol24h }),
      volumeCounted: vol24h,
      lastPrice: row.last,
    };
  });
}

export function parseMarkPrices(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'mark-price'), 'instId', context, ({ markPx: markPrice }) =>
    positiveOf(markPrice) === null ? 'no mark price' : { markPrice },
  );
}

/**
 * The rows of the cycles are those of the listed contracts. The rates have hundreds of names more, and a rate of 0 for any
 * unknown name, so they are only looked up.
 */
export function parseFunding(replies: { rates: unknown; cycles: unknown }, context: ParseContext): Batch {
  const rates = listOf(
    rowOf(dataOf(replies.rates, 'current-funding-rate'), 'data').current_fund_rates,
    'rates',
  );
  const rateOf = columnOf(rates, 'instrumentId', 'fundingRate');
  const cycles = rowsOf(replies.cycles, 'funding-rate');
  return readMarketById(cycles, 'instrumentID', context, (row, { venueId }) => ({
    ratePct: percentFromFraction(rateOf.get(venueId)),
    nextFundingAtMs: epochSecondsOf(row.nextSettleTime),
    intervalHours: hoursFromSeconds(row.settleInterval),
  }));
}

/** Newest first, always the newest ones, so there is no next page. `ratePeriodSec` is 0 on every row. */
export const parseHistory: ParseHistory = (payload, contract, window) => {
  const rows = listOf(rowOf(dataOf(payload, 'fund-rate/history'), 'data').rows, 'rows');
  const { settlements, rejected } = readPrints(rows, { contract }, window, (row) => ({
    ratePct: row.instrumentID === contract.venueId ? percentFromFraction(row.rate) : null,
    settledAtMs: epochSecondsOf(row.CreateTime),
  }));
  return { settlements, rejected, next: null };
};

/** Sizes of linear contracts are coins here, although the ticker counts contracts. */
export const parseBook: ParseDepth = (payload, contract) => {
  const { bids, asks } = rowOf(dataOf(payload, 'books'), 'data');
  return readBook(contract, { bids, asks }, sizeUnitOf(contract), null);
};
