import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { section } from './accuracy-section.ts';
import { daysText, type Horizon, ORDER_WORDS } from './accuracy-texts.ts';

const PLACE_WORDS = {
  first: 'the first',
  first_10: 'the first ten',
  first_100: 'the first hundred',
  rest: 'all after them',
} as const;

/** Label, unit and meaning. */
const COLUMNS = [
  ['Followed', 'pairs × days', 'Pairs with a known outcome'],
  ['Promised', 'bp', 'What the order promised over the horizon, before costs'],
  ['Earned', 'bp', 'What they earned'],
  ['In range', '% of them', 'Share of outcomes inside the stated range; 80 is the aim'],
  ['Below costs', '% of them', 'Share that earned less than opening and closing cost'],
] as const;

/** The highest promise among many pairs is often the luckiest error: what the top of a list promised, and what it earned. */
export function placesSection({ days, by_place: orders }: Horizon): Html {
  const figure = (value: number | null, digits: number) => (value === null ? '–' : value.toFixed(digits));
  return section({
    title: 'Promised and earned, by place in the list',
    note: `over ${daysText(days)}, before costs, by the order of the list`,
    id: 'places',
    hasCards: true,
    head: html`<th scope="col">Order</th>
      <th scope="col">Place</th>
      ${COLUMNS.map(
        ([label, unit, meaning]) => html`<th scope="col" class="num" title="${meaning}">
          ${label}<small>${unit}</small>
        </th>`,
      )}`,
    rows: (Object.keys(ORDER_WORDS) as (keyof typeof ORDER_WORDS)[]).flatMap((order) =>
      (Object.keys(PLACE_WORDS) as (keyof typeof PLACE_WORDS)[]).map((place) => {
        const { picks, promised_bp, earned_bp, inside_pct, below_costs_pct } = orders[order][place];
        const cells = [
          grouped(picks),
          html`${figure(promised_bp, 2)}`,
          html`<b>${figure(earned_bp, 2)}</b>`,
          html`${figure(inside_pct, 1)}`,
          html`${figure(below_costs_pct, 1)}`,
        ];
        return html`<tr data-key="${order} ${place}">
          <th scope="row">${ORDER_WORDS[order]}</th>
          <td>${PLACE_WORDS[place]}</td>
          ${cells.map((cell, i) => html`<td class="num" data-l="${COLUMNS[i]?.[0] ?? ''}">${cell}</td>`)}
        </tr>\n`;
      }),
    ),
    below: html`<details class="rest pad">
      <summary>What the columns mean</summary>
      <dl class="facts">
        ${COLUMNS.map(([label, unit, meaning]) => html`<dt>${label}, ${unit}</dt><dd>${meaning}.</dd>\n`)}
      </dl>
    </details>`,
  });
}
