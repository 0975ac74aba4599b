import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { assetClassOf } from '../asset-class.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  type ContractStatus,
  contractWith,
  type Depth,
  linearContract,
  withEnd,
} from '../observations.ts';
import { epochMsOf, goodReply, ignore, listOf, positiveOf, type Row, rowOf, textOf } from '../reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  readContracts,
  readListed,
} from '../row-readers.ts';
import { readBook, readTop, sizeUnitOf, splitSymbol, turnoverUsdt } from '../units.ts';
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
    if (base === '' || quote === '' || settle === null) return 'no base, quote or currency';
    if (settle !== quote) return ignore('quanto');
    const state = stateOf(row);
    if (typeof state === 'string') return state;
    const offMs = epochMsOf(row.offTime);
    // A contract that was listed again keeps its old offline time.
    const delistsAtMs = offMs !== null && (offMs > receivedAtMs || state.status !== 'trading') ? offMs : null;
    const leverages = [positiveOf(row.maxLongLeverage) ?? 0, positiveOf(row.maxShortLeverage) ?? 0];
    return linearContract({
      venueSymbol,
      base,
      quote,
      status: withEnd(state.status, delistsAtMs),
      venueStatus: state.venueStatus,
      assetClass: classOf(base),
      listedAtMs: epochMsOf(row.launchTime),
      delistsAtMs,
      maxLeverage: positiveOf(Math.max(...leverages)),
    });
  });
}

/** Coin-M: `minTickSize` is the dollars of one contract. */
export function parseInverseContracts(payload: unknown): Batch {
  const rows = listOf(dataOf(payload, 'contracts'), 'contracts');
  return readContracts(rows, 'symbol', 'inverse', (row, venueSymbol) => {
    const { base, quote } = splitSymbol(venueSymbol, '-');
    if (base === '' || quote === '') return 'no base or quote';
    const contractSize = positiveOf(row.minTickSize);
    if (contractSize === null) return 'no contract size';
    const state = stateOf(row);
    if (typeof state === 'string') return state;
    return contractWith({
      venueSymbol,
      base,
      quote,
      settle: base,
      isInverse: true,
      contractSize,
      ...state,
      assetClass: 'crypto',
      listedAtMs: epochMsOf(row.timeOnline),
    });
  });
}

function stateOf(row: Row): { status: ContractStatus; venueStatus: string } | string {
  const venueStatus = String(decimalOrNull(row.status) ?? '');
  const status = CONTRACT_STATUS[venueStatus];
  return status === undefined ? `unknown status ${venueStatus}` : { status, venueStatus };
}

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
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    addFigures(batch, contract, {
      markPrice: positiveOf(row.markPrice),
      indexPrice: positiveOf(row.indexPrice),
    });
    return addScheduledQuote(batch, contract, {
      ratePct: percentFromFraction(row.lastFundingRate),
      nextFundingAtMs: epochMsOf(row.nextFundingTime),
      intervalHours: positiveOf(row.fundingIntervalHours),
      // `updateTime` is the time of the last settlement, not of this rate.
      venueTimeMs: null,
    });
  });
}

/** Linear sizes are base amounts and `quoteVolume` is turnover; coin-M counts contracts, its `quoteVolume` coins. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(
    listOf(dataOf(payload, 'ticker'), 'ticker'),
    'symbol',
    context,
    (row, contract, batch) => {
      const turnover = turnoverUsdt(contract, { linearQuote: row.quoteVolume, inverseContracts: row.volume });
      const fields = {
        bidPrice: row.bidPrice,
        bidSize: row.bidQty,
        askPrice: row.askPrice,
        askSize: row.askQty,
      };
      return (
        addVolume(batch, contract, turnover, positiveOf(row.lastPrice)) ??
        // `closeTime` is the time of the last trade, not of the book.
        addTop(batch, readTop(contract, fields, sizeUnitOf(contract), null))
      );
    },
  );
}

/** `bidsCoin` and `asksCoin` are base amounts; `bids` and `asks` of the linear book have been seen in another unit. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  const row = rowOf(dataOf(payload, 'depth'), 'depth');
  const sides = { bids: row.bidsCoin ?? row.bids, asks: row.asksCoin ?? row.asks };
  return readBook(contract, sides, sizeUnitOf(contract), epochMsOf(row.T ?? row.ts));
}
