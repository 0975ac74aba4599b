import { timeOfHour, zoneOf } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { type CostPage, costText } from './costs.ts';
import { extremeHours, type HourSpan, hourMedians, isWithin, meanOfHours } from './hours.ts';

const BAR_PX = 64;
/** Every third hour has its name. */
const NAMED_EVERY = 3;

/** The median of each hour of the day as a bar, and in words when it is cheapest and dearest. */
export function hoursView({ lines, verbs }: Pick<CostPage, 'lines' | 'verbs'>, asOf: string): Html {
  const medians = meanOfHours(lines.map(({ week }) => hourMedians(week)));
  const most = Math.max(...medians.map((pct) => pct ?? 0));
  if (most === 0) return html`<div id="hours" data-live></div>`;
  const extremes = extremeHours(medians);
  return html`<div class="pad hours" id="hours" data-live>
    <h3>By hour of the day <small>${zoneOf(asOf)}</small></h3>
    <p>${extremes ? extremeWords(extremes, verbs, asOf) : html`Not every hour of the day is known yet.`}</p>
    <ol>
      ${medians.map((pct, hour) => bar(pct, hour, most, extremes, asOf))}
    </ol>
  </div>`;
}

/** "Cheapest from 13:00 to 16:00 UTC: 0.0112 % to buy or sell." */
function extremeWords(
  { cheapest, dearest }: { cheapest: HourSpan; dearest: HourSpan },
  verbs: string,
  asOf: string,
): Html {
  const span = ({ fromHour, toHour }: HourSpan) =>
    html`${timeOfHour(hourOf(asOf, fromHour), false)} to ${timeOfHour(hourOf(asOf, toHour))}`;
  return html`<b>Cheapest from ${span(cheapest)}</b>: ${costText(cheapest.pct)} ${verbs}.
    Dearest from ${span(dearest)}: ${costText(dearest.pct)}.`;
}

function bar(
  pct: number | null,
  hour: number,
  most: number,
  extremes: { cheapest: HourSpan; dearest: HourSpan } | null,
  asOf: string,
): Html {
  const height = pct === null ? 0 : Math.max(1, Math.round((pct / most) * BAR_PX * 10) / 10);
  const look =
    extremes && isWithin(extremes.cheapest, hour)
      ? 'lo'
      : extremes && isWithin(extremes.dearest, hour)
        ? 'hi'
        : '';
  const at = hourOf(asOf, hour);
  return html`<li class="${look}" title="${at.slice(11, 16)} UTC: ${pct === null ? 'unknown' : costText(pct)}">
    <svg viewBox="0 0 10 ${BAR_PX}" preserveAspectRatio="none" aria-hidden="true">
      <rect y="${BAR_PX - height}" width="10" height="${height}"/>
    </svg>
    <small${hour % NAMED_EVERY === 0 ? null : html` class="vh"`}>${timeOfHour(at, false)}</small>
    <span class="vh">${pct === null ? 'unknown' : costText(pct)}</span>
  </li>`;
}

/** That hour of the day of the data. */
function hourOf(asOf: string, hour: number): string {
  return `${asOf.slice(0, 10)}T${String(hour).padStart(2, '0')}:00:00Z`;
}
