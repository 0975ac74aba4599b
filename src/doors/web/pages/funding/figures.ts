import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { countdown, signedText, timeOfHour } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { flat, type Html, html } from '../../markup/html.ts';
import { averageApr } from '../../search/average-rate.ts';

const AVERAGES = ['BTC', 'ETH'];

interface Kept {
  html: Html;
  /** While it is between these times, no contract settles. */
  fromMs: number;
  untilMs: number;
}

const kept = new WeakMap<Table, Kept>();

/** The market in four figures, over all contracts whatever the filters. */
export function marketFigures(table: Table, nowMs: number): Html {
  let known = kept.get(table);
  if (!known || nowMs < known.fromMs || nowMs >= known.untilMs) {
    const averages = averageApr(table);
    const counts = settlementsAfter(table, nowMs);
    known = {
      html: flat(
        html`<dl class="kpis" id="kpis" data-live>
          ${AVERAGES.map((coin) => average(coin, averages.get(coin)))}
          ${aboveZero(table)}
          ${nextSettlement(counts)}
        </dl>`,
      ),
      fromMs: nowMs,
      untilMs: Math.min(...counts.keys()),
    };
    kept.set(table, known);
  }
  return known.html;
}

function average(coin: string, aprPct: number | undefined): Html | null {
  if (aprPct === undefined) return null;
  return html`<div>
    <dt>${coin} average</dt>
    <dd>
      <span class="${aprPct < 0 ? 'neg' : 'pos'}">${signedText(aprPct, 1)}\u00a0%</span> <small>APR</small>
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

/** How many contracts settle next at which time. With delayed data some have settled since: their next one counts. */
function settlementsAfter(table: Table, nowMs: number): ReadonlyMap<number, number> {
  const times = table.numbers('next_funding_at');
  const hours = table.numbers('interval_hours');
  const counts = new Map<number, number>();
  for (let row = 0; row < table.rowCount; row++) {
    const atMs = upcomingMs(times[row] ?? Number.NaN, hours[row] ?? Number.NaN, nowMs);
    if (!Number.isNaN(atMs)) counts.set(atMs, (counts.get(atMs) ?? 0) + 1);
  }
  return counts;
}

/** The coming time at which most contracts settle. */
function nextSettlement(counts: ReadonlyMap<number, number>): Html | null {
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
