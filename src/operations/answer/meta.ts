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
interface MetaContext {
  baseUrl: string;
  plan: { delaySeconds: number };
  /** The query parameters as they were sent. */
  sent: ReadonlyMap<string, readonly string[]>;
}

/** Meta without counts. `page` is the path of the human page with the same data. */
export function metaOf(asOfMs: number, page: string, context: MetaContext): Meta {
  const query = new URLSearchParams();
  for (const [name, values] of context.sent)
    if (!NOT_IN_PAGE_ADDRESS.has(name)) query.append(name, values.join(','));
  return {
    as_of: isoTime(asOfMs),
    delayed_seconds: context.plan.delaySeconds,
    source: SOURCE_NAME,
    url: `${context.baseUrl}${page}${query.size === 0 ? '' : `?${query}`}`,
    count: null,
    total: null,
  };
}
