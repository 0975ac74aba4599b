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

const ESCAPED = /[&<>"']/;

export function escapeHtml(text: string): string {
  // Most texts need nothing, and to find that out is cheaper.
  if (!ESCAPED.test(text)) return text;
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** A template whose values are escaped unless they are Html themselves. Lists are joined; null and false vanish. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = parts[0] ?? '';
  for (let i = 0; i < values.length; i++) markup += rendered(values[i]) + (parts[i + 1] ?? '');
  return new Html(markup);
}

function rendered(value: HtmlValue): string {
  if (value === null || value === undefined || value === false || value === true) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') {
    let markup = '';
    for (const one of value) markup += rendered(one);
    return markup;
  }
  return escapeHtml(String(value));
}

/**
 * For markup that is kept: what the template makes is a tree of its pieces, which every page with it would walk again.
 */
export function flat({ markup }: Html): Html {
  return new Html(Buffer.from(markup).toString());
}
