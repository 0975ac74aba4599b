import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** Venues to choose from, as a filter of a form: none chosen means all. `more` stands above them. Works without scripts. */
export function venuePicker(venues: readonly string[], sent: Sent, more: HtmlValue = null): Html {
  const chosen = new Set((sent.get('exchange') ?? []).join(',').split(',').filter(Boolean));
  const words =
    chosen.size === 0 ? 'All venues' : chosen.size === 1 ? [...chosen][0] : `${chosen.size} venues`;
  return html`<span class="lab mainf1">
    <details class="more vpick">
      <summary class="btn">${words}</summary>
      <div class="drawer">
        <header><h2>Venues</h2></header>
        <div class="body">
          ${more}
          <fieldset class="picks-of">
            <legend class="vh">Venues</legend>
            ${venues.map((exchange) => choice(exchange, chosen.has(exchange)))}
          </fieldset>
        </div>
        <footer><button class="btn" type="submit">Show these venues</button></footer>
      </div>
    </details>
  </span>`;
}

function choice(exchange: string, isChosen: boolean): Html {
  return html`<label class="chip">
    <input type="checkbox" name="exchange" value="${exchange}"${isChosen ? html` checked` : null}>
    <span class="c">${venueMark(exchange)}${exchange}</span>
  </label>`;
}

/** A choice of one value as a row of buttons; the first one, with an empty value, is no filter. */
export function segment(
  name: string,
  label: string,
  choices: readonly (readonly [value: string, words: string])[],
  sent: Sent,
): Html {
  const current = sent.get(name)?.join(',') ?? '';
  const all = choices.some(([value]) => value === current)
    ? choices
    : [...choices, [current, current] as const];
  return html`<span class="lab mainf1">
    ${label} <fieldset class="seg">
      <legend class="vh">${label}</legend>
      ${all.map(
        ([value, words]) => html`<label>
          <input type="radio" name="${name}" value="${value}"${value === current ? html` checked` : null}>
          <span>${words}</span>
        </label>`,
      )}
    </fieldset>
  </span>`;
}
