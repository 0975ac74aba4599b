import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import type { Row } from '../../layout/visitor.ts';
import { timeOfHour, zoneOf } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { nextSettlementMs } from './figures.ts';

const HOURS_SHOWN = 9;
const MINUTE_MS = 60_000;

interface SettlementHour {
  atMs: number;
  venues: readonly string[];
}

/** Which venues settle in each of the next hours. A settlement between full hours counts to the hour that follows. */
export function settlementHours(rates: readonly Row[], nowMs: number): SettlementHour[] {
  const firstMs = Math.ceil((nowMs + 1) / HOUR_MS) * HOUR_MS;
  const hours = Array.from({ length: HOURS_SHOWN }, (_, i) => ({
    atMs: firstMs + i * HOUR_MS,
    venues: new Set<string>(),
  }));
  for (const row of rates) {
    const everyMs = Number(row.interval_hours) * HOUR_MS;
    const nextMs = nextSettlementMs(row, nowMs);
    for (let atMs = nextMs; atMs !== null; atMs = everyMs > 0 ? atMs + everyMs : null) {
      const place = Math.ceil((atMs - firstMs) / HOUR_MS);
      if (place >= HOURS_SHOWN) break;
      hours[Math.max(0, place)]?.venues.add(String(row.exchange));
    }
  }
  return hours.map(({ atMs, venues }) => ({ atMs, venues: [...venues] }));
}

/** The next hours as stacks of venue marks. */
export function settlementsCard(rates: readonly Row[], nowMs: number): Html {
  const hours = settlementHours(rates, nowMs);
  const most = Math.max(...hours.map(({ venues }) => venues.length));
  const busiest = hours.find(({ venues }) => venues.length === most);
  if (most === 0)
    return html`<section class="card">
      <header><h2>Next settlements</h2></header>
      <p class="pad mut" id="settlements" data-live>
        No venue says when it settles in the next ${HOURS_SHOWN} hours.
      </p>
    </section>`;
  return html`<section class="card">
    <header>
      <h2>Next settlements</h2>
      <span class="mut">${zoneOf(isoTime(hours[0]?.atMs ?? nowMs))}, next ${HOURS_SHOWN} hours</span>
    </header>
    <ol class="tline pad" id="settlements" data-live tabindex="0" aria-label="Settlements by hour">
      ${hours.map(
        ({ atMs, venues }) =>
          html`<li${atMs === busiest?.atMs ? html` class="hot"` : null}>
            <span class="st2" title="${venues.join(', ')}">
              ${venues.map((exchange) => venueMark(exchange, 14))}
              <span class="vh">${venues.length === 0 ? 'none' : venues.join(', ')}</span>
            </span>
            <span class="at"><b>${timeOfHour(isoTime(atMs), false)}</b>${timeLeft(atMs - nowMs)}</span>
          </li>`,
      )}
    </ol>
  </section>`;
}

function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  return minutes < 60
    ? `${minutes}\u00a0min`
    : `${Math.floor(minutes / 60)}\u00a0h\u00a0${String(minutes % 60).padStart(2, '0')}`;
}
