import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { type AssetClass, type Batch, type Contract, contractWith, type Depth } from '../observations.ts';
import { pageByNumber, readPrints } from '../prints.ts';
import { BadReply, goodReply, ignore, isRow, listOf, type Row, rowOf } from '../reading.ts';
import { addFigures, addQuote, addVolume, readListed, readNotices } from '../row-readers.ts';
import { readBook, turnoverUsdt } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import {
  COMMODITY_PLATES,
  CONTRACT_STATUS,
  PERPETUAL_FUTURE_TYPE,
  PLATE_PREFIX,
  STOCK_PLATES,
  TRADITIONAL_TYPE,
} from './wire.ts';

/** Errors come with HTTP 200 too, the refusal of too many calls (510) among them. */
function dataOf(payload: unknown, what: string): unknown {
  const row = rowOf(payload, what);
  if (row.success !== true) throw new BadReply(`${what} answered code ${String(row.code)}`);
  return row.data;
}

export function parseContracts(payload: unknown, receivedAtMs: number): Batch {
  return readContracts(listOf(dataOf(payload, 'detail'), 'detail'), 'symbol', 'all', (row, venueSymbol) => {
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
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const base = baseOf(coin, row);
    const listedAtMs = epochMsOf(row.openingTime);
    const isAhead = listedAtMs !== null && listedAtMs > receivedAtMs;
    return contractWith({
      venueSymbol,
      base,
      quote,
      settle: isInverse ? base : settleCoin,
      isInverse,
      contractSize,
      status: isAhead && (status === 'trading' || status === 'halted') ? 'preopen' : status,
      venueStatus,
      assetClass: assetClassOf(base, labelledClassOf(coin, row)),
      listedAtMs,
      maxLeverage: positiveOf(row.maxLeverage),
    });
  });
}

/**
 * The venue's own code (FILECOIN, MUSTOCK) resolved to the ticker it shows, unless that is a caption such as
 * GOLD(XAU). A code that starts with a number keeps it: 1000BONK is a multiplier and part of the price.
 */
function baseOf(coin: string, row: Row): string {
  const shown = textOf(row.baseCoinName);
  return shown !== null && /^[A-Z][A-Z0-9]*$/.test(shown) && !/^\d/.test(coin) ? shown : coin;
}

function labelledClassOf(coin: string, row: Row): AssetClass {
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

/** The call without a symbol covers all contracts. The rate is that of the coming settlement. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'funding_rate'), 'funding_rate');
  return readListed(rows, 'symbol', context, (row, contract, batch) =>
    addQuote(batch, contract, {
      ratePct: percentFromFraction(row.fundingRate),
      nextFundingAtMs: epochMsOf(row.nextSettleTime),
      intervalHours: positiveOf(row.collectCycle),
      venueTimeMs: epochMsOf(row.timestamp),
    }),
  );
}

/**
 * `amount24` is in the settle coin, so an inverse contract's turnover is counted from its contracts. `fairPrice` is the
 * mark price, `holdVol` the open interest in contracts.
 */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(
    listOf(dataOf(payload, 'ticker'), 'ticker'),
    'symbol',
    context,
    (row, contract, batch) => {
      const markPrice = positiveOf(row.fairPrice);
      addFigures(batch, contract, {
        markPrice,
        indexPrice: positiveOf(row.indexPrice),
        openInterest: { amount: row.holdVol, unit: 'contracts' },
      });
      const turnover = turnoverUsdt(contract, { linearQuote: row.amount24, inverseContracts: row.volume24 });
      return addVolume(batch, contract, turnover, positiveOf(row.lastPrice));
    },
  );
}

/** Numbered pages, newest first, without a time filter. */
export function parseSettlements(payload: unknown, window: SettlementWindow): SettlementPage {
  const data = rowOf(dataOf(payload, 'funding_rate/history'), 'funding_rate/history');
  const rows = listOf(data.resultList, 'funding_rate/history');
  const prints = readPrints(rows, { symbolField: 'symbol' }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.settleTime),
  }));
  const isLast = (decimalOrNull(data.currentPage) ?? 1) >= (decimalOrNull(data.totalPage) ?? 1);
  return pageByNumber(prints, window, isLast);
}

/** Levels are [price, contracts, orders]. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, timestamp } = rowOf(dataOf(payload, 'depth'), 'depth');
  return readBook(contract, { bids, asks }, 'contracts', epochMsOf(timestamp));
}

/** The notices of the whole venue: titles and addresses only. */
export function parseAnnouncements(payload: unknown): Batch {
  const reply = goodReply(payload, 'announcements', 'code', 0);
  const pages = listOf(reply.data, 'announcements').filter(isRow);
  const details = pages.flatMap((page) => listOf(page.details, 'announcements'));
  return readNotices(details, (row) => ({
    id: textOf(row.url),
    title: textOf(row.title),
    body: null,
    category: '',
    url: textOf(row.url),
    publishedAtMs: epochMsOf(row.postTime),
  }));
}
