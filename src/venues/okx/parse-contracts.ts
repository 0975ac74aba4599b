import { ownValue } from '../../base/own-value.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { type Batch, type Contract, contractWith, withEnd } from '../observations.ts';
import { ignore, isRow, type Row } from '../reading.ts';
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
  const rows = dataOf(payload, 'instruments');
  const named = rows.filter((row) => !isPlaceholder(row));
  const batch = readContracts(named, 'instId', 'swap', readContract);
  const placeholders = rows.length - named.length + (batch.ignored.get(PLACEHOLDER) ?? 0);
  if (placeholders > 0) batch.ignored.set(PLACEHOLDER, placeholders);
  return batch;
}

/** A row for a contract that has no name yet. */
function isPlaceholder(row: unknown): boolean {
  return isRow(row) && row.state === 'preopen' && textOf(row.instId) === null;
}

function readContract(row: Row, instId: string): Contract | string {
  const kind = textOf(row.instType) ?? '';
  if (kind !== 'SWAP') return ignore(ownValue(OTHER_KINDS, kind) ?? 'no perpetual');
  const venueStatus = textOf(row.state) ?? '';
  if (venueStatus === TEST_STATUS) return ignore('test pair');
  const status = CONTRACT_STATUS[venueStatus];
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
  return contractWith({
    venueSymbol,
    base,
    quote,
    settle,
    isInverse,
    contractSize,
    status: withEnd(status, delistsAtMs),
    venueStatus,
    assetClass: assetClassOf(base, ASSET_CLASS[textOf(row.instCategory) ?? '1'] ?? 'crypto'),
    listedAtMs: epochMsOf(row.listTime),
    delistsAtMs,
    maxLeverage: positiveOf(row.lever),
  });
}

function settleOf(row: Row): string | null {
  const settle = textOf(row.settleCcy);
  return settle === null ? null : (ownValue(SETTLE_ALIASES, settle) ?? settle);
}

/** Value times multiplier: base units of a linear contract, dollars of an inverse one. */
function sizeOf(row: Row): number | null {
  const value = positiveOf(row.ctVal);
  const multiplier = positiveOf(row.ctMult);
  // The product of two short decimals, without the noise of its binary digits.
  return value === null || multiplier === null ? null : Number((value * multiplier).toPrecision(15));
}
