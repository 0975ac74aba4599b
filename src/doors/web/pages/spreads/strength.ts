import { CHECKS } from '../../../../engines/spreads/figures.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { type Html, html } from '../../markup/html.ts';

/** The five checks of strength, in the order of CHECKS: the word in the table and what it means. */
const WORDS = [
  ['fees', 'covers the fees of a round trip'],
  ['volume', 'both venues trade over $1 M a day'],
  ['fresh', 'both quotes are under 15 s old'],
  ['depth', 'both books hold $500 at the top'],
  ['steady', 'same direction in the last three tables'],
] as const;

/** Which checks hold. */
export function checksMet(table: Table, row: number): boolean[] {
  return CHECKS.map((name) => table.cell(name)(row) === 1);
}

/** The words of all five; those that do not hold are struck through. */
export function strengthChecks(met: readonly boolean[]): Html {
  const held = WORDS.filter((_, i) => met[i]).map(([word]) => word);
  return html`<span class="checks" role="img" aria-label="${held.length} of 5${held.length > 0 ? `: ${held.join(', ')}` : ''}">
    ${WORDS.map(([word], i) => (met[i] ? html`<i>${word}</i> ` : html`<s>${word}</s> `))}
  </span>`;
}

/** What each word means, below the table. */
export function strengthLegend(): Html {
  return html`<div class="checks-key">
    <b>Strength</b>
    <dl>${WORDS.map(([word, meaning]) => html`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}</dl>
  </div>`;
}
