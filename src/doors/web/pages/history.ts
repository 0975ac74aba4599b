import { csvOfObjects } from '../../../base/csv.ts';
import { fundingHistory } from '../../../operations/funding-history/funding-history.ts';
import { assetPath } from '../assets.ts';
import { hours, percent, time } from '../format.ts';
import { type Html, html } from '../html.ts';
import { asOf } from '../list-page.ts';
import { markdownHead, markdownTable } from '../markdown.ts';
import { definePage, type PageContext } from '../market-page.ts';
import { linkWith } from '../page-links.ts';
import { answerForPage, type PageAnswer } from '../visitor.ts';

interface Series {
  exchange: string;
  symbol: string;
  daily: readonly { day: string; apr_pct: number | null }[] | null;
  settlements: readonly { time: string; rate_pct: number; interval_hours: number | null }[] | null;
}

interface History {
  coin: string;
  resolution: string;
  from: string;
  to: string;
  series: readonly Series[];
}

const RANGES_DAYS = [7, 30, 90, 180];
const LONGEST_DAYS = 180;
/** With this many venues the legend of the chart takes several lines. */
const MANY_VENUES = 5;
const LEAD =
  'What funding really paid, annualised per day and net of the fees to open and close, from settled payments only. A missing day is a gap in the data, never zero.';

const LEAD_SETTLEMENTS =
  'Every settled payment as the venue published it, in percent of the position for its interval. Positive: longs paid shorts.';

/** APR per day and venue: a table, with scripts also a chart, and the same figures as CSV and JSON. */
export const HISTORY_PAGE = definePage<PageAnswer<History>>({
  path: '/funding/:coin/history',
  label: 'History of a coin',
  section: '/funding',
  freshness: ({ entrance, caller }) => String(entrance.freshness(fundingHistory, caller)),
  load: ({ entrance, caller, sent, named }) => {
    const query = new Map(sent).set('coin', [named.coin ?? '']);
    const days = daysOf(sent, caller.plan.historyDays);
    if (days !== null) query.set('days', [days]);
    return answerForPage(entrance, fundingHistory, caller, query);
  },
  view: (answer, context) => ({
    title: `${answer.data.coin} funding history`,
    description: `Funding paid on ${answer.data.coin} perpetuals per day and venue`,
    body: historyBody(answer, context),
    scripts: ['uplot', 'chart'],
  }),
  markdown: ({ data, meta }) =>
    `${markdownHead(`${data.coin} funding history`, leadOf(data), meta)}${markdownTable(pointsOf(data))}`,
  files: {
    '.json': { type: 'application/json; charset=utf-8', write: (answer) => JSON.stringify(answer) },
    '.csv': {
      type: 'text/csv; charset=utf-8',
      write: ({ data }) => csvOfObjects(pointsOf(data), ['coin', 'exchange', 'symbol', 'day', 'apr_pct']),
      headers: ({ data }) => ({
        'content-disposition': `attachment; filename="${data.coin.replaceAll(/[^A-Z0-9]/g, '_')}-funding.csv"`,
      }),
    },
  },
});

function leadOf({ resolution }: History): string {
  return resolution === 'settlement' ? LEAD_SETTLEMENTS : LEAD;
}

/** A range that exceeds the plan is shortened, instead of refused. */
function daysOf(sent: PageContext['sent'], maxDays: number | null): string | null {
  const wanted = sent.get('days')?.[0];
  if (wanted === undefined || maxDays === null || !(Number(wanted) > maxDays)) return wanted ?? null;
  return String(maxDays);
}

function pointsOf({ coin, series }: History): Record<string, string | number | null>[] {
  return series.flatMap(({ exchange, symbol, daily, settlements }) => [
    ...(daily ?? []).map(({ day, apr_pct }) => ({ coin, exchange, symbol, day, apr_pct })),
    ...(settlements ?? []).map((print) => ({ coin, exchange, symbol, ...print })),
  ]);
}

function historyBody(answer: PageAnswer<History>, { sent, caller, isSignedIn }: PageContext): Html {
  const { coin, series } = answer.data;
  const maxDays = caller.plan.historyDays;
  const path = `/funding/${encodeURIComponent(coin)}/history`;
  const days = daysOf(sent, maxDays) ?? String(Math.min(30, maxDays ?? 30));
  const ranges = RANGES_DAYS.filter((range) => maxDays === null || range <= maxDays);
  const to = (range: number) => linkWith(path, sent, { days: String(range) });
  return html`<h1>${coin} funding history</h1>
<p class="lead">${leadOf(answer.data)}</p>
${asOf(answer)}
<p class="views" role="group" aria-label="Range">${ranges.map((range) => html`<a href="${to(range)}"${String(range) === days ? html` aria-current="true"` : null}>${range} days</a>`)} <a href="${linkWith(`${path}.csv`, sent, {})}" download>Download CSV</a> <a href="/funding/${encodeURIComponent(coin)}">Current rates</a></p>
${
  maxDays !== null && maxDays < LONGEST_DAYS
    ? html`<p class="as-of">${isSignedIn ? 'With your plan' : 'Without a plan'} the last ${maxDays} days are shown. <a href="/plans">Plans</a> reach further.</p>`
    : null
}
${chartPlace(series, linkWith(`${path}.json`, sent, {}))}
${answer.data.resolution === 'settlement' ? printsTable(series) : daysTable(answer.data)}`;
}

function chartPlace(series: readonly Series[], source: string): Html | null {
  const drawn = series.filter(({ daily, settlements }) => (daily ?? settlements ?? []).length > 0).length;
  if (drawn === 0) return null;
  return html`<link rel="stylesheet" href="${assetPath('uplot.css')}">
<div id="chart" class="chart${drawn < MANY_VENUES ? '' : ' many'}" data-source="${source}"></div>`;
}

function daysTable({ series, from, to }: History): Html {
  const known = series.filter((one) => (one.daily?.length ?? 0) > 0);
  if (known.length === 0)
    return html`<div class="empty"><p>No settled payment is held between ${from.slice(0, 10)} and ${to.slice(0, 10)}.</p></div>`;
  const days = [...new Set(known.flatMap((one) => one.daily?.map((point) => point.day) ?? []))]
    .sort()
    .reverse();
  const value = new Map(
    known.flatMap((one) => (one.daily ?? []).map((point) => [`${one.exchange} ${point.day}`, point.apr_pct])),
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="APR per day"><table>
<thead><tr><th scope="col">Day (UTC)</th>${known.map((one) => html`<th scope="col" class="number" title="${one.symbol}">${one.exchange}</th>`)}</tr></thead><tbody>
${days.map((day) => html`<tr><th scope="row">${day}</th>${known.map((one) => html`<td class="number">${percent(value.get(`${one.exchange} ${day}`), 2)}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

function printsTable(series: readonly Series[]): Html {
  const prints = series.flatMap(({ exchange, symbol, settlements }) =>
    (settlements ?? []).map((print) => ({ exchange, symbol, ...print })),
  );
  if (prints.length === 0)
    return html`<div class="empty"><p>No settled payment is held in this window.</p></div>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Settled payments"><table>
<thead><tr><th scope="col">Settled</th><th scope="col">Venue</th><th scope="col">Contract</th><th scope="col" class="number">Rate</th><th scope="col" class="number">For</th></tr></thead><tbody>
${prints.toReversed().map((print) => html`<tr><td>${time(print.time)}</td><td>${print.exchange}</td><td>${print.symbol}</td><td class="number">${percent(print.rate_pct)}</td><td class="number">${hours(print.interval_hours)}</td></tr>\n`)}</tbody></table></div>`;
}
