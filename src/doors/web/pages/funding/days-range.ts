import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import type { PageContext } from '../page-context.ts';

/** The ranges of charts, in days. */
export const RANGES_DAYS = [7, 30, 90, 180, 365, 730];

/** `90 d`, `1 y`. */
export const rangeText = (days: number): string => (days % 365 === 0 ? `${days / 365} y` : `${days} d`);

export interface DaysRange {
  /** The value of `days` for the operation; null if the address has none. */
  days: string | null;
  /** What was requested, if it is more than can be shown. */
  tooMany: number | null;
  /** The most days that this reader can see at once. */
  mostDays: number;
  /** The plan sets the limit, rather than the page. */
  isPlanLimit: boolean;
}

/** Shortens a range that exceeds the plan or the page, instead of refusing it; the page says so. */
export function daysRange(
  { sent, caller }: Pick<PageContext, 'sent' | 'caller'>,
  longestDays: number,
): DaysRange {
  const planDays = caller.plan.historyDays;
  const isPlanLimit = planDays !== null && planDays < longestDays;
  const mostDays = isPlanLimit ? planDays : longestDays;
  // As in the API, which ignores `days` beside `from`.
  const [wanted = null] = sent.has('from') ? [] : (sent.get('days') ?? []);
  if (wanted === null || !(Number(wanted) > mostDays))
    return { days: wanted, tooMany: null, mostDays, isPlanLimit };
  return { days: String(mostDays), tooMany: Number(wanted), mostDays, isPlanLimit };
}

/** Says how far back the page reaches, and that a longer range was shortened. */
export function rangeNote({ tooMany, mostDays, isPlanLimit }: DaysRange, isSignedIn: boolean): Html | null {
  const plan = isSignedIn ? 'With your plan' : 'Without a plan';
  const limit = isPlanLimit ? `${plan} the last ${mostDays} days are shown.` : null;
  const plans = isPlanLimit ? html` <a class="lnk" href="/plans">Plans</a> reach further.` : null;
  if (tooMany === null) return limit === null ? null : html`<p class="as-of mut">${limit}${plans}</p>`;
  const words = `You asked for ${grouped(tooMany)} days.`;
  return html`<p class="as-of warn" role="status">
    ${words} ${limit ?? `At most ${mostDays} days are shown at once.`}
    ${plans}
  </p>`;
}
