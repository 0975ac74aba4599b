/** Markup that is safe to send: made by the `html` template, which escapes all values. */
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

const ESCAPED = /[&<>"']/;

export function escapeHtml(text: string): string {
  // Most texts have nothing to escape, and testing is cheaper than replacing.
  if (!ESCAPED.test(text)) return text;
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** A template tag that escapes values unless they are Html. Lists are joined; null, undefined and booleans are omitted. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = parts[0] ?? '';
  for (let i = 0; i < values.length; i++) markup += rendered(values[i]) + (parts[i + 1] ?? '');
  return new Html(markup);
}

/** The markup of a value, escaped as in the template. */
export function htmlText(value: HtmlValue): string {
  return rendered(value);
}

function rendered(value: HtmlValue): string {
  if (value === null || value === undefined || value === false || value === true) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') {
    let markup = '';
    for (const one of value) markup += rendered(one);
    return markup;
  }
  // A number has no character to escape.
  return typeof value === 'number' ? String(value) : escapeHtml(value);
}

/**
 * Flattens markup that is cached. V8 keeps a concatenated string as a tree of its parts, which every page that includes
 * it would have to walk.
 */
export function flat({ markup }: Html): Html {
  return new Html(Buffer.from(markup).toString());
}
