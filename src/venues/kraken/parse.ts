import { ownValue } from '../../base/own-value.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, isoMsOf, positiveOf, textOf } from '../fields.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  type ContractStatus,
  type Depth,
  emptyBatch,
} from '../observations.ts';
import { ignore, isRow, listOf, NOT_LISTED, type Row, readRows, rowOf } from '../reading.ts';
import { addFigures, addTop, addVolume, firstReason } from '../row-readers.ts';
import { leverageOf, readBook, readTop, usdtFromContracts } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { readFunding, successOf } from './parse-funding.ts';
import {
  BOOK_LEVELS,
  COIN_ALIASES,
  CURRENCIES,
  DATED_SYMBOL,
  FUNDING_INTERVAL_HOURS,
  INDEX_SYMBOL,
  INVERSE_TYPE,
  LINEAR_SETTLE,
  LINEAR_TYPE,
  METALS_AND_FUELS,
  PERPETUAL_SYMBOL,
  SHARE_BASE,
} from './wire.ts';

export function parseInstruments(payload: unknown, receivedAtMs: number): Batch {
  const rows = listOf(successOf(payload, 'instruments').instruments, 'instruments');
  return readContracts(rows, 'symbol', 'perpetuals', (row, venueSymbol) => {
    if (DATED_SYMBOL.test(venueSymbol)) return ignore('dated future');
    const isInverse = row.type === INVERSE_TYPE;
    if (!PERPETUAL_SYMBOL.test(venueSymbol) || !(isInverse || row.type === LINEAR_TYPE))
      return ignore('neither a linear nor an inverse perpetual');
    const [pairBase, pairQuote] = (textOf(row.pair) ?? '').split(':');
    const venueBase = textOf(row.base) ?? textOf(pairBase);
    const quote = textOf(row.quote) ?? textOf(pairQuote);
    if (venueBase === null || quote === null) return 'no base or quote';
    const contractSize = positiveOf(row.contractSize);
    if (contractSize === null) return 'no contract size';
    const base = ownValue(COIN_ALIASES, venueBase) ?? venueBase;
    return {
      venueSymbol,
      base,
      quote,
      settle: isInverse ? base : LINEAR_SETTLE,
      isInverse,
      contractSize,
      ...stateOf(row, receivedAtMs),
      assetClass: assetClassOf(base, labelledClassOf(row, base)),
      maxLeverage: maxLeverageOf(row.marginLevels),
      intervalHours: FUNDING_INTERVAL_HOURS,
    };
  });
}

/** The venue has flags instead of a status. `tradeable` alone is not enough, because expired contracts keep it. */
function stateOf(row: Row, receivedAtMs: number) {
  const listedAtMs = isoMsOf(row.openingDate);
  const delistsAtMs = isoMsOf(row.lastTradingTime);
  const state = (status: ContractStatus, venueStatus: string) => ({
    status,
    venueStatus,
    listedAtMs,
    delistsAtMs,
  });
  if (row.isExpired === true) return state('delisted', 'isExpired');
  if (delistsAtMs !== null)
    return state(delistsAtMs > receivedAtMs ? 'delisting' : 'delisted', 'lastTradingTime');
  if (listedAtMs !== null && listedAtMs > receivedAtMs) return state('preopen', 'openingDate');
  if (row.tradeable !== true) return state('halted', 'not tradeable');
  // In post-only mode orders rest but nothing trades.
  return row.postOnly === true ? state('halted', 'postOnly') : state('trading', 'tradeable');
}

function labelledClassOf(row: Row, base: string): AssetClass {
  if (SHARE_BASE.test(base)) return 'stock';
  if (row.tradfi !== true) return 'crypto';
  const category = (textOf(row.category) ?? '').toLowerCase();
  if (CURRENCIES.has(base) || /forex|currenc/.test(category)) return 'forex';
  if (METALS_AND_FUELS.has(base) || /commodit|metal|energy/.test(category)) return 'commodity';
  return /ind(ex|ices)/.test(category) ? 'index' : 'stock';
}

/** The first margin level is that of small positions. */
function maxLeverageOf(levels: unknown): number | null {
  const first = Array.isArray(levels) ? (levels as unknown[])[0] : null;
  return isRow(first) ? leverageOf(first.initialMargin) : null;
}

/** One reply has everything that moves. A quantity is in contracts: base units (linear) or 1 USD each (inverse). */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const reply = successOf(payload, 'tickers');
  const venueTimeMs = isoMsOf(reply.serverTime);
  readRows(listOf(reply.tickers, 'tickers'), batch, 'symbol', (row, venueSymbol) => {
    if (DATED_SYMBOL.test(venueSymbol)) return ignore('dated future');
    if (INDEX_SYMBOL.test(venueSymbol)) return ignore('index');
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    // The figures of a suspended market are frozen.
    if (row.suspended === true) return ignore('suspended');
    const markPrice = positiveOf(row.markPrice);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.indexPrice),
      openInterest: { amount: row.openInterest, unit: 'contracts' },
    });
    return firstReason(
      readFunding(row, contract, context.receivedAtMs, venueTimeMs, batch),
      readVolume(row, contract, batch),
      readQuotes(row, contract, venueTimeMs, batch),
    );
  });
  return batch;
}

function readVolume(row: Row, contract: Contract, batch: Batch): string | null {
  const referencePrice = positiveOf(row.markPrice) ?? positiveOf(row.last);
  const contracts = amountOf(row.vol24h);
  // `volumeQuote` is the turnover in USD of linear contracts; on inverse ones recordings disagree about its unit.
  let volume24hUsdt = contract.isInverse ? null : amountOf(row.volumeQuote);
  if (volume24hUsdt === null && contracts !== null && (contract.isInverse || referencePrice !== null))
    volume24hUsdt = usdtFromContracts(contract, contracts, referencePrice ?? 0);
  return addVolume(batch, contract, volume24hUsdt, referencePrice);
}

function readQuotes(row: Row, contract: Contract, venueTimeMs: number | null, batch: Batch): string | null {
  // The venue leaves the fields of an empty side out.
  if (row.bid === undefined || row.ask === undefined) return ignore('empty side of the book');
  const fields = { bidPrice: row.bid, bidSize: row.bidSize, askPrice: row.ask, askSize: row.askSize };
  return addTop(batch, readTop(contract, fields, 'contracts', venueTimeMs));
}

export function parseOrderBook(payload: unknown, contract: Contract): Depth {
  const reply = successOf(payload, 'orderbook');
  const { bids, asks } = rowOf(reply.orderBook, 'orderBook');
  const book = readBook(contract, { bids, asks }, 'contracts', isoMsOf(reply.serverTime));
  return { ...book, bids: book.bids.slice(0, BOOK_LEVELS), asks: book.asks.slice(0, BOOK_LEVELS) };
}
