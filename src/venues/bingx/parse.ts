import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  epochMsOf,
  ignore,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, readTop, usdtFromContracts } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { dataOf } from './reply.ts';
import { CONTRACT_STATUS, TRADITIONAL_BASE, TRADITIONAL_CLASS } from './wire.ts';

/** USDT-M and USDC-M. Quantities are base amounts everywhere, so `size` (which is 0) does not matter. */
export function parseContracts(payload: unknown, receivedAtMs: number): Batch {
  return parseList(payload, 'linear', (row, venueSymbol) => {
    const { base, quote } = namesOf(venueSymbol);
    const settle = textOf(row.currency);
    if (base === '' || quote === '' || settle === null) return 'no base, quote or currency';
    if (settle !== quote) return ignore('quanto');
    const state = stateOf(row);
    if (typeof state === 'string') return state;
    const offMs = epochMsOf(row.offTime);
    // A contract that came back keeps its old offline time.
    const delistsAtMs = offMs !== null && (offMs > receivedAtMs || state.status !== 'trading') ? offMs : null;
    const leverages = [positiveOf(row.maxLongLeverage) ?? 0, positiveOf(row.maxShortLeverage) ?? 0];
    return {
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: false,
      contractSize: 1,
      status: state.status === 'trading' && delistsAtMs !== null ? 'delisting' : state.status,
      venueStatus: state.venueStatus,
      assetClass: assetClassOf(base),
      listedAtMs: epochMsOf(row.launchTime),
      delistsAtMs,
      maxLeverage: positiveOf(Math.max(...leverages)),
      intervalHours: null,
    };
  });
}

/** Coin-M: `minTickSize` is the dollars of one contract. */
export function parseInverseContracts(payload: unknown): Batch {
  return parseList(payload, 'inverse', (row, venueSymbol) => {
    const { base, quote } = namesOf(venueSymbol);
    if (base === '' || quote === '') return 'no base or quote';
    const contractSize = positiveOf(row.minTickSize);
    if (contractSize === null) return 'no contract size';
    const state = stateOf(row);
    if (typeof state === 'string') return state;
    return {
      venueSymbol,
      base,
      quote,
      settle: base,
      isInverse: true,
      contractSize,
      ...state,
      assetClass: 'crypto',
      listedAtMs: epochMsOf(row.timeOnline),
      delistsAtMs: null,
      maxLeverage: null,
      intervalHours: null,
    };
  });
}

function parseList(
  payload: unknown,
  part: string,
  read: (row: Row, venueSymbol: string) => Contract | string,
): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(dataOf(payload, 'contracts'), 'contracts'), batch, 'symbol', (row, venueSymbol) => {
    const contract = read(row, venueSymbol);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    return null;
  });
  batch.contractList = { part, contracts };
  return batch;
}

function namesOf(venueSymbol: string): { base: string; quote: string } {
  const dash = venueSymbol.lastIndexOf('-');
  return { base: venueSymbol.slice(0, Math.max(0, dash)), quote: venueSymbol.slice(dash + 1) };
}

function stateOf(row: Row): { status: ContractStatus; venueStatus: string } | string {
  const venueStatus = String(decimalOrNull(row.status) ?? '');
  const status = CONTRACT_STATUS[venueStatus];
  return status === undefined ? `unknown status ${venueStatus}` : { status, venueStatus };
}

function assetClassOf(base: string): AssetClass {
  const kind = TRADITIONAL_BASE.exec(base)?.[1];
  return kind === undefined ? 'crypto' : (TRADITIONAL_CLASS[kind] ?? 'crypto');
}

/**
 * `lastFundingRate` is the running rate despite its name, and `nextFundingTime` a time although the documentation
 * calls it the time left. Coin-M rows have no interval.
 */
export function parsePremiumIndex(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(dataOf(payload, 'premiumIndex'), 'premiumIndex'), batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const ratePct = percentFromFraction(row.lastFundingRate);
    if (ratePct === null) return 'no rate';
    const nextFundingAtMs = epochMsOf(row.nextFundingTime);
    if (nextFundingAtMs === null) return 'no next settlement';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs,
      intervalHours: positiveOf(row.fundingIntervalHours),
      // `updateTime` is that of the last settlement, so it says nothing about this rate.
      venueTimeMs: null,
    });
    return null;
  });
  return batch;
}

/** Linear sizes are base amounts and `quoteVolume` is turnover; coin-M counts contracts, its `quoteVolume` coins. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(dataOf(payload, 'ticker'), 'ticker'), batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const raw = amountOf(contract.isInverse ? row.volume : row.quoteVolume);
    if (raw === null) return 'no volume';
    const volume24hUsdt = contract.isInverse ? usdtFromContracts(contract, raw, 1) : raw;
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.lastPrice) });
    const top = readTop(
      contract,
      { bidPrice: row.bidPrice, bidSize: row.bidQty, askPrice: row.askPrice, askSize: row.askQty },
      contract.isInverse ? 'contracts' : 'base',
      // `closeTime` is that of the last trade, not of the book.
      null,
    );
    if (typeof top === 'string') return top;
    batch.bookTops.push(top);
    return null;
  });
  return batch;
}

/** `bidsCoin` and `asksCoin` are base amounts; `bids` and `asks` of the linear book have been seen in another unit. */
export function parseDepth(payload: unknown, contract: Contract): Depth {
  const row = rowOf(dataOf(payload, 'depth'), 'depth');
  const unit = contract.isInverse ? 'contracts' : 'base';
  return bookOf(
    contract,
    readLevels(contract, row.bidsCoin ?? row.bids, unit),
    readLevels(contract, row.asksCoin ?? row.asks, unit),
    epochMsOf(row.T ?? row.ts),
  );
}
