import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { countdown, signedText, timeOfHour } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { averageApr } from '../../search/average-rate.ts';

const AVERAGES = ['BTC', 'ETH'];

/** The market in four figures, over all contracts whatever the filters. */
export function marketFigures(table: Table, nowMs: number): Html {
  const averages = averageApr(table);
  return html`<dl class="kpis" id="kpis" data-live>${AVERAGES.map((coin) => average(coin, averages.get(coin)))}${aboveZero(table)}${nextSettlement(table, nowMs)}</dl>`;
}

function average(coin: string, aprPct: number | undefined): Html | null {
  if (aprPct === undefined) return null;
  return html`<div><dt>${coin} average</dt><dd><span class="${aprPct < 0 ? 'neg' : 'pos'}">${signedText(aprPct, 1)}\u00a0%</span> <small>APR</small></dd></div>`;
}

function aboveZero(table: Table): Html {
  const rates = table.numbers('rate_pct');
  let above = 0;
  for (let row = 0; row < table.rowCount; row++) if ((rates[row] ?? 0) > 0) above++;
  const share = table.rowCount === 0 ? '–' : `${Math.round((above / table.rowCount) * 100)}\u00a0%`;
  return html`<div><dt>Contracts above zero</dt><dd>${share} <small>of ${table.rowCount.toLocaleString('en-US')}</small></dd></div>`;
}

/** The coming time at which most contracts settle. With delayed data some have settled since: their next one counts. */
function nextSettlement(table: Table, nowMs: number): Html | null {
  const times = table.numbers('next_funding_at');
  const hours = table.numbers('interval_hours');
  const counts = new Map<number, number>();
  for (let row = 0; row < table.rowCount; row++) {
    const atMs = upcomingMs(times[row] ?? Number.NaN, hours[row] ?? Number.NaN, nowMs);
    if (!Number.isNaN(atMs)) counts.set(atMs, (counts.get(atMs) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (!most) return null;
  const [atMs, count] = most;
  const iso = isoTime(atMs);
  return html`<div><dt>Next big settlement</dt><dd>${countdown(iso)} <small>${timeOfHour(iso)} · ${count.toLocaleString('en-US')}</small></dd></div>`;
}

function upcomingMs(atMs: number, intervalHours: number, nowMs: number): number {
  if (atMs > nowMs) return atMs;
  const everyMs = intervalHours * HOUR_MS;
  return atMs + (Math.floor((nowMs - atMs) / everyMs) + 1) * everyMs;
}
