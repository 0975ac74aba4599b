import type { AssetClass, Batch, Contract, ContractStatus } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { epochMsOf, ignore, isRow, positiveOf, type Row, readRows, textOf } from '../reading.ts';
import { dataOf } from './parse.ts';
import {
  ANNOUNCED_ID,
  ASSET_CLASS,
  CONTRACT_STATUS,
  OTHER_KINDS,
  SETTLE_ALIASES,
  SWAP_ID,
  TEST_STATUS,
  UNKNOWN_CONTRACT_SIZE,
} from './wire.ts';

const PLACEHOLDER = 'listing placeholder';

export function parseInstruments(payload: unknown): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  const rows = dataOf(payload, 'instruments');
  const named = rows.filter((row) => !isPlaceholder(row));
  if (named.length < rows.length) batch.ignored.set(PLACEHOLDER, rows.length - named.length);
  readRows(named, batch, 'instId', (row, instId) => {
    const contract = readContract(row, instId);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    return null;
  });
  batch.contractList = { part: 'swap', contracts };
  return batch;
}

/** Rows for contracts that have no name yet. */
function isPlaceholder(row: unknown): boolean {
  return isRow(row) && row.state === 'preopen' && textOf(row.instId) === null;
}

function readContract(row: Row, instId: string): Contract | string {
  const kind = textOf(row.instType) ?? '';
  if (kind !== 'SWAP') return ignore(OTHER_KINDS[kind] ?? 'no perpetual');
  const venueStatus = textOf(row.state) ?? '';
  if (venueStatus === TEST_STATUS) return ignore('test pair');
  const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
  if (status === undefined) return `unknown status ${venueStatus}`;
  const isAnnounced = status === 'preopen';
  const venueSymbol = isAnnounced ? instId.replace(ANNOUNCED_ID, '$1-SWAP') : instId;
  const [, base, quote, unified] = SWAP_ID.exec(venueSymbol) ?? [];
  if (base === undefined || quote === undefined)
    return isAnnounced ? ignore(PLACEHOLDER) : 'unreadable instId';
  const coinMargined = quote === 'USD' && unified === undefined;
  const settle = settleOf(row) ?? (isAnnounced ? (coinMargined ? base : quote) : null);
  if (settle === null) return 'no settle currency';
  const isInverse = settle === base;
  const flag = textOf(row.ctType);
  if (flag !== null && (flag === 'inverse') !== isInverse) return ignore('quanto');
  const contractSize = sizeOf(row) ?? (isAnnounced ? UNKNOWN_CONTRACT_SIZE : null);
  if (contractSize === null) return 'no contract size';
  const delistsAtMs = epochMsOf(row.expTime);
  return {
    venueSymbol,
    base,
    quote,
    settle,
    isInverse,
    contractSize,
    status: status === 'trading' && delistsAtMs !== null ? 'delisting' : status,
    venueStatus,
    assetClass: (ASSET_CLASS as Record<string, AssetClass>)[textOf(row.instCategory) ?? '1'] ?? 'crypto',
    listedAtMs: epochMsOf(row.listTime),
    delistsAtMs,
    maxLeverage: positiveOf(row.lever),
    intervalHours: null,
  };
}

function settleOf(row: Row): string | null {
  const settle = textOf(row.settleCcy);
  return settle === null ? null : (SETTLE_ALIASES[settle] ?? settle);
}

/** Value times multiplier: base units of a linear contract, dollars of an inverse one. */
function sizeOf(row: Row): number | null {
  const value = positiveOf(row.ctVal);
  const multiplier = positiveOf(row.ctMult);
  // The product of two short decimals, without the noise of its binary digits.
  return value === null || multiplier === null ? null : Number((value * multiplier).toPrecision(15));
}
