import type { ForecastAccuracy } from '../../../../operations/forecast-accuracy/forecast-accuracy.ts';
import { signedText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { section } from './accuracy-section.ts';
import { daysText } from './accuracy-texts.ts';

/** What present forecasts come from, so that anyone can recompute them. */
export function modelsSections(data: ForecastAccuracy): Html {
  return html`${weightsSection(data)}
${quantilesSection(data)}`;
}

/** The models of pairs, then those of single contracts. */
export function modelRows({ models }: ForecastAccuracy) {
  return [
    ...models.pairs.map((model) => ({ of: 'pairs', model })),
    ...models.contracts.map((model) => ({ of: 'one contract', model })),
  ];
}

function weightsSection(data: ForecastAccuracy): Html {
  const { horizons, model_date: date, model_version: version } = data;
  const names = Object.keys(horizons[0]?.weights ?? {});
  return section({
    title: 'Present weights',
    note: `version ${version}, from payments up to ${date}`,
    id: 'weights',
    hasCards: true,
    head: html`<th scope="col">Over</th>
      <th scope="col">Of</th>
      <th scope="col" class="d">Model</th>
      ${names.map((name) => html`<th scope="col" class="num">${WEIGHT_WORDS[name] ?? name}</th>`)}`,
    rows: modelRows(data).map(
      ({ of, model: { days, model, weights } }) => html`<tr data-key="${of} ${days}">
        <th scope="row">${daysText(days)}</th>
        <td>${of}</td>
        <td class="d">${model === 'fitted' ? 'fitted on payments held here' : 'shipped with the program'}</td>
        ${names.map(
          (name) =>
            html`<td class="num" data-l="${CARD_WORDS[name] ?? name}">${signedText(weights[name] ?? 0, 3)}</td>`,
        )}
      </tr>\n`,
    ),
    below: html`<p class="pad mut">
      ${WEIGHTS_NOTE}<span class="m">${kindWords(horizons)}</span>
    </p>`,
  });
}

/** Where the weights of each horizon come from. */
function kindWords(horizons: ForecastAccuracy['horizons']): string {
  const of = (kind: string) =>
    horizons.filter(({ model }) => model === kind).map(({ days }) => daysText(days));
  const [fitted, shipped] = [of('fitted'), of('shipped')];
  return [
    fitted.length > 0 ? `Fitted on payments held here: ${fitted.join(', ')}.` : '',
    shipped.length > 0
      ? `Shipped with the program, because there is too little history: ${shipped.join(', ')}.`
      : '',
  ]
    .join(' ')
    .trim();
}

const WEIGHTS_NOTE =
  'The forecast of a contract is the number of days times the sum of each weight with its figure, in percent a day. Each figure counts up to a limit: twice the mean of the absolute rate over 30 days. The forecast of a pair is that of the short leg minus that of the long leg. ';

/** Levels that phones show. */
const PHONE_LEVELS = [0.1, 0.5, 0.9];

function quantilesSection(data: ForecastAccuracy): Html {
  const rows = modelRows(data);
  const levels = rows[0]?.model.error_quantiles.map(({ level }) => level) ?? [];
  const place = (level: number) => (PHONE_LEVELS.includes(level) ? 'num' : 'num d');
  return section({
    title: 'Errors of past forecasts',
    note: 'share of outcomes that were lower, in units of the scale of the row',
    id: 'quantiles',
    head: html`<th scope="col">Over</th>
      <th scope="col">Of</th>
      ${levels.map((level) => html`<th scope="col" class="${place(level)}">${(level * 100).toFixed(0)}\u00a0%</th>`)}`,
    rows: rows.map(
      ({ of, model: { days, error_quantiles: errors } }) => html`<tr data-key="${of} ${days}">
        <th scope="row">${daysText(days)}</th>
        <td>${of}</td>
        ${errors.map(({ level, error }) => html`<td class="${place(level)}">${signedText(error, 2)}</td>`)}
      </tr>\n`,
    ),
    below: html`<p class="pad mut">
      Times the days and the scale of a row, the errors at 10 % and 90 % are the ends of its range. The chance that a pair earns more than it
      costs is the share of errors with which it would, from 1 % to 99 %: no past error says more.
    </p>`,
  });
}

const WEIGHT_WORDS: Readonly<Record<string, Html>> = {
  now: html`Rates<small>now</small>`,
  mean_1d: html`Mean<small>of 1 d</small>`,
  mean_7d: html`Mean<small>of 7 d</small>`,
  mean_30d: html`Mean<small>of 30 d</small>`,
};

/** The same on the cards of phones. */
const CARD_WORDS: Readonly<Record<string, string>> = {
  now: 'Rates now',
  mean_1d: 'Mean of 1 d',
  mean_7d: 'Mean of 7 d',
  mean_30d: 'Mean of 30 d',
};
