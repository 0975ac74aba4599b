import { flag, listOf, nullable, number, oneOf, text, tupleOf } from '../../base/parsing.ts';
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
export function decodeContracts(json: string): Map<string, KnownContract> {
  const rows = parseRows(JSON.parse(json), 'stored contract list');
  return new Map(rows.map((row) => [row[0], contractOf(row)]));
}

const timeOrNull = nullable(number);
const PRESENT = [null, 0, false, false] as const;
const absence = tupleOf(timeOrNull, number, flag, flag);
const parseRows = listOf(
  tupleOf(text, text, text, oneOf(...STATUSES), timeOrNull, timeOrNull, (value, path) =>
    value === 0 ? PRESENT : absence(value, path),
  ),
);

function contractOf(row: ReturnType<typeof parseRows>[number]): KnownContract {
  const [venueSymbol, base, quote, status, listedAtMs, delistsAtMs, missing] = row;
  const [missingSinceMs, missingLists, isEndObserved, isGone] = missing;
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
