import { type Html, type HtmlValue, html } from './html.ts';

/** One figure of a strip: its name, its value, and one line that says what it means. */
export interface Stat {
  label: string;
  value: HtmlValue;
  /** The sign of the value, which is written too. */
  tone?: 'pos' | 'neg' | null;
  meaning?: HtmlValue;
}

/** Up to six figures in a row; two columns on a phone. With an `id` the strip follows the live page. */
export function statStrip(stats: readonly Stat[], id: string | null = null): Html {
  return html`<dl class="stats card"${id === null ? null : html` id="${id}" data-live`}>${stats.map(
    ({ label, value, tone = null, meaning = null }) =>
      html`<div><dt>${label}</dt><dd${tone === null ? null : html` class="${tone}"`}>${value}</dd>${meaning === null ? null : html`<dd>${meaning}</dd>`}</div>`,
  )}</dl>`;
}
