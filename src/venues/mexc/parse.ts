import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { afterNumberedPage } from '../paging.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  ignore,
  isRow,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import {
  COMMODITY_PLATES,
  CONTRACT_STATUS,
  GOLD_TOKENS,
  PERPETUAL_FUTURE_TYPE,
  PLATE_PREFIX,
  STOCK_PLATES,
  TRADITIONAL_TYPE,
} from './wire.ts';

/** Errors come with HTTP 200 too, the refusal of too many calls (510) among them. */
function dataOf(payload: unknown, what: string): unknown {
  const row = rowOf(payload, what);
  if (row.success !== true) throw new BadReply(`${what} answers code ${String(row.code)}`);
  return row.data;
}

export function parseContracts(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(dataOf(payload, 'detail'), 'detail'), batch, 'symbol', (row, venueSymbol) => {
    if (decimalOrNull(row.futureType ?? PERPETUAL_FUTURE_TYPE) !== PERPETUAL_FUTURE_TYPE)
      return ignore('dated future');
    const coin = textOf(row.baseCoin);
    const quote = textOf(row.quoteCoin);
    const settleCoin = textOf(row.settleCoin);
    if (coin === null || quote === null || settleCoin === null) return 'no base, quote or settle coin';
    const isInverse = settleCoin === coin;
    if (!isInverse && settleCoin !== quote) return ignore('quanto');
    const contractSize = positiveOf(row.contractSize);
    if (contractSize === null) return 'no contract size';
    const venueStatus = String(decimalOrNull(row.state) ?? '');
    const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const base = baseOf(coin, row);
    const listedAtMs = epochMsOf(row.openingTime);
    const isAhead = listedAtMs !== null && listedAtMs > receivedAtMs;
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle: isInverse ? base : settleCoin,
      isInverse,
      contractSize,
      status: isAhead && (status === 'trading' || status === 'halted') ? 'preopen' : status,
      venueStatus,
      assetClass: assetClassOf(coin, row),
      listedAtMs,
      delistsAtMs: null,
      maxLeverage: positiveOf(row.maxLeverage),
      intervalHours: null,
    });
    return null;
  });
  batch.contractList = { part: 'all', contracts };
  return batch;
}

/**
 * The venue's own code (FILECOIN, MUSTOCK) resolved to the ticker it shows, unless that is a caption such as
 * GOLD(XAU). A code that starts with a number keeps it: 1000BONK is a multiplier and part of the price.
 */
function baseOf(coin: string, row: Row): string {
  const shown = textOf(row.baseCoinName);
  return shown !== null && /^[A-Z][A-Z0-9]*$/.test(shown) && !/^\d/.test(coin) ? shown : coin;
}

function assetClassOf(coin: string, row: Row): AssetClass {
  if (GOLD_TOKENS.includes(coin)) return 'crypto';
  const plates = (Array.isArray(row.conceptPlate) ? row.conceptPlate : []).map((plate) =>
    String(plate).toLowerCase().replace(PLATE_PREFIX, ''),
  );
  if (plates.includes('forex')) return 'forex';
  if (plates.some((plate) => COMMODITY_PLATES.includes(plate))) return 'commodity';
  // Funds on an index (QQQSTOCK) trade as stocks everywhere; the index itself (SPX500) has no such ending.
  if (plates.includes('stockindex') && !coin.endsWith('STOCK')) return 'index';
  const isStock = plates.some((plate) => STOCK_PLATES.includes(plate));
  return isStock || decimalOrNull(row.type) === TRADITIONAL_TYPE ? 'stock' : 'crypto';
}

/** The call without a symbol answers for all contracts; the rate is the one of the coming settlement. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const rows = listOf(dataOf(payload, 'funding_rate'), 'funding_rate');
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const ratePct = percentFromFraction(row.fundingRate);
    if (ratePct === null) return 'no rate';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs: epochMsOf(row.nextSettleTime),
      intervalHours: positiveOf(row.collectCycle),
      venueTimeMs: epochMsOf(row.timestamp),
    });
    return null;
  });
  return batch;
}

/** `amount24` is in the settle coin, so an inverse contract's turnover is counted from its contracts. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(dataOf(payload, 'ticker'), 'ticker'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const raw = amountOf(contract.isInverse ? row.volume24 : row.amount24);
    if (raw === null) return 'no volume';
    const volume24hUsdt = contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw;
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.lastPrice) });
    return null;
  });
  return batch;
}

/** Numbered pages, newest first, without a time filter. */
export function parseSettlements(payload: unknown, window: SettlementWindow): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const data = rowOf(dataOf(payload, 'funding_rate/history'), 'funding_rate/history');
  const batch = emptyBatch();
  let oldestMs: number | null = null;
  readRows(listOf(data.resultList, 'funding_rate/history'), batch, 'symbol', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.settleTime);
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs ?? settledAtMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs && settledAtMs <= window.toMs)
      page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  const isLastPage = (decimalOrNull(data.currentPage) ?? 1) >= (decimalOrNull(data.totalPage) ?? 1);
  page.next = afterNumberedPage(window, oldestMs, isLastPage);
  return page;
}

/** Levels are [price, contracts, orders]. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  const book = rowOf(dataOf(payload, 'depth'), 'depth');
  return bookOf(
    contract,
    readLevels(contract, book.bids, 'contracts'),
    readLevels(contract, book.asks, 'contracts'),
    epochMsOf(book.timestamp),
  );
}

/** The notices of the whole venue: titles and addresses only. */
export function parseAnnouncements(payload: unknown): Batch {
  const batch = emptyBatch();
  const reply = rowOf(payload, 'announcements');
  if (reply.code !== 0) throw new BadReply(`announcements answers code ${String(reply.code)}`);
  const pages = listOf(reply.data, 'announcements').filter(isRow);
  const details = pages.flatMap((page) => listOf(page.details, 'announcements'));
  readRows(details, batch, 'url', (row, url) => {
    const title = textOf(row.title);
    const publishedAtMs = epochMsOf(row.postTime);
    if (title === null || publishedAtMs === null) return 'no title or time';
    batch.announcements.push({ id: url, title, body: null, category: '', url, publishedAtMs });
    return null;
  });
  return batch;
}
