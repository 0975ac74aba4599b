import { csvOfObjects } from '../../../../base/csv.ts';
import { DAY_MS, isoTime } from '../../../../base/times.ts';
import { minuteOf, msOfMinute } from '../../../../history/samples/model.ts';
import {
  arbitrageHistory,
  type PairCarry,
  type PairDay,
} from '../../../../operations/arbitrage/arbitrage-history.ts';
import { assetPath } from '../../assets.ts';
import { asOf } from '../../lists/list-page.ts';
import { definePage, type PageContext } from '../../market-page.ts';
import { percent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownHead, markdownTable } from '../../markup/markdown.ts';
import { linkWith } from '../../markup/page-links.ts';
import { answerForPage, type PageAnswer } from '../../visitor.ts';
import { daysRange, rangeNote } from '../funding/days-range.ts';

/** A day with the mean price difference of the legs, where books were sampled. */
type ShownDay = PairDay & { price_spread_pct: number | null };

interface LoadedPair extends PageAnswer<PairCarry> {
  days: ShownDay[];
}

const PATH = '/arbitrage/pair';
const RANGES_DAYS = [7, 30, 90, 180];
const DEFAULT_DAYS = 30;
/** The longest window of the operation. */
const LONGEST_DAYS = 180;
const CHART_SIZE_USD = 100;
const LEAD =
  'What holding the pair earned day by day, from settled payments only and before fees. A day without a payment on both legs is a gap, never zero.';

/** What one pair earned: cards, a chart, a table, and the same figures as CSV and JSON. */
export const ARBITRAGE_PAIR_PAGE = definePage<LoadedPair>({
  path: PATH,
  section: '/arbitrage',
  freshness: ({ entrance, caller }) => String(entrance.freshness(arbitrageHistory, caller)),
  load: loadPair,
  view: (loaded, context) => ({
    title: titleOf(loaded.data),
    description: `Funding earned by a long on ${loaded.data.long_exchange} and a short on ${loaded.data.short_exchange}`,
    body: bodyOf(loaded, context),
    scripts: ['uplot', 'chart'],
  }),
  markdown: ({ data, meta, days }) =>
    `${markdownHead(titleOf(data), LEAD, meta)}${markdownTable(days.map((day) => ({ ...day })))}`,
  files: {
    '.json': {
      type: 'application/json; charset=utf-8',
      write: ({ data, meta, days }) =>
        JSON.stringify({ data: { ...data, days, series: chartSeries(data, days) }, meta }),
    },
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: ({ data, days }) =>
        csvOfObjects(
          days.map((day) => ({ coin: data.coin, ...day })),
          ['coin', 'day', 'net_pct'],
        ),
      headers: ({ data }) => ({
        'content-disposition': `attachment; filename="${fileName(data)}.csv"`,
      }),
    },
  },
});

async function loadPair(context: PageContext): Promise<LoadedPair> {
  const { entrance, caller, sent } = context;
  const query = new Map(sent);
  const { days, mostDays } = daysRange(context, LONGEST_DAYS);
  query.set('days', [days ?? String(Math.min(DEFAULT_DAYS, mostDays))]);
  const answer = await answerForPage<PairCarry>(entrance, arbitrageHistory, caller, query);
  const spreads = await daySpreads(answer.data, context);
  return {
    ...answer,
    days: answer.data.days.map((day) => ({ ...day, price_spread_pct: spreads.get(day.day) ?? null })),
  };
}

/** The mean of (mid of the short leg - mid of the long leg) by day; only for callers of live data. */
async function daySpreads(
  { coin, long_exchange, short_exchange }: PairCarry,
  { pairChart, caller, entrance }: PageContext,
): Promise<Map<string, number>> {
  const means = new Map<string, number>();
  if (caller.plan.delaySeconds > 0) return means;
  const isLongFirst = long_exchange < short_exchange;
  const [exchangeA, exchangeB] = isLongFirst
    ? [long_exchange, short_exchange]
    : [short_exchange, long_exchange];
  const view = await pairChart({ coin, exchangeA, exchangeB, sizeUsd: CHART_SIZE_USD }).catch(() => null);
  if (!view) return means;
  const lastMinute = minuteOf(entrance.clock.nowMs());
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [i, spread] of view.spreadsPct.entries()) {
    if (Number.isNaN(spread) || view.fromMinute + i > lastMinute) continue;
    const dayMs = Math.floor(msOfMinute(view.fromMinute + i) / DAY_MS) * DAY_MS;
    const day = isoTime(dayMs).slice(0, 10);
    const held = sums.get(day) ?? { sum: 0, count: 0 };
    sums.set(day, { sum: held.sum + spread, count: held.count + 1 });
  }
  for (const [day, { sum, count }] of sums)
    means.set(day, Number(((isLongFirst ? 1 : -1) * (sum / count)).toFixed(4)));
  return means;
}

function titleOf({ coin, long_exchange, short_exchange }: PairCarry): string {
  return `${coin}: long ${long_exchange}, short ${short_exchange}`;
}

function fileName({ coin, long_exchange, short_exchange }: PairCarry): string {
  return `${coin}-${long_exchange}-${short_exchange}-carry`.replaceAll(/[^A-Za-z0-9-]/g, '_');
}

function chartSeries({ long_exchange, short_exchange }: PairCarry, days: readonly ShownDay[]) {
  let [long, short] = [0, 0];
  const cumulative = days.map((day) => {
    long += day.long_pct ?? 0;
    short += day.short_pct ?? 0;
    return { day: day.day, net: day.cumulative_pct, long, short, spread: day.price_spread_pct };
  });
  const series = (label: string, figureOf: (one: (typeof cumulative)[number]) => number | null) => ({
    label,
    points: cumulative.map((one) => ({ day: one.day, pct: figureOf(one) })),
  });
  return [
    series('Net, cumulative', ({ net }) => net),
    series(`Long ${long_exchange}, cumulative`, (one) => Number(one.long.toFixed(8))),
    series(`Short ${short_exchange}, cumulative`, (one) => Number(one.short.toFixed(8))),
    ...(days.some(({ price_spread_pct }) => price_spread_pct !== null)
      ? [series('Price spread, mean of the day', ({ spread }) => spread)]
      : []),
  ];
}

function bodyOf(loaded: LoadedPair, context: PageContext): Html {
  const { sent, isSignedIn } = context;
  const { data, days } = loaded;
  const range = daysRange(context, LONGEST_DAYS);
  const chosen = range.days ?? String(Math.min(DEFAULT_DAYS, range.mostDays));
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays);
  const coin = encodeURIComponent(data.coin);
  return html`<p><a href="/arbitrage?coin=${coin}">All pairs of ${data.coin}</a></p>
<h1>${titleOf(data)}</h1>
<p class="lead">${LEAD}</p>
${asOf(loaded)}
<p class="views" role="group" aria-label="Range">${ranges.map((one) => html`<a href="${linkWith(PATH, sent, { days: String(one) })}"${String(one) === chosen ? html` aria-current="true"` : null}>${one} days</a>`)} <a href="${linkWith(`${PATH}.csv`, sent, {})}" download>Download CSV</a> <a href="/funding/${coin}/history">History of ${data.coin}</a></p>
${rangeNote(range, isSignedIn)}
${cards(days)}
${
  days.length === 0
    ? null
    : html`<link rel="stylesheet" href="${assetPath('uplot.css')}">
<div id="chart" class="chart" data-source="${linkWith(`${PATH}.json`, sent, {})}"></div>`
}
${daysTable(data, days)}`;
}

function cards(days: readonly ShownDay[]): Html | null {
  const known = days.flatMap(({ net_pct }) => (net_pct === null ? [] : [net_pct]));
  if (known.length === 0) return null;
  const total = days.at(-1)?.cumulative_pct ?? 0;
  const earning = known.filter((net) => net > 0).length;
  const card = (title: string, figure: Html, words: string) =>
    html`<section class="card"><h2>${title}</h2><p class="figure">${figure}</p><p>${words}</p></section>`;
  return html`<div class="cards">
${card('Earned', percent(total, 3), `in ${known.length} days, before fees`)}
${card('A day', percent(total / known.length, 3), 'on average')}
${card('Days that earned', html`${earning} of ${known.length}`, 'with a payment on both legs')}
${card('Worst day', percent(Math.min(...known), 3), 'of the range')}
</div>`;
}

function daysTable({ long_exchange, short_exchange }: PairCarry, days: readonly ShownDay[]): Html {
  if (days.length === 0)
    return html`<div class="empty"><p>No day of this pair is held in this window.</p></div>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Carry per day"><table>
<thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="number">Long ${long_exchange}</th><th scope="col" class="number">Short ${short_exchange}</th><th scope="col" class="number">Net</th><th scope="col" class="number">Cumulative</th><th scope="col" class="number">Price spread</th></tr></thead><tbody>
${days.toReversed().map((day) => html`<tr><th scope="row">${day.day}${day.is_complete ? null : html` <span title="not all payments of the day are held, or the day is not over">*</span>`}</th><td class="number">${percent(day.long_pct, 3)}</td><td class="number">${percent(day.short_pct, 3)}</td><td class="number">${percent(day.net_pct, 3)}</td><td class="number">${percent(day.cumulative_pct, 3)}</td><td class="number">${percent(day.price_spread_pct, 3)}</td></tr>\n`)}</tbody></table></div>`;
}
