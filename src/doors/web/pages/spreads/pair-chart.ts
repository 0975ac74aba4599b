import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { PairView } from '../../../../engines/backtest/pair-view.ts';
import { lineChart } from '../../markup/charts/line-chart.ts';
import { signedPercent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkTo } from '../../markup/page-links.ts';
import type { PageContext } from '../page-context.ts';
import type { LoadedPair } from './pair-data.ts';
import { gapMinutes, pairChartOf } from './pair-line.ts';
import { PAIR_PATH } from './paths.ts';

const MINUTES_PER_DAY = 1440;

/** Of one pair: a day or the week, live or delayed, at a few fees. */
const MAX_CHARTS = 8;

export function chartCard(loaded: LoadedPair, context: PageContext): Html | null {
  const { exchangeA: a, exchangeB: b, spreadsPct, marks, row } = loaded;
  const { sent } = context;
  if (spreadsPct.length === 0)
    return row
      ? html`<section class="card">
        <div class="empty"><p>The chart is being prepared. Reload in a minute.</p></div>
      </section>`
      : null;
  const isDay = sent.get('range')?.[0] === '24h';
  const shown = isDay ? spreadsPct.subarray(-MINUTES_PER_DAY) : spreadsPct;
  const range = (name: string | null, label: string) => {
    const query = new Map(sent);
    query.delete('range');
    if (name !== null) query.set('range', [name]);
    return html`<a href="${linkTo(PAIR_PATH, query)}"${isDay === (name !== null) ? html` aria-current="true"` : null}>
      ${label}
    </a>`;
  };
  const entry = marks
    ? html`<li>
      <svg viewBox="0 0 26 14" aria-hidden="true"><path class="hl a" d="M0 3H26"/><path class="hl b" d="M0 11H26"/></svg>Enter
      past ${signedPercent(marks.long_a_short_b, 2)} or ${signedPercent(marks.short_a_long_b, 2)}
    </li>`
    : null;
  return html`<section class="card">
    <header>
      <h2>Price spread, ${b} over ${a}</h2>
      <span class="seg" role="group" aria-label="Range">${range('24h', '24 h')}${range(null, '7 d')}</span>
      ${row ? html`<a class="btn" href="${linkTo(`${PAIR_PATH}.csv`, sent)}" download>${icon('dl')}CSV</a>` : null}
    </header>
    <ul class="lgd">
      <li>
        <svg class="s1" viewBox="0 0 26 14" aria-hidden="true">
          <path class="ln" d="M0 10 6 5l6 4 7-6 7 5"/>
        </svg>Spread of mid prices
      </li>
      ${entry}
      <li>
        <svg viewBox="0 0 26 14" aria-hidden="true">
          <rect class="bx" width="26" height="14"/>
          <rect class="cp" width="26" height="3"/>
        </svg>In position: long ${a}, short ${b} (bar on top)
      </li>
      <li>
        <svg viewBox="0 0 26 14" aria-hidden="true">
          <rect class="bx b" width="26" height="14"/>
          <rect class="cp b" y="11" width="26" height="3"/>
        </svg>In position: long ${b}, short ${a} (bar below)
      </li>
    </ul>
    <div class="pad">${chartHtml(loaded, shown)}</div>
  </section>`;
}

/** Prices change every few seconds, but what the chart shows only with the next backtest. */
const chartsOf = perSnapshot((_view: PairView) => new LRUCache<string, Html>({ max: MAX_CHARTS }));

function chartHtml(loaded: LoadedPair, shown: Float32Array): Html {
  const { view, spreadsPct, marks } = loaded;
  if (!view) return lineChart(pairChartOf(loaded, shown));
  // Delayed readers see less of it; marks follow the fees.
  const entry = `${marks?.long_a_short_b} ${marks?.short_a_long_b}`;
  const key = `${spreadsPct.length} ${shown.length} ${entry} ${gapMinutes(loaded)}`;
  const charts = chartsOf(view);
  const chart = charts.get(key) ?? lineChart(pairChartOf(loaded, shown));
  charts.set(key, chart);
  return chart;
}
