import { HOURS_BEFORE } from '../../../../engines/tape/predictions.ts';
import {
  CONTRACTS_PER_VENUE,
  PREDICTION_DAYS,
  type VenuePredictions,
} from '../../../../operations/forecast-accuracy/predictions.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';

export const PREDICTIONS_TITLE = 'How well the running rate predicted the payment';
export const PREDICTIONS_NOTE = [
  'The running rate 1, 4 and 8 hours before a settlement against what was paid:',
  `the ${PREDICTION_DAYS} UTC days before today, the ${CONTRACTS_PER_VENUE} most traded contracts of each venue.`,
  'Close is off by at most 10 % of the payment or 0.1 bp;',
  'a limit of 1 bp would call nearly every rate close, because 1 bp is the usual payment.',
].join(' ');
const NONE = 'No whole day of running rates is recorded yet, or they cannot be read at the moment.';

export function predictionsSection(venues: readonly VenuePredictions[] | null): Html {
  return html`<section class="card mt" id="predictions">
    <header><h2>${PREDICTIONS_TITLE}</h2><a class="lnk" href="/developers/accuracy">How it is computed</a></header>
    <div id="predicted" data-live>
      ${venues === null || venues.length === 0 ? html`<p class="pad mut">${NONE}</p>` : predictionsTable(venues)}
    </div>
    <p class="cfoot"><span>${PREDICTIONS_NOTE}</span></p>
  </section>`;
}

function predictionsTable(venues: readonly VenuePredictions[]): Html {
  return html`<div class="tw" tabindex="0" role="region" aria-label="${PREDICTIONS_TITLE}">
    <table class="t">
      <thead>
        <tr>
          <th scope="col">Venue</th>
          <th scope="col" class="num">Compared<small>payments</small></th>
          ${HOURS_BEFORE.map(
            (hours) => html`<th scope="col" class="num">Mean error<small>${hours} h before, bp</small></th>
              <th scope="col" class="num">Close<small>${hours} h before, %</small></th>`,
          )}
        </tr>
      </thead>
      <tbody>${venues.map(predictionsRow)}</tbody>
    </table>
  </div>`;
}

function predictionsRow({ exchange, figures }: VenuePredictions): Html {
  const number = (value: number | null, digits: number) =>
    html`<td class="num">${value === null ? '–' : value.toFixed(digits)}</td>`;
  return html`<tr data-key="${exchange}">
    <th scope="row"><span class="ven">${venueMark(exchange, 18)}${exchange}</span></th>
    <td class="num">${grouped(Math.max(...figures.map(({ compared }) => compared)))}</td>
    ${figures.map(({ meanErrorBp, closePct }) => html`${number(meanErrorBp, 2)}${number(closePct, 1)}`)}
  </tr>\n`;
}

/** The same figures for a Markdown file. */
export function predictionRows(
  venues: readonly VenuePredictions[],
): Record<string, string | number | null>[] {
  const rounded = (value: number | null) => (value === null ? null : Number(value.toFixed(4)));
  return venues.map(({ exchange, figures }) => ({
    exchange,
    ...Object.fromEntries(
      figures.flatMap(({ hours, compared, meanErrorBp, closePct }) => [
        [`compared_${hours}h`, compared],
        [`mean_error_${hours}h_bp`, rounded(meanErrorBp)],
        [`close_${hours}h_pct`, rounded(closePct)],
      ]),
    ),
  }));
}
