import { templateTexts } from './template-texts.ts';

/** Whole markup that is safe to send: every value in it was escaped. */
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

/**
 * A template tag that escapes values unless they are Html. Lists are joined; null, undefined and booleans are omitted.
 * Lines of the template are joined as in JSX.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const texts = templateTexts(parts);
  let markup = texts[0] ?? '';
  for (let i = 0; i < values.length; i++) markup += htmlText(values[i]) + (texts[i + 1] ?? '');
  return new Html(markup);
}

/** The markup of a value, escaped as in the template. */
export function htmlText(value: HtmlValue): string {
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(htmlText).join('');
}
