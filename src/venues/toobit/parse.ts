import { percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageByCursor, readPrints } from '../prints.ts';
import { amountOf, epochMsOf, ignore, isRow, listOf, positiveOf, rowOf, textOf } from '../reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  readContracts,
  readListed,
} from '../row-readers.ts';
import { leverageOf, openInterestUsdt, readBook, readTop } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { CONTRACT_STATUS } from './wire.ts';

/** The name of the symbol may have a digit (ID2-SWAP-USDT) that `underlying` does not have (ID). */
export function parseExchangeInfo(payload: unknown): Batch {
  const rows = listOf(rowOf(payload, 'exchangeInfo').contracts, 'contracts');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    if (row.inverse === true) return ignore('inverse');
    const base = textOf(row.underlying);
    const quote = textOf(row.quoteAsset);
    const settle = textOf(row.marginToken);
    if (base === null || quote === null || settle === null) return 'no underlying, quote or margin token';
    const contractSize = positiveOf(row.contractMultiplier);
    if (contractSize === null) return 'no contract multiplier';
    const venueStatus = textOf(row.status) ?? '';
    const status = CONTRACT_STATUS[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const indexToken = textOf(row.indexToken);
    // `rwaType` is STOCK on every traditional asset, also on gold. Of the kinds only currencies have a category.
    const isForex = Array.isArray(row.categories) && row.categories.includes('Forex');
    const traditionalClass = isForex ? 'forex' : traditionalClassOf(base);
    return linearContract({
      venueSymbol,
      // The list of index prices is keyed by it.
      ...(indexToken === null ? {} : { venueId: indexToken }),
      base,
      quote,
      settle,
      contractSize,
      status,
      venueStatus,
      assetClass: row.isRwa === true ? traditionalClass : assetClassOf(base, 'crypto'),
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
  return readListed(listOf(payload, 'fundingRate'), 'symbol', context, (row, contract, batch) => {
    const nextFundingAtMs = epochMsOf(row.nextFundingTime);
    if (nextFundingAtMs !== null && nextFundingAtMs <= context.receivedAtMs)
      return ignore('settlement has passed');
    return addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.rate),
      nextFundingAtMs,
      intervalHours: hoursOf(row.period),
      venueTimeMs: null,
    });
  });
}

export function parseBookTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(listOf(payload, 'bookTicker'), 's', context, (row, contract, batch) => {
    const fields = { bidPrice: row.b, bidSize: row.bq, askPrice: row.a, askSize: row.aq };
    return addTop(batch, readTop(contract, fields, 'contracts', epochMsOf(row.t)));
  });
}

/** `qv` is the turnover; `v` and `op`, the open interest, count contracts. Mark and index prices have calls of their own. */
export function parseDayTickers(
  replies: { tickers: unknown; marks: unknown; index: unknown },
  context: ParseContext,
): Batch {
  const marks = new Map<unknown, unknown>();
  for (const row of listOf(replies.marks, 'markPrice')) if (isRow(row)) marks.set(row.symbolId, row.price);
  const indexPrices = rowOf(rowOf(replies.index, 'index').index, 'index');
  return readListed(listOf(replies.tickers, 'ticker/24hr'), 's', context, (row, contract, batch) => {
    const markPrice = positiveOf(marks.get(contract.venueSymbol));
    const indexPrice = positiveOf(indexPrices[contract.venueId ?? '']);
    const referencePrice = markPrice ?? positiveOf(row.c);
    const openInterest = openInterestUsdt(contract, row.op, 'contracts', referencePrice);
    addFigures(batch, contract, { markPrice, indexPrice, openInterestUsdt: openInterest });
    return addVolume(batch, contract, amountOf(row.qv), referencePrice);
  });
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

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { b, a, t } = rowOf(payload, 'depth');
  return readBook(contract, { bids: b, asks: a }, 'contracts', epochMsOf(t));
}
