import { LRUCache } from 'lru-cache';
import type { PairView } from '../../../../engines/backtest/pair-view.ts';
import { SIZES_USD } from '../../../../history/samples/model.ts';
import { lineChart } from '../../charts/line-chart.ts';
import { coinMark, venueMark } from '../../icons/marks.ts';
import { icon } from '../../icons/ui-icons.ts';
import { liveBadge } from '../../live/badge.ts';
import type { PageContext } from '../../market-page.ts';
import { signedPercent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { linkTo, linkWith } from '../../markup/page-links.ts';
import { perSnapshot } from '../../markup/per-snapshot.ts';
import { statStrip } from '../../markup/stat-strip.ts';
import { cyclesCard, distributionCard } from './pair-cycles.ts';
import type { LoadedPair } from './pair-data.ts';
import { legsCard } from './pair-legs.ts';
import { pairChartOf } from './pair-line.ts';
import { PAIR_PATH } from './paths.ts';

const MINUTES_PER_DAY = 1440;
/** Of one pair: a day or the week, live or delayed, at a few fees. */
const MAX_CHARTS = 8;

export function pairBody(loaded: LoadedPair, context: PageContext): Html {
  const { coin, exchangeA, exchangeB, meta, row } = loaded;
  const { sent } = context;
  return html`<nav class="crumb" aria-label="Breadcrumb">
      <a href="/spreads">Spreads</a>
      ${icon('right')}
      <a href="/spreads/backtest">Backtest</a>
      ${icon('right')}
      <a href="/spreads?coin=${encodeURIComponent(coin)}&amp;open=${encodeURIComponent(coin)}">${coin}</a>
    </nav>
    <div class="pairhd">
      <h1>
        ${coinMark(coin, 24)}
        ${coin}
        <span class="bar1" aria-hidden="true"></span>
        <span class="ven">${venueMark(exchangeA, 20)}${exchangeA}</span>
        ${icon('swap')}
        <span class="ven">${venueMark(exchangeB, 20)}${exchangeB}</span>
      </h1>
      <div class="end">${liveBadge(meta, linkTo(PAIR_PATH, sent))}${sizeSwitch(loaded, context)}</div>
    </div>
    ${legsCard(loaded)}
${row ? results(loaded) : noResults(context)}
${chartCard(loaded, context)}
    <div class="cols c21 mt">
      ${cyclesCard(loaded, context)}
      <div class="stack">${distributionCard(loaded)}${ruleCard(loaded)}</div>
    </div>`;
}

function sizeSwitch({ sizeUsd }: LoadedPair, { sent }: PageContext): Html {
  return html`<span class="lab">
    Order size <span class="seg" role="group" aria-label="Order size">
      ${SIZES_USD.map(
        (size) =>
          html`<a
            href="${linkWith(PAIR_PATH, sent, { size_usd: String(size) })}"${size === sizeUsd ? html` aria-current="true"` : null}>
            $${size}
          </a>`,
      )}
    </span>
  </span>`;
}

/** Six figures of the backtest row. */
function results({ row, cycles, sizeUsd }: LoadedPair): Html {
  const [median, mean] = [Number(row?.est_profit_pct), Number(row?.avg_profit_pct)];
  const count = Number(row?.cycles);
  const lost = cycles.filter(({ profit_pct }) => profit_pct <= 0).length;
  const inProfit = cycles.length === 0 ? '–' : `${Math.round((1 - lost / cycles.length) * 100)}\u00a0%`;
  const tone = (value: number) => (value < 0 ? 'neg' : 'pos');
  const usd = ((mean / 100) * sizeUsd).toFixed(2).replace('-', '−');
  return statStrip(
    [
      {
        label: 'Median profit',
        value: signedPercent(median, 3),
        tone: tone(median),
        meaning: 'per round trip, after fees',
      },
      {
        label: 'Mean profit',
        value: signedPercent(mean, 3),
        tone: tone(mean),
        meaning: `$${usd} on $${sizeUsd}`,
      },
      { label: 'Cycles, 7 days', value: count, meaning: 'opened and closed' },
      { label: 'In profit', value: inProfit, meaning: `${lost} lost money` },
      {
        label: 'Fees per cycle',
        value: `${Number(row?.fee_pct_cycle).toFixed(2)}\u00a0%`,
        meaning: 'four taker fills',
      },
      {
        label: 'Confidence',
        value: html`${Number(row?.confidence)} <small>of 100</small>`,
        meaning: 'cycles, spread of results, gaps',
      },
    ],
    'figures',
  );
}

function noResults({ caller }: PageContext): Html {
  const isDelayed = caller.plan.delaySeconds > 0;
  return html`<section class="card mb">
    <div class="pad">
      <p>
        ${
          isDelayed
            ? html`No results here: no cycle of this pair has closed in the window, or it is among the best five,
              which are withheld without a plan. <a class="lnk" href="/plans">Plans</a>`
            : html`No cycle of this pair has closed in the last 7 days: the spread never left enough after fees.`
        }
      </p>
    </div>
  </section>`;
}

function chartCard(loaded: LoadedPair, context: PageContext): Html | null {
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
  const key = `${spreadsPct.length} ${shown.length} ${marks?.long_a_short_b} ${marks?.short_a_long_b}`;
  const charts = chartsOf(view);
  const chart = charts.get(key) ?? lineChart(pairChartOf(loaded, shown));
  charts.set(key, chart);
  return chart;
}

function ruleCard({ sizeUsd }: LoadedPair): Html {
  return html`<section class="card">
    <header><h2>How this is tested</h2></header>
    <div class="pad prose">
      <p>
        Every minute we price a <b>$${sizeUsd}</b> order against both books. A cycle opens when the spread,
        with its usual exit and after four fills, leaves at least <b>0.05\u00a0%</b>. It closes at the usual
        exit, or after 24 h at whatever the price is then, loss included.
      </p>
      <p>
        Funding paid while a cycle is open is <b>not</b> in the profit. <a class="lnk" href="/developers/backtest">
          The full rule
        </a>
      </p>
    </div>
  </section>`;
}
