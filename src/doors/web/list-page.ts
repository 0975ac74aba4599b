import { type AnswerRows, rowObject, rowText } from '../../operations/answer/answer.ts';
import { AnswerCache } from '../http/answers/answer-cache.ts';
import type { FilterForm } from './filter-form.ts';
import { time } from './format.ts';
import { flat, type Html, type HtmlValue, html } from './html.ts';
import { linkWith } from './page-links.ts';
import type { PageAnswer, PageList, Row } from './visitor.ts';

export interface PageColumn {
  field: string;
  label: string;
  isNumber?: boolean;
  /** A long text that may wrap over several lines. */
  isWords?: boolean;
  /** Has its own line breaks and never wraps, also not on a phone. */
  isLines?: boolean;
  format: (value: unknown, row: Row) => Html;
  /** Names of the sorts of this column: descending first, then ascending. */
  sorts?: readonly string[];
}

export interface ListPage extends FilterForm {
  columns: readonly PageColumn[];
  /** Client scripts; the page works without them. */
  scripts?: readonly string[];
  title: string;
  description: string;
  lead: Html;
  /** Adds fields that the operation does not have. Such rows are not cached. */
  extend?: (row: Row) => Row;
  /** Content before the table. */
  prepare?: (list: PageList) => Promise<Prepared>;
  /** Changes when the page changes for another reason than its operation's data. */
  freshness?: string;
}

export interface Prepared {
  html: Html;
  markdown: string;
  head?: Html;
}

/** The source and age of the figures; every page shows it, and delayed data is labelled. */
export function asOf({ meta }: Pick<PageAnswer<unknown>, 'meta'>): Html {
  const delay = meta.delayed_seconds;
  return html`<p class="as-of" id="as-of">As of ${time(meta.as_of)}, source <a href="${meta.url}">${meta.source}</a>. ${
    delay > 0
      ? html`<span class="delayed">Delayed by ${Math.round(delay / 60)} minutes; <a href="/plans">live data</a> with a plan</span>`
      : null
  }</p>`;
}

export function rowsTable(
  page: ListPage,
  rows: AnswerRows,
  sent: ReadonlyMap<string, readonly string[]>,
): Html {
  if (rows.numbers.length === 0) {
    return html`<div class="empty"><p>No row fits these filters.</p><p><a href="${page.path}">Show all</a></p></div>`;
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Results"><table>
<thead><tr>${page.columns.map((column) => heading(page.path, column, sent))}</tr></thead>
<tbody>
${rows.numbers.map((row) => renderedRow(page, rows, row))}</tbody>
</table></div>`;
}

class RenderedRow {
  readonly html: Html;
  readonly bytes: number;

  constructor(html: Html) {
    this.html = flat(html);
    this.bytes = html.markup.length * 2;
  }
}

const ROWS_BYTES = 8 * 1024 * 1024;
const renderedRows = new WeakMap<ListPage['columns'], AnswerCache<RenderedRow>>();

/** A row looks the same under every filter, so its HTML is cached. The key is its JSON. */
function renderedRow(page: ListPage, rows: AnswerRows, row: number): Html {
  if (page.extend) return rowHtml(page, page.extend(rowObject(rows, row)));
  let cache = renderedRows.get(page.columns);
  if (!cache) {
    cache = new AnswerCache(ROWS_BYTES);
    renderedRows.set(page.columns, cache);
  }
  const key = rowText(rows, row);
  let rendered = cache.get(key);
  if (!rendered) {
    rendered = new RenderedRow(rowHtml(page, rowObject(rows, row)));
    cache.set(key, rendered);
  }
  return rendered.html;
}

function rowHtml({ columns }: ListPage, row: Row): Html {
  return html`<tr>${columns.map((column) => html`<td${cellClass(column)}>${column.format(row[column.field], row)}</td>`)}</tr>\n`;
}

function cellClass({ isNumber, isWords, isLines }: PageColumn): Html | null {
  if (isNumber) return html` class="number"`;
  if (isLines) return html` class="lines"`;
  return isWords ? html` class="wrap"` : null;
}

/** A column's title is a link that sorts by it; when it already does, the link reverses the order. */
function heading(path: string, column: PageColumn, sent: ReadonlyMap<string, readonly string[]>): Html {
  const current = sent.get('sort')?.[0];
  const sorts = column.sorts ?? [];
  const at = current === undefined ? -1 : sorts.indexOf(current);
  const next = sorts[(at + 1) % sorts.length];
  const mark: HtmlValue =
    at < 0 ? null : html` <span aria-hidden="true">${current?.endsWith('asc') ? '▲' : '▼'}</span>`;
  const order = at < 0 ? null : html` aria-sort="${current?.endsWith('asc') ? 'ascending' : 'descending'}"`;
  const title =
    next === undefined
      ? html`${column.label}`
      : html`<a href="${linkWith(path, sent, { sort: next })}">${column.label}</a>`;
  return html`<th scope="col"${column.isNumber ? html` class="number"` : null}${order}>${title}${mark}</th>`;
}

export function pager(
  path: string,
  answer: Pick<PageAnswer<unknown>, 'meta'>,
  sent: ReadonlyMap<string, readonly string[]>,
): Html {
  const { next_cursor: next, count, total } = answer.meta;
  const isFirst = !sent.has('cursor');
  return html`<nav class="pager" aria-label="Pages"><span>${count ?? 0} rows${total === null ? '' : ` of ${total}`}</span>${
    isFirst ? null : html`<a href="${linkWith(path, sent, {})}">First page</a>`
  }${next ? html`<a rel="next" href="${linkWith(path, sent, { cursor: next })}">Next page</a>` : null}</nav>`;
}
