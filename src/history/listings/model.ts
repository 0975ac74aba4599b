import { DAY_MS } from '../../base/times.ts';

export type ListingKind = 'listing' | 'delisting';

/** How something became known: the venue's notices, its instrument list's own words, or two lists that differ. */
export type ListingSource = 'announcement' | 'instruments' | 'diff';

export const LISTING_SOURCES: readonly ListingSource[] = ['announcement', 'instruments', 'diff'];

export const LISTING_STATUSES = ['preopen', 'newly listed', 'delisting', 'delisted', 'cancelled'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** A contract is called newly listed for this long. */
export const NEWLY_LISTED_MS = 30 * DAY_MS;

export interface SightedContract {
  exchange: string;
  /** Null while only a notice has named it. */
  venueSymbol: string | null;
  /** BASE-QUOTE with the contract's own base. */
  symbol: string;
  base: string;
}

/** What one detector says about one contract. */
export interface Sighting {
  contract: SightedContract;
  kind: ListingKind;
  source: ListingSource;
  /** It is to come, it has happened, or it was called off. */
  phase: 'ahead' | 'done' | 'cancelled';
  /** The time that the venue gives; null when it gives none. */
  effectiveAtMs: number | null;
  /** The venue takes its date back without a new one. */
  isDateWithdrawn: boolean;
  /** When it was seen to have happened, where the lists before and after are near enough to tell. */
  observedAtMs: number | null;
  /** The contract was seen to be gone at this time: what began earlier was another life of it. */
  goneBeforeMs: number | null;
  announcementUrl: string | null;
  /** When the venue said so: the time of the list or of the notice. Orders what one source says. */
  saidAtMs: number;
  /** When we learned it. */
  seenAtMs: number;
}

/** All that may change about an episode. States are never altered, only replaced. */
export interface EpisodeState {
  readonly venueSymbol: string | null;
  readonly coin: string;
  readonly effectiveAtMs: number | null;
  readonly effectiveBy: ListingSource | null;
  /** When the source of the date said so, so that an older notice cannot undo a newer one. */
  readonly effectiveSaidAtMs: number;
  readonly announcementUrl: string | null;
  /** When the venue was seen to have done it. */
  readonly doneAtMs: number | null;
  /** The time has come, but the venue's list still says otherwise. */
  readonly isHeld: boolean;
  readonly isCancelled: boolean;
}

/** A state and since when it is the published one. */
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
  /** When the venue first said so, which places an episode that has no time. */
  readonly saidAtMs: number;
  /** When we first saw it. */
  readonly seenAtMs: number;
  /** Given at publication; null before. */
  detectedAtMs: number | null;
  /** The newest, published or not. */
  state: EpisodeState;
  /** What has been published, oldest first. */
  versions: EpisodeVersion[];
}

/** When a listed contract starts to trade, as far as is known. */
export function startOf(state: EpisodeState, saidAtMs: number): number {
  return state.effectiveAtMs ?? state.doneAtMs ?? saidAtMs;
}

/** When a leaving contract ends, or null while no end is known. */
export function endOf(state: EpisodeState): number | null {
  if (state.isHeld) return null;
  const { effectiveAtMs, doneAtMs } = state;
  if (effectiveAtMs !== null && doneAtMs !== null) return Math.min(effectiveAtMs, doneAtMs);
  return effectiveAtMs ?? doneAtMs;
}

/** Null: a listing of the past, or of a contract that is gone again (`endedAtMs`). */
export function statusAt(
  kind: ListingKind,
  state: EpisodeState,
  atMs: number,
  saidAtMs: number,
  endedAtMs: number | null,
): ListingStatus | null {
  if (state.isCancelled) return 'cancelled';
  const hasHappened = isDone(state, atMs);
  if (kind === 'delisting') return hasHappened ? 'delisted' : 'delisting';
  if (!hasHappened) return 'preopen';
  if (endedAtMs !== null && endedAtMs <= atMs) return null;
  return atMs - startOf(state, saidAtMs) < NEWLY_LISTED_MS ? 'newly listed' : null;
}

/** By the venue, if it was seen; else by the clock, unless the venue still says otherwise. */
export function isDone(state: EpisodeState, atMs: number): boolean {
  if (state.doneAtMs !== null) return true;
  return !state.isHeld && state.effectiveAtMs !== null && state.effectiveAtMs <= atMs;
}
