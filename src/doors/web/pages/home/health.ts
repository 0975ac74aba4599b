import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { ageSeconds, stateOf, type VenueStatus } from '../venues/venue-status.ts';

/** How the data of each venue is doing, as age and word. */
export function healthBlock(statuses: readonly VenueStatus[], nowMs: number): Html | null {
  const venues = statuses.filter((venue) => !venue.hasEnded && !venue.refusesAddress);
  if (venues.length === 0) return null;
  const isLive = (venue: VenueStatus) => ['working', 'in part'].includes(stateOf(venue, nowMs));
  const live = venues.filter(isLive).length;
  return html`<section class="health" id="health" data-live>
    <header>
      <h2>Data health</h2>
      <p><b>${live} of ${venues.length}</b> venues live <a class="lnk" href="/status">Status page</a></p>
    </header>
    <ul>
      ${venues.map(
        (venue) =>
          html`<li>
            ${venueMark(venue.exchange, 18)}
            <span>${venue.exchange}</span>
            <small${isLive(venue) ? null : html` class="warn"`}>
              <span class="dot${isLive(venue) ? '' : ' w'}" aria-hidden="true"></span>
              ${ageText(venue, nowMs)}
            </small>
          </li>`,
      )}
    </ul>
  </section>`;
}

function ageText(venue: VenueStatus, nowMs: number): string {
  const seconds = ageSeconds(venue, nowMs);
  if (seconds === null) return 'no data yet';
  return seconds > 60 ? `${Math.round(seconds / 60)} min late` : `${seconds} s`;
}
