import { type ListingKind, NEWLY_LISTED_MS, type Sighting } from '../../history/listings/model.ts';
import { isOpen, type KnownContract, symbolOf } from '../../history/listings/parts.ts';
import type { Contract } from '../../venues/observations.ts';

/** Venues whose lists tell only the day of a listing: it says how new a contract is, but not when it opens. */
const LISTING_DAY_ONLY: ReadonlySet<string> = new Set(['HTX']);

export interface ListMoment {
  exchange: string;
  atMs: number;
  /** The list before was so near that what differs happened now. */
  isNear: boolean;
}

export function sightingOf(
  contract: Pick<KnownContract, 'venueSymbol' | 'base' | 'quote'>,
  kind: ListingKind,
  moment: ListMoment,
  said: Pick<Sighting, 'source' | 'phase'> & Partial<Sighting>,
): Sighting {
  const { exchange, atMs } = moment;
  const { venueSymbol, base } = contract;
  return {
    contract: { exchange, venueSymbol, symbol: symbolOf(contract), base },
    kind,
    effectiveAtMs: null,
    isDateWithdrawn: false,
    observedAtMs: null,
    goneBeforeMs: null,
    announcementUrl: null,
    saidAtMs: atMs,
    seenAtMs: atMs,
    ...said,
  };
}

/** What status and time fields of one contract say, where they say something else than in the list before. */
export function instrumentSightings(
  contract: Contract,
  before: KnownContract | undefined,
  moment: ListMoment,
): Sighting[] {
  const isSame =
    before !== undefined &&
    !before.isGone &&
    before.status === contract.status &&
    before.listedAtMs === contract.listedAtMs &&
    before.delistsAtMs === contract.delistsAtMs;
  if (isSame) return [];
  if (contract.status === 'delisted') return endSightings(contract, before, moment);
  const sightings = listingSightings(contract, before, moment);
  if (contract.status === 'delisting' || contract.delistsAtMs !== null) {
    sightings.push(
      sightingOf(contract, 'delisting', moment, {
        source: 'instruments',
        phase: 'ahead',
        effectiveAtMs: contract.delistsAtMs,
      }),
    );
  }
  return sightings;
}

function listingSightings(
  contract: Contract,
  before: KnownContract | undefined,
  moment: ListMoment,
): Sighting[] {
  const { atMs, exchange, isNear } = moment;
  const { listedAtMs, status } = contract;
  const toldAtMs = LISTING_DAY_ONLY.has(exchange) ? null : listedAtMs;
  const isAhead = listedAtMs !== null && listedAtMs > atMs;
  const goneBeforeMs = before?.isGone ? before.missingSinceMs : null;
  if (status === 'preopen' || isAhead) {
    const effectiveAtMs = isAhead ? toldAtMs : null;
    return [
      sightingOf(contract, 'listing', moment, {
        source: 'instruments',
        phase: 'ahead',
        effectiveAtMs,
        goneBeforeMs,
      }),
    ];
  }
  // A venue may keep the first listing's date on a contract that it lists again; the date then says nothing.
  const isBack = before?.isGone === true && (listedAtMs ?? 0) <= (before.missingSinceMs ?? 0);
  const isNew = listedAtMs !== null && atMs - listedAtMs < NEWLY_LISTED_MS;
  if (!isBack && isNew) {
    return [
      sightingOf(contract, 'listing', moment, {
        source: 'instruments',
        phase: 'done',
        goneBeforeMs,
        effectiveAtMs: toldAtMs,
        observedAtMs: toldAtMs === null ? seenOpening(before, moment) : null,
        saidAtMs: toldAtMs === null ? listedAtMs : atMs,
      }),
    ];
  }
  if (before?.status === 'preopen' && !before.isGone) {
    const observedAtMs = isNear ? atMs : null;
    return [
      sightingOf(contract, 'listing', moment, {
        source: 'instruments',
        phase: 'done',
        observedAtMs,
        goneBeforeMs,
      }),
    ];
  }
  return [];
}

/** When it opened, if the list before had it as not open yet. */
function seenOpening(before: KnownContract | undefined, { atMs, isNear }: ListMoment): number | null {
  return before?.status === 'preopen' && isNear ? atMs : null;
}

function endSightings(contract: Contract, before: KnownContract | undefined, moment: ListMoment): Sighting[] {
  if (!before || before.isGone || before.status === 'delisted') return [];
  if (before.status === 'preopen')
    return [sightingOf(contract, 'listing', moment, { source: 'instruments', phase: 'cancelled' })];
  if (!isOpen(before.status)) return [];
  const { delistsAtMs } = contract;
  return [
    sightingOf(contract, 'delisting', moment, {
      source: 'instruments',
      phase: 'done',
      effectiveAtMs: delistsAtMs !== null && delistsAtMs <= moment.atMs ? delistsAtMs : null,
      observedAtMs: moment.isNear ? moment.atMs : null,
    }),
  ];
}
