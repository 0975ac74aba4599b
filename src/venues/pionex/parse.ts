import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { classByName } from '../asset-class.ts';
import type { ParseDepth, ParseHistory } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import { type Batch, type Contract, emptyBatch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { isDollarQuote } from '../quotes.ts';
import { columnOf, goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { readBook } from '../units.ts';
import type { ParseContext, SettlementWindow } from '../venue.ts';
import { CONTRACT_STATUS, HISTORY_PAGE_ROWS, SHARES } from './wire.ts';

/** A refusal arrives with HTTP 200 and `result` false. */
function dataOf(payload: unknown, what: string): Row {
  return rowOf(goodReply(payload, what, 'result', true).data, 'data');
}

const rowsOf = (payload: unknown, name: string) => listOf(dataOf(payload, name)[name], name);

/**
 * The base is the one in the symbol, which other venues use too: `baseCurrency` is a code of Pionex's own (0G is ZEROG,
 * LIT is LIGHTER). What a contract that is priced in a coin settles in is not documented, so it is left out.
 */
export function parseSymbols(payload: unknown): Batch {
  return readContracts(rowsOf(payload, 'symbols'), 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (row.type !== 'PERP') return ignore('not a perpetual');
    const quote = textOf(row.quoteCurrency) ?? '';
    const [base, rest] = venueSymbol.split(`_${quote}_PERP`);
    if (!base || rest !== '') return 'no base or quote';
    if (!isDollarQuote(quote)) return ignore('priced in a coin');
    return listedContract({
      venueSymbol,
      base,
      quote,
      ...statusFrom(CONTRACT_STATUS, row.status),
      assetClass: classByName(base, SHARES),
    });
  });
}

/** No reply has the interval: it comes from the prints. Open interest is in base units, in a reply without prices. */
export function parseIndexes(replies: { indexes: unknown; interest: unknown }, context: ParseContext): Batch {
  const amounts = columnOf(rowsOf(replies.interest, 'openInterests'), 'symbol', 'openInterest');
  return readMarket(rowsOf(replies.indexes, 'indexes'), 'symbol', context, (row, { venueSymbol }) => ({
    ratePct: percentFromFraction(row.nextFundingRate),
    nextFundingAtMs: epochMsOf(row.nextFundingTime),
    venueTimeMs: epochMsOf(row.updateTime),
    markPrice: row.markPrice,
    indexPrice: row.indexPrice,
    openInterest: { amount: amounts.get(venueSymbol), unit: 'base' },
  }));
}

/** Prints may be written up to a minute after their settlement. */
const JITTER_MS = MINUTE_MS;

/**
 * The interval of the running rate: from the newest print to the next settlement. In the second half of that time the
 * newest print may be missing, because a settlement has just passed; then only the gap before it can confirm the interval.
 */
export function parseInterval(rates: unknown, index: unknown, contract: Contract, nowMs: number): Batch {
  const batch = emptyBatch();
  const { venueSymbol } = contract;
  const [row] = rowsOf(index, 'indexes').map((one) => rowOf(one, 'index'));
  const nextMs = row?.symbol === venueSymbol ? epochMsOf(row.nextFundingTime) : null;
  const [lastMs, beforeMs] = printsOf(rates, contract, {})
    .settlements.map((print) => print.settledAtMs)
    .sort((a, b) => b - a);
  if (nextMs === null || lastMs === undefined) return batch;
  const hours = Math.round((nextMs - lastMs) / HOUR_MS);
  const isSame = (gapMs: number) => Math.abs(gapMs - hours * HOUR_MS) <= JITTER_MS;
  const isConfirmed =
    nowMs - lastMs < (nextMs - lastMs) / 2 || (beforeMs !== undefined && isSame(lastMs - beforeMs));
  if (isSame(nextMs - lastMs) && isConfirmed)
    batch.fundingSchedules.push({ venueSymbol, intervalHours: hours, nextFundingAtMs: undefined });
  return batch;
}

/** Sizes are in base units; a side without orders has empty texts. */
export function parseBookTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'tickers'), 'symbol', context, (row) => {
    const { bidPrice, bidSize, askPrice, askSize } = row;
    const top = { bidPrice, bidSize, askPrice, askSize, unit: 'base' as const };
    return { top, venueTimeMs: epochMsOf(row.timestamp) };
  });
}

/** `amount` is in quote units, `volume` in base units. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(rowsOf(payload, 'tickers'), 'symbol', context, (row) => ({
    volume24hUsdt: row.amount,
    lastPrice: row.close,
  }));
}

function printsOf(payload: unknown, contract: Contract, window: Partial<SettlementWindow>) {
  const { symbol, rates } = dataOf(payload, 'fundingRates');
  const rows = symbol === contract.venueSymbol ? listOf(rates, 'rates') : [];
  return readPrints(rows, { contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
}

/** Newest first, ending at `endTime`; `startTime` is ignored. */
export const parseFundingRates: ParseHistory = (payload, contract, window) => {
  const prints = printsOf(payload, contract, window);
  return pageBackward(prints, window, prints.rowCount >= HISTORY_PAGE_ROWS);
};

/** [price, size] in base units; the first level may have size 0. */
export const parseDepth: ParseDepth = (payload, contract) => {
  const { bids, asks, updateTime } = dataOf(payload, 'depth');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(updateTime));
};
