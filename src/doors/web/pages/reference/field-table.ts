import type { Field } from '../../../../operations/description/fields.ts';
import { type Html, html } from '../../markup/html.ts';

/** Parameters or fields with their type, meaning and allowed values. */
export function fieldTable(label: string, heading: string, fields: readonly Field[]): Html {
  return html`<div class="tw" tabindex="0" role="region" aria-label="${label}">
    <table class="t flds">
      <thead>
        <tr>
          <th scope="col">${heading}</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>${fields.map(fieldRow)}</tbody>
    </table>
  </div>`;
}

function fieldRow({ name, type, values, description }: Field): Html {
  const allowed =
    values.length === 0
      ? null
      : html`<div class="vals">One of ${values.map((value) => html`<code>${value}</code> `)}</div>`;
  return html`<tr>
    <td><code>${withBreaks(name)}</code></td>
    <td>${type}</td>
    <td>${withCode(description)}${allowed}</td>
  </tr>\n`;
}

/** A text with the names of fields and paths in it marked as code. */
export function withCode(text: string): Html {
  const parts = text.split(
    /((?<![\w/.])(?:[a-z0-9]+(?:_[a-z0-9]+)+|\/[a-z]+(?:\/[a-z{}]+)*|meta\.\w+)(?!\w))/,
  );
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A long name may break after its dots and underscores, not inside a word. */
function withBreaks(name: string): Html {
  return html`${name.split(/(?<=[._])/).map((part) => html`${part}<wbr>`)}`;
}
