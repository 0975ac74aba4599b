import { percentFromFraction } from '../../base/numbers.ts';
import { ownValue } from '../../base/own-value.ts';
import { assetClassOf, classByName, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { pageBackward, readPrints, rowsForWindow } from '../prints.ts';
import { columnOf, goodReply, ignore, listOf, rowOf } from '../reading.ts';
import { readBook, turnoverOfContracts } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CLASS_OF_LABEL, CONTRACT_STATUS, HISTORY_PAGE_ROWS, HOURS_OF_UNIT } from './wire.ts';

const rowsOf = (payload: unknown, what: string) => listOf(goodReply(payload, what, 'code', '0').data, 'data');

/** Perpetuals carry an `expireTime` decades ahead, which is no end; `offTime` is. */
export function parseInstruments(
  payload: unknown,
  { receivedAtMs }: Pick<ParseContext, 'receivedAtMs'>,
): Batch {
  return readContracts(rowsOf(payload, 'instruments'), 'instId', 'swaps', (row, venueSymbol) => {
    if (row.instType !== 'SWAP') return ignore('not a perpetual');
    const settle = textOf(row.settleCurrency);
    const isInverse = settle === row.baseCurrency;
    if (settle !== null && !isInverse && settle !== row.quoteCurrency) return ignore('quanto');
    return listedContract({
      venueSymbol,
      base: row.baseCurrency,
      quote: row.quoteCurrency,
      settle,
      isInverse,
      contractSize: positiveOf(row.contractValue),
      ...statusFrom(CONTRACT_STATUS, row.state),
      assetClass: (base) => classOf(textOf(row.assetClass) ?? 'Crypto', base),
      listedAtMs: epochMsOf(row.listTime),
      delistsAtMs: epochMsOf(row.offTime),
      receivedAtMs,
      maxLeverage: row.maxLeverage,
    });
  });
}

function classOf(label: string, base: string): AssetClass {
  const labelled = CLASS_OF_LABEL[label];
  if (labelled !== undefined) return assetClassOf(base, labelled);
  return label === 'Crypto' ? classByName(base, new Set()) : traditionalClassOf(base);
}

/** `fundingTime` is the next settlement; the interval comes as a number and its unit. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'funding-rate'), 'instId', context, (row) => {
    const count = positiveOf(row.fundingInterval);
    const unitHours = ownValue(HOURS_OF_UNIT, textOf(row.fundingIntervalUnit) ?? '');
    return {
      ratePct: percentFromFraction(row.fundingRate),
      nextFundingAtMs: epochMsOf(row.fundingTime),
      intervalHours: count === null || unitHours === undefined ? null : count * unitHours,
    };
  });
}

/** Sizes and `vol24h` count contracts. There is no turnover in quote units. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'tickers'), 'instId', context, (row, contract) => {
    const { bidPrice, bidSize, askPrice, askSize, last: lastPrice } = row;
    return {
      top: { bidPrice, bidSize, askPrice, askSize, unit: 'contracts' },
      venueTimeMs: epochMsOf(row.ts),
      volume24hUsdt: turnoverOfContracts(contract, row.vol24h, lastPrice),
      volumeCounted: row.vol24h,
      lastPrice,
    };
  });
}

/** `openInterest` counts contracts; inverse contracts are not in that reply. */
export function parseFigures(replies: { marks: unknown; interest: unknown }, context: ParseContext): Batch {
  const amounts = columnOf(rowsOf(replies.interest, 'open-interest'), 'instId', 'openInterest');
  return readMarket(rowsOf(replies.marks, 'mark-price'), 'instId', context, (row, { venueSymbol }) => {
    const { markPrice, indexPrice } = row;
    const openInterest = { amount: amounts.get(venueSymbol), unit: 'contracts' as const };
    return positiveOf(markPrice) === null ? 'no mark price' : { markPrice, indexPrice, openInterest };
  });
}

/** Newest first, before `after`. */
export const parseFundingHistory: ParseHistory = (payload, contract, window) => {
  const rows = rowsOf(payload, 'funding-rate-history');
  const prints = readPrints(rows, { symbolField: 'instId', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageBackward(prints, window, rows.length >= rowsForWindow(window, HISTORY_PAGE_ROWS));
};

export const parseDepth: ParseDepth = (payload, contract) => {
  const { bids, asks, ts } = rowOf(rowsOf(payload, 'books')[0], 'books');
  return readBook(contract, { bids, asks }, 'contracts', epochMsOf(ts));
};
