import { perSnapshot } from '../../../../base/per-snapshot.ts';
import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { toneOf } from '../../markup/direction.ts';
import { countdown, signedText, timeOfHour } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { averageApr } from '../search/average-rate.ts';

const AVERAGES = ['BTC', 'ETH'];

/** The market in four figures, over all contracts whatever the filters. */
export function marketFigures(table: Table, nowMs: number): Html {
  const averages = averageApr(table);
  return html`<dl class="kpis" id="kpis" data-live>
    ${AVERAGES.map((coin) => average(coin, averages.get(coin)))}
    ${aboveZero(table)}
    ${nextSettlement(schedulesOf(table), nowMs)}
  </dl>`;
}

function average(coin: string, aprPct: number | undefined): Html | null {
  if (aprPct === undefined) return null;
  return html`<div>
    <dt>${coin} average</dt>
    <dd>
      <span class="${toneOf(aprPct)}">${signedText(aprPct, 1)}\u00a0%</span> <small>APR</small>
    </dd>
  </div>`;
}

function aboveZero(table: Table): Html {
  const rates = table.numbers('rate_pct');
  let above = 0;
  for (let row = 0; row < table.rowCount; row++) if ((rates[row] ?? 0) > 0) above++;
  const share = table.rowCount === 0 ? '–' : `${Math.round((above / table.rowCount) * 100)}\u00a0%`;
  return html`<div><dt>Contracts above zero</dt><dd>${share} <small>of ${grouped(table.rowCount)}</small></dd></div>`;
}

interface Schedule {
  atMs: number;
  everyHours: number;
  contracts: number;
}

/** The contracts that settle at the same times, counted. */
const schedulesOf = perSnapshot((table: Table): readonly Schedule[] => {
  const times = table.numbers('next_funding_at');
  const hours = table.numbers('interval_hours');
  const schedules = new Map<string, Schedule>();
  for (let row = 0; row < table.rowCount; row++) {
    const [atMs, everyHours] = [times[row] ?? Number.NaN, hours[row] ?? Number.NaN];
    const key = `${atMs} ${everyHours}`;
    const schedule = schedules.get(key) ?? { atMs, everyHours, contracts: 0 };
    schedule.contracts++;
    schedules.set(key, schedule);
  }
  return [...schedules.values()];
});

/** The coming time at which most contracts settle. With delayed data some have settled since: their next one counts. */
function nextSettlement(schedules: readonly Schedule[], nowMs: number): Html | null {
  const counts = new Map<number, number>();
  for (const { atMs, everyHours, contracts } of schedules) {
    const comingMs = upcomingMs(atMs, everyHours, nowMs);
    if (!Number.isNaN(comingMs)) counts.set(comingMs, (counts.get(comingMs) ?? 0) + contracts);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (!most) return null;
  const [atMs, count] = most;
  const iso = isoTime(atMs);
  return html`<div>
    <dt>Next big settlement</dt>
    <dd>${countdown(iso)} <small>${timeOfHour(iso)} · ${grouped(count)}</small></dd>
  </div>`;
}

function upcomingMs(atMs: number, intervalHours: number, nowMs: number): number {
  if (atMs > nowMs) return atMs;
  const everyMs = intervalHours * HOUR_MS;
  return atMs + (Math.floor((nowMs - atMs) / everyMs) + 1) * everyMs;
}
