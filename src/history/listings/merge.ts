import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import {
  type Episode,
  type EpisodeState,
  endOf,
  type ListingSource,
  type Sighting,
  startOf,
} from './model.ts';

/** Precedence of effective times: instrument fields over notices, notices over the comparison of lists. */
const RANK: Readonly<Record<ListingSource, number>> = { diff: 0, announcement: 1, instruments: 2 };

/** A venue's list may lag behind its stated time by this much without contradicting it. */
export const VENUE_LAG_MS = 15 * MINUTE_MS;

/** The position of a sighting on its contract's time line. */
function timeOf(sighting: Sighting): number {
  return sighting.effectiveAtMs ?? sighting.observedAtMs ?? sighting.statedAtMs;
}

/**
 * Finds the episode that a sighting is about among those of its contract. A listing belongs between two delistings, a
 * delisting between two listings. Cancelled episodes are ignored.
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
      return placeMs >= fromMs && placeMs < toMs && !isNewAnnouncement(sighting, episode.state, placeMs);
    }) ?? null
  );
}

/** A notice published after an episode's time that states a much later time announces another event, not a new date. */
function isNewAnnouncement(sighting: Sighting, state: EpisodeState, placeMs: number): boolean {
  const { source, effectiveAtMs, statedAtMs } = sighting;
  const isDated = state.effectiveAtMs !== null || state.doneAtMs !== null;
  if (source !== 'announcement' || effectiveAtMs === null || !isDated) return false;
  return statedAtMs > placeMs + DAY_MS && effectiveAtMs > placeMs + 3 * DAY_MS;
}

/** The position of an episode on its contract's time line. */
function placeOf({ kind, state, statedAtMs }: Episode): number {
  return kind === 'listing' ? startOf(state, statedAtMs) : (endOf(state) ?? statedAtMs);
}

export function firstState(sighting: Sighting): EpisodeState {
  const { contract } = sighting;
  const empty: EpisodeState = {
    venueSymbol: contract.venueSymbol,
    coin: contract.base.toUpperCase(),
    effectiveAtMs: null,
    effectiveBy: null,
    effectiveStatedAtMs: 0,
    announcementUrl: null,
    doneAtMs: null,
    isOverdue: false,
    isCancelled: false,
  };
  return merged(empty, sighting);
}

/** The state after the sighting; the same object if nothing changes. */
export function merged(state: EpisodeState, sighting: Sighting): EpisodeState {
  const next = { ...state, ...dateAfter(state, sighting) };
  if (next.effectiveAtMs !== state.effectiveAtMs) next.isOverdue = false;
  next.venueSymbol ??= sighting.contract.venueSymbol;
  if (sighting.announcementUrl !== null) {
    const isChange = next.effectiveAtMs !== state.effectiveAtMs || sighting.phase === 'cancelled';
    if (state.announcementUrl === null || isChange) next.announcementUrl = sighting.announcementUrl;
  }
  if (sighting.phase === 'cancelled') next.isCancelled = true;
  if (sighting.phase === 'done') Object.assign(next, afterDone(next, sighting));
  return isSame(state, next) ? state : next;
}

/** The changes when it has happened. The stated time stays unless the list shows that it was too late. */
function afterDone(state: EpisodeState, sighting: Sighting): Partial<EpisodeState> {
  const { observedAtMs, seenAtMs } = sighting;
  const statedAtMs = sighting.effectiveAtMs ?? sighting.statedAtMs;
  const doneAtMs = state.doneAtMs ?? observedAtMs ?? Math.min(statedAtMs, seenAtMs);
  const isDateWrong = state.effectiveAtMs === null || state.effectiveAtMs > doneAtMs + VENUE_LAG_MS;
  return {
    doneAtMs,
    isOverdue: false,
    ...(isDateWrong && observedAtMs !== null ? { effectiveAtMs: observedAtMs, effectiveBy: 'diff' } : {}),
  };
}

function dateAfter(state: EpisodeState, sighting: Sighting): Partial<EpisodeState> {
  const { source, effectiveAtMs, statedAtMs } = sighting;
  const rank = state.effectiveBy === null ? -1 : RANK[state.effectiveBy];
  const isOlderNotice = source === 'announcement' && statedAtMs < state.effectiveStatedAtMs;
  const mayChange = RANK[source] >= rank && !isOlderNotice;
  if (!mayChange) return {};
  if (sighting.isDateWithdrawn && state.doneAtMs === null)
    return { effectiveAtMs: null, effectiveBy: null, effectiveStatedAtMs: statedAtMs };
  if (effectiveAtMs === null) return {};
  if (state.doneAtMs !== null && effectiveAtMs > state.doneAtMs + VENUE_LAG_MS) return {};
  return { effectiveAtMs, effectiveBy: source, effectiveStatedAtMs: statedAtMs };
}

function isSame(a: EpisodeState, b: EpisodeState): boolean {
  return (
    a.venueSymbol === b.venueSymbol &&
    a.coin === b.coin &&
    a.effectiveAtMs === b.effectiveAtMs &&
    a.effectiveBy === b.effectiveBy &&
    a.announcementUrl === b.announcementUrl &&
    a.doneAtMs === b.doneAtMs &&
    a.isOverdue === b.isOverdue &&
    a.isCancelled === b.isCancelled
  );
}
