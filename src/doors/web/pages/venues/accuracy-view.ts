import { isoTime } from '../../../../base/times.ts';
import { FAULT_WORDS } from '../../../../engines/audit/faults.ts';
import { findingOf } from '../../../../engines/audit/notices.ts';
import {
  type AuditReport,
  CHART_DAYS,
  type VenueAccuracy,
  verdictOf,
} from '../../../../engines/audit/report.ts';
import type { WindowFigures } from '../../../../engines/audit/windows.ts';
import type { VenuePredictions } from '../../../../operations/forecast-accuracy/predictions.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { byName } from '../open-venues.ts';
import {
  FIGURE_HEADINGS,
  figureCells,
  USUAL_WINDOW,
  WINDOW_NAMES,
  WINDOW_TITLES,
} from './accuracy-figures.ts';
import { dayText, FORMULAS, LEAD, summary, TITLE } from './accuracy-texts.ts';
import { predictionsSection } from './predictions-view.ts';

/** `window` is the number of the window that the table shows. */
export function accuracyBody(
  report: AuditReport,
  window: number,
  predictions: readonly VenuePredictions[] | null,
): Html {
  const { asOfMs } = report;
  const venues = report.venues.toSorted(
    (a, b) => b.alarms.length - a.alarms.length || byName(a.exchange, b.exchange),
  );
  return html`<div class="ttl">
      <h1>${TITLE}</h1>
      ${liveBadge({ as_of: isoTime(asOfMs), delayed_seconds: 0 }, '/accuracy', 60)}
    </div>
    <p class="sub">
      ${LEAD} ${summary(report)} The <a class="lnk" href="/status">status page</a> says which venues give data
      now, <a class="lnk" href="/accuracy/forecasts">how right the forecasts were</a> is a page of its own.
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
    ${windowSection(venues, window)}
    ${predictionsSection(predictions)}
    <section class="card mt">
      <header><h2>Checks of every snapshot</h2></header>
      <div class="tw" id="checks" data-live tabindex="0" role="region" aria-label="Checks of every snapshot">
        <table class="t">
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col" class="num" title="Contracts more than 5 % from the median of the other venues">
                Prices off<small>by more than 5 %</small>
              </th>
              <th scope="col" class="num">Prices compared<small>with two other venues</small></th>
              <th scope="col" class="num" title="The venue states a next settlement that is over">
                Settlement passed<small>over 10 min ago</small>
              </th>
              <th scope="col" class="num" title="The venue states a next settlement further away than its interval">
                Settlement too far<small>beyond one interval</small>
              </th>
              <th scope="col" class="num">Settlements stated<small>by the venue</small></th>
              <th scope="col" class="num" title="24 h volume against its week, beside that of the other venues">
                Volume<small>times usual</small>
              </th>
            </tr>
          </thead>
          <tbody>${venues.map(checkRow)}</tbody>
        </table>
      </div>
    </section>
    <section class="card mt">
      <header><h2>What the figures mean</h2><a class="lnk" href="/developers/accuracy">How we check ourselves</a></header>
      <details class="rest pad">
        <summary>Every formula</summary>
        <dl class="facts">${FORMULAS.map(([term, meaning]) => html`<dt>${term}</dt><dd>${meaning}</dd>\n`)}</dl>
      </details>
    </section>`;
}

function windowSection(venues: readonly VenueAccuracy[], window: number): Html {
  const title = WINDOW_TITLES[window] ?? '';
  return html`<section class="card mt">
    <header>
      <h2>Published against settled rates</h2>
      <nav class="seg" aria-label="Window">
        ${WINDOW_NAMES.map(
          (name, i) =>
            html`<a href="${i === USUAL_WINDOW ? '/accuracy' : `/accuracy?window=${name}`}"${
              i === window ? html` aria-current="true"` : null
            }>${WINDOW_TITLES[i]}</a>`,
        )}
      </nav>
    </header>
    <div class="tw" id="window" data-live tabindex="0" role="region" aria-label="${title}">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">Venue</th>
            ${FIGURE_HEADINGS}
            <th scope="col">Verdict</th>
            <th scope="col" title="A bar a day: the share within 0.1 bp">Within 0.1 bp<small>by day</small></th>
          </tr>
        </thead>
        <tbody>
          ${venues.map((venue) => windowRow(venue, venue.windows[window] as WindowFigures))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function windowRow(venue: VenueAccuracy, figures: WindowFigures): Html {
  return html`<tr data-key="${venue.exchange}">
    <th scope="row">
      <span class="ven">
        ${venueMark(venue.exchange, 18)}
        ${venue.exchange}
        ${venue.rule === 'accrual' ? html` <span class="mut" title="Funding accrues: compared hour by hour">(accrues)</span>` : null}
      </span>
    </th>
    ${figureCells(figures)}
    <td class="words">${verdictHtml(venue)}</td>
    <td>${dayChart(venue)}</td>
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
