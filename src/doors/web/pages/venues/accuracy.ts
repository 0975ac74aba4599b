import { DAY_MS, isoTime } from '../../../../base/times.ts';
import { FAULT_WORDS } from '../../../../engines/audit/faults.ts';
import { findingOf } from '../../../../engines/audit/notices.ts';
import {
  type AuditReport,
  CHART_DAYS,
  type VenueAccuracy,
  verdictOf,
} from '../../../../engines/audit/report.ts';
import type { DayFigures, WindowFigures } from '../../../../engines/audit/windows.ts';
import { venueMark } from '../../icons/marks.ts';
import { icon } from '../../icons/ui-icons.ts';
import { liveBadge } from '../../live/badge.ts';
import { definePage } from '../../market-page.ts';
import { time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { escapeMarkdown, markdownTable } from '../../markup/markdown.ts';
import { pageParameters } from '../../page-parameters.ts';
import { FIGURE_HEADINGS, figureCells, WINDOW_TITLES, windowFields } from './accuracy-figures.ts';

const TITLE = 'Accuracy';
const LEAD =
  'At every settlement the last rate that Perpwire published is compared with what the venue then settled. No figure here is an estimate: each counts real settlements.';

/** Every formula of the page, as text for the page and its twin. */
const FORMULAS: readonly (readonly [term: string, meaning: string])[] = [
  [
    'Comparison',
    'one settlement of one contract: the last rate_pct published before it, at most ten minutes old, and the settled print. Where funding accrues without settlements the hour takes their place, and the rate counts for the time of the print: rate_pct × minutes since the print before / (60 × interval_hours).',
  ],
  ['Error', '|published rate − settled print| × 100, in basis points (0.01 % is one).'],
  ['Within 0.1 bp', 'comparisons with an error of at most 0.1 basis point / comparisons.'],
  [
    'Median, worst',
    'of the error; “a minute before” is the median error of the newest rate that was published at least 60 seconds before the last one.',
  ],
  [
    'Same sign',
    'comparisons in which rate and print have one sign / comparisons in which both are at least 0.01 basis point.',
  ],
  [
    'Ratio',
    'median of settled print / published rate, where the published rate is at least 0.01 basis point.',
  ],
  ['Delay', 'median time from the settlement until its print was known here.'],
  [
    'Missing',
    'settlements whose print is not known seven hours later; expected are these and all comparisons. A print that comes later is a comparison from then on.',
  ],
  [
    'Verdict',
    'of the newest 50 to 200 informative comparisons of the last seven days at least 80 % show one fault: a factor of 100, 1/100, 8 or 1/8, the opposite sign, the rate of the settlement before or after, or another interval. A comparison is informative when fault and truth differ by 0.1 basis point or more; equal pairs of values count five times at most. An alarm ends below 50 %.',
  ],
  [
    'Prices',
    'contracts whose mid price is more than 5 % from the median of the other venues on the same coin, of those with at least two others.',
  ],
  [
    'Settlements',
    'contracts for which the venue states a next settlement more than ten minutes in the past, or further away than one interval.',
  ],
  [
    'Volume',
    'the venue’s 24 h volume / the median of its hourly values of the last seven days, divided by the median of that figure over the other venues.',
  ],
  [
    'Counted twice, halved',
    'of a contract the newest eight different values of open interest or 24 h volume are taken as the venue counts them, in steps of their last digit. Counted twice: none is odd. Halved: all end in 0 or 5. A notice needs ten such contracts and 90 % of those judged; a right count shows it with a chance below 10 × 2⁻⁷².',
  ],
  [
    'Not published',
    'an open interest above 100 billion USDT; one of 10 million or more that is above 1,000 times the volume of the day; one of 100,000 or more that differs by more than 20 times between a call and a stream of the venue.',
  ],
  [
    'Open interest / volume',
    'median over the coins of a venue of its own ratio / the median of at least three other venues’, for ten coins or more. A notice above 30 or below 1/30, and above 1.8 or below 1/1.8 times the median of its own last seven days.',
  ],
];

export const ACCURACY_PAGE = definePage<AuditReport | null>({
  path: '/accuracy',
  label: 'Accuracy',
  section: '/accuracy',
  parameters: pageParameters(null),
  isLive: true,
  freshness: ({ accuracy }) => String(accuracy()?.asOfMs ?? 'none'),
  load: async ({ accuracy }) => accuracy(),
  view: (report) => ({
    title: TITLE,
    description: 'How close published funding rates were to what the venues settled, per venue',
    layout: 'wrap',
    asOf: report ? isoTime(report.asOfMs) : '',
    scripts: ['live'],
    body: report
      ? accuracyBody(report)
      : html`<h1>${TITLE}</h1><p class="sub">${LEAD}</p><section class="card empty"><p>${NO_REPORT}</p></section>`,
  }),
  markdown: (report) => (report ? accuracyMarkdown(report) : `# ${TITLE}\n\n${LEAD}\n\n${NO_REPORT}\n`),
});

const NO_REPORT = 'There is no report yet: the first one follows within a minute of the first snapshot.';

function accuracyBody(report: AuditReport): Html {
  const { venues, asOfMs } = report;
  return html`<div class="ttl">
      <h1>${TITLE}</h1>
      ${liveBadge({ as_of: isoTime(asOfMs), delayed_seconds: 0 }, '/accuracy')}
    </div>
    <p class="sub">
      ${LEAD} ${summary(report)} The <a class="lnk" href="/status">status page</a> says which venues give data
      now.
    </p>
    <div id="alarms" data-live>
      ${venues.flatMap(({ exchange, alarms }) =>
        alarms.map(
          ({ fault, sinceMs, evidence }) => html`<div class="ban bad mt">
            ${icon('warn')}
            <p>
              <b>${exchange}:</b> ${FAULT_WORDS[fault].finding} (${evidence}),
              since ${time(isoTime(sinceMs))}.
            </p>
          </div>\n`,
        ),
      )}
    </div>
    <div id="notices" data-live>
      ${venues.flatMap(({ exchange, notices }) =>
        notices.map(
          (notice) => html`<div class="ban mt">
            ${icon('warn')}
            <p>
              <b>${exchange}:</b> ${findingOf(notice)} (${notice.evidence}),
              since ${time(isoTime(notice.sinceMs))}.
            </p>
          </div>\n`,
        ),
      )}
    </div>
    ${WINDOW_TITLES.map((title, i) => windowSection(title, venues, i))}
    <section class="card mt">
      <header><h2>Checks of every snapshot</h2></header>
      <div class="tw" id="checks" data-live tabindex="0" role="region" aria-label="Checks of every snapshot">
        <table class="t">
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col" class="num">Prices off</th>
              <th scope="col" class="num">Prices compared</th>
              <th scope="col" class="num">Settlement passed</th>
              <th scope="col" class="num">Settlement too far</th>
              <th scope="col" class="num">Settlements stated</th>
              <th scope="col" class="num">Volume, times usual</th>
            </tr>
          </thead>
          <tbody>${venues.map(checkRow)}</tbody>
        </table>
      </div>
    </section>
    <section class="card mt">
      <header><h2>Formulas</h2><a class="lnk" href="/developers/accuracy">How we check ourselves</a></header>
      <dl class="facts">${FORMULAS.map(([term, meaning]) => html`<dt>${term}</dt><dd>${meaning}</dd>\n`)}</dl>
    </section>`;
}

function windowSection(title: string, venues: readonly VenueAccuracy[], window: number): Html {
  const hasChart = window === WINDOW_TITLES.length - 1;
  return html`<section class="card mt">
    <header><h2>${title}</h2></header>
    <div class="tw" id="window-${window}" data-live tabindex="0" role="region" aria-label="${title}">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Venue</th>
            ${FIGURE_HEADINGS}
            ${hasChart ? html`<th scope="col">Within 0.1 bp by day</th>` : html`<th scope="col">Verdict</th>`}
          </tr>
        </thead>
        <tbody>
          ${venues.map((venue) => windowRow(venue, venue.windows[window] as WindowFigures, hasChart))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function windowRow(venue: VenueAccuracy, figures: WindowFigures, hasChart: boolean): Html {
  return html`<tr data-key="${venue.exchange}">
    <th scope="row">
      <span class="ven">
        ${venueMark(venue.exchange, 18)}
        ${venue.exchange}
        ${venue.rule === 'accrual' ? html` <span class="mut" title="Funding accrues: compared hour by hour">(accrues)</span>` : null}
      </span>
    </th>
    ${figureCells(figures)}
    <td class="words">${hasChart ? dayChart(venue) : verdictHtml(venue)}</td>
  </tr>\n`;
}

function verdictHtml(venue: VenueAccuracy): Html {
  return html`<span${venue.alarms.length > 0 ? html` class="neg"` : null}>${verdictOf(venue)}</span>`;
}

const BAR_WIDTH = 4;
const BAR_STEP = 6;
const HEIGHT = 28;

/** Drawn on the server, so that it needs no script: a bar a day, as high as the share within 0.1 basis point. */
function dayChart({ exchange, days }: VenueAccuracy): Html {
  const last = days.at(-1);
  if (!last) return html`–`;
  const firstDay = last.day - CHART_DAYS + 1;
  return html`<svg class="bars" viewBox="0 0 ${CHART_DAYS * BAR_STEP} ${HEIGHT}" width="${CHART_DAYS * BAR_STEP}"
    height="${HEIGHT}" role="img"
    aria-label="${exchange}: share of prints within 0.1 basis point by day, ${dayText(days[0] ?? last)} to ${dayText(last)}">
    ${days.map((one) => {
      const height = Math.max(1, Math.round(((one.closePct ?? 0) / 100) * HEIGHT));
      return html`<rect x="${(one.day - firstDay) * BAR_STEP}" y="${HEIGHT - height}" width="${BAR_WIDTH}"
        height="${height}">
        <title>
          ${dayText(one)}: ${one.closePct} % of ${one.comparisons}, median error ${one.medianErrorBp} bp
        </title>
      </rect>`;
    })}
  </svg>`;
}

function dayText({ day }: Pick<DayFigures, 'day'>): string {
  return isoTime(day * DAY_MS).slice(0, 10);
}

function checkRow({ exchange, checks }: VenueAccuracy): Html {
  const cell = (value: number | null | undefined) => html`<td class="num">${value ?? '–'}</td>`;
  const ratio = checks?.volumeRatio;
  return html`<tr data-key="${exchange}">
    <th scope="row"><span class="ven">${venueMark(exchange, 18)}${exchange}</span></th>
    ${cell(checks?.pricesOff)}
    ${cell(checks?.pricesCompared)}
    ${cell(checks?.settlementsPast)}
    ${cell(checks?.settlementsTooFar)}
    ${cell(checks?.settlementsStated)}
    <td class="num">${ratio === null || ratio === undefined ? '–' : ratio.toFixed(2)}</td>
  </tr>\n`;
}

function summary({ venues, withholding }: AuditReport): string {
  const alarmed = venues.filter(({ alarms }) => alarms.length > 0).map(({ exchange }) => exchange);
  const finding =
    alarmed.length === 0
      ? 'No venue shows a systematic fault.'
      : `There is an alarm at ${alarmed.join(', ')}.`;
  const kept = withholding === 'off' ? 'stay published' : 'are withheld until the alarm ends';
  return `${finding} Rows of a venue with wrong rates ${kept}.`;
}

function accuracyMarkdown(report: AuditReport): string {
  const { venues, asOfMs } = report;
  const alarms = venues.flatMap(({ exchange, alarms: own }) =>
    own.map(({ fault, sinceMs, evidence }) => ({
      exchange,
      fault,
      finding: FAULT_WORDS[fault].finding,
      evidence,
      since: isoTime(sinceMs),
    })),
  );
  const notices = venues.flatMap(({ exchange, notices: own }) =>
    own.map((notice) => ({
      exchange,
      notice: notice.kind,
      field: notice.field,
      finding: findingOf(notice),
      evidence: notice.evidence,
      since: isoTime(notice.sinceMs),
    })),
  );
  const sections = WINDOW_TITLES.map((title, i) => {
    const rows = venues.map((venue) => windowFields(venue, venue.windows[i] as WindowFigures));
    return `## ${title}\n\n${markdownTable(rows)}\n`;
  });
  const days = venues.flatMap(({ exchange, days: own }) =>
    own.map((one) => ({
      exchange,
      day: dayText(one),
      comparisons: one.comparisons,
      within_01_bp_pct: one.closePct,
      median_error_bp: one.medianErrorBp,
    })),
  );
  const checks = venues.map(({ exchange, checks: found }) => ({
    exchange,
    prices_off: found?.pricesOff ?? null,
    prices_compared: found?.pricesCompared ?? null,
    settlements_passed: found?.settlementsPast ?? null,
    settlements_too_far: found?.settlementsTooFar ?? null,
    settlements_stated: found?.settlementsStated ?? null,
    volume_times_usual: found?.volumeRatio?.toFixed(2) ?? null,
  }));
  return `# ${TITLE}

${LEAD} ${escapeMarkdown(summary(report))}

As of ${isoTime(asOfMs)}.

${alarms.length === 0 ? '' : `## Alarms\n\n${markdownTable(alarms)}\n`}${notices.length === 0 ? '' : `## Notices\n\n${markdownTable(notices)}\n`}${sections.join('\n')}
## By day

${days.length === 0 ? 'No comparison yet.\n' : markdownTable(days)}
## Checks of every snapshot

${markdownTable(checks)}
## Formulas

${FORMULAS.map(([term, meaning]) => `- **${term}**: ${meaning}\n`).join('')}`;
}
