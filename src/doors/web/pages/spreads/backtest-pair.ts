import { Problem } from '../../../../base/problems.ts';
import { isoTime } from '../../../../base/times.ts';
import type { PairView } from '../../../../engines/backtest/pair-view.ts';
import { minuteOf, msOfMinute, SIZES_USD, type SizeUsd } from '../../../../history/samples/model.ts';
import { spreadBacktest } from '../../../../operations/spread-backtest.ts';
import { assetPath } from '../../assets.ts';
import { asOf } from '../../lists/list-page.ts';
import { addressOf, definePage, type PageContext } from '../../market-page.ts';
import { percent, time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownHead, markdownTable } from '../../markup/markdown.ts';
import { linkWith } from '../../markup/page-links.ts';
import { answerForPage, type PageAnswer, type Row } from '../../visitor.ts';
import { DEFAULT_SIZE_USD } from './backtest.ts';
import { pairOf } from './pair-chart-cache.ts';

type PairCycle = Readonly<{
  opened_at: string;
  closed_at: string;
  direction: 'long_a_short_b' | 'short_a_long_b';
  profit_pct: number;
}>;

interface LoadedPair {
  row: Row;
  sizeUsd: number;
  meta: PageAnswer<unknown>['meta'];
  /** Start of the chart, which ends at the time of the answer. */
  from: string | null;
  spreadsPct: Float32Array;
  cycles: PairCycle[];
}

const PATH = '/spreads/backtest/pair';

/** One row of the backtest with its chart and cycles. A caller who may not see the row may not see its chart. */
export const BACKTEST_PAIR_PAGE = definePage<LoadedPair>({
  path: PATH,
  section: '/spreads/backtest',
  freshness: ({ entrance, caller }) => String(entrance.freshness(spreadBacktest, caller)),
  load: loadPair,
  view: (loaded, context) => ({
    title: titleOf(loaded.row),
    description: 'The spread of a pair of venues over the scan window, with its cycles',
    body: pairBody(loaded, context),
    scripts: ['uplot', 'pair-chart'],
  }),
  markdown: ({ row, sizeUsd, meta, cycles }) =>
    `${markdownHead(titleOf(row), `Priced for an order of ${sizeUsd} USD. ${explained(row)}`, meta)}${markdownTable([row])}\n## Cycles\n\n${markdownTable(cycles)}`,
  files: {
    '.json': {
      type: 'application/json; charset=utf-8',
      write: ({ row, sizeUsd, meta, from, spreadsPct, cycles }) =>
        JSON.stringify({
          data: { size_usd: sizeUsd, row, from, step_seconds: 60, spread_pct: pointsOf(spreadsPct), cycles },
          meta,
        }),
    },
  },
});

function explained({ exchange_a: a, exchange_b: b }: Row): string {
  return `The spread is how much higher the mid price on ${b} is than on ${a}, in percent of the latter. A cycle is opened and closed at fill prices, so its profit is less than the spread moved.`;
}

async function loadPair({ entrance, caller, sent, pairChart }: PageContext): Promise<LoadedPair> {
  const given = (name: string) => {
    const value = sent.get(name)?.[0];
    if (value !== undefined) return value;
    throw new Problem(
      'invalid-parameter',
      `"${name}" is missing; open this page from a row of the backtest.`,
    );
  };
  const [coin, exchangeA, exchangeB] = [given('coin'), given('exchange_a'), given('exchange_b')];
  const sizes = sent.get('size_usd') ?? [String(DEFAULT_SIZE_USD)];
  const query = new Map([
    ['coin', [coin]],
    ['exchange', [exchangeA, exchangeB]],
    ['exchange_match', ['all']],
    ['size_usd', sizes],
  ]);
  const sizeInQuery = SIZES_USD.find((size) => String(size) === sizes[0]);
  // Started here, so that the other thread loads the chart while this one checks whether the row may be seen.
  if (sizeInQuery !== undefined)
    pairChart({ coin: coin.toUpperCase(), exchangeA, exchangeB, sizeUsd: sizeInQuery }).catch(
      () => undefined,
    );
  const answer = await answerForPage<{ size_usd: number; spreads: Row[] }>(
    entrance,
    spreadBacktest,
    caller,
    query,
  );
  const row = answer.data.spreads.find(
    (candidate) => candidate.exchange_a === exchangeA && candidate.exchange_b === exchangeB,
  );
  if (!row) {
    throw new Problem(
      'not-found',
      'This pair has no row in the backtest now, or the row is among the best ones that are withheld without a plan. Choose another row.',
    );
  }
  const sizeUsd = answer.data.size_usd as SizeUsd;
  const view = await pairChart(pairOf(row, sizeUsd));
  return { row, sizeUsd, meta: answer.meta, ...visiblePart(view, minuteOf(Date.parse(answer.meta.as_of))) };
}

/** The part up to the minute of the answer: a delayed plan must not see newer data. */
function visiblePart(
  view: PairView | null,
  lastMinute: number,
): Pick<LoadedPair, 'from' | 'spreadsPct' | 'cycles'> {
  if (!view) return { from: null, spreadsPct: new Float32Array(), cycles: [] };
  const count = Math.max(0, lastMinute - view.fromMinute + 1);
  const minuteTime = (minute: number) => isoTime(msOfMinute(minute));
  return {
    from: minuteTime(view.fromMinute),
    spreadsPct: view.spreadsPct.subarray(0, count),
    cycles: view.cycles
      .filter(({ closeMinute }) => closeMinute <= lastMinute)
      .map(({ openMinute, closeMinute, direction, profitPct }) => ({
        opened_at: minuteTime(openMinute),
        closed_at: minuteTime(closeMinute),
        direction: direction === 0 ? 'long_a_short_b' : 'short_a_long_b',
        profit_pct: Number(profitPct.toFixed(6)),
      })),
  };
}

function pointsOf(spreadsPct: Float32Array): (number | null)[] {
  return Array.from(spreadsPct, (spread) => (Number.isNaN(spread) ? null : Number(spread.toFixed(4))));
}

function titleOf(row: Row): string {
  return `${row.coin}: ${row.exchange_a} and ${row.exchange_b}`;
}

function pairBody(loaded: LoadedPair, context: PageContext): Html {
  const { row, sizeUsd, meta, cycles, spreadsPct } = loaded;
  const card = (title: string, figure: Html, words: string) =>
    html`<section class="card"><h2>${title}</h2><p class="figure">${figure}</p><p>${words}</p></section>`;
  const note =
    meta.delayed_seconds > 0 ? ' Cycles of the first minutes of the window may be missing here.' : '';
  return html`<p><a href="${linkWith('/spreads/backtest', new Map(), { size_usd: String(sizeUsd) })}">All pairs</a> · <a href="/spreads?coin=${encodeURIComponent(String(row.coin))}">Spreads on ${String(row.coin)} now</a></p>
<section id="pair"><h1 tabindex="-1">${titleOf(row)}</h1>
${asOf({ meta })}
<div class="cards">
${card('Median profit', percent(row.est_profit_pct, 3), `of a round trip of ${sizeUsd} USD, after fees`)}
${card('Mean profit', percent(row.avg_profit_pct, 3), 'of a round trip, after fees')}
${card('Cycles', html`${Number(row.cycles)}`, 'opened and closed in the window')}
${card('Confidence', html`${Number(row.confidence)} of 100`, 'how far the figures carry')}
</div>
<p class="lead">${explained(row)}${note}</p>
<link rel="stylesheet" href="${assetPath('uplot.css')}">
${
  spreadsPct.length === 0
    ? html`<div class="empty"><p>The chart is being prepared. Reload in a minute.</p></div>`
    : html`<div class="chart" data-pair-chart data-source="${addressOf(`${PATH}.json`, context)}"></div>`
}
${cyclesTable(cycles, row)}</section>`;
}

function cyclesTable(cycles: readonly PairCycle[], row: Row): Html | null {
  if (cycles.length === 0) return null;
  const [a, b] = [String(row.exchange_a), String(row.exchange_b)];
  const inWords = ({ direction }: PairCycle) => {
    const [long, short] = direction === 'long_a_short_b' ? [a, b] : [b, a];
    return html`long on <strong>${long}</strong>, short on <strong>${short}</strong>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Cycles"><table>
<thead><tr><th scope="col">Opened</th><th scope="col">Closed</th><th scope="col">Direction</th><th scope="col" class="number">Profit after fees</th></tr></thead><tbody>
${cycles.toReversed().map((cycle) => html`<tr><td>${time(cycle.opened_at)}</td><td>${time(cycle.closed_at)}</td><td>${inWords(cycle)}</td><td class="number">${percent(cycle.profit_pct, 3)}</td></tr>\n`)}</tbody></table></div>`;
}
