import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract, withEnd } from '../observations.ts';
import { pageEitherWay, readPrints } from '../prints.ts';
import {
  amountOf,
  epochMsOf,
  epochSecondsOf,
  goodReply,
  hoursFromMinutes,
  ignore,
  isRow,
  listOf,
  positiveOf,
  rowOf,
  textOf,
} from '../reading.ts';
import { addMarket, addTop, readContracts, readListed } from '../row-readers.ts';
import { openInterestUsdt, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import { COIN_TYPE, HISTORY_PAGE_ROWS, TRADITIONAL_TYPE } from './wire.ts';

function futuresRows(payload: unknown): readonly unknown[] {
  return listOf(goodReply(payload, 'futures', 'success', true).result, 'result');
}

/**
 * `markets` has the contracts and their ends, `futures` their leverage. Sizes are base units on every contract:
 * `stockPrec`, from which ccxt makes a contract size, is the order step.
 */
export function parseMarkets(markets: unknown, futures: unknown): Batch {
  const rows = futuresRows(futures).filter(isRow);
  const leverages = new Map(rows.map((row) => [row.ticker_id, positiveOf(row.max_leverage)]));
  return readContracts(listOf(markets, 'markets'), 'name', 'perpetuals', (row, venueSymbol) => {
    const isTraditional = row.type === TRADITIONAL_TYPE;
    if (row.type === 'spot') return ignore('spot');
    if (row.type !== COIN_TYPE && !isTraditional) return `unknown type ${textOf(row.type)}`;
    const [base, quote] = [textOf(row.stock), textOf(row.money)];
    if (base === null || quote === null) return 'no base or quote';
    const delistsAtMs = epochSecondsOf(row.delistedAt);
    return linearContract({
      venueSymbol,
      base,
      quote,
      // The list leaves out markets that are closed, and an announced end keeps trading until its time.
      status: withEnd(row.tradesEnabled === false ? 'halted' : 'trading', delistsAtMs),
      venueStatus: `tradesEnabled ${row.tradesEnabled}`,
      assetClass: isTraditional ? traditionalClassOf(base) : assetClassOf(base, 'crypto'),
      delistsAtMs,
      maxLeverage: leverages.get(venueSymbol) ?? null,
    });
  });
}

/** `bid` and `ask` of this reply have no sizes and can be older than those before them: tops come over the stream. */
export function parseFutures(payload: unknown, context: ParseContext): Batch {
  return readListed(futuresRows(payload), 'ticker_id', context, (row, contract, batch) => {
    // "" while the venue has no fresh mark, and an index of "0" before the first trade.
    const markPrice = positiveOf(row.mark_price);
    return addMarket(batch, contract, {
      ratePct: percentFromFraction(row.funding_rate),
      nextFundingAtMs: epochMsOf(row.next_funding_rate_timestamp),
      intervalHours: hoursFromMinutes(row.funding_interval_minutes),
      venueTimeMs: null,
      volume24hUsdt: amountOf(row.money_volume),
      markPrice,
      indexPrice: positiveOf(row.index_price),
      openInterestUsdt: openInterestUsdt(contract, row.open_interest, 'base', markPrice),
    });
  });
}

/** `bookTicker` rows: transaction time, message time, market, update id, bid, its size, ask, its size. */
export function parseBookTicker(rows: unknown, context: ParseContext): Batch {
  const named = listOf(rows, 'params').map((row) => {
    const [, sentAt, market, , bidPrice, bidSize, askPrice, askSize] = Array.isArray(row) ? row : [];
    return { market, sentAt, bidPrice, bidSize, askPrice, askSize };
  });
  return readListed(named, 'market', context, (row, contract, batch) => {
    const { bidPrice, bidSize, askPrice, askSize } = row;
    const top = { bidPrice, bidSize, askPrice, askSize };
    return addTop(batch, readTop(contract, top, 'base', epochSecondsOf(row.sentAt)));
  });
}

export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number; toMs: number },
): SettlementPage {
  const rows = listOf(payload, 'funding-history');
  const prints = readPrints(rows, { symbolField: 'market', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochSecondsOf(row.fundingTime),
  }));
  return pageEitherWay(prints, window, rows.length >= HISTORY_PAGE_ROWS);
}

export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const { bids, asks, timestamp } = rowOf(payload, 'orderbook');
  return readBook(contract, { bids, asks }, 'base', epochSecondsOf(timestamp));
}
