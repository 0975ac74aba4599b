import { type ListingKind, NEWLY_LISTED_MS, type Sighting } from '../../history/listings/model.ts';
import { isOpen, type KnownContract, symbolOf } from '../../history/listings/parts.ts';
import type { Contract } from '../../venues/observations.ts';

/** Venues whose lists state only the day of a listing: it shows how new a contract is, but not when it opens. */
const LISTING_DAY_ONLY: ReadonlySet<string> = new Set(['HTX']);

/** Which list is read, and when. */
export interface ListReading {
  exchange: string;
  atMs: number;
  /** The previous list is recent enough to date the differences. */
  isNear: boolean;
}

export function sightingOf(
  contract: Pick<KnownContract, 'venueSymbol' | 'base' | 'quote'>,
  kind: ListingKind,
  reading: ListReading,
  statement: Pick<Sighting, 'source' | 'phase'> & Partial<Sighting>,
): Sighting {
  const { exchange, atMs } = reading;
  const { venueSymbol, base } = contract;
  return {
    contract: { exchange, venueSymbol, symbol: symbolOf(contract), base },
    kind,
    effectiveAtMs: null,
    isDateWithdrawn: false,
    observedAtMs: null,
    goneBeforeMs: null,
    announcementUrl: null,
    statedAtMs: atMs,
    seenAtMs: atMs,
    ...statement,
  };
}

/** Sightings from the status and time fields of one contract, if they differ from the previous list. */
export function instrumentSightings(
  contract: Contract,
  before: KnownContract | undefined,
  reading: ListReading,
): Sighting[] {
  const isSame =
    before !== undefined &&
    !before.isGone &&
    before.status === contract.status &&
    before.listedAtMs === contract.listedAtMs &&
    before.delistsAtMs === contract.delistsAtMs;
  if (isSame) return [];
  if (contract.status === 'delisted') return endSightings(contract, before, reading);
  const sightings = listingSightings(contract, before, reading);
  if (contract.status === 'delisting' || contract.delistsAtMs !== null) {
    sightings.push(
      sightingOf(contract, 'delisting', reading, {
        source: 'instruments',
        phase: 'scheduled',
        effectiveAtMs: contract.delistsAtMs,
      }),
    );
  }
  return sightings;
}

function listingSightings(
  contract: Contract,
  before: KnownContract | undefined,
  reading: ListReading,
): Sighting[] {
  const { atMs, exchange, isNear } = reading;
  const { listedAtMs, status } = contract;
  const statedListedAtMs = LISTING_DAY_ONLY.has(exchange) ? null : listedAtMs;
  const isAhead = listedAtMs !== null && listedAtMs > atMs;
  const goneBeforeMs = before?.isGone ? before.missingSinceMs : null;
  if (status === 'preopen' || isAhead) {
    const effectiveAtMs = isAhead ? statedListedAtMs : null;
    return [
      sightingOf(contract, 'listing', reading, {
        source: 'instruments',
        phase: 'scheduled',
        effectiveAtMs,
        goneBeforeMs,
      }),
    ];
  }
  // A venue may keep the date of the first listing on a contract that it lists again; that date is ignored.
  const isBack = before?.isGone === true && (listedAtMs ?? 0) <= (before.missingSinceMs ?? 0);
  const isNew = listedAtMs !== null && atMs - listedAtMs < NEWLY_LISTED_MS;
  if (!isBack && isNew) {
    return [
      sightingOf(contract, 'listing', reading, {
        source: 'instruments',
        phase: 'done',
        goneBeforeMs,
        effectiveAtMs: statedListedAtMs,
        observedAtMs: statedListedAtMs === null ? observedOpening(before, reading) : null,
        statedAtMs: statedListedAtMs === null ? listedAtMs : atMs,
      }),
    ];
  }
  if (before?.status === 'preopen' && !before.isGone) {
    const observedAtMs = isNear ? atMs : null;
    return [
      sightingOf(contract, 'listing', reading, {
        source: 'instruments',
        phase: 'done',
        observedAtMs,
        goneBeforeMs,
      }),
    ];
  }
  return [];
}

/** When it opened, if the previous list had it as not open yet. */
function observedOpening(before: KnownContract | undefined, { atMs, isNear }: ListReading): number | null {
  return before?.status === 'preopen' && isNear ? atMs : null;
}

function endSightings(
  contract: Contract,
  before: KnownContract | undefined,
  reading: ListReading,
): Sighting[] {
  if (!before || before.isGone || before.status === 'delisted') return [];
  if (before.status === 'preopen')
    return [sightingOf(contract, 'listing', reading, { source: 'instruments', phase: 'cancelled' })];
  if (!isOpen(before.status)) return [];
  const { delistsAtMs } = contract;
  return [
    sightingOf(contract, 'delisting', reading, {
      source: 'instruments',
      phase: 'done',
      effectiveAtMs: delistsAtMs !== null && delistsAtMs <= reading.atMs ? delistsAtMs : null,
      observedAtMs: reading.isNear ? reading.atMs : null,
    }),
  ];
}
