import { starButton } from '../../layout/stars/stars.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import type { Matrix, MatrixCoin } from '../funding/matrix-data.ts';
import { heatClass, rateText, UNITS, type Unit } from '../funding/units.ts';

const COINS_SHOWN = 8;

const VENUES_SHOWN = 8;

/** The largest coins on the largest venues. */
export function matrixCut(
  { venues }: Matrix,
  coins: readonly MatrixCoin[],
  unit: Unit,
  stars: ReadonlySet<string>,
): Html {
  const shown = venues.slice(0, VENUES_SHOWN);
  const cell = ({ cells }: MatrixCoin, exchange: string) => {
    const found = cells.get(exchange);
    if (!found) return html`<td class="no">–</td>`;
    const name = found.oldMinutes !== null ? 'st' : heatClass(found.perHourPct);
    return html`<td class="${name}">${rateText(found.perHourPct, unit)}</td>`;
  };
  return html`<div class="card hero-m" id="cut" data-live>
    <header>
      <h2>Funding now</h2>
      <span class="mut d">+ longs pay, − shorts pay</span>
      <a class="btn" href="/funding">Open the matrix${icon('arrow')}</a>
    </header>
    <div class="tw" tabindex="0" role="region" aria-label="Funding now">
      <table class="mx mini">
        <thead>
          <tr>
            <th scope="col">${UNITS[unit].words}</th>
            ${shown.map(({ exchange }) => html`<th scope="col">${venueMark(exchange)}${exchange}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${coins.slice(0, COINS_SHOWN).map(
            (row) =>
              html`<tr data-key="${row.coin}">
                <th scope="row">
                  ${starButton(row.coin, stars.has(row.coin))}
                  <a href="/funding/${encodeURIComponent(row.coin)}">
                    ${coinMark(row.coin, 18)}
                    <b>${row.coin}</b>
                  </a>
                </th>
                ${shown.map(({ exchange }) => cell(row, exchange))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </div>`;
}
