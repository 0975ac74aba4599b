import type { Contract, ContractStatus } from '../../venues/observations.ts';

/** What the calendar remembers of a contract between two lists, and over a restart. */
export interface KnownContract {
  venueSymbol: string;
  base: string;
  quote: string;
  status: ContractStatus;
  listedAtMs: number | null;
  delistsAtMs: number | null;
  /** Since when good lists do not have it; null while they do. */
  missingSinceMs: number | null;
  missingLists: number;
  /** The list before it went missing was near enough to say when it went. */
  isEndObserved: boolean;
  /** It has left for good, as far as the lists can tell. */
  isGone: boolean;
}

/** The last good list of one part of a venue. */
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

/** Whether people trade it, or could if it were not halted. */
export function isOpen(status: ContractStatus): boolean {
  return status === 'trading' || status === 'delisting' || status === 'halted';
}

type PartRow = readonly [
  venueSymbol: string,
  base: string,
  quote: string,
  status: ContractStatus,
  listedAtMs: number | null,
  delistsAtMs: number | null,
  missing: readonly [sinceMs: number | null, lists: number, isEndObserved: boolean, isGone: boolean] | 0,
];

export function encodeContracts(contracts: ReadonlyMap<string, KnownContract>): string {
  const rows = [...contracts.values()].map(
    (c): PartRow => [
      c.venueSymbol,
      c.base,
      c.quote,
      c.status,
      c.listedAtMs,
      c.delistsAtMs,
      c.missingSinceMs === null && !c.isGone
        ? 0
        : [c.missingSinceMs, c.missingLists, c.isEndObserved, c.isGone],
    ],
  );
  return JSON.stringify(rows);
}

export function decodeContracts(text: string): Map<string, KnownContract> {
  const rows = JSON.parse(text) as PartRow[];
  return new Map(
    rows.map(([venueSymbol, base, quote, status, listedAtMs, delistsAtMs, missing]) => {
      const [missingSinceMs, missingLists, isEndObserved, isGone] =
        missing === 0 ? [null, 0, false, false] : missing;
      return [
        venueSymbol,
        {
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
        },
      ];
    }),
  );
}
