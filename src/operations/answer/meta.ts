import { isoTime } from '../../base/times.ts';

export const SOURCE_NAME = 'Perpwire';

export interface Meta {
  as_of: string;
  delayed_seconds: number;
  source: string;
  url: string;
  count: number | null;
  total: number | null;
  next_cursor?: string;
}

const NOT_IN_PAGE_ADDRESS = new Set(['cursor', 'limit', 'fields']);

/** The part of an operation's context that meta depends on. */
export interface MetaContext {
  baseUrl: string;
  plan: { delaySeconds: number };
  /** The query parameters as they were sent. */
  sent: ReadonlyMap<string, readonly string[]>;
}

/** Meta without counts. `page` is the path of the human page with the same data. */
export function metaOf(asOfMs: number, page: string, context: MetaContext): Meta {
  let query = '';
  for (const [name, values] of context.sent) {
    if (!NOT_IN_PAGE_ADDRESS.has(name)) query += `${query === '' ? '' : '&'}${name}=${queryValue(values)}`;
  }
  return {
    as_of: asOfText(asOfMs),
    delayed_seconds: context.plan.delaySeconds,
    source: SOURCE_NAME,
    url: `${context.baseUrl}${page}${query === '' ? '' : `?${query}`}`,
    count: null,
    total: null,
  };
}

/**
 * The same text as JSON.stringify in a fifth of the time; every answer has one. Nothing needs escaping: times, numbers
 * and cursors are formatted by us, and the address is already percent-encoded.
 */
export function metaJson(meta: Meta): string {
  const { as_of: asOf, delayed_seconds: delay, source, url, count, total, next_cursor: next } = meta;
  const cursor = next === undefined ? '' : `,"next_cursor":"${next}"`;
  return `{"as_of":"${asOf}","delayed_seconds":${delay},"source":"${source}","url":"${url}","count":${count},"total":${total}${cursor}}`;
}

/** By ASCII code: 0 for a character that a query may contain unescaped, 1 for a comma, 2 for all others. */
const QUERY_CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return character === ',' ? 1 : /[\w.*-]/.test(character) ? 0 : 2;
});

/** A list as URLSearchParams writes it, with a fast path for plain words. */
function queryValue(values: readonly string[]): string {
  const list = values.length === 1 ? (values[0] as string) : values.join(',');
  let kinds = 0;
  for (let i = 0; i < list.length; i++) kinds |= QUERY_CHARACTERS[list.charCodeAt(i)] ?? 2;
  if (kinds === 0) return list;
  return kinds === 1 ? list.replaceAll(',', '%2C') : new URLSearchParams([['', list]]).toString().slice(1);
}

let lastAsOf = { ms: 0, text: '' };

/** Consecutive answers usually share one as_of, so the last result is cached. */
function asOfText(asOfMs: number): string {
  if (lastAsOf.ms !== asOfMs) lastAsOf = { ms: asOfMs, text: isoTime(asOfMs) };
  return lastAsOf.text;
}
