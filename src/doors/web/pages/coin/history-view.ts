import type { Problem } from '../../../../base/problems.ts';
import { isoTime } from '../../../../base/times.ts';
import { lineChart } from '../../charts/line-chart.ts';
import { seriesTones } from '../../charts/tones.ts';
import { venueName } from '../../icons/marks.ts';
import { icon } from '../../icons/ui-icons.ts';
import { wrongFilter } from '../../lists/list-states.ts';
import { liveBadge } from '../../live/badge.ts';
import type { PageContext } from '../../market-page.ts';
import { percent, time } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { linkTo } from '../../markup/page-links.ts';
import { rangeNote } from '../funding/days-range.ts';
import { settlementsPath } from '../funding/history-paths.ts';
import { rateText, UNITS, type Unit } from '../funding/units.ts';
import { coinHead, coinPath, segment } from './head.ts';
import { MODES, type Mode } from './history-query.ts';
import { aprOfTotals, type LoadedHistory, type PaidTotals, type ShownSeries } from './history-rows.ts';
import { RANGES_DAYS, rangeText } from './paid-card.ts';
import { changed } from './query.ts';
import { choiceChips } from './venue-choice.ts';

export const LEADS: Readonly<Record<Mode, string>> = {
  settlement:
    'Every settled payment as the venue published it, in percent of the position for its interval. Positive: longs paid shorts.',
  '1d': 'What funding really paid, annualised per day and net of the fees to open and close, from settled payments only. A missing day is a gap in the data, never zero.',
  cumulative:
    'The settled payments added up since the start of the window, in percent of the position, before fees. Positive: longs paid shorts.',
};
const MODE_WORDS: Readonly<Record<Mode, string>> = {
  settlement: 'Per settlement',
  '1d': 'Per day',
  cumulative: 'Cumulative',
};
/** Rows of the table with every figure; the file has all. */
const MOST_ROWS = 300;
const DECIMALS: Readonly<Record<Mode, number>> = { settlement: 4, '1d': 1, cumulative: 3 };

/** The page of an address that does not work. */
export function refusedBody(coin: string, problem: Problem, context: PageContext): Html {
  return html`${coinHead(coin, 'history', context, null, null)}
${wrongFilter(problem, `${coinPath(coin)}/history`)}`;
}

export function historyBody(loaded: LoadedHistory, context: PageContext): Html {
  const { coin, query, choice, series, totals, meta } = loaded;
  const { sent, isSignedIn, preferences } = context;
  const { mode, days, range } = query;
  const path = `${coinPath(coin)}/history`;
  const tones = seriesTones(choice.chosen);
  const to = (change: Readonly<Record<string, string | undefined>>) => changed(path, sent, change);
  const modes = MODES.map((one) => ({
    words: MODE_WORDS[one],
    to: to({ resolution: one === '1d' ? undefined : one, days: undefined }),
    isCurrent: one === mode,
  }));
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays).map((one) => ({
    words: rangeText(one),
    to: to({ days: String(one) }),
    isCurrent: one === days,
  }));
  const chart = lineChart({
    id: 'history',
    label: `${MODE_WORDS[mode]}: funding of ${coin} over ${days} days on ${series.length} venues`,
    unit: ' %',
    decimals: DECIMALS[mode],
    heightPx: 340,
    isDaily: mode === '1d',
    series: series.map(({ exchange, points }) => ({
      name: exchange,
      ...(tones.get(exchange) ?? { tone: 's1', dash: 0 }),
      points,
    })),
    empty: html`<p class="mut">${emptyWords(loaded)}</p>`,
  });
  return html`${coinHead(
    coin,
    'history',
    context,
    null,
    html`${liveBadge(meta, linkTo(path, sent))}
      <span id="csv" data-part>
        <a class="btn" href="${linkTo(`${path}.csv`, sent)}" download>${icon('dl')}Download CSV</a>
      </span>`,
  )}
    <p class="sub" id="lead" data-part>${LEADS[mode]}</p>
    <div class="note-line" id="range-note" data-part>${rangeNote(range, isSignedIn)}</div>
    <section class="card">
      <header id="history-head" data-part data-soft>
        <h2>What funding really paid</h2>
        ${segment('What is shown', modes)}
        ${segment('Range', ranges)}
      </header>
      ${choiceChips('history-venues', choice, tones, (value) => to({ exchange: value, symbol: undefined }))}
      <div class="pad" id="history-plot" data-live>${chart}</div>
    </section>
    <section class="card gap" id="totals" data-live>
      <header><h2>Averages and sums</h2><span class="mut">${days} days, before fees</span></header>
      ${totalsTable(coin, totals, preferences.unit)}
    </section>
    <section class="card gap" id="figures" data-live>
      <header>
        <h2>Every figure</h2>
        <span class="mut">${mode === '1d' ? 'UTC days, ' : null}newest first</span>
      </header>
      ${figuresTable(loaded)}
    </section>`;
}

function emptyWords({ choice, query }: LoadedHistory): string {
  return choice.chosen.length === 0
    ? 'No venue is chosen.'
    : `No settled payment of the last ${query.days} days is stored for these venues.`;
}

function totalsTable(coin: string, totals: readonly PaidTotals[], unit: Unit): Html {
  if (totals.length === 0) return html`<p class="pad mut">No venue is chosen.</p>`;
  const row = (one: PaidTotals) => {
    const { exchange, symbol, payments, sumPct, perHourPct, highestPct, lowestPct, longsPaidPct } = one;
    return html`<tr data-key="${exchange}">
      <td>${venueName(exchange)}</td>
      <td class="d">${symbol}</td>
      <td class="num"><b>${percent(sumPct, 3)}</b></td>
      <td class="num">${percent(aprOfTotals(one), 1)}</td>
      <td class="num">${perHourPct === null ? '–' : rateText(perHourPct, unit)}</td>
      <td class="num">${percent(highestPct)}</td>
      <td class="num">${percent(lowestPct)}</td>
      <td class="num">${longsPaidPct === null ? '–' : `${Math.round(longsPaidPct)}\u00a0%`}</td>
      <td class="num">
        <a class="lnk" href="${settlementsPath(coin, exchange, symbol)}"
          aria-label="${payments} settled payments of ${symbol} on ${exchange}">
          ${grouped(payments)}
        </a>
      </td>
    </tr>\n`;
  };
  return html`<div class="tw" tabindex="0" role="region" aria-label="Averages and sums">
    <table class="t keep">
      <thead>
        <tr>
          <th scope="col">Venue</th>
          <th scope="col" class="d">Contract</th>
          <th scope="col" class="num">Sum<small>% paid</small></th>
          <th scope="col" class="num">Average<small>APR, gross</small></th>
          <th scope="col" class="num">Average<small>${UNITS[unit].words}</small></th>
          <th scope="col" class="num">Highest<small>one payment</small></th>
          <th scope="col" class="num">Lowest<small>one payment</small></th>
          <th scope="col" class="num">Longs paid<small>of payments</small></th>
          <th scope="col" class="num">Payments<small>every one</small></th>
        </tr>
      </thead>
      <tbody>${totals.map(row)}</tbody>
    </table>
  </div>`;
}

function figuresTable(loaded: LoadedHistory): Html {
  const { coin, series, query } = loaded;
  const { mode } = query;
  const times = [...new Set(series.flatMap(({ points }) => points.map(([atMs]) => atMs)))].sort(
    (a, b) => b - a,
  );
  if (times.length === 0) return html`<p class="pad mut">${emptyWords(loaded)}</p>`;
  const shown = times.slice(0, MOST_ROWS);
  const values = series.map(({ points }) => new Map(points));
  const head = ({ exchange, symbol, intervalsHours }: ShownSeries) =>
    html`<th scope="col" class="num">
      <a href="${settlementsPath(coin, exchange, symbol)}" title="Every settled payment of ${symbol}">
        ${exchange}
      </a>
      ${intervalsHours && html`<small>${intervalsText(intervalsHours)}</small>`}
    </th>`;
  const line = (atMs: number) =>
    html`<tr data-key="${atMs}">
      <th scope="row">${timeHtml(atMs, mode)}</th>
      ${values.map((points) => html`<td class="num">${cell(points.get(atMs), mode)}</td>`)}
    </tr>\n`;
  return html`<div class="tw hist" tabindex="0" role="region" aria-label="Every figure">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">
              ${mode === '1d' ? html`UTC day` : mode === 'cumulative' ? 'Until' : 'Settled'}
            </th>
            ${series.map(head)}
          </tr>
        </thead>
        <tbody>${shown.map(line)}</tbody>
      </table>
    </div>
    ${
      shown.length < times.length
        ? html`<p class="cfoot">
          <span>The newest ${MOST_ROWS} of ${grouped(times.length)}; the CSV file has all.</span>
        </p>`
        : null
    }`;
}

/** `per 8 h`, or `per 4 or 8 h` for a contract whose interval has changed. */
function intervalsText(hours: readonly (number | null)[]): string {
  const known = [...new Set(hours)].filter((one) => one !== null).sort((a, b) => a - b);
  return known.length === 0 ? 'interval unknown' : `per ${known.join(' or ')} h`;
}

/** Undefined: the venue settles at other times. Null: the day is not covered. */
function cell(value: number | null | undefined, mode: Mode): Html {
  if (value === undefined) return html`<span class="mut">–</span>`;
  return percent(value, DECIMALS[mode]);
}

function timeHtml(atMs: number, mode: Mode): Html {
  const iso = isoTime(atMs);
  return mode === '1d' ? html`${iso.slice(0, 10)}` : time(iso);
}
