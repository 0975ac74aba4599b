import { type Html, html } from '../html.ts';

/** The state of a venue's data, for the pages. */
export interface VenueStatus {
  exchange: string;
  /** The venue has ended and is not called. */
  hasEnded?: true;
  /** The venue refuses callers from the address of this service. */
  refusesAddress?: true;
  contracts: number;
  lastGoodAtMs: number | null;
  /** Sources that fail now, with their cause. */
  failing: readonly { name: string; cause: string }[];
  keptOut: number;
  availabilityPct: number | null;
  watchedMinutes: number;
}

const LATE_SECONDS = 60;

export type VenueState = 'working' | 'in part' | 'late' | 'no data' | 'ended' | 'refuses this address';

export function ageSeconds({ lastGoodAtMs }: VenueStatus, nowMs: number): number | null {
  return lastGoodAtMs === null ? null : Math.max(0, Math.round((nowMs - lastGoodAtMs) / 1000));
}

export function stateOf(venue: VenueStatus, nowMs: number): VenueState {
  if (venue.hasEnded) return 'ended';
  if (venue.refusesAddress) return 'refuses this address';
  const age = ageSeconds(venue, nowMs);
  if (age === null) return 'no data';
  if (age > LATE_SECONDS) return 'late';
  return venue.failing.length > 0 ? 'in part' : 'working';
}

/** The colour only repeats what the word says. */
export function stateHtml(state: unknown): Html {
  if (typeof state !== 'string') return html`–`;
  if (state === 'ended') return html`${state}`;
  return html`<span class="${state === 'working' ? 'gain' : 'loss'}">${state}</span>`;
}

export function ageHtml(seconds: unknown): Html {
  return html`${typeof seconds === 'number' ? `${durationText(seconds)} ago` : 'never'}`;
}

function durationText(seconds: number): string {
  if (seconds < 2 * 60) return `${seconds} s`;
  return seconds < 2 * 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
