import type { Table } from '../../../market/tables/table.ts';
import { type AnswerRows, rowObject, rowText } from '../../../operations/answer/answer.ts';
import { AnswerCache } from '../../http/answers/answer-cache.ts';
import type { PageContext } from '../market-page.ts';
import { flat, type Html, type HtmlValue, html } from '../markup/html.ts';
import { linkWith } from '../markup/page-links.ts';
import type { PageList, Row } from '../visitor.ts';
import type { FilterForm } from './filter-bar.ts';
import { type KeptHtml, keptHtml, keptRow, MOST_KEPT_ROWS } from './kept-rows.ts';

export interface PageColumn {
  field: string;
  label: string;
  /** The unit or meaning, below the label. */
  small?: string;
  isNumber?: boolean;
  /** A long text that may wrap over several lines. */
  isWords?: boolean;
  /** Has its own line breaks and never wraps, also not on a phone. */
  isLines?: boolean;
  /** Left out on phones. */
  isDeskOnly?: boolean;
  format: (value: unknown, row: Row) => Html;
  /** Names of the sorts of this column: descending first, then ascending. */
  sorts?: readonly string[];
}

export interface ListPage extends FilterForm {
  columns: readonly PageColumn[];
  /** The order without `sort`, where the page has another than its operation. */
  defaultSort?: string;
  /** Client scripts; the page works without them. */
  scripts?: readonly string[];
  title: string;
  description: string;
  lead: Html;
  /** Links beside the title: the views or sections that belong together. */
  tabs?: Html;
  /** Controls on the filter bar for `ownParameters`. */
  switches?: (context: PageContext) => HtmlValue;
  /** Content before the table. */
  prepare?: (list: PageList) => Promise<Prepared>;
  /** The content before the table is tall, so the page scrolls instead of the table. */
  isTall?: boolean;
  /** Further elements at the right end of the line of active filters, before the CSV link. */
  actions?: (context: PageContext) => HtmlValue;
  /** Adds fields that the operation does not have. Such rows are cached only if `keptIn` says where. */
  extend?: (row: Row) => Row;
  /** Where the HTML of an extended row is kept; null if it depends on more than the snapshot. */
  keptIn?: (row: Row) => KeptHtml | null;
  /** The heading above the rows that share it, in the order of `sort`; null: the rows have none. */
  headingOf?: (row: Row, sort: string) => string | null;
  /** What people write in the filters of this page only, as the operation wants it. */
  spell?: (sent: Map<string, string[]>) => Map<string, string[]>;
  /** Changes when the page changes for another reason than its operation's data. */
  freshness?: string;
}

export interface Prepared {
  html: Html;
  markdown: string;
  head?: Html;
}

/** The table of a list. Head and first column stay in sight while it scrolls. */
export function rowsTable(
  page: ListPage,
  rows: AnswerRows,
  sent: ReadonlyMap<string, readonly string[]>,
): Html {
  const { identity = [] } = page.operation.rows ?? {};
  return html`<table class="t">
<thead><tr>${page.columns.map((column) => heading(page, column, sent))}</tr></thead>
<tbody>
${withHeadings(page, rows, sent, (row) => renderedRow(page, identity, rows, row))}</tbody>
</table>`;
}

/** The rows, with a heading wherever the one of the next row differs. */
function withHeadings(
  page: ListPage,
  rows: AnswerRows,
  sent: ReadonlyMap<string, readonly string[]>,
  write: (row: number) => Html,
): Html[] {
  const { headingOf, columns } = page;
  if (!headingOf) return rows.numbers.map(write);
  const sort = sortOf(page, sent);
  let last: string | null = null;
  let count = 0;
  return rows.numbers.flatMap((row) => {
    const heading = headingOf(keptRow(rows, row), sort);
    if (heading === null || heading === last) return [write(row)];
    last = heading;
    // The same heading may come again: today's events are first those to come, then those of the past.
    count++;
    return [
      html`<tr class="grp" data-key="${count} ${heading}"><th colspan="${columns.length}" scope="colgroup">${heading}</th></tr>\n`,
      write(row),
    ];
  });
}

function sortOf(
  page: Pick<ListPage, 'defaultSort' | 'operation'>,
  sent: ReadonlyMap<string, readonly string[]>,
): string {
  return sent.get('sort')?.[0] ?? page.defaultSort ?? page.operation.rows?.defaultSort ?? '';
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

/** The HTML of the rows of a list. */
class RenderedRows {
  /** By JSON: rows that a new snapshot does not change stay. */
  readonly byJson = new AnswerCache<RenderedRow>(ROWS_BYTES);
  /** By place in the snapshot, which saves hashing the JSON of every row of every page. */
  readonly byPlace = new WeakMap<Table, Map<number, Html>>();
}

const renderedRows = new WeakMap<ListPage['columns'], RenderedRows>();

/** A row looks the same under every filter, so its HTML is cached. */
function renderedRow(page: ListPage, identity: readonly string[], rows: AnswerRows, row: number): Html {
  if (page.extend) return extendedRow(page, identity, keptRow(rows, row), page.extend);
  let rendered = renderedRows.get(page.columns);
  if (!rendered) {
    rendered = new RenderedRows();
    renderedRows.set(page.columns, rendered);
  }
  // A selection of columns changes the rows.
  if (rows.columns !== null) return rowHtml(page, identity, rowObject(rows, row));
  let places = rendered.byPlace.get(rows.table);
  if (!places) {
    places = new Map();
    rendered.byPlace.set(rows.table, places);
  }
  let made = places.get(row);
  if (!made) {
    const key = rowText(rows, row);
    let known = rendered.byJson.get(key);
    if (!known) {
      known = new RenderedRow(rowHtml(page, identity, rowObject(rows, row)));
      rendered.byJson.set(key, known);
    }
    made = known.html;
    if (places.size < MOST_KEPT_ROWS) places.set(row, made);
  }
  return made;
}

function extendedRow(page: ListPage, identity: readonly string[], row: Row, extend: (row: Row) => Row): Html {
  const kept = page.keptIn?.(row) ?? null;
  const make = () => rowHtml(page, identity, extend(row));
  return kept === null ? make() : keptHtml(kept, row, make);
}

/** `data-key` lets the browser find the row again when its numbers or its place change. */
function rowHtml({ columns }: ListPage, identity: readonly string[], row: Row): Html {
  const key = identity.map((name) => String(row[name])).join(' ');
  return html`<tr data-key="${key}">${columns.map((column) => html`<td${cellClass(column)}>${column.format(row[column.field], row)}</td>`)}</tr>\n`;
}

function cellClass(column: PageColumn): Html | null {
  const { isNumber, isWords, isLines, isDeskOnly } = column;
  const names = [isNumber && 'num', isLines && 'lines', isWords && 'words', isDeskOnly && 'd'].filter(
    Boolean,
  );
  return names.length === 0 ? null : html` class="${names.join(' ')}"`;
}

/** A column's title is a link that sorts by it; when it already does, the link reverses the order. */
export function heading(
  page: Pick<ListPage, 'path' | 'operation' | 'defaultSort'>,
  column: Omit<PageColumn, 'field' | 'format'>,
  sent: ReadonlyMap<string, readonly string[]>,
): Html {
  const { label, small, isNumber, isDeskOnly } = column;
  const current = sortOf(page, sent);
  const sorts = column.sorts ?? [];
  const at = sorts.indexOf(current);
  const next = sorts[(at + 1) % sorts.length];
  const isAscending = current.endsWith('asc');
  const mark: HtmlValue = at < 0 ? null : html` <span aria-hidden="true">${isAscending ? '↑' : '↓'}</span>`;
  const order = at < 0 ? null : html` aria-sort="${isAscending ? 'ascending' : 'descending'}"`;
  const title =
    next === undefined
      ? html`${label}`
      : html`<a href="${linkWith(page.path, sent, { sort: next })}">${label}${mark}</a>`;
  const names = [isNumber && 'num', isDeskOnly && 'd'].filter(Boolean).join(' ');
  return html`<th scope="col"${names === '' ? null : html` class="${names}"`}${order}>${title}${small === undefined ? null : html`<small>${small}</small>`}</th>`;
}
