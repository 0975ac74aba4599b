import { percentFromFraction } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { afterNumberedPage } from '../paging.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  ignore,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { ASSET_CLASS, CONTRACT_STATUS, SUCCESS_CODE } from './wire.ts';

export type Part = 'usdt' | 'usdc' | 'coin';

function dataOf(payload: unknown, what: string): { data: unknown; sentAtMs: number | null } {
  const row = rowOf(payload, what);
  if (row.code !== SUCCESS_CODE) throw new BadReply(`${what} answers code ${textOf(row.code)}`);
  return { data: row.data, sentAtMs: epochMsOf(row.requestTime) };
}

/** Reads both lists: the unified one has `type` where the classic one has `symbolType`, and other words for some fields. */
export function parseContracts(payload: unknown, part: Part, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(dataOf(payload, 'contracts').data, 'contracts'), batch, 'symbol', (row, venueSymbol) => {
    const kind = textOf(row.type) ?? textOf(row.symbolType);
    if (kind !== 'perpetual') return ignore('dated future');
    const base = textOf(row.baseCoin);
    const quote = textOf(row.quoteCoin);
    if (base === null || quote === null) return 'no base or quote';
    const venueStatus = textOf(row.status) ?? textOf(row.symbolStatus) ?? '';
    const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const endsAtMs = epochMsOf(row.offTime) ?? epochMsOf(row.limitOpenTime);
    // A past end of a contract that trades belongs to an earlier listing of the same symbol.
    const isLeaving = endsAtMs !== null && (status !== 'trading' || endsAtMs > receivedAtMs);
    const listedAtMs = epochMsOf(row.launchTime);
    const isAhead = listedAtMs !== null && listedAtMs > receivedAtMs;
    const settle = part === 'coin' ? base : part === 'usdc' ? 'USDC' : 'USDT';
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: settle === base,
      contractSize: 1,
      status: status !== 'trading' ? status : isAhead ? 'preopen' : isLeaving ? 'delisting' : 'trading',
      venueStatus,
      assetClass: assetClassOf(row),
      listedAtMs,
      delistsAtMs: isLeaving ? endsAtMs : null,
      maxLeverage: positiveOf(row.maxLeverage) ?? positiveOf(row.maxLever),
      intervalHours: positiveOf(row.fundInterval),
    });
    return null;
  });
  batch.contractList = { part, contracts };
  return batch;
}

function assetClassOf(row: Row): AssetClass {
  const told = (ASSET_CLASS as Record<string, AssetClass>)[textOf(row.symbolType) ?? ''];
  return told ?? (row.isRwa === 'YES' ? 'stock' : 'crypto');
}

/** The rate is the running one: at `nextUpdate` the last value shown becomes the settled print. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const { data, sentAtMs } = dataOf(payload, 'current-fund-rate');
  readRows(listOf(data, 'current-fund-rate'), batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const ratePct = percentFromFraction(row.fundingRate);
    if (ratePct === null) return 'no rate';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs: epochMsOf(row.nextUpdate),
      intervalHours: positiveOf(row.fundingRateInterval),
      venueTimeMs: sentAtMs,
    });
    return null;
  });
  return batch;
}

/** Quantities are in base units in every part, also where the contract settles in the coin. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(dataOf(payload, 'tickers').data, 'tickers'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const volume24hUsdt = amountOf(row.usdtVolume) ?? amountOf(row.quoteVolume);
    if (volume24hUsdt !== null)
      batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.lastPr) });
    const top = readTop(
      contract,
      { bidPrice: row.bidPr, bidSize: row.bidSz, askPrice: row.askPr, askSize: row.askSz },
      'base',
      epochMsOf(row.ts),
    );
    if (typeof top === 'string') return contract.status === 'preopen' ? ignore('not open yet') : top;
    batch.bookTops.push(top);
    return volume24hUsdt === null ? 'no volume' : null;
  });
  return batch;
}

/** Numbered pages, newest first, without a time filter. */
export function parseSettlements(
  payload: unknown,
  window: SettlementWindow,
  pageRows: number,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = listOf(dataOf(payload, 'history-fund-rate').data, 'history-fund-rate');
  const batch = emptyBatch();
  let oldestMs: number | null = null;
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.fundingTime);
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs ?? settledAtMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs && settledAtMs <= window.toMs)
      page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  page.next = afterNumberedPage(window, oldestMs, rows.length < pageRows);
  return page;
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const book = rowOf(dataOf(payload, 'merge-depth').data, 'merge-depth');
  return bookOf(
    contract,
    readLevels(contract, book.bids, 'base'),
    readLevels(contract, book.asks, 'base'),
    epochMsOf(book.ts),
  );
}

export function parseAnnouncements(payload: unknown): Batch {
  const batch = emptyBatch();
  const { data } = dataOf(payload, 'annoucements');
  readRows(listOf(data, 'annoucements'), batch, 'annId', (row, id) => {
    const title = textOf(row.annTitle);
    const publishedAtMs = epochMsOf(row.cTime);
    if (title === null || publishedAtMs === null) return 'no title or time';
    batch.announcements.push({
      id,
      title,
      body: textOf(row.annDesc),
      category: [textOf(row.annType), textOf(row.annSubType)].filter(Boolean).join(),
      url: textOf(row.annUrl),
      publishedAtMs,
    });
    return null;
  });
  return batch;
}
