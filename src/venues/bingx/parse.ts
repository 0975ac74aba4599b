import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { readMarket } from '../market-rows.ts';
import type { AssetClass, Batch, Contract, Depth } from '../observations.ts';
import { goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { readBook, sizeUnitOf, splitSymbol, turnoverUsdt } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { CONTRACT_STATUS, TRADITIONAL_BASE, TRADITIONAL_CLASS } from './wire.ts';

/** The `data` of a good reply. Errors come with HTTP 200 and a code other than 0. */
export function dataOf(payload: unknown, what: string): unknown {
  return goodReply(payload, what, 'code', 0).data;
}

/** USDT-M and USDC-M. Quantities are base amounts everywhere, so `size` (which is 0) is not used. */
export function parseContracts(payload: unknown, receivedAtMs: number): Batch {
  const rows = listOf(dataOf(payload, 'contracts'), 'contracts');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    const { base, quote } = splitSymbol(venueSymbol, '-');
    const settle = textOf(row.currency);
    if (base !== '' && settle !== null && settle !== quote) return ignore('quanto');
    const state = stateOf(row);
    const offMs = epochMsOf(row.offTime);
    // A contract that was listed again keeps its old offline time.
    const isLeaving = offMs !== null && (offMs > receivedAtMs || state.status !== 'trading');
    const leverages = [positiveOf(row.maxLongLeverage) ?? 0, positiveOf(row.maxShortLeverage) ?? 0];
    return listedContract({
      venueSymbol,
      base,
      quote,
      settle,
      ...state,
      assetClass: classOf,
      listedAtMs: epochMsOf(row.launchTime),
      delistsAtMs: isLeaving ? offMs : null,
      maxLeverage: Math.max(...leverages),
    });
  });
}

/** Coin-M: `minTickSize` is the dollars of one contract. */
export function parseInverseContracts(payload: unknown): Batch {
  const rows = listOf(dataOf(payload, 'contracts'), 'contracts');
  return readContracts(rows, 'symbol', 'inverse', (row, venueSymbol) => {
    const { base, quote } = splitSymbol(venueSymbol, '-');
    return listedContract({
      venueSymbol,
      base,
      quote,
      isInverse: true,
      contractSize: positiveOf(row.minTickSize),
      ...stateOf(row),
      listedAtMs: epochMsOf(row.timeOnline),
    });
  });
}

const stateOf = (row: Row) => statusFrom(CONTRACT_STATUS, decimalOrNull(row.status));

function classOf(base: string): AssetClass {
  const kind = TRADITIONAL_BASE.exec(base)?.[1];
  return assetClassOf(base, kind === undefined ? 'crypto' : (TRADITIONAL_CLASS[kind] ?? 'crypto'));
}

/**
 * `lastFundingRate` is the running rate despite its name, and `nextFundingTime` a time although the documentation
 * calls it the time left. Coin-M rows have no interval.
 */
export function parsePremiumIndex(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'premiumIndex'), 'premiumIndex');
  return readMarket(rows, 'symbol', context, (row) => ({
    // `updateTime` is the time of the last settlement, not of this rate.
    ratePct: percentFromFraction(row.lastFundingRate),
    nextFundingAtMs: epochMsOf(row.nextFundingTime),
    intervalHours: positiveOf(row.fundingIntervalHours),
    markPrice: row.markPrice,
    indexPrice: row.indexPrice,
  }));
}

/** Linear sizes are base amounts and `quoteVolume` is turnover; coin-M counts contracts, its `quoteVolume` coins. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(dataOf(payload, 'ticker'), 'ticker');
  return readMarket(rows, 'symbol', context, (row, contract) => ({
    volume24hUsdt: turnoverUsdt(contract, { linearQuote: row.quoteVolume, inverseContracts: row.volume }),
    lastPrice: row.lastPrice,
    // `closeTime` is the time of the last trade, not of the book, so the top has no time.
    top: {
      bidPrice: row.bidPrice,
      bidSize: row.bidQty,
      askPrice: row.askPrice,
      askSize: row.askQty,
      unit: sizeUnitOf(contract),
    },
  }));
}

/** `bidsCoin` and `asksCoin` are base amounts; `bids` and `asks` of the linear book have been seen in another unit. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  const row = rowOf(dataOf(payload, 'depth'), 'depth');
  const sides = { bids: row.bidsCoin ?? row.bids, asks: row.asksCoin ?? row.asks };
  return readBook(contract, sides, sizeUnitOf(contract), epochMsOf(row.T ?? row.ts));
}
