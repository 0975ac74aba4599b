import { percentFromFraction } from '../../base/numbers.ts';
import { ownValue } from '../../base/own-value.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { BadReply, ignore, isRow, listOf } from '../reading.ts';
import { leverageOf, readBook, turnoverOfContracts } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import {
  CLASS_OF_CODE,
  CURRENCY_OF_CODE,
  INFO,
  INITIAL_MARGIN_AT,
  INTERVAL_HOURS,
  PAIR,
  STATUS,
  STATUS_HISTORY,
  TICKER,
} from './wire.ts';

/** Rows with the names of their positions. An error is a list too: ["error", 10020, "symbol: invalid"]. */
function rowsOf(payload: unknown, what: string, positions: Readonly<Record<string, number>>): unknown[] {
  const rows = listOf(payload, what);
  if (rows[0] === 'error') throw new BadReply(`${what} answered error ${String(rows[1])}`);
  const fields = Object.entries(positions);
  return rows.map((row) =>
    Array.isArray(row) ? Object.fromEntries(fields.map(([name, at]) => [name, row[at] as unknown])) : row,
  );
}

/** One list for each label that was requested. What is listed trades; contracts of test money are listed too. */
export function parseInfo(payload: unknown): Batch {
  const [info] = listOf(payload, 'conf');
  const rows = rowsOf(info, 'pub:info:pair:futures', INFO);
  return readContracts(rows, 'pair', 'perpetuals', ({ details }, pair) => {
    if (pair.startsWith('TEST')) return ignore('paper trading');
    const [, base = '', quote = ''] = PAIR.exec(pair) ?? [];
    return listedContract({
      venueSymbol: `t${pair}`,
      base: ownValue(CURRENCY_OF_CODE, base) ?? base,
      quote: ownValue(CURRENCY_OF_CODE, quote) ?? quote,
      status: 'trading',
      venueStatus: 'listed',
      assetClass: (known) => classOf(base, known),
      maxLeverage: leverageOf(Array.isArray(details) ? details[INITIAL_MARGIN_AT] : null),
      intervalHours: INTERVAL_HOURS,
    });
  });
}

function classOf(code: string, base: string): AssetClass {
  if (code.endsWith('IX')) return 'index';
  return ownValue(CLASS_OF_CODE, code) ?? classByName(base, new Set());
}

/**
 * The rate was fixed when the last settlement passed. The mark price is the venue's index; the spot price beside it is stale
 * on some contracts. No row at all is the answer to a wrong key.
 */
export function parseStatus(payload: unknown, context: ParseContext): Batch {
  const rows = rowsOf(payload, 'status/deriv', STATUS);
  if (rows.length === 0) throw new BadReply('status/deriv is empty');
  return readMarket(rows, 'key', context, (row) => ({
    ratePct: percentFromFraction(row.rate),
    nextFundingAtMs: epochMsOf(row.next),
    intervalHours: INTERVAL_HOURS,
    venueTimeMs: epochMsOf(row.time),
    markPrice: row.mark,
    indexPrice: row.mark,
    openInterest: { amount: row.openInterest, unit: 'base' },
  }));
}

/** Spot pairs and the rates of loans are in the same reply. The volume counts coins. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = rowsOf(payload, 'tickers', TICKER);
  return readMarket(rows, 'symbol', context, (row, contract) => ({
    top: { bidPrice: row.bid, bidSize: null, askPrice: row.ask, askSize: null, unit: 'base' },
    volume24hUsdt: turnoverOfContracts(contract, row.volume, row.last),
    volumeCounted: row.volume,
    lastPrice: row.last,
  }));
}

/** The newest minute before a settlement: it names the settlement and the rate that was fixed for it. */
export const parseHistory: ParseHistory = (payload, contract, window) => {
  const rows = rowsOf(payload, 'status/deriv/hist', STATUS_HISTORY);
  const prints = readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.rate),
    settledAtMs: epochMsOf(row.next),
  }));
  return pageBackward(prints, window, rows.length > 0);
};

/** [price, number of orders, size] in base units, bids first; the sizes of asks are negative. */
export const parseBook: ParseDepth = (payload, contract) => {
  const levels = rowsOf(payload, 'book', { price: 0, size: 2 }).filter(isRow);
  const bids = levels.filter(({ size }) => Number(size) > 0);
  const asks = levels
    .map(({ price, size }) => ({ price, size: -Number(size) }))
    .filter(({ size }) => size > 0);
  return readBook(contract, { bids, asks }, 'base', null, { price: 'price', size: 'size' });
};
