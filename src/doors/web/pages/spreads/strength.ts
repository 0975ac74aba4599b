import { FRESH_MS, STRONG_VOLUME_USDT } from '../../../../engines/spreads/figures.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { type Html, html } from '../../markup/html.ts';

/** The five conditions of strength, in the order of the dots. */
export const CONDITIONS = [
  'covers the fees of a round trip',
  'both venues trade over $1 M a day',
  'both quotes are under 15 s old',
  'both books hold $500 at the top',
  'same direction in the last three prints',
] as const;

/** Larger than the floating-point error of a sum of fees. */
const FEE_SLACK_PCT = 1e-9;

/** Which conditions hold. The last one follows from the count, because rows do not carry it. */
export function conditionsMet(table: Table, row: number, asOfMs: number): boolean[] {
  const cell = (name: string) => table.cell(name)(row);
  const feesPct = 2 * (cell('taker_fee_a_pct') + cell('taker_fee_b_pct'));
  const [bought, sold] = table.text('direction', row) === 'long_a_short_b' ? ['a', 'b'] : ['b', 'a'];
  const met = [
    cell('spread_pct') >= feesPct - FEE_SLACK_PCT,
    Math.min(cell('volume_a_usdt'), cell('volume_b_usdt')) >= STRONG_VOLUME_USDT,
    asOfMs - cell('updated_at') < FRESH_MS,
    cell(`ask_fills_${bought}`) === 1 && cell(`bid_fills_${sold}`) === 1,
  ];
  const count = met.filter(Boolean).length;
  return [...met, cell('strength') > count];
}

/** Five dots: a filled one for each condition that holds. */
export function strengthDots(met: readonly boolean[]): Html {
  const count = met.filter(Boolean).length;
  const words = CONDITIONS.filter((_, i) => met[i]).join('; ');
  return html`<span class="dots" role="img" aria-label="${count} of 5${count > 0 ? `: ${words}` : ''}">${met.map((isMet, i) => html`<i${isMet ? html` class="on"` : null} title="${isMet ? 'Yes' : 'No'}: ${CONDITIONS[i]}"></i>`)}</span>`;
}

/** What each dot means, below the table. */
export function strengthLegend(): Html {
  return html`<div class="dots-key"><b>Strength</b><ol>${CONDITIONS.map((words, i) => html`<li><span class="dots" aria-hidden="true">${CONDITIONS.map((_, dot) => html`<i${dot === i ? html` class="on"` : null}></i>`)}</span>${words}</li>`)}</ol></div>`;
}
