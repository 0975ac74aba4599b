import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, classByName, traditionalClassOf } from '../asset-class.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  contractWith,
  type Depth,
  withEnd,
} from '../observations.ts';
import { pageBackward, readPrints, rowsForWindow } from '../prints.ts';
import {
  amountOf,
  epochMsOf,
  goodReply,
  ignore,
  isRow,
  listOf,
  positiveOf,
  rowOf,
  textOf,
} from '../reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  firstReason,
  readContracts,
  readListed,
} from '../row-readers.ts';
import { openInterestUsdt, readBook, readTop, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CLASS_OF_LABEL, CONTRACT_STATUS, HISTORY_PAGE_ROWS, HOURS_OF_UNIT } from './wire.ts';

function rowsOf(payload: unknown, what: string): readonly unknown[] {
  return listOf(goodReply(payload, what, 'code', '0').data, 'data');
}

/** Perpetuals carry an `expireTime` decades ahead, which is no end; `offTime` is. */
export function parseInstruments(
  payload: unknown,
  { receivedAtMs }: Pick<ParseContext, 'receivedAtMs'>,
): Batch {
  return readContracts(rowsOf(payload, 'instruments'), 'instId', 'swaps', (row, venueSymbol) => {
    if (row.instType !== 'SWAP') return ignore('not a perpetual');
    const base = textOf(row.baseCurrency);
    const quote = textOf(row.quoteCurrency);
    const settle = textOf(row.settleCurrency);
    if (base === null || quote === null || settle === null) return 'no base, quote or settle currency';
    const isInverse = settle === base;
    if (!isInverse && settle !== quote) return ignore('quanto');
    const contractSize = positiveOf(row.contractValue);
    if (contractSize === null) return 'no contract value';
    const venueStatus = textOf(row.state) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const listedAtMs = epochMsOf(row.listTime);
    const delistsAtMs = epochMsOf(row.offTime);
    const isOpen = listedAtMs === null || listedAtMs <= receivedAtMs;
    return contractWith({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse,
      contractSize,
      status: isOpen ? withEnd(status, delistsAtMs) : 'preopen',
      venueStatus,
      assetClass: classOf(textOf(row.assetClass) ?? 'Crypto', base),
      listedAtMs,
      delistsAtMs,
      maxLeverage: positiveOf(row.maxLeverage),
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
  return readListed(rowsOf(payload, 'funding-rate'), 'instId', context, (row, contract, batch) => {
    const count = positiveOf(row.fundingInterval);
    const unitHours = HOURS_OF_UNIT[textOf(row.fundingIntervalUnit) ?? ''];
    return addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.fundingRate),
      nextFundingAtMs: epochMsOf(row.fundingTime),
      intervalHours: count === null || unitHours === undefined ? null : count * unitHours,
      venueTimeMs: null,
    });
  });
}

/** Sizes and `vol24h` count contracts. There is no turnover in quote units. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(rowsOf(payload, 'tickers'), 'instId', context, (row, contract, batch) => {
    const last = positiveOf(row.last);
    const contracts = amountOf(row.vol24h);
    const turnover =
      contracts === null || last === null ? null : usdtFromContracts(contract, contracts, last);
    const { bidPrice, bidSize, askPrice, askSize } = row;
    const top = readTop(contract, { bidPrice, bidSize, askPrice, askSize }, 'contracts', epochMsOf(row.ts));
    return firstReason(addTop(batch, top), addVolume(batch, contract, turnover, last));
  });
}

/** `openInterest` counts contracts; inverse contracts are not in that reply. */
export function parseFigures(replies: { marks: unknown; interest: unknown }, context: ParseContext): Batch {
  const interest = new Map<unknown, unknown>();
  for (const row of rowsOf(replies.interest, 'open-interest'))
    if (isRow(row)) interest.set(row.instId, row.openInterest);
  return readListed(rowsOf(replies.marks, 'mark-price'), 'instId', context, (row, contract, batch) => {
    const markPrice = positiveOf(row.markPrice);
    if (markPrice === null) return 'no mark price';
    const openInterest = openInterestUsdt(
      contract,
      interest.get(contract.venueSymbol),
      'contracts',
      markPrice,
    );
    const indexPrice = positiveOf(row.indexPrice);
    addFigures(batch, contract, { markPrice, indexPrice, openInterestUsdt: openInterest });
    return null;
  });
}

/** Newest first, before `after`. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const rows = rowsOf(payload, 'funding-rate-history');
  const prints = readPrints(rows, { symbolField: 'instId', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageBackward(prints, window, rows.length >= rowsForWindow(window, HISTORY_PAGE_ROWS));
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, ts } = rowOf(rowsOf(payload, 'books')[0], 'books');
  return readBook(contract, { bids, asks }, 'contracts', epochMsOf(ts));
}
