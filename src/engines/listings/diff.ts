import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { Sighting } from '../../history/listings/model.ts';
import { isOpen, type KnownContract, knownContract, type PartState } from '../../history/listings/parts.ts';
import type { Contract } from '../../venues/observations.ts';
import { instrumentSightings, type ListMoment, sightingOf } from './instruments.ts';

/** Lists further apart than this do not say when something happened between them. */
const NEAR_MS = HOUR_MS;
/** A list under half of the last full one makes no delistings, however long it stays so. */
const SHORT_SHARE = 0.5;
/** After this long a short list is what the venue has: what is missing is forgotten, not delisted. */
const SHORT_IS_NORMAL_AFTER_MS = 7 * DAY_MS;
const CONFIRMING_LISTS = 2;
/** Some lists are read every few seconds; two of those may be one fault. */
const CONFIRMED_AFTER_MS = MINUTE_MS;
/** So many at once are more likely a hole in the list: they must stay away longer. */
const MANY_AT_LEAST = 5;
const MANY_SHARE = 0.1;
const MANY_STAY_AWAY_MS = HOUR_MS;
/** An announced contract that the list no longer has was called off, unless it comes back within this time. */
const PREOPEN_STAYS_AWAY_MS = DAY_MS;

export interface ListReading {
  state: PartState;
  sightings: Sighting[];
  /** Contracts that have left, as far as the lists can tell. */
  gone: ReadonlySet<string>;
}

/** One complete list of one part of a venue, read beside the one before. The first one only primes. */
export function readList(
  before: PartState | undefined,
  exchange: string,
  part: string,
  list: readonly Contract[],
  atMs: number,
): ListReading | null {
  if (list.length === 0) return null;
  const moment: ListMoment = {
    exchange,
    atMs,
    isNear: before !== undefined && atMs - before.listAtMs <= NEAR_MS,
  };
  const contracts = new Map<string, KnownContract>();
  const sightings: Sighting[] = [];
  for (const contract of list) {
    const known = before?.contracts.get(contract.venueSymbol);
    sightings.push(...instrumentSightings(contract, known, moment));
    if (before && isOpen(contract.status) && !isStillOpen(known))
      sightings.push(appearance(contract, known, moment));
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
    const { known, sighting } = withoutIt(contract, before, moment, isMany);
    if (known) contracts.set(known.venueSymbol, known);
    if (sighting) sightings.push(sighting);
  }
  const gone = missing.filter(({ venueSymbol }) => contracts.get(venueSymbol)?.isGone);
  return { state, sightings, gone: new Set(gone.map(({ venueSymbol }) => venueSymbol)) };
}

function isStillOpen(known: KnownContract | undefined): boolean {
  return known !== undefined && isOpen(known.status) && !known.isGone;
}

function appearance(contract: Contract, known: KnownContract | undefined, moment: ListMoment): Sighting {
  const observedAtMs = moment.isNear ? moment.atMs : null;
  const goneBeforeMs = known?.isGone ? known.missingSinceMs : null;
  return sightingOf(contract, 'listing', moment, {
    source: 'diff',
    phase: 'done',
    observedAtMs,
    goneBeforeMs,
  });
}

/** Keeps what a short list lacks as it was, until the short list has become the usual one. */
function shortened(state: PartState, before: PartState, missing: readonly KnownContract[]): PartState {
  const shortSinceMs = before.shortSinceMs ?? state.listAtMs;
  if (state.listAtMs - shortSinceMs >= SHORT_IS_NORMAL_AFTER_MS) return state;
  const contracts = new Map(state.contracts);
  for (const contract of missing) contracts.set(contract.venueSymbol, contract);
  // What happens while lists are short is not seen when it happens, so the last full list stays the one before.
  return { ...state, listAtMs: before.listAtMs, fullCount: before.fullCount, shortSinceMs, contracts };
}

/** What becomes of a contract that a good list does not have. */
function withoutIt(
  contract: KnownContract,
  before: PartState,
  moment: ListMoment,
  isMany: boolean,
): { known: KnownContract | null; sighting: Sighting | null } {
  if (contract.isGone || contract.status === 'delisted') return { known: contract, sighting: null };
  const missingSinceMs = contract.missingSinceMs ?? moment.atMs;
  const known: KnownContract = {
    ...contract,
    missingSinceMs,
    missingLists: contract.missingLists + 1,
    isEndObserved:
      contract.missingSinceMs === null ? moment.atMs - before.listAtMs <= NEAR_MS : contract.isEndObserved,
  };
  const awayMs = moment.atMs - missingSinceMs;
  if (contract.status === 'preopen') {
    if (awayMs < PREOPEN_STAYS_AWAY_MS) return { known, sighting: null };
    return {
      known: null,
      sighting: sightingOf(contract, 'listing', moment, { source: 'instruments', phase: 'cancelled' }),
    };
  }
  const isConfirmed =
    known.missingLists >= CONFIRMING_LISTS && awayMs >= (isMany ? MANY_STAY_AWAY_MS : CONFIRMED_AFTER_MS);
  if (!isConfirmed) return { known, sighting: null };
  const observedAtMs = known.isEndObserved ? missingSinceMs : null;
  return {
    known: { ...known, isGone: true },
    sighting: sightingOf(contract, 'delisting', moment, { source: 'diff', phase: 'done', observedAtMs }),
  };
}
