import { DAY_MS, isoTime } from '../../../../base/times.ts';
import { type AvailableDay, DAYS_STORED } from '../../../../venues/availability-days.ts';
import { type Html, html } from '../../markup/html.ts';

const HEIGHT = 22;
const STEP = 3;
/** From this share on a day is in order, or has had some trouble. */
const GOOD_PCT = 99.5;
const FAIR_PCT = 95;

/** A bar a day for 90 days, as high as the venue was available; a day that was not recorded is a dot at the bottom. */
export function dayBars(exchange: string, days: readonly AvailableDay[], nowMs: number): Html {
  const today = Math.floor(nowMs / DAY_MS);
  const lines = { ok: '', fair: '', bad: '', none: '' };
  for (let place = 0; place < DAYS_STORED; place++) {
    const day = days.find((one) => one.day === today - DAYS_STORED + 1 + place);
    const pct = day ? pctOf(day) : null;
    const height = pct === null ? 2 : Math.max(3, Math.round((pct / 100) * HEIGHT));
    lines[levelOf(pct)] += `M${place * STEP + 1} ${HEIGHT}v-${height}`;
  }
  const drawn = Object.entries(lines).filter(([, line]) => line !== '');
  const words = `${exchange}, ${daysWords(days)}`;
  return html`<svg class="dbars" viewBox="0 0 ${DAYS_STORED * STEP} ${HEIGHT}" width="${DAYS_STORED * STEP}"
    height="${HEIGHT}" role="img" aria-label="${words}">
    <title>${words}</title>
    ${drawn.map(([level, line]) => html`<path class="${level}" d="${line}"/>`)}
  </svg>`;
}

function pctOf({ available, watched }: AvailableDay): number {
  return watched === 0 ? 0 : (available / watched) * 100;
}

function levelOf(pct: number | null): 'ok' | 'fair' | 'bad' | 'none' {
  if (pct === null) return 'none';
  if (pct >= GOOD_PCT) return 'ok';
  return pct >= FAIR_PCT ? 'fair' : 'bad';
}

/** Such as `34 days recorded: available 99.97 % of the time, least on 2026-11-03 with 97.1 %`. */
export function daysWords(days: readonly AvailableDay[]): string {
  const [first, ...rest] = days;
  if (!first) return 'no day recorded yet';
  const worst = rest.reduce((least, one) => (pctOf(one) < pctOf(least) ? one : least), first);
  const sum = (field: 'available' | 'watched') => days.reduce((total, one) => total + one[field], 0);
  const whole = ((sum('available') / Math.max(1, sum('watched'))) * 100).toFixed(2);
  const recorded = `${days.length} ${days.length === 1 ? 'day' : 'days'} recorded`;
  const least = `least on ${isoTime(worst.day * DAY_MS).slice(0, 10)} with ${pctOf(worst).toFixed(1)} %`;
  return `${recorded}: available ${whole} % of the time${days.length === 1 ? '' : `, ${least}`}`;
}
