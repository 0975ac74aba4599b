import { csvOfObjects } from '../../../../base/csv.ts';
import { fundingHistory } from '../../../../operations/funding-history/funding-history.ts';
import { assetPath } from '../../assets.ts';
import { asOf } from '../../lists/list-page.ts';
import { definePage, type PageContext } from '../../market-page.ts';
import { hours, percent, time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { markdownHead, markdownTable } from '../../markup/markdown.ts';
import { linkWith } from '../../markup/page-links.ts';
import { answerForPage, type PageAnswer } from '../../visitor.ts';
import { type DaysRange, daysRange, rangeNote } from './days-range.ts';
import { settlementsPath } from './history-paths.ts';

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
/** The longest window of the operation, by its resolution. */
const LONGEST_DAYS = { '1d': 180, settlement: 92 };
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
  load: (context) => {
    const { entrance, caller, sent, named } = context;
    const query = new Map(sent).set('coin', [named.coin ?? '']);
    const { days } = rangeOf(context);
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

function rangeOf(context: PageContext): DaysRange {
  const isSettlements = context.sent.get('resolution')?.[0] === 'settlement';
  return daysRange(context, LONGEST_DAYS[isSettlements ? 'settlement' : '1d']);
}

function pointsOf({ coin, series }: History): Record<string, string | number | null>[] {
  return series.flatMap(({ exchange, symbol, daily, settlements }) => [
    ...(daily ?? []).map(({ day, apr_pct }) => ({ coin, exchange, symbol, day, apr_pct })),
    ...(settlements ?? []).map((print) => ({ coin, exchange, symbol, ...print })),
  ]);
}

function historyBody(answer: PageAnswer<History>, context: PageContext): Html {
  const { sent, isSignedIn } = context;
  const { coin, series } = answer.data;
  const path = `/funding/${encodeURIComponent(coin)}/history`;
  const isSettlements = answer.data.resolution === 'settlement';
  const range = rangeOf(context);
  const days = range.days ?? String(Math.min(isSettlements ? 7 : 30, range.mostDays));
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays);
  const to = (one: number) => linkWith(path, sent, { days: String(one) });
  return html`<h1>${coin} funding history</h1>
<p class="lead">${leadOf(answer.data)}</p>
${asOf(answer)}
<p class="views" role="group" aria-label="Range">${ranges.map((one) => html`<a href="${to(one)}"${String(one) === days ? html` aria-current="true"` : null}>${one} days</a>`)} <a href="${linkWith(`${path}.csv`, sent, {})}" download>Download CSV</a> <a href="/funding/${encodeURIComponent(coin)}">Current rates</a>${isSettlements ? html` <a href="${path}">All venues per day</a>` : null}</p>
${rangeNote(range, isSignedIn)}
${chartPlace(series, linkWith(`${path}.json`, sent, {}))}
${isSettlements ? printsTable(series) : daysTable(answer.data)}`;
}

function chartPlace(series: readonly Series[], source: string): Html | null {
  const drawn = series.filter(({ daily, settlements }) => (daily ?? settlements ?? []).length > 0).length;
  if (drawn === 0) return null;
  return html`<link rel="stylesheet" href="${assetPath('uplot.css')}">
<div id="chart" class="chart${drawn < MANY_VENUES ? '' : ' many'}" data-source="${source}"></div>`;
}

function daysTable({ coin, series, from, to }: History): Html {
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
<thead><tr><th scope="col">Day (UTC)</th>${known.map((one) => html`<th scope="col" class="number" title="${one.symbol}"><a href="${settlementsPath(coin, one.exchange, one.symbol)}" title="Every settled payment of ${one.symbol}">${one.exchange}</a></th>`)}</tr></thead><tbody>
${days.map((day) => html`<tr><th scope="row">${day}</th>${known.map((one) => html`<td class="number">${percent(value.get(`${one.exchange} ${day}`), 1)}</td>`)}</tr>\n`)}</tbody></table></div>`;
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
