import type { Meta } from '../../../operations/answer/meta.ts';
import { timeOfDay } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';

const SECONDS_PER_MINUTE = 60;

/** What the badge needs of an answer. */
export type Age = Pick<Meta, 'as_of' | 'delayed_seconds'>;

const LATE_AFTER_CYCLES = 3;
const USUAL_CYCLE_SECONDS = 10;
/** Delayed data may be older than its delay by this much before it is called late. */
const DELAYED_MARGIN_SECONDS = 300;

/**
 * How old the page is, beside its title. Without scripts it states the time of the data; with scripts it follows the
 * page's stream (`client/live.ts`). Delayed data is labelled either way. `cycleSeconds`: how often the data is made.
 */
export function liveBadge(
  { as_of: asOf, delayed_seconds: delay }: Age,
  address: string,
  cycleSeconds = USUAL_CYCLE_SECONDS,
): Html {
  const lateSeconds = LATE_AFTER_CYCLES * cycleSeconds + (delay > 0 ? delay + DELAYED_MARGIN_SECONDS : 0);
  const minutes = Math.round(delay / SECONDS_PER_MINUTE);
  const state =
    delay > 0
      ? html`<span class="dot w" aria-hidden="true"></span><b class="delayed">Delayed ${minutes} min</b>`
      : html`<span class="dot" aria-hidden="true"></span><b>As of</b>`;
  const action =
    delay > 0
      ? html`<a class="lk lnk" href="/plans">See live data</a>`
      : html`<a class="lk" href="${address}">${icon('reload')}<span>Reload</span></a>`;
  return html`<div class="live" id="live" data-as-of="${asOf}" data-delay-min="${minutes}" data-late-s="${lateSeconds}">
    <span class="state">${state}</span>
    <span class="sep age">${timeOfDay(asOf)}</span>
    <span class="act">${action}</span>
    <span class="vh" role="status"></span>
  </div>`;
}
