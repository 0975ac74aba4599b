import type { ForecastAccuracy } from '../../../../operations/forecast-accuracy/forecast-accuracy.ts';
import type { GroupAccuracy } from '../../../../operations/forecast-accuracy/summary.ts';
import { percent } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { figureCells, figureHeadings, figureMeanings } from './accuracy-figures.ts';
import { modelsSections } from './accuracy-models.ts';
import { placesSection } from './accuracy-places.ts';
import { section } from './accuracy-section.ts';
import { daysText, findings, type Horizon, LEAD, NO_SCORES, ORDER_WORDS, TITLE } from './accuracy-texts.ts';

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
${chosen && placesSection(chosen)}
${chosen && groupsSection(data, chosen)}
${modelsSections(data)}`;
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

function errorsSection({ horizons, from }: ForecastAccuracy): Html {
  return section({
    title: 'How far off',
    note: `mean error in basis points, forecasts published since ${from}`,
    id: 'errors',
    hasCards: true,
    head: html`<th scope="col">Over</th>
      <th scope="col">Forecasts of</th>
      ${figureHeadings(true)}`,
    rows: horizons.map(
      (horizon) => html`<tr data-key="${horizon.days}">
        <th scope="row">${daysText(horizon.days)}</th>
        <td class="mut">${horizon.first_day === null ? '–' : `${horizon.first_day} to ${horizon.last_day}`}</td>
        ${figureCells(horizon, true)}
      </tr>\n`,
    ),
    below: figureMeanings(),
  });
}

/** What the ten best pairs of each day earned, by the order that chose them. */
function topSection({ horizons }: ForecastAccuracy): Html {
  return section({
    title: 'What the ten best pairs of each day earned',
    note: 'by the order that chose them, before costs',
    id: 'top-ten',
    head: html`<th scope="col">Ten best by</th>
      <th scope="col">After</th>
      ${TOP_FIGURES.map(
        ([label, unit, meaning, isOnPhones]) => html`<th scope="col" class="num${isOnPhones ? '' : ' d'}"
          title="${meaning}">
          ${label}<small>${unit}</small>
        </th>`,
      )}`,
    rows: horizons.flatMap(({ days, top_ten: orders }) =>
      (Object.keys(ORDER_WORDS) as (keyof typeof ORDER_WORDS)[]).map((name) => {
        const { picks, promised_apr_pct, earned_apr_pct, earned_pct, cost_pct } = orders[name];
        return html`<tr data-key="${name} ${days}">
          <th scope="row">${ORDER_WORDS[name]}</th>
          <td>${daysText(days)}</td>
          <td class="num d">${grouped(picks)}</td>
          <td class="num">${percent(promised_apr_pct, 1)}</td>
          <td class="num"><b>${percent(earned_apr_pct, 1)}</b></td>
          <td class="num d">${percent(earned_pct, 3)}</td>
          <td class="num d">${cost_pct === null ? '–' : `${cost_pct.toFixed(3)}\u00a0%`}</td>
        </tr>\n`;
      }),
    ),
    below: html`<details class="rest pad">
      <summary>What the columns mean</summary>
      <dl class="facts">
        ${TOP_FIGURES.map(([label, unit, meaning]) => html`<dt>${label}, ${unit}</dt><dd>${meaning}.</dd>\n`)}
      </dl>
    </details>`,
  });
}

/** Label, unit, meaning, and whether phones show the column. */
const TOP_FIGURES = [
  ['Followed', 'pairs × days', 'Pairs with a known outcome: up to ten a day', false],
  ['Promised', '% a year', 'Mean of the figure that they were chosen by', true],
  ['Earned', '% a year', 'What they earned, before costs', true],
  ['Earned', '% of one leg', 'The same, of the size of one leg', false],
  ['Costs', '% of one leg', 'Mean cost of opening and closing when they were chosen', false],
] as const;

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
      <span class="mut">mean error in basis points; a pair counts for both of its venues</span>
    </header>
    ${
      rows.length === 0
        ? html`<p class="pad mut">No forecast for ${daysText(chosen.days)} is scored yet.</p>`
        : html`<div class="tw" id="groups" tabindex="0" role="region" aria-label="Errors by class and venue">
          <table class="t">
            <thead><tr><th scope="col">Class or venue</th>${figureHeadings(false)}</tr></thead>
            <tbody>${rows}</tbody>
          </table>
        </div>`
    }
  </section>`;
}

function groupRow(key: string, name: Html, figures: GroupAccuracy): Html {
  return html`<tr data-key="${key}">
    <th scope="row">${name}</th>
    ${figureCells(figures, false)}
  </tr>\n`;
}
