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

/** Label, unit, meaning, and whether phones show the column. */
const COLUMNS = [
  ['Followed', 'pairs × days', 'Pairs with a known outcome', false],
  ['Promised', 'bp', 'What the order promised over the horizon, before costs', true],
  ['Earned', 'bp', 'What they earned', true],
  ['In range', '% of them', 'Share of outcomes inside the stated range; 80 is the aim', true],
  ['Below costs', '% of them', 'Share that earned less than opening and closing cost', true],
] as const;

/** The highest promise among many pairs is often the luckiest error: what the top of a list promised, and what it earned. */
export function placesSection({ days, by_place: orders }: Horizon): Html {
  const figure = (value: number | null, digits: number) => (value === null ? '–' : value.toFixed(digits));
  return section({
    title: 'What was promised and earned by place in the list',
    note: `over ${daysText(days)}, before costs, by the order of the list`,
    id: 'places',
    head: html`<th scope="col">Order</th>
      <th scope="col">Place</th>
      ${COLUMNS.map(
        ([label, unit, meaning, isOnPhones]) => html`<th scope="col" class="num${isOnPhones ? '' : ' d'}"
          title="${meaning}">
          ${label}<small>${unit}</small>
        </th>`,
      )}`,
    rows: (Object.keys(ORDER_WORDS) as (keyof typeof ORDER_WORDS)[]).flatMap((order) =>
      (Object.keys(PLACE_WORDS) as (keyof typeof PLACE_WORDS)[]).map((place) => {
        const { picks, promised_bp, earned_bp, inside_pct, below_costs_pct } = orders[order][place];
        return html`<tr data-key="${order} ${place}">
          <th scope="row">${ORDER_WORDS[order]}</th>
          <td>${PLACE_WORDS[place]}</td>
          <td class="num d">${grouped(picks)}</td>
          <td class="num">${figure(promised_bp, 2)}</td>
          <td class="num"><b>${figure(earned_bp, 2)}</b></td>
          <td class="num">${figure(inside_pct, 1)}</td>
          <td class="num">${figure(below_costs_pct, 1)}</td>
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
