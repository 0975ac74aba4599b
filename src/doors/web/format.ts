import { type Html, html } from './html.ts';

/** A percentage with sign and unit. Colour is never the only signal. */
export function percent(value: unknown, decimals = 4): Html {
  if (typeof value !== 'number') return html`<span title="not known">–</span>`;
  const text = `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(decimals)} %`;
  return html`<span class="${value > 0 ? 'gain' : value < 0 ? 'loss' : 'flat'}">${text}</span>`;
}

/** A number in full, with its sign. */
export function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value)}`;
}

const UNITS: readonly (readonly [from: number, sign: string])[] = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Shared: creating a formatter costs more than rendering a row. */
const GROUPED = new Intl.NumberFormat('en-US');

export function usdt(value: unknown): Html {
  if (typeof value !== 'number') return html`–`;
  const [from, sign] = UNITS.find(([least]) => value >= least) ?? [1, ''];
  return html`<span title="${GROUPED.format(value)} USDT">${(value / from).toFixed(from === 1 ? 0 : 1)} ${sign ? html`${sign} ` : null}<span class="unit">USDT</span></span>`;
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

/** A future time; with scripts it counts down. */
export function countdown(value: unknown): Html {
  if (typeof value !== 'string') return html`–`;
  return html`<time datetime="${value}" data-countdown>${utc(value)}</time>`;
}

export function utc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

const PRICE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6, useGrouping: false });

export function price(value: unknown): Html {
  return typeof value === 'number' ? html`${PRICE.format(value)}` : html`–`;
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
