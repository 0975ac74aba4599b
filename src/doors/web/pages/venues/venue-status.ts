import type { AvailableDay } from '../../../../venues/availability-days.ts';
import type { ChosenSides } from '../../../../venues/counting/sides.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { byName } from '../open-venues.ts';

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
  /** What the operator decided about the counts of the venue. */
  chosenSides?: ChosenSides;
  availabilityPct: number | null;
  watchedMinutes: number;
  /** The recorded ones of the last 90 days. */
  days: readonly AvailableDay[];
}

/** How much of the last day the venue gave data, with the digits that the page and its Markdown file show. */
export function availabilityText({ availabilityPct }: VenueStatus): string | null {
  return availabilityPct === null ? null : availabilityPct.toFixed(1);
}

const LATE_SECONDS = 60;
const MAX_CAUSE_LENGTH = 160;

/** Why a source fails, as plain text in one line: some venues send a whole HTML page with an error. */
export function causeText(cause: string): string {
  const isPage = /<(?:!doctype|html|head|body)\b/i.test(cause);
  const words = isPage
    ? cause.replaceAll(/<(style|script)\b.*?(?:<\/\1>|$)/gis, ' ').replaceAll(/<[^>]*(?:>|$)/g, ' ')
    : cause;
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_CAUSE_LENGTH ? line : `${line.slice(0, MAX_CAUSE_LENGTH).trimEnd()}…`;
}

export function troubleText({ failing }: VenueStatus): string {
  return failing.map(troubleWords).join('; ');
}

export function troubleHtml({ failing }: VenueStatus): Html {
  if (failing.length === 0) return html`none`;
  return html`${failing.map((one) => html`${troubleWords(one)}<br>`)}`;
}

/** The name of a source is that of the venue's call or stream, so it is quoted. */
function troubleWords({ name, cause }: VenueStatus['failing'][number]): string {
  const words = causeText(cause);
  if (name === 'accuracy') return `accuracy: ${words}`;
  const silent = /^silent for (.+)$/.exec(words);
  return silent
    ? `no message for ${silent[1]} on its stream “${name}”`
    : `its feed “${name}” fails: ${words}`;
}

type VenueState = 'working' | 'in part' | 'late' | 'no data' | 'ended' | 'refuses this address';

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

/** Venues in trouble first, then by name; those that have ended last. */
export function byTrouble(nowMs: number): (a: VenueStatus, b: VenueStatus) => number {
  const order: readonly VenueState[] = [
    'no data',
    'late',
    'in part',
    'refuses this address',
    'working',
    'ended',
  ];
  const place = (venue: VenueStatus) => order.indexOf(stateOf(venue, nowMs));
  return (a, b) => place(a) - place(b) || byName(a.exchange, b.exchange);
}

const DOTS: Readonly<Record<string, string>> = { working: '', 'no data': ' n', ended: ' off' };

/** A dot and the word; the colour and form of the dot only repeat what the word says. */
export function stateHtml(state: unknown): Html {
  if (typeof state !== 'string') return html`–`;
  return html`<span class="hst"><span class="dot${DOTS[state] ?? ' w'}" aria-hidden="true"></span>${state}</span>`;
}

/** The mark and the name of a venue, linked to its page. */
export function venueLink(exchange: string): Html {
  return html`<a class="ven" href="/exchanges/${encodeURIComponent(exchange)}">${venueMark(exchange, 18)}${exchange}</a>`;
}

export function ageHtml(seconds: unknown): Html {
  return html`${typeof seconds === 'number' ? `${durationText(seconds)} ago` : 'never'}`;
}

function durationText(seconds: number): string {
  if (seconds < 2 * 60) return `${seconds} s`;
  return seconds < 2 * 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
