import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, isLive, linearContract } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
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
import { addMarket, addTop, readContracts, readListed } from '../row-readers.ts';
import { readBook, readTop, splitSymbol } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import {
  CLASS_OF_SUBCATEGORY,
  COMMON_NAME,
  CONTRACT_STATUS,
  HISTORY_PAGE_ROWS,
  INTERVAL_HOURS,
  SESSION_SUFFIX,
  SETTLE,
} from './wire.ts';

function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'status', 'OK').data;
}

/** One reply has everything but sizes. Markets that are not open yet or have ended have figures that are not valid. */
export function parseMarkets(payload: unknown): Batch {
  const rows = listOf(dataOf(payload, 'markets'), 'data');
  return readContracts(rows, 'name', 'perpetuals', contractOf, (row, contract, batch) =>
    isLive(contract) ? readStats(isRow(row.marketStats) ? row.marketStats : {}, contract, batch) : null,
  );
}

function contractOf(row: Row, venueSymbol: string): Contract | string {
  if (row.type === 'SPOT') return ignore('spot');
  if (row.type !== 'PERPETUAL') return 'unknown type';
  const { base: name, quote } = splitSymbol(venueSymbol, '-');
  if (name === '' || quote === '') return 'no base or quote';
  const venueStatus = textOf(row.status) ?? '';
  const status = CONTRACT_STATUS[venueStatus];
  if (status === undefined) return `unknown status ${venueStatus}`;
  const plain = name.replace(SESSION_SUFFIX, '');
  const base = COMMON_NAME[plain] ?? plain;
  const labelled = CLASS_OF_SUBCATEGORY[textOf(row.subCategory) ?? ''] ?? traditionalClassOf(base);
  return linearContract({
    venueSymbol,
    base,
    quote,
    settle: SETTLE,
    status,
    venueStatus,
    assetClass: assetClassOf(base, row.category === 'RWA' ? labelled : 'crypto'),
    maxLeverage: isRow(row.tradingConfig) ? positiveOf(row.tradingConfig.maxLeverage) : null,
    intervalHours: INTERVAL_HOURS,
  });
}

/** `nextFundingRate` is the time of the next payment, whatever its name says. Amounts are in dollars. */
function readStats(stats: Row, contract: Contract, batch: Batch): string | null {
  return addMarket(batch, contract, {
    ratePct: percentFromFraction(stats.fundingRate),
    nextFundingAtMs: epochMsOf(stats.nextFundingRate),
    intervalHours: INTERVAL_HOURS,
    venueTimeMs: null,
    volume24hUsdt: amountOf(stats.dailyVolume),
    markPrice: positiveOf(stats.markPrice),
    indexPrice: positiveOf(stats.indexPrice),
    openInterestUsdt: amountOf(stats.openInterest),
  });
}

/** A message of the best bid and ask, always a whole top. Sizes are base units. */
export function parseBestOrders(message: Row, context: ParseContext): Batch {
  return readListed([message.data], 'm', context, (row, contract, batch) => {
    const best = (side: unknown): Row => (Array.isArray(side) && isRow(side[0]) ? side[0] : {});
    const [bid, ask] = [best(row.b), best(row.a)];
    const fields = { bidPrice: bid.p, bidSize: bid.q, askPrice: ask.p, askSize: ask.q };
    return addTop(batch, readTop(contract, fields, 'base', epochMsOf(message.ts)));
  });
}

/** Newest first. The times of prints are one or two seconds after the full hour. */
export function parseFunding(payload: unknown, contract: Contract, window: SettlementWindow): SettlementPage {
  const rows = listOf(dataOf(payload, 'funding'), 'data');
  const prints = readPrints(rows, { symbolField: 'm', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.f),
    settledAtMs: epochMsOf(row.T),
  }));
  return pageBackward(prints, window, rows.length >= HISTORY_PAGE_ROWS);
}

export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const { bid, ask } = rowOf(dataOf(payload, 'orderbook'), 'data');
  return readBook(contract, { bids: bid, asks: ask }, 'base', null, { price: 'price', size: 'qty' });
}
