import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import type { ParseDepth } from '../bulk-poll.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { Batch, Contract } from '../observations.ts';
import { pageByCursor, readPrints } from '../prints.ts';
import { columnOf, ignore, isRow, listOf, rowOf } from '../reading.ts';
import { leverageOf, readBook } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CONTRACT_STATUS } from './wire.ts';

/** The name of the symbol may have a digit (ID2-SWAP-USDT) that `underlying` does not have (ID). */
export function parseExchangeInfo(payload: unknown): Batch {
  const rows = listOf(rowOf(payload, 'exchangeInfo').contracts, 'contracts');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    if (row.inverse === true) return ignore('inverse');
    // `rwaType` is STOCK on every traditional asset, also on gold. Of the kinds only currencies have a category.
    const isForex = Array.isArray(row.categories) && row.categories.includes('Forex');
    const traditionalClass = (base: string) => (isForex ? 'forex' : traditionalClassOf(base));
    return listedContract({
      venueSymbol,
      // The list of index prices is keyed by it.
      venueId: textOf(row.indexToken),
      base: row.underlying,
      quote: row.quoteAsset,
      settle: textOf(row.marginToken),
      contractSize: positiveOf(row.contractMultiplier),
      ...statusFrom(CONTRACT_STATUS, row.status),
      assetClass: (base) => (row.isRwa === true ? traditionalClass(base) : assetClassOf(base, 'crypto')),
      listedAtMs: epochMsOf(row.launchTime),
      maxLeverage: maxLeverageOf(row.riskLimits),
    });
  });
}

/** The largest leverage of the position tiers. */
function maxLeverageOf(riskLimits: unknown): number | null {
  const tiers = Array.isArray(riskLimits) ? (riskLimits as unknown[]).filter(isRow) : [];
  const largest = Math.max(0, ...tiers.map(({ initialMargin }) => leverageOf(initialMargin) ?? 0));
  return largest > 0 ? largest : null;
}

function hoursOf(period: unknown): number | null {
  return positiveOf(/^(\d+)H$/.exec(textOf(period) ?? '')?.[1]);
}

/**
 * For about 75 s after a settlement a row still has its time and the rate that was charged. Such a row is skipped: what
 * was read before the settlement stays until the next estimate.
 */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'fundingRate'), 'symbol', context, (row) => {
    const nextFundingAtMs = epochMsOf(row.nextFundingTime);
    if (nextFundingAtMs !== null && nextFundingAtMs <= context.receivedAtMs)
      return ignore('settlement has passed');
    return { ratePct: percentFromFraction(row.rate), nextFundingAtMs, intervalHours: hoursOf(row.period) };
  });
}

export function parseBookTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'bookTicker'), 's', context, (row) => ({
    top: { bidPrice: row.b, bidSize: row.bq, askPrice: row.a, askSize: row.aq, unit: 'contracts' },
    venueTimeMs: epochMsOf(row.t),
  }));
}

/** `qv` is the turnover; `v` and `op`, the open interest, count contracts. Mark and index prices have calls of their own. */
export function parseDayTickers(
  replies: { tickers: unknown; marks: unknown; index: unknown },
  context: ParseContext,
): Batch {
  const marks = columnOf(listOf(replies.marks, 'markPrice'), 'symbolId', 'price');
  const indexPrices = rowOf(rowOf(replies.index, 'index').index, 'index');
  return readMarket(listOf(replies.tickers, 'ticker/24hr'), 's', context, (row, contract) => ({
    volume24hUsdt: row.qv,
    lastPrice: row.c,
    markPrice: marks.get(contract.venueSymbol),
    indexPrice: indexPrices[contract.venueId ?? ''],
    openInterest: { amount: row.op, unit: 'contracts' },
  }));
}

export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
  pageRows: number,
): SettlementPage {
  const rows = listOf(payload, 'historyFundingRate');
  const prints = readPrints(rows, { symbolField: 'symbol', contract }, window, (row) => ({
    ratePct: percentFromFraction(row.settleRate),
    settledAtMs: epochMsOf(row.settleTime),
  }));
  const last = rows.at(-1);
  return pageByCursor(prints, window, rows.length >= pageRows && isRow(last) ? textOf(last.id) : null);
}

export const parseDepth: ParseDepth = (payload, contract) => {
  const { b, a, t } = rowOf(payload, 'depth');
  return readBook(contract, { bids: b, asks: a }, 'contracts', epochMsOf(t));
};
