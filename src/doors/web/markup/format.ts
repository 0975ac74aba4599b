import { grouped } from './grouped.ts';
import { type Html, html } from './html.ts';

/** A percentage with sign and unit. Colour is never the only signal. */
export function percent(value: unknown, decimals = 4): Html {
  if (typeof value !== 'number') return html`<span title="not known">–</span>`;
  return html`<span class="${signClass(value, decimals)}">${signedPercent(value, decimals)}</span>`;
}

/** The class of a number's sign. What rounds to zero has none. */
export function signClass(value: number, decimals: number): 'pos' | 'neg' | 'flat' {
  if (Number(Math.abs(value).toFixed(decimals)) === 0) return 'flat';
  return value > 0 ? 'pos' : 'neg';
}

/** The text of `percent`, for sentences. */
export function signedPercent(value: number, decimals = 4): string {
  return `${signedText(value, decimals)}\u00a0%`;
}

/** A signed number without a unit: `+0.0102`, with a real minus. What rounds to zero has no sign. */
export function signedText(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  const sign = Number(text) === 0 ? '' : value > 0 ? '+' : '−';
  return `${sign}${text}`;
}

/** From 999.5 on a number is shown as 1 of the next unit. */
const ROUNDS_UP = 0.9995;
const UNITS: readonly (readonly [from: number, sign: string])[] = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Money as `$182 k` or `$2.4 M`. Three digits are enough to compare, and the title has the rest. */
export function moneyText(value: number): string {
  const [from, sign] = UNITS.find(([least]) => Math.abs(value) >= least * ROUNDS_UP) ?? [1, ''];
  const scaled = value / from;
  const digits = from === 1 || Math.abs(scaled) >= 100 ? 0 : 1;
  return `$${scaled.toFixed(digits)}${sign === '' ? '' : `\u00a0${sign}`}`;
}

const SIX_DIGITS = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6, useGrouping: false });

export function usdt(value: unknown): Html {
  if (typeof value !== 'number') return html`<span title="not known">–</span>`;
  return html`<span title="${grouped(value)} USDT">${moneyText(value)}</span>`;
}

export function time(value: unknown): Html {
  if (typeof value !== 'string') return html`–`;
  return html`<time datetime="${value}">${utc(value)}</time>`;
}

/** A recent time, to the second. */
export function timeOfDay(value: unknown): Html {
  if (typeof value !== 'string') return html`–`;
  return html`<time datetime="${value}" data-clock>${value.slice(11, 19)} UTC</time>`;
}

/** Hour and minute, with the zone, or without it where a `zoneOf` stands above. */
export function timeOfHour(value: string, hasZone = true): Html {
  const minute = value.slice(11, 16);
  return hasZone
    ? html`<time datetime="${value}" data-minute="zone">${minute} UTC</time>`
    : html`<time datetime="${value}" data-minute>${minute}</time>`;
}

/** The zone in which times are shown, at the given time or from it to another. */
export function zoneOf(value: string, to: string | null = null): Html {
  return html`<span data-zone-at="${value}"${to === null ? null : html` data-zone-to="${to}"`}>UTC</span>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `16 Nov`, in UTC. */
export function dayOfMonth(value: string): string {
  return `${Number(value.slice(8, 10))} ${MONTHS[Number(value.slice(5, 7)) - 1]}`;
}

/** A time of the last days, such as `16 Nov 06:53 UTC`. With scripts a recent one is `today 06:53 UTC`. */
export function shortTime(value: string, isRecent = false): Html {
  return html`<time datetime="${value}" data-short="${isRecent ? 'today' : ''}">${dayOfMonth(value)} ${value.slice(11, 16)} UTC</time>`;
}

/**
 * A settlement; with scripts it counts down. `row` has its interval: with delayed data the settlement may be past, and
 * then the next one counts.
 */
export function countdown(value: unknown, row: Readonly<Record<string, unknown>> = {}): Html {
  if (typeof value !== 'string')
    return html`<span class="mut" title="The venue settles without pause or does not say when">continuous</span>`;
  const every = typeof row.interval_hours === 'number' ? html` data-every="${row.interval_hours}"` : null;
  return html`<time class="cd" datetime="${value}" data-countdown${every}>${value.slice(11, 16)} UTC</time>`;
}

/** How long until an event, such as a listing. */
export function until(value: unknown): Html {
  if (typeof value !== 'string') return html`<span title="not announced yet">–</span>`;
  return html`<time class="cd" datetime="${value}" data-countdown="event">${utc(value)}</time>`;
}

export function utc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

export function price(value: unknown): Html {
  if (typeof value !== 'number') return html`–`;
  return html`${SIX_DIGITS.format(value)}`;
}

export function hours(value: unknown): Html {
  return typeof value === 'number'
    ? html`${value}\u00a0h`
    : html`<span title="the venue does not publish it">–</span>`;
}

export function yesNo(value: unknown): Html {
  return html`${value === true ? 'yes' : 'no'}`;
}

export function plain(value: unknown): Html {
  if (Array.isArray(value)) return html`${value.join(', ')}`;
  return value === null || value === undefined ? html`–` : html`${String(value)}`;
}

export function coinLink(value: unknown): Html {
  const coin = String(value);
  return html`<a href="/funding/${encodeURIComponent(coin)}">${coin}</a>`;
}

/** An external link. Only http and https URLs become links: others, such as javascript:, could run code. */
export function outside(value: unknown, label: string): Html {
  if (typeof value !== 'string') return html`–`;
  if (!/^https?:\/\//i.test(value)) return html`${value}`;
  return html`<a rel="noopener nofollow" href="${value}">${label}</a>`;
}
