import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { classByName } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, emptyBatch, linearContract } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { isDollarQuote } from '../quotes.ts';
import {
  amountOf,
  epochMsOf,
  goodReply,
  ignore,
  isRow,
  listOf,
  positiveOf,
  type Row,
  rowOf,
  textOf,
} from '../reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  readContracts,
  readListed,
} from '../row-readers.ts';
import { openInterestUsdt, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
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
    const quote = textOf(row.quoteCurrency);
    const base =
      quote === null ? '' : venueSymbol.slice(0, Math.max(0, venueSymbol.indexOf(`_${quote}_PERP`)));
    if (quote === null || base === '') return 'no base or quote';
    if (!isDollarQuote(quote)) return ignore('priced in a coin');
    const venueStatus = textOf(row.status) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    return linearContract({
      venueSymbol,
      base,
      quote,
      status,
      venueStatus,
      assetClass: classByName(base, SHARES),
    });
  });
}

/** No reply has the interval: it comes from the prints. Open interest is in base units, in a reply without prices. */
export function parseIndexes(payload: unknown, openInterests: unknown, context: ParseContext): Batch {
  const open = new Map<unknown, unknown>();
  for (const row of rowsOf(openInterests, 'openInterests'))
    if (isRow(row)) open.set(row.symbol, row.openInterest);
  return readListed(rowsOf(payload, 'indexes'), 'symbol', context, (row, contract, batch) => {
    const markPrice = positiveOf(row.markPrice);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.indexPrice),
      openInterestUsdt: openInterestUsdt(contract, open.get(contract.venueSymbol), 'base', markPrice),
    });
    return addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.nextFundingRate),
      nextFundingAtMs: epochMsOf(row.nextFundingTime),
      intervalHours: undefined,
      venueTimeMs: epochMsOf(row.updateTime),
    });
  });
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
  return readListed(rowsOf(payload, 'tickers'), 'symbol', context, (row, contract, batch) => {
    const { bidPrice, bidSize, askPrice, askSize } = row;
    const top = readTop(contract, { bidPrice, bidSize, askPrice, askSize }, 'base', epochMsOf(row.timestamp));
    return addTop(batch, top);
  });
}

/** `amount` is in quote units, `volume` in base units. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(rowsOf(payload, 'tickers'), 'symbol', context, (row, contract, batch) =>
    addVolume(batch, contract, amountOf(row.amount), positiveOf(row.close)),
  );
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
export function parseFundingRates(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const prints = printsOf(payload, contract, window);
  return pageBackward(prints, window, prints.rowCount >= HISTORY_PAGE_ROWS);
}

/** [price, size] in base units; the first level may have size 0. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, updateTime } = dataOf(payload, 'depth');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(updateTime));
}
