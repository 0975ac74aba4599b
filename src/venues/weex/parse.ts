import { percentFromFraction } from '../../base/numbers.ts';
import { DAY_MS } from '../../base/times.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { listedContract, readContracts } from '../contract-list.ts';
import { epochMsOf, hoursFromMinutes, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { ignore, listOf, type Row, rowOf } from '../reading.ts';
import { addQuote, readListed } from '../row-readers.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import {
  CLASS_OF_UNDERLYING,
  HISTORY_PAGE_ROWS,
  HISTORY_WINDOW_DAYS,
  TAKER_FEE_PCT,
  TRADITIONAL_TYPE,
} from './wire.ts';

/** The list has no status: a contract is listed and trades, or is delisted and absent. */
export function parseExchangeInfo(payload: unknown): Batch {
  const rows = listOf(rowOf(payload, 'exchangeInfo').symbols, 'symbols');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    const contractType = textOf(row.contractType) ?? '';
    if (!contractType.includes('PERPETUAL')) return ignore('not a perpetual');
    const settle = textOf(row.marginAsset);
    if (settle !== null && settle !== row.quoteAsset) return ignore('not settled in its quote');
    const takerFeePct = percentFromFraction(row.takerFeeRate);
    return listedContract({
      venueSymbol,
      base: row.baseAsset,
      quote: row.quoteAsset,
      settle,
      status: 'trading',
      venueStatus: 'listed',
      assetClass: (base) => classOf(row, contractType, base),
      maxLeverage: row.maxLeverage,
      // `contractVal` is the step of an order. All sizes are base units, so the contract size stays 1.
      takerFeePct: takerFeePct === TAKER_FEE_PCT ? null : takerFeePct,
    });
  });
}

function classOf(row: Row, contractType: string, base: string): AssetClass {
  const labelled = CLASS_OF_UNDERLYING[textOf(row.underlyingType) ?? ''] ?? 'crypto';
  const isTraditional = contractType === TRADITIONAL_TYPE && labelled === 'crypto';
  return isTraditional ? traditionalClassOf(base) : assetClassOf(base, labelled);
}

/**
 * `forecastFundingRate` is the rate of the next settlement, `lastFundingRate` the one already charged. The prices of this
 * reply change once a minute while `time` runs on, so they come from the ticker. A contract that has never settled states
 * a time in 1970, which becomes null.
 */
export function parsePremiumIndex(payload: unknown, context: ParseContext): Batch {
  return readListed(listOf(payload, 'premiumIndex'), 'symbol', context, (row, contract, batch) =>
    addQuote(batch, contract, {
      ratePct: percentFromFraction(row.forecastFundingRate),
      nextFundingAtMs: epochMsOf(row.nextFundingTime),
      intervalHours: hoursFromMinutes(row.collectCycle),
      venueTimeMs: epochMsOf(row.time),
    }),
  );
}

/** The last price of a contract without a trade is 0, so the mark price is the reference. */
export function parseDayTickers(payload: unknown, context: ParseContext): Batch {
  return readMarket(listOf(payload, 'ticker/24hr'), 'symbol', context, (row) => ({
    volume24hUsdt: row.quoteVolume,
    markPrice: row.markPrice,
    indexPrice: row.indexPrice,
  }));
}

/** The start of the part of the window that one call may cover. */
export function windowStartMs({ fromMs, toMs }: SettlementWindow): number {
  return Math.max(fromMs, toMs - HISTORY_WINDOW_DAYS * DAY_MS + 1);
}

/** Newest first. A page that is not full has all prints of its seven days, and the walk continues before them. */
export function parseFundingRates(payload: unknown, window: SettlementWindow): SettlementPage {
  const prints = readPrints(listOf(payload, 'fundingRate'), { symbolField: 'symbol' }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  const startMs = windowStartMs(window);
  const page = pageBackward(prints, { ...window, fromMs: startMs }, prints.rowCount >= HISTORY_PAGE_ROWS);
  const toMs = page.next?.toMs ?? startMs - 1;
  return toMs >= window.fromMs ? { ...page, next: { fromMs: window.fromMs, toMs } } : page;
}
