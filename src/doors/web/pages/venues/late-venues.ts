import { MINUTE_MS } from '../../../../base/times.ts';
import type { VenueTimes } from '../../../../venues/health.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { OLD_MS } from '../funding/row-age.ts';

/** How old the data of late venues was at the time of the snapshot, in minutes, by venue. */
export type LateVenues = ReadonlyMap<string, number>;

export function lateVenues(venues: readonly VenueTimes[], asOf: string): LateVenues {
  const asOfMs = Date.parse(asOf);
  return new Map(
    venues.flatMap(({ exchange, lastGoodAtMs, hasEnded }) => {
      if (lastGoodAtMs === null || hasEnded || asOfMs - lastGoodAtMs <= OLD_MS) return [];
      return [[exchange, Math.max(1, Math.round((asOfMs - lastGoodAtMs) / MINUTE_MS))] as const];
    }),
  );
}

/** The age of a late venue's numbers, beside its name. */
export function lateTag(exchange: string, late: LateVenues): Html | null {
  const minutes = late.get(exchange);
  if (minutes === undefined) return null;
  return html` <span class="tag warn" title="${lateText(exchange, minutes)}">${minutes}\u00a0min late</span>`;
}

/** A sentence for each late venue; null if all are on time. */
export function lateNotice(late: LateVenues): Html | null {
  if (late.size === 0) return null;
  const sentences = [...late].map(([exchange, minutes]) => lateText(exchange, minutes));
  return html`<div class="ban late">${icon('clock')}<p>${sentences.join(' ')}</p></div>`;
}

function lateText(exchange: string, minutes: number): string {
  return `${exchange} is ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} late.`;
}
