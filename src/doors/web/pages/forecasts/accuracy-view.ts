import type { ForecastAccuracy } from '../../../../operations/forecast-accuracy/forecast-accuracy.ts';
import type { GroupAccuracy } from '../../../../operations/forecast-accuracy/summary.ts';
import { percent, signedText } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import {
  daysText,
  findings,
  GUESSES,
  type Horizon,
  LEAD,
  NO_SCORES,
  ORDER_WORDS,
  TITLE,
} from './accuracy-texts.ts';

export const PATH = '/accuracy/forecasts';
/** The horizon of the tables by venue and class, if the address names none. */
export const USUAL_DAYS = 7;

/** `days` is the horizon of the tables by venue and class. */
export function forecastsBody(data: ForecastAccuracy, days: number): Html {
  const chosen = data.horizons.find((horizon) => horizon.days === days);
  return html`<nav class="crumb" aria-label="Breadcrumb"><a href="/accuracy">Accuracy</a></nav>
    <h1>${TITLE}</h1>
    <p class="sub">
      ${LEAD} Figures are of funding, before costs; a basis point (bp) is 0.01 % of one leg. A forecast is an expectation with a
      stated error, not advice: <a class="lnk" href="/developers/forecast">how it is made and how to check it</a>.
    </p>
    ${verdict(data)}
${errorsSection(data)}
${topSection(data)}
${chosen && groupsSection(data, chosen)}
${weightsSection(data)}`;
}

function verdict(data: ForecastAccuracy): Html {
  const found = findings(data);
  if (found.length === 0) return html`<section class="card empty mt"><p>${NO_SCORES}</p></section>`;
  return html`${found.map(({ isBad, text }) =>
    isBad
      ? html`<div class="ban bad mt">${icon('warn')}<p>${text}</p></div>`
      : html`<p class="mt">${text}</p>`,
  )}`;
}

const FIGURE_HEADINGS = html`<th scope="col" class="num" title="Forecasts with a known outcome: one per pair and day">
    Compared<small>pairs × days</small>
  </th>
  ${GUESSES.map(
    ([, label, meaning]) =>
      html`<th scope="col" class="num" title="${meaning}">${label}<small>mean error, bp</small></th>`,
  )}
  <th scope="col" class="num" title="Mean of earned minus expected">Bias<small>bp</small></th>
  <th scope="col" class="num" title="Share of outcomes inside the stated range; 80 is the aim">
    In the range<small>% of them</small>
  </th>`;

function figureCells(figures: GroupAccuracy): Html {
  const { observations, mean_error_bp: errors, bias_bp: bias, coverage_pct: coverage } = figures;
  const worse =
    figures.is_worse_than_zero === true ? html` <span class="tag warn">worse than nothing</span>` : null;
  return html`<td class="num">${grouped(observations)}</td>
    ${GUESSES.map(([name]) =>
      name === 'expected'
        ? html`<td class="num"><b>${errors[name]?.toFixed(2) ?? '–'}</b>${worse}</td>`
        : html`<td class="num">${errors[name]?.toFixed(2) ?? '–'}</td>`,
    )}
    <td class="num">${bias === null ? '–' : signedText(bias, 2)}</td>
    <td class="num">${coverage === null ? '–' : coverage.toFixed(1)}</td>`;
}

function section(title: string, note: string, id: string, head: Html, rows: readonly Html[]): Html {
  return html`<section class="card mt">
    <header><h2>${title}</h2><span class="mut">${note}</span></header>
    <div class="tw" id="${id}" tabindex="0" role="region" aria-label="${title}">
      <table class="t">
        <thead><tr>${head}</tr></thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  </section>`;
}

function errorsSection({ horizons, from }: ForecastAccuracy): Html {
  return section(
    'How far off',
    `forecasts published since ${from}`,
    'errors',
    html`<th scope="col">Over</th>
      <th scope="col">Forecasts of</th>
      ${FIGURE_HEADINGS}`,
    horizons.map(
      (horizon) => html`<tr data-key="${horizon.days}">
        <th scope="row">${daysText(horizon.days)}</th>
        <td>${horizon.first_day === null ? '–' : `${horizon.first_day} to ${horizon.last_day}`}</td>
        ${figureCells(horizon)}
      </tr>\n`,
    ),
  );
}

/** What the ten best pairs of each day earned, by the order that chose them. */
function topSection({ horizons }: ForecastAccuracy): Html {
  const head = (label: string, small: string, title: string) =>
    html`<th scope="col" class="num" title="${title}">${label}<small>${small}</small></th>`;
  return section(
    'What the ten best pairs of each day earned',
    'by the order that chose them',
    'top-ten',
    html`<th scope="col">Ten best by</th>
      <th scope="col">After</th>
      ${head('Followed', 'pairs × days', 'Pairs with a known outcome: up to ten a day')}
      ${head('Promised', '% a year', 'Mean of the figure that they were chosen by')}
      ${head('Earned', '% a year', 'What they earned, before costs')}
      ${head('Earned', '% of one leg', 'The same, of the size of one leg')}
      ${head('Costs', '% of one leg', 'Mean cost of opening and closing when they were chosen')}`,
    horizons.flatMap(({ days, top_ten: orders }) =>
      (Object.keys(ORDER_WORDS) as (keyof typeof ORDER_WORDS)[]).map((name) => {
        const { picks, promised_apr_pct, earned_apr_pct, earned_pct, cost_pct } = orders[name];
        return html`<tr data-key="${name} ${days}">
          <th scope="row">${ORDER_WORDS[name]}</th>
          <td>${daysText(days)}</td>
          <td class="num">${grouped(picks)}</td>
          <td class="num">${percent(promised_apr_pct, 1)}</td>
          <td class="num"><b>${percent(earned_apr_pct, 1)}</b></td>
          <td class="num">${percent(earned_pct, 3)}</td>
          <td class="num">${cost_pct === null ? '–' : `${cost_pct.toFixed(3)}\u00a0%`}</td>
        </tr>\n`;
      }),
    ),
  );
}

/** Classes first, then venues. */
function groupsSection({ horizons }: ForecastAccuracy, chosen: Horizon): Html {
  const rows = [
    ...chosen.by_asset_class.map((one) => groupRow(one.asset_class, html`${one.asset_class}`, one)),
    ...chosen.by_exchange.map((one) =>
      groupRow(
        one.exchange,
        html`<span class="ven">${venueMark(one.exchange, 18)}${one.exchange}</span>`,
        one,
      ),
    ),
  ];
  return html`<section class="card mt">
    <header>
      <h2>By class and venue</h2>
      <nav class="seg" aria-label="Horizon">
        ${horizons.map(
          ({ days }) =>
            html`<a href="${days === USUAL_DAYS ? PATH : `${PATH}?horizon=${days}`}"${
              days === chosen.days ? html` aria-current="true"` : null
            }>${daysText(days)}</a>`,
        )}
      </nav>
      <span class="mut">a pair counts for both of its venues</span>
    </header>
    ${
      rows.length === 0
        ? html`<p class="pad mut">No forecast for ${daysText(chosen.days)} is scored yet.</p>`
        : html`<div class="tw" id="groups" tabindex="0" role="region" aria-label="Errors by class and venue">
          <table class="t">
            <thead><tr><th scope="col">Class or venue</th>${FIGURE_HEADINGS}</tr></thead>
            <tbody>${rows}</tbody>
          </table>
        </div>`
    }
  </section>`;
}

function groupRow(key: string, name: Html, figures: GroupAccuracy): Html {
  return html`<tr data-key="${key}">
    <th scope="row">${name}</th>
    ${figureCells(figures)}
  </tr>\n`;
}

function weightsSection({ horizons, model_date: date, model_version: version }: ForecastAccuracy): Html {
  const names = Object.keys(horizons[0]?.weights ?? {});
  return section(
    'Present weights',
    `version ${version}, from payments up to ${date}`,
    'weights',
    html`<th scope="col">Over</th>
      <th scope="col">Model</th>
      ${names.map((name) => html`<th scope="col" class="num">${WEIGHT_WORDS[name] ?? name}</th>`)}`,
    horizons.map(
      ({ days, model, weights }) => html`<tr data-key="${days}">
        <th scope="row">${daysText(days)}</th>
        <td>${model === 'fitted' ? 'fitted on payments held here' : 'shipped with the program'}</td>
        ${names.map((name) => html`<td class="num">${signedText(weights[name] ?? 0, 3)}</td>`)}
      </tr>\n`,
    ),
  );
}

const WEIGHT_WORDS: Readonly<Record<string, string>> = {
  now: 'Rates now',
  mean_1d: 'Mean of 1 d',
  mean_7d: 'Mean of 7 d',
  mean_30d: 'Mean of 30 d',
};
