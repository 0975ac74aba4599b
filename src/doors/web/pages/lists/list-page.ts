import type { AnswerRows } from '../../../../operations/answer/answer.ts';
import type { PageList, Row } from '../../layout/visitor.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { linkWith } from '../../markup/page-links.ts';
import type { PageJob } from '../live/cycle.ts';
import type { PageContext } from '../page-context.ts';
import type { FilterForm } from './filter-bar.ts';
import { rowMarkup, tableRow } from './row-memo.ts';

export interface PageColumn {
  field: string;
  label: string;
  /** The unit or meaning, below the label. */
  small?: string;
  /** The formula, shown when the pointer rests on the head. */
  title?: string;
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
  /** Adds fields that the operation does not have. */
  extend?: (row: Row) => Row;
  /** Names what the HTML of an extended row depends on besides the row. Without it, or with null, it is not remembered. */
  rowVariant?: (row: Row) => string | null;
  /** The heading above the rows that share it, in the order of `sort`; null: the rows have none. */
  headingOf?: (row: Row, sort: string) => string | null;
  /** What people write in the filters of this page only, as the operation wants it. */
  spell?: (sent: Map<string, string[]>) => Map<string, string[]>;
  /** The query of the operation, where the page shows fewer rows than its filters alone. */
  narrowed?: (sent: Map<string, string[]>) => Map<string, string[]>;
  /** Puts the rows of a list without pages into another order, or counts only some of them. */
  arrange?: (list: PageList, sort: string) => PageList;
  /** What makes the rows; by default the snapshots. */
  job?: PageJob;
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
  return html`<table class="t">
<thead><tr>${page.columns.map((column) => heading(page, column, sent))}</tr></thead>
<tbody>
${withHeadings(page, rows, sent, (row) => renderedRow(page, rows, row))}</tbody>
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
    const heading = headingOf(tableRow(rows, row), sort);
    if (heading === null || heading === last) return [write(row)];
    last = heading;
    // The same heading may come again: today's events are first those to come, then those of the past.
    count++;
    return [
      html`<tr class="grp" data-key="${count} ${heading}">
        <th colspan="${columns.length}" scope="colgroup">${heading}</th>
      </tr>\n`,
      write(row),
    ];
  });
}

export function sortOf(
  page: Pick<ListPage, 'defaultSort' | 'operation'>,
  sent: ReadonlyMap<string, readonly string[]>,
): string {
  return sent.get('sort')?.[0] ?? page.defaultSort ?? page.operation.rows?.defaultSort ?? '';
}

/** A row looks the same under every filter, so its HTML is remembered. */
function renderedRow(page: ListPage, rows: AnswerRows, number: number): Html {
  const row = tableRow(rows, number);
  const make = () => rowHtml(page, page.extend?.(row) ?? row);
  const variant = page.extend ? (page.rowVariant?.(row) ?? null) : '';
  return variant === null ? make() : rowMarkup(row, `${page.path} ${variant}`, make);
}

/** `data-key` lets the browser find the row again when its numbers or its place change. */
function rowHtml({ columns, operation }: ListPage, row: Row): Html {
  const { identity = [] } = operation.rows ?? {};
  const key = identity.map((name) => String(row[name])).join(' ');
  const cell = (column: PageColumn) =>
    html`<td${cellClass(column)}>${column.format(row[column.field], row)}</td>`;
  return html`<tr data-key="${key}">${columns.map(cell)}</tr>\n`;
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
  const { label, small, title: formula, isNumber, isDeskOnly } = column;
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
  const explained = formula === undefined ? null : html` title="${formula}"`;
  return html`<th scope="col"${names === '' ? null : html` class="${names}"`}${explained}${order}>
    ${title}
    ${small === undefined ? null : html`<small>${small}</small>`}
  </th>`;
}
