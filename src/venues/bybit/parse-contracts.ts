import type { AssetClass, Batch, Contract, ContractStatus } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { epochMsOf, ignore, isRow, listOf, positiveOf, type Row, readRows, textOf } from '../reading.ts';
import { type Category, resultOf } from './parse.ts';
import {
  ASSET_CLASS,
  AUCTION_PHASE,
  BASE_ALIASES,
  CONTRACT_SIZE,
  CONTRACT_STATUS,
  OPEN_PHASE,
  PRE_MARKET_STATUS,
} from './wire.ts';

export interface InstrumentPage {
  batch: Batch;
  rowCount: number;
  /** What the next page is asked with, ready to be encoded; null when there is none. */
  cursor: string | null;
}

export function parseInstruments(payload: unknown, category: Category): InstrumentPage {
  const { result } = resultOf(payload, 'instruments-info');
  const rows = listOf(result.list, 'instruments-info list');
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const contract = readContract(row, venueSymbol);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    return null;
  });
  batch.contractList = { part: category, contracts };
  const cursor = textOf(result.nextPageCursor);
  // The cursor comes percent-encoded already, and the caller encodes every query value.
  return { batch, rowCount: rows.length, cursor: cursor && new URLSearchParams(`c=${cursor}`).get('c') };
}

function readContract(row: Row, venueSymbol: string): Contract | string {
  const kind = textOf(row.contractType) ?? '';
  if (kind === 'LinearFutures' || kind === 'InverseFutures') return ignore('dated future');
  if (kind === '') return ignore('spot');
  if (kind !== 'LinearPerpetual' && kind !== 'InversePerpetual') return `unknown contract type ${kind}`;
  const base = textOf(row.baseCoin);
  const quote = textOf(row.quoteCoin);
  const settle = textOf(row.settleCoin);
  if (base === null || quote === null || settle === null) return 'no base, quote or settle coin';
  const isInverse = kind === 'InversePerpetual';
  if (isInverse !== (settle === base)) return ignore('quanto');
  const venueStatus = textOf(row.status) ?? '';
  const status = statusOf(venueStatus, row);
  if (status === undefined) return `unknown status ${venueStatus}`;
  const delistsAtMs = epochMsOf(row.deliveryTime);
  const known = BASE_ALIASES[base] ?? base;
  return {
    venueSymbol,
    base: known,
    quote,
    settle: isInverse ? known : settle,
    isInverse,
    contractSize: CONTRACT_SIZE,
    status: status === 'trading' && delistsAtMs !== null ? 'delisting' : status,
    venueStatus,
    assetClass: (ASSET_CLASS as Record<string, AssetClass>)[textOf(row.symbolType) ?? ''] ?? 'crypto',
    listedAtMs: continuousTradingAtMs(row) ?? epochMsOf(row.launchTime),
    delistsAtMs,
    maxLeverage: isRow(row.leverageFilter) ? positiveOf(row.leverageFilter.maxLeverage) : null,
    intervalHours: wholeHours(row.fundingInterval),
  };
}

function statusOf(venueStatus: string, row: Row): ContractStatus | undefined {
  const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
  if (venueStatus !== PRE_MARKET_STATUS || !isRow(row.preListingInfo)) return status;
  const phase = textOf(row.preListingInfo.curAuctionPhase) ?? '';
  return (AUCTION_PHASE as Record<string, ContractStatus>)[phase] ?? status;
}

/** `launchTime` of a pre-market contract is when it was shown first, a day or so before anybody could trade. */
function continuousTradingAtMs(row: Row): number | null {
  const phases = isRow(row.preListingInfo) ? row.preListingInfo.phases : null;
  if (!Array.isArray(phases)) return null;
  const open: unknown = phases.find((phase: unknown) => isRow(phase) && phase.phase === OPEN_PHASE);
  return isRow(open) ? epochMsOf(open.startTime) : null;
}

/** The list gives minutes. A figure that makes no whole hours is in another unit and says nothing. */
function wholeHours(minutes: unknown): number | null {
  const hours = (positiveOf(minutes) ?? 0) / 60;
  return hours >= 1 && Number.isInteger(hours) ? hours : null;
}
