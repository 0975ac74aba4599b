import type { Contract, ContractStatus } from '../../venues/observations.ts';

/** What the calendar stores about a contract between two lists. */
export interface KnownContract {
  venueSymbol: string;
  base: string;
  quote: string;
  status: ContractStatus;
  listedAtMs: number | null;
  delistsAtMs: number | null;
  /** Since when complete lists lack it; null while they include it. */
  missingSinceMs: number | null;
  missingLists: number;
  /** The last list that included it was recent enough to date its end. */
  isEndObserved: boolean;
  /** Enough lists lack it to count as delisted. */
  isGone: boolean;
}

/** The last complete list of one part of a venue (for example its linear contracts). */
export interface PartState {
  exchange: string;
  part: string;
  listAtMs: number;
  /** Contracts in the last list that was not suspiciously short. */
  fullCount: number;
  /** Since when lists have been suspiciously short. */
  shortSinceMs: number | null;
  contracts: ReadonlyMap<string, KnownContract>;
}

export function knownContract(contract: Contract): KnownContract {
  const { venueSymbol, base, quote, status, listedAtMs, delistsAtMs } = contract;
  return {
    venueSymbol,
    base,
    quote,
    status,
    listedAtMs,
    delistsAtMs,
    missingSinceMs: null,
    missingLists: 0,
    isEndObserved: false,
    isGone: false,
  };
}

export function symbolOf({ base, quote }: { base: string; quote: string }): string {
  return `${base}-${quote}`;
}

/** Whether the contract is open for trading or halted. */
export function isOpen(status: ContractStatus): boolean {
  return status === 'trading' || status === 'delisting' || status === 'halted';
}

const STATUSES: readonly ContractStatus[] = ['preopen', 'trading', 'halted', 'delisting', 'delisted'];

/** One array per contract; the last item is 0 for a contract that the last list included. */
export function encodeContracts(contracts: ReadonlyMap<string, KnownContract>): string {
  const rows = [...contracts.values()].map((c) => [
    c.venueSymbol,
    c.base,
    c.quote,
    c.status,
    c.listedAtMs,
    c.delistsAtMs,
    c.missingSinceMs === null && !c.isGone
      ? 0
      : [c.missingSinceMs, c.missingLists, c.isEndObserved, c.isGone],
  ]);
  return JSON.stringify(rows);
}

/** Throws when the text is not what `encodeContracts` writes. */
export function decodeContracts(text: string): Map<string, KnownContract> {
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows)) throw damaged(rows);
  return new Map(rows.map(parseContract).map((contract) => [contract.venueSymbol, contract]));
}

function parseContract(row: unknown): KnownContract {
  if (!Array.isArray(row)) throw damaged(row);
  const [venueSymbol, base, quote, statusText, listedAtMs, delistsAtMs, missing]: unknown[] = row;
  const status = STATUSES.find((known) => known === statusText);
  if (
    typeof venueSymbol !== 'string' ||
    typeof base !== 'string' ||
    typeof quote !== 'string' ||
    status === undefined ||
    !isTimeOrNull(listedAtMs) ||
    !isTimeOrNull(delistsAtMs)
  )
    throw damaged(row);
  const [missingSinceMs, missingLists, isEndObserved, isGone]: unknown[] = Array.isArray(missing)
    ? missing
    : [null, 0, false, false];
  if (
    !isTimeOrNull(missingSinceMs) ||
    typeof missingLists !== 'number' ||
    typeof isEndObserved !== 'boolean' ||
    typeof isGone !== 'boolean'
  )
    throw damaged(row);
  return {
    venueSymbol,
    base,
    quote,
    status,
    listedAtMs,
    delistsAtMs,
    missingSinceMs,
    missingLists,
    isEndObserved,
    isGone,
  };
}

function isTimeOrNull(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}

function damaged(row: unknown): Error {
  return new Error(`stored contract list is damaged: ${JSON.stringify(row).slice(0, 100)}`);
}
