import type { Row } from '../../layout/visitor.ts';
import { countText } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinName } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkWith } from '../../markup/page-links.ts';
import { closedTag } from '../lists/closed-markets.ts';
import { heading, type ListPage } from '../lists/list-page.ts';
import { rowMarkup } from '../lists/row-memo.ts';
import type { PageContext } from '../page-context.ts';
import { type ArbitrageView, COLUMNS, cellsOf } from './columns.ts';
import { rowName } from './paths.ts';
import { openLink, PATH, withOpen } from './query.ts';
import { columnsFor } from './size-columns.ts';

/** Pairs that an opened coin shows; the rest are one link away. */
const MOST_OPEN = 20;
const COLUMN_COUNT = COLUMNS.length + 2;

/** A coin with its first pair and, if one of them is open, its other pairs; or a single pair. */
export interface ShownGroup {
  /** How many pairs of the coin match; null where every pair has a row of its own. */
  count: number | null;
  pairs: readonly Row[];
}

interface TableView extends ArbitrageView {
  sent: PageContext['sent'];
  /** The name of the opened pair and what it shows. */
  open: { name: string; details: Html } | null;
}

/** The pairs. On phones rows are cards, so the elements keep the roles of a table. */
export function pairsTable(page: ListPage, groups: readonly ShownGroup[], view: TableView): Html {
  const closed = openLink(view.sent, null);
  return html`<table class="t" role="table">
    ${tableHead(page, view)}
    <tbody role="rowgroup">
      ${groups.map((group) => groupRows(group, view, closed))}
    </tbody>
  </table>`;
}

function tableHead(page: ListPage, view: TableView): Html {
  const head = (column: Parameters<typeof heading>[1]) => heading(page, column, view.sent);
  return html`<thead role="rowgroup">
    <tr role="row">
      <th class="xb" scope="col"><span class="vh">Details</span></th>
      ${head({ label: 'Coin', sorts: ['coin_asc'] })}
      ${columnsFor(view).map(({ label, small, title, sorts, name }) =>
        head({
          label,
          isNumber: name.startsWith('num'),
          ...(small ? { small: small(view) } : {}),
          ...(title ? { title } : {}),
          ...(sorts ? { sorts } : {}),
        }),
      )}
    </tr>
  </thead>`;
}

/** `closed` is the address of the list without an open row. */
function groupRows({ count, pairs }: ShownGroup, view: TableView, closed: string): Html {
  const [first, ...others] = pairs;
  if (!first) return html``;
  const coin = String(first.coin);
  const key = count === null ? pairKey(first) : coin;
  const small = count === null || count === 1 ? null : countText(count, 'pair');
  const row = pairRow(first, { key, of: null, coin: coinName(coin, small, 24), top: key }, view, closed);
  if (!pairs.some((pair) => rowName(pair) === view.open?.name)) return row;
  const name = html`<span class="vh">${coin}</span>`;
  const link = linkWith(PATH, view.sent, { view: 'pairs', coin });
  return html`${row}
    ${others
      .filter((pair, i) => i < MOST_OPEN || rowName(pair) === view.open?.name)
      .map((pair) => pairRow(pair, { key: pairKey(pair), of: key, coin: name, top: key }, view, closed))}
    ${
      others.length > MOST_OPEN
        ? html`<tr role="row" class="sub" data-key="${coin} all" data-of="${key}">
          <td role="cell" colspan="${COLUMN_COUNT}"><a class="lnk" href="${link}">All ${count} pairs of ${coin}</a></td>
        </tr>\n`
        : null
    }`;
}

function pairKey({ coin, long_exchange: long, short_exchange: short }: Row): string {
  return `${coin} ${long} ${short}`;
}

interface RowPlace {
  key: string;
  /** The key of the row below which it was opened. */
  of: string | null;
  /** The content of its first cell. */
  coin: Html;
  /** The key of the row that its details belong to, so that they come and go with it. */
  top: string;
}

function pairRow(row: Row, { key, of, coin, top }: RowPlace, view: TableView, closed: string): Html {
  const name = rowName(row);
  const details = view.open?.name === name ? view.open.details : null;
  const isOpen = details !== null;
  const make = () => cellsOf(columnsFor(view), row, view);
  // How late a venue is depends on when the page is read.
  const cells = view.late.size > 0 ? make() : rowMarkup(row, 'cells', make);
  const words = `${String(row.coin)}, long ${String(row.long_exchange)}, short ${String(row.short_exchange)}`;
  const classes = [of === null ? '' : 'sub', isOpen ? 'open' : ''].join(' ').trim();
  return html`<tr role="row" data-key="${key}"${of === null ? null : html` data-of="${of}"`}${
    classes === '' ? null : html` class="${classes}"`
  }>
      <td role="cell" class="xb">
        <a class="ex" role="button" href="${isOpen ? closed : withOpen(closed, name)}"
          aria-expanded="${isOpen ? 'true' : 'false'}" aria-label="Details of ${words}">
          ${icon('right')}
        </a>
      </td>
      <td role="cell" class="cn">${coin}${closedTag(row)}</td>
      ${cells}
    </tr>\n
    ${
      details === null
        ? null
        : html`<tr role="row" class="xr" data-key="${key} details" data-of="${top}">
          <td role="cell" colspan="${COLUMN_COUNT}">${details}</td>
        </tr>\n`
    }`;
}
