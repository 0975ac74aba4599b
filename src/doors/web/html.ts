/** Markup that is known to be safe: made by the `html` template, never from outside text. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

export type HtmlValue = Html | string | number | boolean | null | undefined | readonly HtmlValue[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** A template whose values are escaped unless they are Html themselves. Lists are joined; null and false vanish. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = parts[0] ?? '';
  for (const [i, value] of values.entries()) markup += rendered(value) + (parts[i + 1] ?? '');
  return new Html(markup);
}

function rendered(value: HtmlValue): string {
  if (value === null || value === undefined || value === false || value === true) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(rendered).join('');
  return escapeHtml(String(value));
}
