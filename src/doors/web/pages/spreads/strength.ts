import { CHECKS } from '../../../../engines/spreads/figures.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { type Html, html } from '../../markup/html.ts';

/** The five conditions of strength, in the order of the dots and of CHECKS. */
const CONDITIONS = [
  'covers the fees of a round trip',
  'both venues trade over $1 M a day',
  'both quotes are under 15 s old',
  'both books hold $500 at the top',
  'same direction in the last three prints',
] as const;

/** Which conditions hold. */
export function conditionsMet(table: Table, row: number): boolean[] {
  return CHECKS.map((name) => table.cell(name)(row) === 1);
}

/** Five dots: a filled one for each condition that holds. */
export function strengthDots(met: readonly boolean[]): Html {
  const count = met.filter(Boolean).length;
  const words = CONDITIONS.filter((_, i) => met[i]).join('; ');
  return html`<span class="dots" role="img" aria-label="${count} of 5${count > 0 ? `: ${words}` : ''}">
    ${met.map((isMet, i) => html`<i${isMet ? html` class="on"` : null} title="${isMet ? 'Yes' : 'No'}: ${CONDITIONS[i]}"></i>`)}
  </span>`;
}

/** What each dot means, below the table. */
export function strengthLegend(): Html {
  return html`<div class="dots-key">
    <b>Strength</b>
    <ol>
      ${CONDITIONS.map(
        (words, i) => html`<li>
          <span class="dots" aria-hidden="true">
            ${CONDITIONS.map((_, dot) => html`<i${dot === i ? html` class="on"` : null}></i>`)}
          </span>
          ${words}
        </li>`,
      )}
    </ol>
  </div>`;
}
