import type { GroupAccuracy } from '../../../../operations/forecast-accuracy/summary.ts';
import { signedText } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';

/** A column of errors. */
interface Figure {
  label: string;
  unit: string;
  meaning: string;
  /** Phones show five columns where rows are not cards. */
  isOnPhones: boolean;
  cell(figures: GroupAccuracy): Html;
}

/** The forecast and the guesses beside it, with their names in the answer. */
const GUESSES = [
  ['expected', 'Forecast', 'Mean difference between the forecast and what was earned', true],
  ['now', 'Rates now', 'The same, had the running rates stayed', true],
  ['mean_7d', 'Mean of 7 d', 'The same, had the mean of the last 7 days stayed', false],
  ['mean_30d', 'Mean of 30 d', 'The same, had the mean of the last 30 days stayed', false],
  ['zero', 'Nothing', 'The same, had nothing been expected', true],
] as const;

const WORSE = html` <span class="tag warn">worse than nothing</span>`;

const FIGURES: readonly Figure[] = [
  {
    label: 'Compared',
    unit: 'pairs × days',
    meaning: 'Forecasts with a known outcome: one per pair and day',
    isOnPhones: false,
    cell: ({ observations }) => html`${grouped(observations)}`,
  },
  ...GUESSES.map(
    ([name, label, meaning, isOnPhones]): Figure => ({
      label,
      unit: 'mean error, bp',
      meaning,
      isOnPhones,
      cell: ({ mean_error_bp: errors, is_worse_than_zero: isWorse }) => {
        const text = errors[name]?.toFixed(2) ?? '–';
        return name === 'expected' ? html`<b>${text}</b>${isWorse === true ? WORSE : null}` : html`${text}`;
      },
    }),
  ),
  {
    label: 'Bias',
    unit: 'bp',
    meaning: 'Mean of earned minus expected: above zero more was earned than expected',
    isOnPhones: false,
    cell: ({ bias_bp: bias }) => html`${bias === null ? '–' : signedText(bias, 2)}`,
  },
  {
    label: 'In range',
    unit: '% of them',
    meaning: 'Share of outcomes inside the stated range; 80 is the aim',
    isOnPhones: true,
    cell: ({ coverage_pct: coverage }) => html`${coverage === null ? '–' : coverage.toFixed(1)}`,
  },
];

/** The whole unit of an error is too long for phones; the section says what it is. */
function unitHtml(unit: string): Html {
  const [first = '', rest] = unit.split(', ');
  return rest === undefined ? html`${first}` : html`<span class="d">${first}, </span>${rest}`;
}

/** With cards phones have every figure, each under its name; otherwise fewer columns. */
export function figureHeadings(hasCards: boolean): Html {
  return html`${FIGURES.map(
    ({
      label,
      unit,
      meaning,
      isOnPhones,
    }) => html`<th scope="col" class="num${hasCards || isOnPhones ? '' : ' d'}"
      title="${meaning}">
      ${label}<small>${unitHtml(unit)}</small>
    </th>`,
  )}`;
}

export function figureCells(figures: GroupAccuracy, hasCards: boolean): Html {
  return html`${FIGURES.map(({ label, isOnPhones, cell }) =>
    hasCards
      ? html`<td class="num" data-l="${label}">${cell(figures)}</td>`
      : html`<td class="num${isOnPhones ? '' : ' d'}">${cell(figures)}</td>`,
  )}`;
}

/** What the columns mean, for those who have no pointer to see titles. */
export function figureMeanings(): Html {
  return html`<details class="rest pad">
    <summary>What the columns mean</summary>
    <dl class="facts">
      ${FIGURES.map(({ label, unit, meaning }) => html`<dt>${label}, ${unit}</dt><dd>${meaning}.</dd>\n`)}
    </dl>
  </details>`;
}
