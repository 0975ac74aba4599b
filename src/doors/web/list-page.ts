import { AnswerCache } from '../http/answers/answer-cache.ts';
import type { FilterForm } from './filter-form.ts';
import { time } from './format.ts';
import { flat, type Html, type HtmlValue, html } from './html.ts';
import { linkWith } from './page-links.ts';
import type { ListAnswer, PageAnswer, Row } from './visitor.ts';

export interface PageColumn {
  field: string;
  label: string;
  isNumber?: boolean;
  /** Long lists, which may take several lines. */
  isWords?: boolean;
  /** Has lines of its own, which are not broken on a phone either. */
  isLines?: boolean;
  format: (value: unknown, row: Row) => Html;
  /** Names of the sorts of this column: down first, then up. */
  sorts?: readonly string[];
}

export interface ListPage extends FilterForm {
  columns: readonly PageColumn[];
  /** Client scripts that make it better. */
  scripts?: readonly string[];
  title: string;
  description: string;
  lead: Html;
  /** The field of `data` that holds the rows, where it is not `data` itself. */
  rowsField?: string;
  /** Adds what the operation does not tell to a row. Such rows are rendered anew each time. */
  extend?: (row: Row) => Row;
  /** What stands before the table, beside the filters. */
  prepare?: (answer: ListAnswer) => Promise<Prepared>;
  /** What else the page changes with. */
  freshness?: string;
}

export interface Prepared {
  html: Html;
  markdown: string;
  head?: Html;
}

/** Where the figures come from, always visible: delayed data says so. */
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
  rows: readonly string[],
  sent: ReadonlyMap<string, readonly string[]>,
): Html {
  if (rows.length === 0) {
    return html`<div class="empty"><p>No row fits these filters.</p><p><a href="${page.path}">Show all</a></p></div>`;
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Results"><table>
<thead><tr>${page.columns.map((column) => heading(page.path, column, sent))}</tr></thead>
<tbody>
${rows.map((row) => renderedRow(page, row))}</tbody>
</table></div>`;
}

class KeptRow {
  readonly html: Html;
  readonly bytes: number;

  constructor(html: Html) {
    this.html = flat(html);
    this.bytes = html.markup.length * 2;
  }
}

const ROWS_BYTES = 8 * 1024 * 1024;
const keptRows = new WeakMap<ListPage['columns'], AnswerCache<KeptRow>>();

/** The same row looks the same under every filter: it is rendered once. */
function renderedRow(page: ListPage, json: string): Html {
  if (page.extend) return rowHtml(page, page.extend(JSON.parse(json) as Row));
  let rows = keptRows.get(page.columns);
  if (!rows) {
    rows = new AnswerCache(ROWS_BYTES);
    keptRows.set(page.columns, rows);
  }
  let kept = rows.get(json);
  if (!kept) {
    kept = new KeptRow(rowHtml(page, JSON.parse(json) as Row));
    rows.set(json, kept);
  }
  return kept.html;
}

function rowHtml({ columns }: ListPage, row: Row): Html {
  return html`<tr>${columns.map((column) => html`<td${cellClass(column)}>${column.format(row[column.field], row)}</td>`)}</tr>\n`;
}

function cellClass({ isNumber, isWords, isLines }: PageColumn): Html | null {
  if (isNumber) return html` class="number"`;
  if (isLines) return html` class="lines"`;
  return isWords ? html` class="wrap"` : null;
}

/** A column's title is a link that sorts by it, and turns the order round when it does already. */
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
