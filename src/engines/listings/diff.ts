import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { Sighting } from '../../history/listings/model.ts';
import { isOpen, type KnownContract, knownContract, type PartState } from '../../history/listings/parts.ts';
import type { Contract } from '../../venues/observations.ts';
import { instrumentSightings, type ListReading, sightingOf } from './instruments.ts';

/** Two lists further apart than this do not date a change between them. */
const NEAR_MS = HOUR_MS;
/** A list shorter than this share of the last full one is treated as incomplete and yields no delistings. */
const SHORT_SHARE = 0.5;
/** After this long a short list counts as complete; contracts missing from it are forgotten, not delisted. */
const SHORT_IS_NORMAL_AFTER_MS = 7 * DAY_MS;
const CONFIRMING_LISTS = 2;
/** Some lists are read every few seconds, so two consecutive ones may show the same fault. */
const CONFIRMED_AFTER_MS = MINUTE_MS;
/** When this many disappear at once, the list is more likely incomplete, so they must be missing for longer. */
const MANY_AT_LEAST = 5;
const MANY_SHARE = 0.1;
const MANY_CONFIRMED_AFTER_MS = HOUR_MS;
/** The listing of a pre-open contract is cancelled if the contract is missing for this long. */
const PREOPEN_CONFIRMED_AFTER_MS = DAY_MS;

interface ListOutcome {
  state: PartState;
  sightings: Sighting[];
  /** Venue symbols of the missing contracts that count as delisted. */
  gone: ReadonlySet<string>;
}

/** Compares a list of one part of a venue with the previous one. The first list yields no appearances. */
export function readList(
  before: PartState | undefined,
  exchange: string,
  part: string,
  list: readonly Contract[],
  atMs: number,
): ListOutcome | null {
  if (list.length === 0) return null;
  const reading: ListReading = {
    exchange,
    atMs,
    isNear: before !== undefined && atMs - before.listAtMs <= NEAR_MS,
  };
  const contracts = new Map<string, KnownContract>();
  const sightings: Sighting[] = [];
  for (const contract of list) {
    const known = before?.contracts.get(contract.venueSymbol);
    sightings.push(...instrumentSightings(contract, known, reading));
    if (before && isOpen(contract.status) && !isStillOpen(known))
      sightings.push(appearance(contract, known, reading));
    if (contract.status !== 'delisted' || !known)
      contracts.set(contract.venueSymbol, knownContract(contract));
  }
  const state = { exchange, part, listAtMs: atMs, fullCount: list.length, shortSinceMs: null, contracts };
  if (!before) return { state, sightings, gone: new Set() };
  const missing = [...before.contracts.values()].filter(({ venueSymbol }) => !contracts.has(venueSymbol));
  if (list.length < before.fullCount * SHORT_SHARE)
    return { state: shortened(state, before, missing), sightings, gone: new Set() };
  const going = missing.filter((contract) => isOpen(contract.status) && !contract.isGone);
  const isMany = going.length > Math.max(MANY_AT_LEAST, before.fullCount * MANY_SHARE);
  for (const contract of missing) {
    const { known, sighting } = missingContract(contract, before, reading, isMany);
    if (known) contracts.set(known.venueSymbol, known);
    if (sighting) sightings.push(sighting);
  }
  const gone = missing.filter(({ venueSymbol }) => contracts.get(venueSymbol)?.isGone);
  return { state, sightings, gone: new Set(gone.map(({ venueSymbol }) => venueSymbol)) };
}

function isStillOpen(known: KnownContract | undefined): boolean {
  return known !== undefined && isOpen(known.status) && !known.isGone;
}

function appearance(contract: Contract, known: KnownContract | undefined, reading: ListReading): Sighting {
  const observedAtMs = reading.isNear ? reading.atMs : null;
  const goneBeforeMs = known?.isGone ? known.missingSinceMs : null;
  return sightingOf(contract, 'listing', reading, {
    source: 'diff',
    phase: 'done',
    observedAtMs,
    goneBeforeMs,
  });
}

/** Keeps the contracts that a short list lacks, until short lists have lasted long enough to count as complete. */
function shortened(state: PartState, before: PartState, missing: readonly KnownContract[]): PartState {
  const shortSinceMs = before.shortSinceMs ?? state.listAtMs;
  if (state.listAtMs - shortSinceMs >= SHORT_IS_NORMAL_AFTER_MS) return state;
  const contracts = new Map(state.contracts);
  for (const contract of missing) contracts.set(contract.venueSymbol, contract);
  // Short lists cannot date changes, so the last full list remains the one to compare with.
  return { ...state, listAtMs: before.listAtMs, fullCount: before.fullCount, shortSinceMs, contracts };
}

/** The new state of a contract that a complete list lacks, and the delisting or cancellation if it is confirmed. */
function missingContract(
  contract: KnownContract,
  before: PartState,
  reading: ListReading,
  isMany: boolean,
): { known: KnownContract | null; sighting: Sighting | null } {
  if (contract.isGone || contract.status === 'delisted') return { known: contract, sighting: null };
  const missingSinceMs = contract.missingSinceMs ?? reading.atMs;
  const known: KnownContract = {
    ...contract,
    missingSinceMs,
    missingLists: contract.missingLists + 1,
    isEndObserved:
      contract.missingSinceMs === null ? reading.atMs - before.listAtMs <= NEAR_MS : contract.isEndObserved,
  };
  const missingMs = reading.atMs - missingSinceMs;
  if (contract.status === 'preopen') {
    if (missingMs < PREOPEN_CONFIRMED_AFTER_MS) return { known, sighting: null };
    return {
      known: null,
      sighting: sightingOf(contract, 'listing', reading, { source: 'instruments', phase: 'cancelled' }),
    };
  }
  const isConfirmed =
    known.missingLists >= CONFIRMING_LISTS &&
    missingMs >= (isMany ? MANY_CONFIRMED_AFTER_MS : CONFIRMED_AFTER_MS);
  if (!isConfirmed) return { known, sighting: null };
  const observedAtMs = known.isEndObserved ? missingSinceMs : null;
  return {
    known: { ...known, isGone: true },
    sighting: sightingOf(contract, 'delisting', reading, { source: 'diff', phase: 'done', observedAtMs }),
  };
}
