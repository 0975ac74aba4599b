import { type Answer, flatRowsOf } from '../../operations/answer/answer.ts';
import { csvBytes } from '../../operations/answer/flat-rows.ts';
import { parquetBytes } from '../../operations/answer/parquet.ts';
import { type FileFormat, MEDIA_TYPES } from '../../operations/format.ts';
import { Body } from '../http/answers/body.ts';
import { API_HEADERS } from '../http/common-headers.ts';

const CONTENT_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
  parquet: MEDIA_TYPES.parquet,
};

/** What a browser may read besides the headers of every answer. */
const EXPOSED_HEADERS = `${API_HEADERS['access-control-expose-headers']}, X-As-Of, X-Delayed-Seconds, X-Total-Count`;

/**
 * The answer as a file of rows. What JSON has in `meta` is in headers: the next page and the human page in Link, the
 * snapshot's time in X-As-Of. The ETag is the hash of the bytes, so each format has its own.
 */
export async function fileBody(
  answer: Answer,
  format: FileFormat,
  link: string,
  /** The address of the request, and the names of its parameters that count. */
  request: { url: string; names: readonly string[] },
  baseUrl: string,
): Promise<Body> {
  const rows = flatRowsOf(answer);
  const bytes = await (format === 'csv' ? csvBytes(rows) : parquetBytes(rows));
  const { as_of, delayed_seconds, url: humanUrl, total, next_cursor } = answer.meta;
  const next = next_cursor === undefined ? '' : `, <${nextUrl(request, next_cursor, baseUrl)}>; rel="next"`;
  // In other answers `total` does not count the rows of the file.
  const hasTotal = answer.rows !== null && total !== null;
  return new Body(bytes, undefined, 'fast', {
    contentType: CONTENT_TYPES[format],
    headers: {
      link: `${link}${next}, <${humanUrl}>; rel="alternate"; type="text/html"`,
      'access-control-expose-headers': EXPOSED_HEADERS,
      'x-as-of': as_of,
      'x-delayed-seconds': String(delayed_seconds),
      ...(hasTotal ? { 'x-total-count': String(total) } : {}),
    },
  });
}

/**
 * The same request for the next page, without parameters that the operation does not know. A format that Accept chose must
 * be sent again in the same way.
 */
function nextUrl(
  { url, names }: { url: string; names: readonly string[] },
  cursor: string,
  baseUrl: string,
): string {
  const { pathname, searchParams } = new URL(url, baseUrl);
  const known = new URLSearchParams([...searchParams].filter(([name]) => names.includes(name)));
  known.set('cursor', cursor);
  return `${baseUrl}${pathname}?${known}`;
}
