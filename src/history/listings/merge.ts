import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import {
  type Episode,
  type EpisodeState,
  endOf,
  type ListingSource,
  type Sighting,
  startOf,
} from './model.ts';

/** Whose time counts: the venue's instrument fields beat its notices, and both beat what the lists let us see. */
const RANK: Readonly<Record<ListingSource, number>> = { diff: 0, announcement: 1, instruments: 2 };

/** Clocks and lists of a venue may be this far from its own word without contradicting it. */
export const VENUE_LAG_MS = 15 * MINUTE_MS;

/** Where in a contract's life a sighting belongs. */
function timeOf(sighting: Sighting): number {
  return sighting.effectiveAtMs ?? sighting.observedAtMs ?? sighting.saidAtMs;
}

/**
 * The episode that a sighting is about, of all episodes of its contract. A listing belongs to the life between two
 * delistings, a delisting to the one between two listings; what was called off is over.
 */
export function episodeOf(sighting: Sighting, episodes: readonly Episode[]): Episode | null {
  const live = episodes.filter((episode) => !episode.state.isCancelled);
  const same = live.filter((episode) => episode.kind === sighting.kind);
  const others = live.filter((episode) => episode.kind !== sighting.kind).map(placeOf);
  const timeMs = timeOf(sighting);
  const goneMs = sighting.goneBeforeMs ?? Number.NEGATIVE_INFINITY;
  const fromMs = Math.max(goneMs, ...others.filter((otherMs) => otherMs <= timeMs));
  const toMs = Math.min(Number.POSITIVE_INFINITY, ...others.filter((otherMs) => otherMs > timeMs));
  return (
    same.findLast((episode) => {
      const placeMs = placeOf(episode);
      return placeMs >= fromMs && placeMs < toMs && !isOfNextLife(sighting, episode.state, placeMs);
    }) ?? null
  );
}

/** A notice that comes after an episode's time with a much later one does not move it: it tells of another. */
function isOfNextLife(sighting: Sighting, state: EpisodeState, placeMs: number): boolean {
  const { source, effectiveAtMs, saidAtMs } = sighting;
  const isDated = state.effectiveAtMs !== null || state.doneAtMs !== null;
  if (source !== 'announcement' || effectiveAtMs === null || !isDated) return false;
  return saidAtMs > placeMs + DAY_MS && effectiveAtMs > placeMs + 3 * DAY_MS;
}

/** Where in its contract's life an episode stands. */
function placeOf({ kind, state, saidAtMs }: Episode): number {
  return kind === 'listing' ? startOf(state, saidAtMs) : (endOf(state) ?? saidAtMs);
}

export function firstState(sighting: Sighting): EpisodeState {
  const { contract } = sighting;
  const empty: EpisodeState = {
    venueSymbol: contract.venueSymbol,
    coin: contract.base.toUpperCase(),
    effectiveAtMs: null,
    effectiveBy: null,
    effectiveSaidAtMs: 0,
    announcementUrl: null,
    doneAtMs: null,
    isHeld: false,
    isCancelled: false,
  };
  return merged(empty, sighting);
}

/** What is known after the sighting; the same object when it says nothing new. */
export function merged(state: EpisodeState, sighting: Sighting): EpisodeState {
  const next = { ...state, ...dateAfter(state, sighting) };
  if (next.effectiveAtMs !== state.effectiveAtMs) next.isHeld = false;
  next.venueSymbol ??= sighting.contract.venueSymbol;
  if (sighting.announcementUrl !== null) {
    const isNews = next.effectiveAtMs !== state.effectiveAtMs || sighting.phase === 'cancelled';
    if (state.announcementUrl === null || isNews) next.announcementUrl = sighting.announcementUrl;
  }
  if (sighting.phase === 'cancelled') next.isCancelled = true;
  if (sighting.phase === 'done') Object.assign(next, afterDone(next, sighting));
  return isSame(state, next) ? state : next;
}

/** It has happened: by the venue's own time, else by the list that shows it. */
function afterDone(state: EpisodeState, sighting: Sighting): Partial<EpisodeState> {
  const { observedAtMs, seenAtMs } = sighting;
  const saidAtMs = sighting.effectiveAtMs ?? sighting.saidAtMs;
  const doneAtMs = state.doneAtMs ?? observedAtMs ?? Math.min(saidAtMs, seenAtMs);
  const isDateWrong = state.effectiveAtMs === null || state.effectiveAtMs > doneAtMs + VENUE_LAG_MS;
  return {
    doneAtMs,
    isHeld: false,
    ...(isDateWrong && observedAtMs !== null ? { effectiveAtMs: observedAtMs, effectiveBy: 'diff' } : {}),
  };
}

function dateAfter(state: EpisodeState, sighting: Sighting): Partial<EpisodeState> {
  const { source, effectiveAtMs, saidAtMs } = sighting;
  const rank = state.effectiveBy === null ? -1 : RANK[state.effectiveBy];
  const isOlderNotice = source === 'announcement' && saidAtMs < state.effectiveSaidAtMs;
  const mayChange = RANK[source] >= rank && !isOlderNotice;
  if (!mayChange) return {};
  if (sighting.isDateWithdrawn && state.doneAtMs === null)
    return { effectiveAtMs: null, effectiveBy: null, effectiveSaidAtMs: saidAtMs };
  if (effectiveAtMs === null) return {};
  if (state.doneAtMs !== null && effectiveAtMs > state.doneAtMs + VENUE_LAG_MS) return {};
  return { effectiveAtMs, effectiveBy: source, effectiveSaidAtMs: saidAtMs };
}

function isSame(a: EpisodeState, b: EpisodeState): boolean {
  return (
    a.venueSymbol === b.venueSymbol &&
    a.coin === b.coin &&
    a.effectiveAtMs === b.effectiveAtMs &&
    a.effectiveBy === b.effectiveBy &&
    a.announcementUrl === b.announcementUrl &&
    a.doneAtMs === b.doneAtMs &&
    a.isHeld === b.isHeld &&
    a.isCancelled === b.isCancelled
  );
}
