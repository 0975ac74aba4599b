import { DAY_MS } from '../../base/times.ts';

export type ListingKind = 'listing' | 'delisting';

/** Where a listing was detected: in a venue's notice, in the fields of its instrument list, or by comparing two lists. */
export type ListingSource = 'announcement' | 'instruments' | 'diff';

export const LISTING_SOURCES: readonly ListingSource[] = ['announcement', 'instruments', 'diff'];

export const LISTING_STATUSES = ['preopen', 'newly listed', 'delisting', 'delisted', 'cancelled'] as const;
type ListingStatus = (typeof LISTING_STATUSES)[number];

/** A contract counts as newly listed for this long. */
export const NEWLY_LISTED_MS = 30 * DAY_MS;

export interface SightedContract {
  exchange: string;
  /** Null while the contract is known from a notice only. */
  venueSymbol: string | null;
  /** BASE-QUOTE with the contract's own base. */
  symbol: string;
  base: string;
}

/** One statement of one source about one contract. */
export interface Sighting {
  contract: SightedContract;
  kind: ListingKind;
  source: ListingSource;
  phase: 'scheduled' | 'done' | 'cancelled';
  /** The time that the venue states; null when it states none. */
  effectiveAtMs: number | null;
  /** The venue withdrew its date without giving a new one. */
  isDateWithdrawn: boolean;
  /** When it happened according to the lists; null if the lists before and after are too far apart to say. */
  observedAtMs: number | null;
  /** The contract was missing from the lists at this time: earlier episodes belong to a previous listing of it. */
  goneBeforeMs: number | null;
  announcementUrl: string | null;
  /** The time of the list or of the notice. Orders the statements of one source. */
  statedAtMs: number;
  /** When this service received it. */
  seenAtMs: number;
}

/** The part of an episode that can change. States are immutable; a change replaces the state. */
export interface EpisodeState {
  readonly venueSymbol: string | null;
  readonly coin: string;
  readonly effectiveAtMs: number | null;
  readonly effectiveBy: ListingSource | null;
  /** When the date was stated, so that an older notice cannot override a newer one. */
  readonly effectiveStatedAtMs: number;
  readonly announcementUrl: string | null;
  /** When the lists showed that it had happened. */
  readonly doneAtMs: number | null;
  /** The effective time has passed, but the venue's list still shows the previous status. */
  readonly isOverdue: boolean;
  readonly isCancelled: boolean;
}

/** A published state and the time from which it is published. */
export interface EpisodeVersion {
  readonly changedAtMs: number;
  readonly state: EpisodeState;
}

/** One listing or delisting of one contract: a row of the calendar. */
export interface Episode {
  readonly exchange: string;
  readonly symbol: string;
  readonly kind: ListingKind;
  readonly source: ListingSource;
  /** When the venue first stated it; orders episodes that have no effective time. */
  readonly statedAtMs: number;
  /** When this service first received it. */
  readonly seenAtMs: number;
  /** Assigned at publication; null before. */
  detectedAtMs: number | null;
  /** The newest state, published or not. */
  state: EpisodeState;
  /** The published states, oldest first. */
  versions: EpisodeVersion[];
}

/** When trading starts, as far as is known. */
export function startOf(state: EpisodeState, statedAtMs: number): number {
  return state.effectiveAtMs ?? state.doneAtMs ?? statedAtMs;
}

/** When trading ends; null while no end is known. */
export function endOf(state: EpisodeState): number | null {
  if (state.isOverdue) return null;
  const { effectiveAtMs, doneAtMs } = state;
  if (effectiveAtMs !== null && doneAtMs !== null) return Math.min(effectiveAtMs, doneAtMs);
  return effectiveAtMs ?? doneAtMs;
}

/** Null: a listing that is no longer new, or of a contract that was delisted since (`endedAtMs`). */
export function statusAt(
  kind: ListingKind,
  state: EpisodeState,
  atMs: number,
  statedAtMs: number,
  endedAtMs: number | null,
): ListingStatus | null {
  if (state.isCancelled) return 'cancelled';
  const hasHappened = isDone(state, atMs);
  if (kind === 'delisting') return hasHappened ? 'delisted' : 'delisting';
  if (!hasHappened) return 'preopen';
  if (endedAtMs !== null && endedAtMs <= atMs) return null;
  return atMs - startOf(state, statedAtMs) < NEWLY_LISTED_MS ? 'newly listed' : null;
}

/** True if the lists have shown it, or if its effective time has passed and no list contradicts it. */
export function isDone(state: EpisodeState, atMs: number): boolean {
  if (state.doneAtMs !== null) return true;
  return !state.isOverdue && state.effectiveAtMs !== null && state.effectiveAtMs <= atMs;
}
