import { type Html, html } from '../../markup/html.ts';

interface Section {
  title: string;
  note: string;
  id: string;
  head: Html;
  rows: readonly Html[];
  /** On phones each row is a card. */
  hasCards?: boolean;
  below?: Html;
}

export function section({ title, note, id, head, rows, hasCards = false, below }: Section): Html {
  return html`<section class="card mt">
    <header><h2>${title}</h2><span class="mut">${note}</span></header>
    <div class="tw" id="${id}" tabindex="0" role="region" aria-label="${title}">
      <table class="t${hasCards ? ' cards' : ''}">
        <thead><tr>${head}</tr></thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
    ${below}
  </section>`;
}
