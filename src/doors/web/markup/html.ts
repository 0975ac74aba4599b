/**
 * Markup that is safe to send: made by the `html` template, which escapes all values. It stays in its parts until it is
 * needed as a text: a page is written part by part.
 */
export class Html {
  readonly parts: readonly string[];
  readonly values: readonly HtmlValue[];
  #markup: string | null = null;

  constructor(parts: string | readonly string[], values: readonly HtmlValue[] = []) {
    this.parts = typeof parts === 'string' ? [parts] : parts;
    this.values = values;
  }

  get markup(): string {
    this.#markup ??= joined(this.parts, this.values);
    return this.#markup;
  }

  toString(): string {
    return this.markup;
  }
}

function joined(parts: readonly string[], values: readonly HtmlValue[]): string {
  let markup = parts[0] ?? '';
  for (let i = 0; i < values.length; i++) markup += rendered(values[i]) + (parts[i + 1] ?? '');
  return markup;
}

/** Markup that many pages include, as the bytes that they send. */
export class EncodedHtml extends Html {
  readonly bytes: Buffer;

  constructor(markup: string) {
    super([]);
    this.bytes = Buffer.from(markup);
  }

  override get markup(): string {
    return this.bytes.toString();
  }
}

/** A text that a page has in many places, escaped once. */
export function repeated(text: string): Html {
  return new EncodedHtml(escapeHtml(text));
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
  return new Html(parts, values);
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

/** Below this a copy of bytes costs more than a text. */
const LEAST_KEPT_LENGTH = 200;

/**
 * Markup that is cached, without its parts. V8 keeps a concatenated string as a tree of its parts, which every page that
 * includes it would have to walk.
 */
export function flat({ markup }: Html): Html {
  if (markup.length >= LEAST_KEPT_LENGTH) return new EncodedHtml(markup);
  return new Html(Buffer.from(markup).toString());
}
